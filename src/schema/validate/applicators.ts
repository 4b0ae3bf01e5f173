import { hasOwn, isObject } from '../../json/value.ts';
import type { JsonSchema, SchemaObject } from '../types.ts';
import { compilePattern } from './patterns.ts';
import type { Validator } from './validator.ts';

/** A schema that the value, or its part under `key`, must match. */
export interface Demand {
  readonly schema: JsonSchema;
  readonly key?: string | number;
}

/** Yields demands, which the caller checks, so that no recursion happens here. */
type Applicator = (word: unknown, value: unknown, schema: SchemaObject, judge: Validator) => Iterable<Demand>;

/** Whether a value can be a schema. */
export const isSchema = (word: unknown): word is JsonSchema => typeof word === 'boolean' || isObject(word);

function* reference(word: unknown, _value: unknown, schema: SchemaObject, judge: Validator): Iterable<Demand> {
  if (typeof word === 'string') yield { schema: judge.target(word, schema) };
}

function* all(word: unknown): Iterable<Demand> {
  if (Array.isArray(word)) for (const sub of word) if (isSchema(sub)) yield { schema: sub };
}

function* condition(word: unknown, value: unknown, schema: SchemaObject, judge: Validator): Iterable<Demand> {
  if (!isSchema(word)) return;
  const branch = judge.passes(value, word) ? schema.then : schema.else;
  if (isSchema(branch)) yield { schema: branch };
}

function* dependents(word: unknown, value: unknown): Iterable<Demand> {
  if (!isObject(word) || !isObject(value)) return;
  for (const [key, sub] of Object.entries(word)) if (isSchema(sub) && hasOwn(value, key)) yield { schema: sub };
}

function* properties(word: unknown, value: unknown): Iterable<Demand> {
  if (!isObject(word) || !isObject(value)) return;
  for (const key of Object.keys(word)) {
    const sub = word[key];
    if (hasOwn(value, key) && isSchema(sub)) yield { schema: sub, key };
  }
}

function* patternProperties(word: unknown, value: unknown): Iterable<Demand> {
  if (!isObject(word) || !isObject(value)) return;
  for (const [source, sub] of Object.entries(word)) {
    const pattern = compilePattern(source);
    if (pattern === undefined || !isSchema(sub)) continue;
    for (const key of Object.keys(value)) if (pattern.test(key)) yield { schema: sub, key };
  }
}

function* additionalProperties(word: unknown, value: unknown, schema: SchemaObject): Iterable<Demand> {
  if (!isSchema(word) || word === true || !isObject(value)) return;
  for (const key of additionalKeys(value, schema)) yield { schema: word, key };
}

function* tuple(word: unknown, value: unknown): Iterable<Demand> {
  if (!Array.isArray(word) || !Array.isArray(value)) return;
  for (const [key, sub] of word.entries()) if (key < value.length && isSchema(sub)) yield { schema: sub, key };
}

function* rest(word: unknown, value: unknown, from: number): Iterable<Demand> {
  if (!isSchema(word) || word === true || !Array.isArray(value)) return;
  for (let key = from; key < value.length; key++) yield { schema: word, key };
}

/** Number of items with a schema of their own. */
const tupleLength = ({ prefixItems, items }: SchemaObject): number =>
  [prefixItems, items].find(Array.isArray)?.length ?? 0;

/** Keywords that apply other schemas to the value or its parts. */
export const applicators: ReadonlyMap<string, Applicator> = new Map<string, Applicator>([
  ['$ref', reference],
  ['$dynamicRef', reference],
  ['$recursiveRef', reference],
  ['allOf', all],
  ['if', condition],
  ['dependentSchemas', dependents],
  ['dependencies', dependents],
  ['properties', properties],
  ['patternProperties', patternProperties],
  ['additionalProperties', additionalProperties],
  ['prefixItems', tuple],
  [
    'items',
    (word, value, schema) => (Array.isArray(word) ? tuple(word, value) : rest(word, value, tupleLength(schema))),
  ],
  [
    'additionalItems',
    (word, value, schema) => (Array.isArray(schema.items) ? rest(word, value, schema.items.length) : []),
  ],
]);

/** Keys that neither `properties` nor `patternProperties` covers. */
const additionalKeys = (value: object, schema: SchemaObject): string[] => {
  const declared = isObject(schema.properties) ? schema.properties : {};
  const patterns = isObject(schema.patternProperties) ? Object.keys(schema.patternProperties).map(compilePattern) : [];
  return Object.keys(value).filter(
    (key) => !hasOwn(declared, key) && !patterns.some((pattern) => pattern?.test(key) ?? false),
  );
};

/**
 * `unevaluatedProperties` and `unevaluatedItems`: parts that no other keyword has evaluated, here or in a schema that
 * applies to the same value.
 */

/** The schemas that apply to the same value and match. */
const inPlace = (value: unknown, schema: SchemaObject, judge: Validator): SchemaObject[] => {
  const found: (JsonSchema | undefined)[] = [schema.if];
  for (const list of [schema.anyOf, schema.oneOf]) if (Array.isArray(list)) found.push(...list);
  for (const word of Object.keys(schema)) {
    for (const demand of applicators.get(word)?.(schema[word], value, schema, judge) ?? []) {
      // After a demand on a part, the keyword only yields demands on parts.
      if (demand.key !== undefined) break;
      found.push(demand.schema);
    }
  }
  return found.filter((sub): sub is SchemaObject => isObject(sub) && judge.passes(value, sub));
};

type Key = string | number;
type Own = (value: object, schema: SchemaObject, top: boolean, judge: Validator) => readonly Key[] | 'all';

/** Applies the keyword's schema to each part that wasn't evaluated. */
const checkUnevaluated = (own: Own, isWhole: (value: unknown) => boolean): Applicator =>
  function* (word, value, schema, judge): Iterable<Demand> {
    if (!isSchema(word) || word === true || !isWhole(value)) return;
    const whole = value as object;
    const seen = new Set<Key>();
    const open = new Set([schema]);
    for (const next of open) {
      const keys = own(whole, next, next === schema, judge);
      if (keys === 'all') return;
      for (const key of keys) seen.add(key);
      for (const sub of inPlace(whole, next, judge)) open.add(sub);
    }
    const keys: readonly Key[] = Array.isArray(whole) ? [...whole.keys()] : Object.keys(whole);
    for (const key of keys) if (!seen.has(key)) yield { schema: word, key };
  };

const ownKeys: Own = (value, schema, top) => {
  if (hasOwn(schema, 'additionalProperties') || (hasOwn(schema, 'unevaluatedProperties') && !top)) return 'all';
  const others = new Set(additionalKeys(value, schema));
  return Object.keys(value).filter((key) => !others.has(key));
};

const ownItems: Own = (value, schema, top, judge) => {
  const { items, contains } = schema;
  if (isSchema(items) || (Array.isArray(items) && hasOwn(schema, 'additionalItems'))) return 'all';
  if (hasOwn(schema, 'unevaluatedItems') && !top) return 'all';
  const fits = (item: unknown, at: number) => (isSchema(contains) && judge.passes(item, contains) ? [at] : []);
  return [...Array(tupleLength(schema)).keys(), ...(value as unknown[]).flatMap(fits)];
};

/** Keywords that depend on the results of others. */
export const unevaluated: ReadonlyMap<string, Applicator> = new Map([
  ['unevaluatedItems', checkUnevaluated(ownItems, Array.isArray)],
  ['unevaluatedProperties', checkUnevaluated(ownKeys, isObject)],
]);
