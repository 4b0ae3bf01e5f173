import type { Problem } from '../../json/problem.ts';
import { cached } from '../../json/text-cache.ts';
import { hasOwn, isObject, type Path } from '../../json/value.ts';
import { closestKey } from '../closest-key.ts';
import type { JsonSchema, SchemaObject } from '../types.ts';
import { applicators, type Demand, unevaluated } from './applicators.ts';
import { assertions } from './assertions.ts';
import { combinators } from './combinators.ts';
import { describe, type Fault } from './messages.ts';
import { Refs } from './refs.ts';
import type { Validator } from './validator.ts';

/** Maximum number of problems; a model can't handle more at once. */
const mostProblems = 50;
/** Maximum number of name comparisons for suggestions. */
const mostComparisons = 2000;
/** Maximum recursion depth, which protects the stack. Values within the limits stay below it. */
const deepest = 1500;

const words = (list: string): readonly string[] => list.split(' ');
const annotations: ReadonlySet<string> = new Set([
  ...words('$ref $schema $comment $id $anchor $defs definitions'),
  ...words('title description default examples deprecated readOnly writeOnly'),
]);
const decisive = words('const enum type');
const forking = words('$ref $dynamicRef $recursiveRef anyOf oneOf allOf not if');

/** Whether to cache a result: not for a scalar with a schema that doesn't fork. */
const keeps = (value: unknown, schema: SchemaObject): boolean => {
  if (isComposed(value)) return true;
  for (const word of forking) if (hasOwn(schema, word)) return true;
  return false;
};

const tooDeep: readonly Fault[] = [
  { path: [], code: 'other', want: 'is nested too deeply to be checked', received: undefined },
];

/**
 * Validates values against a JSON Schema (2020-12, draft 7, and common parts of draft 4 and OpenAPI) without generating
 * code. Results are cached per value and schema, so values must not change: call `forget` if they did.
 *
 * @example new Interpreter({ type: 'number' }).problems('5')[0].message // Root object expected number, got string
 */
export class Interpreter implements Validator {
  readonly root: JsonSchema;
  readonly #refs: Refs;
  readonly #passed = new Memo<boolean>();
  readonly #found = new Memo<readonly Fault[]>();
  readonly #resolved = new WeakMap<SchemaObject, JsonSchema>();
  #depth = 0;
  #comparisons = mostComparisons;

  constructor(root: JsonSchema) {
    this.root = root;
    this.#refs = new Refs(root);
  }

  /** Clears the cache, after values have changed. */
  forget(): void {
    this.#passed.forget();
    this.#found.forget();
  }

  /** Whether a value matches a schema of this document, by default the root. */
  passes(value: unknown, schema: JsonSchema = this.root): boolean {
    if (!isObject(schema)) return schema !== false;
    if (!keeps(value, schema)) return this.#passesAll(value, schema);
    // A cycle without progress counts as valid.
    return this.#once(this.#passed, value, schema, true, false, () => this.#passesAll(value, schema));
  }

  /** The problems of a value, up to a limit; empty if it is valid. */
  problems(value: unknown, schema: JsonSchema = this.root, path: Path = []): Problem[] {
    const problems = new Map<string, Problem>();
    for (const fault of this.faults(value, schema)) {
      const problem = describe(fault, path);
      if (!problems.has(problem.message)) problems.set(problem.message, problem);
    }
    return [...problems.values()];
  }

  /** The faults, up to a limit, with paths relative to the value. */
  faults(value: unknown, schema: JsonSchema = this.root): readonly Fault[] {
    if (schema === false) return [{ path: [], code: 'unknown', want: undefined, received: value }];
    if (!isObject(schema) || this.passes(value, schema)) return [];
    if (!keeps(value, schema)) return this.#faultsOf(value, schema);
    return this.#once(this.#found, value, schema, [], tooDeep, () => this.#faultsOf(value, schema));
  }

  /** The target of a reference; `true` if it doesn't exist. */
  target(ref: string, from: SchemaObject): JsonSchema {
    const target = this.#refs.target(ref, from) ?? true;
    // Follows a reference to another plain reference to its end, so that a long chain costs one step.
    const onward = isObject(target) && typeof target.$ref === 'string' && !hasRules(target);
    return onward ? this.resolve(target) : target;
  }

  /**
   * Resolves a chain of `$ref`s and merges the keywords next to them (in draft 7 too, like ajv). Cycles become `true`.
   */
  resolve(schema: JsonSchema): JsonSchema {
    if (!isObject(schema) || typeof schema.$ref !== 'string') return schema;
    const known = this.#resolved.get(schema);
    if (known !== undefined) return known;
    const chain: SchemaObject[] = [];
    const seen = new Set<JsonSchema>();
    let here: JsonSchema = schema;
    let end: JsonSchema | undefined;
    while (end === undefined) {
      if (!isObject(here) || typeof here.$ref !== 'string') end = here;
      else if (seen.has(here)) end = true;
      else {
        end = this.#resolved.get(here);
        if (end !== undefined) break;
        seen.add(here);
        chain.push(here);
        here = this.#refs.target(here.$ref, here) ?? true;
      }
    }
    // In a cycle each start has its own end; otherwise all references of the chain are resolved now.
    const isCircle = isObject(here) && seen.has(here);
    for (let one = chain.pop(); one !== undefined; one = chain.pop()) {
      const { $ref: _, ...rest }: SchemaObject = one;
      if (hasRules(rest)) end = together(end, rest);
      if (!isCircle || one === schema) this.#resolved.set(one, end);
    }
    return end;
  }

  /** Computes a result once: `open` applies while it is being computed, `deep` if the recursion is too deep. */
  #once<T>(memo: Memo<T>, value: unknown, schema: SchemaObject, open: T, deep: T, decide: () => T): T {
    const known = memo.get(value, schema);
    if (known !== undefined) return known;
    memo.set(value, schema, open);
    let result = deep;
    this.#depth++;
    try {
      if (this.#depth <= deepest) result = decide();
    } catch (error) {
      // A caller deep in its own stack may leave less of it than `deepest` requires.
      if (!(error instanceof RangeError)) throw error;
    } finally {
      this.#depth--;
      if (this.#depth === 0) {
        for (const one of [this.#passed, this.#found]) one.forgetScalars();
        this.#comparisons = mostComparisons;
      }
    }
    memo.set(value, schema, result);
    return result;
  }

  #words(value: unknown, schema: SchemaObject): string[] {
    // OpenAPI's `nullable` without a type accepts null.
    if (value === null && schema.nullable === true && schema.type === undefined) return [];
    return Object.keys(schema);
  }

  #passesAll(value: unknown, schema: SchemaObject): boolean {
    for (const word of this.#words(value, schema)) {
      const held = schema[word];
      if (assertions.get(word)?.(held, value, schema) !== undefined) return false;
      if (combinators.get(word)?.(held, value, schema, this) !== undefined) return false;
      for (const demand of demands(word)?.(held, value, schema, this) ?? []) {
        if (!this.passes(partOf(value, demand.key), demand.schema)) return false;
      }
    }
    return true;
  }

  #faultsOf(value: unknown, schema: SchemaObject): readonly Fault[] {
    const all = this.#words(value, schema);
    // A value that isn't allowed or has the wrong type needs no second fault.
    for (const word of decisive) {
      const reason = all.includes(word) ? assertions.get(word)?.(schema[word], value, schema) : undefined;
      if (reason !== undefined) return reason;
    }
    const found: Fault[] = [];
    for (const word of all) {
      const held = schema[word];
      found.push(...(assertions.get(word)?.(held, value, schema) ?? []));
      found.push(...(combinators.get(word)?.(held, value, schema, this)?.() ?? []));
      for (const demand of demands(word)?.(held, value, schema, this) ?? []) {
        if (found.length >= mostProblems) break;
        if (this.#refuses(demand, value, schema, found)) break;
        if (demand.schema === false) continue;
        for (const fault of this.faults(partOf(value, demand.key), demand.schema)) {
          found.push(demand.key === undefined ? fault : { ...fault, path: [demand.key, ...fault.path] });
        }
      }
    }
    return inOrder(withoutEcho(found), schema).slice(0, mostProblems);
  }

  /** Reports a part that must not exist. Returns true if no more such parts need to be reported. */
  #refuses({ schema: sub, key }: Demand, value: unknown, schema: SchemaObject, found: Fault[]): boolean {
    if (sub !== false) return false;
    if (typeof key === 'number') {
      // The first forbidden index is the maximum length of the list.
      found.push({ path: [], code: 'maxItems', want: key, received: value });
      return true;
    }
    const declared = isObject(schema.properties) && key !== undefined ? Object.keys(schema.properties) : [];
    this.#comparisons -= declared.length;
    const unused = this.#comparisons < 0 ? [] : declared.filter((name) => !isObject(value) || !hasOwn(value, name));
    const want = closestKey(key ?? '', unused);
    found.push({ path: key === undefined ? [] : [key], code: 'unknown', want, received: partOf(value, key) });
    return false;
  }
}

/** Whether a schema has keywords other than references and annotations. */
const hasRules = (schema: SchemaObject): boolean => {
  for (const word of Object.keys(schema)) if (!annotations.has(word)) return true;
  return false;
};

const demands = (word: string) => applicators.get(word) ?? unevaluated.get(word);

const partOf = (value: unknown, key: string | number | undefined): unknown =>
  key === undefined ? value : (value as Record<string | number, unknown>)[key];

/** Removes the pattern of a format, which generated schemas also contain; the format's name says it better. */
const withoutEcho = (faults: Fault[]): Fault[] =>
  faults.some(({ code, path }) => code === 'format' && path.length === 0)
    ? faults.filter(({ code, path }) => code !== 'pattern' || path.length > 0)
    : faults;

/** Sorts faults by the order of declaration, as other validators do. Those of the root come first. */
const inOrder = (faults: Fault[], schema: SchemaObject): Fault[] => {
  if (faults.length < 2 || !isObject(schema.properties)) return faults;
  const ranks = new Map<unknown, number>(Object.keys(schema.properties).map((key, index) => [key, index]));
  const rank = ({ path }: Fault): number => (path.length === 0 ? -1 : (ranks.get(path[0]) ?? ranks.size));
  return faults.sort((a, b) => rank(a) - rank(b));
};

/** Merges two schemas. Uses `allOf` if they share keywords. */
const together = (target: JsonSchema, beside: SchemaObject): JsonSchema => {
  if (target === true) return beside;
  if (target === false) return false;
  const clash = Object.keys(beside).some((word) => hasOwn(target, word) && !annotations.has(word));
  return clash ? { allOf: [target, beside] } : { ...target, ...beside };
};

/** Caches results by value and schema. Those of objects are released with them, others after each call. */
class Memo<Result> {
  #composed = new WeakMap<object, Map<SchemaObject, Result>>();
  readonly #scalars = new Map<unknown, Map<SchemaObject, Result>>();

  get(value: unknown, schema: SchemaObject): Result | undefined {
    const results = isComposed(value) ? this.#composed.get(value) : this.#scalars.get(value);
    return results?.get(schema);
  }

  set(value: unknown, schema: SchemaObject, result: Result): void {
    const results = isComposed(value)
      ? cached(this.#composed, value, () => new Map())
      : cached(this.#scalars, value, () => new Map());
    results.set(schema, result);
  }

  forgetScalars(): void {
    if (this.#scalars.size > 0) this.#scalars.clear();
  }

  forget(): void {
    this.#composed = new WeakMap();
    this.forgetScalars();
  }
}

/** Whether a value is an object or a list. */
export const isComposed = (value: unknown): value is object => typeof value === 'object' && value !== null;
