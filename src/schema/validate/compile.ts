import type { Ajv, Options, ValidateFunction } from 'ajv';
import type { Problem } from '../../json/problem.ts';
import { textCache } from '../../json/text-cache.ts';
import { isObject } from '../../json/value.ts';
import type { JsonSchema, SchemaObject } from '../types.ts';
import { equalItems, isMultiple } from './assertions.ts';
import { formats } from './formats.ts';
import { Interpreter, isComposed } from './interpreter.ts';
import { describe } from './messages.ts';
import { compilePattern } from './patterns.ts';
import { Refs, subschemas } from './refs.ts';

/** Validates values of one JSON Schema. */
export interface Checker {
  passes(value: unknown): boolean;
  problems(value: unknown): Problem[];
}

type AjvClass = new (options: Options) => Ajv;

/** The parts of `node:module` that load a package synchronously. */
interface Loader {
  createRequire(from: string): (id: string) => Record<string, AjvClass>;
}

let generators: { readonly draft7: AjvClass; readonly draft2020: AjvClass } | null | undefined;

/**
 * ajv's classes, loaded with the first schema that is compiled, because a program may have none. Null where code can't be
 * generated, and where packages can't be loaded at run time: in browsers, edge workers and bundles.
 */
const generatorsOf = (): typeof generators => {
  if (generators === undefined) {
    try {
      const { process } = globalThis as unknown as { process: { getBuiltinModule(id: string): Loader } };
      const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);
      new Function('');
      const [draft7, draft2020] = [require('ajv').Ajv, require('ajv/dist/2020.js').Ajv2020];
      generators = draft7 && draft2020 ? { draft7, draft2020 } : null;
    } catch {
      generators = null;
    }
  }
  return generators;
};

/** ajv identifies patterns by their text, so each needs its own `toString`. */
const regExp = (source: string) => {
  const pattern = compilePattern(source);
  return { test: (text: string) => pattern?.test(text) ?? true, toString: () => source };
};

const options: Options = {
  strict: false,
  validateSchema: false,
  meta: false,
  logger: false,
  addUsedSchema: false,
  formats: Object.fromEntries(formats),
  code: {
    regExp: Object.assign(regExp, { code: 'compilePattern' }),
  },
};

/** Replaces ajv's own versions, which are quadratic and inexact. */
const ownKeywords = {
  uniqueItems: {
    type: 'array',
    schemaType: 'boolean',
    test: (word: boolean, list: unknown[]) => !word || !equalItems(list),
  },
  multipleOf: { type: 'number', schemaType: 'number', test: (of: number, value: number) => isMultiple(value, of) },
} as const;

/** ajv's validation function; undefined if it can't be generated, so that the interpreter is used. */
const generate = (schema: JsonSchema, ownProperties: boolean): ValidateFunction | undefined => {
  const classes = isObject(schema) ? generatorsOf() : undefined;
  if (!isObject(schema) || !classes) return undefined;
  const draft = typeof schema.$schema === 'string' ? schema.$schema : '';
  try {
    // One instance per schema: a shared one would keep everything it compiled, and reject a repeated `$id`.
    const Generator = /draft-0?[3-7]\b/.test(draft) ? classes.draft7 : classes.draft2020;
    const ajv = new Generator({ ...options, ownProperties });
    for (const [keyword, { test, ...rest }] of Object.entries(ownKeywords)) {
      ajv.removeKeyword(keyword);
      ajv.addKeyword({ keyword, ...rest, errors: false, validate: test });
    }
    return ajv.compile(schema);
  } catch {
    return undefined;
  }
};

/** Whether a value is nested deeper than this. */
const isDeeper = (value: unknown, room: number): boolean => {
  if (!isComposed(value)) return false;
  if (room === 0) return true;
  for (const inner of Object.values(value)) if (isDeeper(inner, room - 1)) return true;
  return false;
};

export interface CheckerOptions {
  /** False forces the interpreter. */
  readonly compiled?: boolean;
  /** False includes inherited properties, which is faster. Only for schemas that declare no inherited name. */
  readonly own?: boolean;
}

/**
 * Creates a checker for a JSON Schema. ajv, compiled on first use, decides quickly; the interpreter reports problems,
 * and replaces ajv if code can't be generated or would be dangerous.
 */
export const checkerFor = (schema: JsonSchema, { compiled = true, own = true }: CheckerOptions = {}): Checker => {
  const interpreter = new Interpreter(schema);
  const interpreted = (value: unknown): boolean => {
    interpreter.forget();
    return interpreter.passes(value);
  };
  /** Generated code can throw on unusual combinations of schema and value; the interpreter decides then. */
  const quickly = (run: ValidateFunction, value: unknown): boolean => {
    try {
      return run(value);
    } catch {
      return interpreted(value);
    }
  };
  let quick: ValidateFunction | undefined;
  const first = (value: unknown): boolean => {
    const deepest = compiled ? compilable(schema) : 0;
    quick = deepest > 0 ? generate(schema, own) : undefined;
    const run = quick;
    if (run === undefined) checker.passes = interpreted;
    else if (deepest === Number.POSITIVE_INFINITY) checker.passes = (one) => quickly(run, one);
    else checker.passes = (one) => (isDeeper(one, deepest) ? interpreted(one) : quickly(run, one));
    return checker.passes(value);
  };
  const checker: Checker = {
    passes: first,
    problems(value) {
      if (checker.passes(value)) return [];
      const words = quick?.errors?.[0];
      interpreter.forget();
      const problems = interpreter.problems(value);
      interpreter.forget();
      if (problems.length > 0) return problems;
      const path = (words?.instancePath ?? '').split('/').slice(1);
      return [
        describe({ path, code: 'other', want: words?.message ?? 'does not match its schema', received: undefined }),
      ];
    },
  };
  return checker;
};

const mostNodes = 1000;
const mostDepth = 200;
const definitions = new Set(['$defs', 'definitions']);

const mostRuns = 10_000;
const forks = ['anyOf', 'oneOf', 'allOf', 'not', 'if', 'dependentSchemas', 'dependencies'] as const;

/**
 * Maximum depth of values for which code generated from a schema is safe; 0 if none may be generated. The schema must
 * be small with all references inlined, because ajv runs a shared reference like a copy. If a recursive schema has
 * branches (such as `anyOf`), ajv may run it once for each reference to itself, at each level of the value: with three
 * references, 3^depth times.
 */
export const compilable = (root: JsonSchema): number => {
  const refs = new Refs(root);
  const above = new Set<SchemaObject>();
  let nodes = 0;
  let forking = false;
  let returns = 0;

  const fits = (schema: unknown): boolean => {
    if (!isObject(schema)) return true;
    nodes++;
    if (above.has(schema)) {
      returns++;
      return true;
    }
    if (nodes > mostNodes || above.size > mostDepth || misread(schema)) return false;
    above.add(schema);
    forking ||= forks.some((word) => schema[word] !== undefined);
    for (const [sub, word] of subschemas(schema)) if (!definitions.has(word) && !fits(sub)) return false;
    for (const ref of [schema.$ref, schema.$dynamicRef, schema.$recursiveRef]) {
      if (typeof ref !== 'string') continue;
      const target = refs.target(ref, schema);
      if (target === undefined || !fits(target)) return false;
    }
    above.delete(schema);
    return true;
  };
  if (!fits(root)) return 0;
  if (returns === 0 || !forking) return Number.POSITIVE_INFINITY;
  return Math.floor(Math.log(mostRuns) / Math.log(Math.max(2, returns)));
};

/** What ajv handles differently from the specification, or from the interpreter. */
const misread = (schema: SchemaObject): boolean =>
  // With `prefixItems`, ajv accepts an empty list for `contains`, and counts every item as evaluated.
  schema.contains !== undefined ||
  // Generated code for these can throw, because it writes to variables that `patternProperties` hasn't initialized.
  schema.unevaluatedProperties !== undefined ||
  schema.unevaluatedItems !== undefined ||
  // ajv's comparison of objects calls their `toString`, which a model can write.
  [schema.const, ...(Array.isArray(schema.enum) ? schema.enum : [])].some(isComposed) ||
  // ajv searches long lists linearly for each value, and nests code by the forms of a union.
  [schema.enum, schema.anyOf, schema.oneOf, schema.allOf].some((held) => Array.isArray(held) && held.length > 100) ||
  schema.$dynamicRef !== undefined ||
  schema.$recursiveRef !== undefined ||
  (schema.nullable === true && schema.type === undefined) ||
  // ajv silently skips a property of this name.
  (typeof schema.properties === 'object' &&
    schema.properties !== null &&
    Object.hasOwn(schema.properties, '__proto__'));

const longestText = 1024 * 1024;

const byObject = new WeakMap<object, Checker>();
const byText = textCache<Checker>(500, 16 * longestText);

/**
 * Minimum length of a schema's JSON text. Each object is measured once, because shared parts are written repeatedly and
 * can make the text endless. Infinite for a cyclic schema.
 */
function textLength(value: unknown, known: Map<object, number>): number {
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? value.length + 2 : 1;
  const measured = known.get(value);
  if (measured !== undefined) return measured;
  known.set(value, Number.POSITIVE_INFINITY);
  let length = 2;
  for (const key of Object.keys(value))
    length += textLength((value as Record<string, unknown>)[key], known) + (Array.isArray(value) ? 1 : key.length + 3);
  known.set(value, length);
  return length;
}

/** The JSON text of a schema; undefined if it is too long, too deep or cyclic. */
function textOf(schema: JsonSchema): string | undefined {
  try {
    const text = textLength(schema, new Map()) <= longestText ? JSON.stringify(schema) : undefined;
    return text !== undefined && text.length <= longestText ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Finds the checker by the schema's text, for schemas that are parsed again with every request. */
const recalled = (schema: JsonSchema): Checker => {
  const text = textOf(schema);
  return text === undefined ? checkerFor(schema) : byText(text, () => checkerFor(JSON.parse(text)));
};

/** The checker of a schema, cached by object or text. */
export const checkerOf = (schema: JsonSchema): Checker => {
  if (typeof schema !== 'object' || schema === null) return recalled(schema);
  const known = byObject.get(schema);
  if (known !== undefined) return known;
  const checker = recalled(schema);
  byObject.set(schema, checker);
  return checker;
};

type Close = (held: unknown, depth: number) => unknown;

const asIs: Close = (held) => held;
const each: Close = (held, depth) => [held].flat().map((part) => close(part as JsonSchema, depth));
const byKey: Close = (held, depth) =>
  Object.fromEntries(Object.entries(held as object).map(([key, part]) => [own(key), close(part, depth)]));
const one: Close = (held, depth) => (Array.isArray(held) ? each(held, depth) : close(held as JsonSchema, depth));

/**
 * Keywords with which a schema becomes no weaker when its parts become stricter, so that a value that matches the
 * closed schema matches the original. Excludes `oneOf`, `not` and `allOf`, whose parts see each other's keys.
 */
const words = new Map<string, Close>([
  ...'type enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format'
    .concat(' minItems maxItems uniqueItems title description default examples deprecated readOnly writeOnly')
    .concat(' $schema $comment $ref')
    .split(' ')
    .map((word): [string, Close] => [word, asIs]),
  ['required', (held) => [held].flat().map((key) => own(String(key)))],
  ['anyOf', each],
  ['prefixItems', each],
  ['items', one],
  ['additionalProperties', one],
  ['properties', byKey],
  ['$defs', byKey],
  ['definitions', byKey],
]);

/**
 * Creates a single check for valid calls: the schema with all objects closed, so that a value that matches has neither
 * problems nor undeclared keys. For schemas with other keywords it always returns false, and the regular checks apply.
 */
export function exactly(schema: JsonSchema): (value: unknown) => boolean {
  try {
    const checker = checkerFor(close(schema, 0), { own: false });
    return (value) => checker.passes(value);
  } catch {
    return () => false;
  }
}

function close(schema: JsonSchema, depth: number): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  if (!isObject(schema) || depth > 32) throw unsuited;
  const closed: SchemaObject = {};
  for (const [word, held] of Object.entries(schema)) {
    const part = words.get(word);
    if (!part) throw unsuited;
    closed[word] = part(held, depth + 1);
  }
  if (Object.keys(closed.properties ?? {}).length > 0) closed.additionalProperties = false;
  return closed;
}

/** Code that includes inherited properties would find these names on every object. */
function own(key: string): string {
  if (key in Object.prototype) throw unsuited;
  return key;
}

/** Thrown and caught in this file if a closed copy wouldn't preserve the schema. */
const unsuited = new Error('unsuited');
