/**
 * `unevaluatedProperties` and `unevaluatedItems`: what no other keyword, here or in a schema that the value passes in
 * place, has looked at.
 */
import { hasOwn, isObject } from '../json/value.ts';
import { additionalKeys } from './additional-keys.ts';
import { type Applicator, applicators, type Demand, isSchema, tupleLength } from './applicators.ts';
import type { JsonSchema, SchemaObject } from './json-schema.ts';
import type { Validator } from './judge.ts';

/** The schemas whose findings count for the value itself. */
const inPlace = (value: unknown, schema: SchemaObject, judge: Validator): SchemaObject[] => {
  const found: (JsonSchema | undefined)[] = [schema.if];
  for (const list of [schema.anyOf, schema.oneOf]) if (Array.isArray(list)) found.push(...list);
  for (const word of Object.keys(schema)) {
    for (const demand of applicators.get(word)?.(schema[word], value, schema, judge) ?? []) {
      // A demand on a part is the last thing that tells of a keyword on parts.
      if (demand.key !== undefined) break;
      found.push(demand.schema);
    }
  }
  return found.filter((sub): sub is SchemaObject => isObject(sub) && judge.passes(value, sub));
};

type Key = string | number;
type Own = (value: object, schema: SchemaObject, top: boolean, judge: Validator) => readonly Key[] | 'all';

/** Demands the keyword's schema of every part that no schema in place has evaluated. */
const rest = (own: Own, isWhole: (value: unknown) => boolean): Applicator =>
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

/** The two keywords that must know what the others did. */
export const unevaluated: ReadonlyMap<string, Applicator> = new Map([
  ['unevaluatedItems', rest(ownItems, Array.isArray)],
  ['unevaluatedProperties', rest(ownKeys, isObject)],
]);
