/**
 * What `unevaluatedProperties` and `unevaluatedItems` leave out: the keys and indexes some other keyword, here or in
 * a schema that the value passes in place, has looked at.
 */
import { hasOwn, isObject } from '../json/value.ts';
import { additionalKeys } from './additional-keys.ts';
import type { JsonSchema, SchemaObject } from './json-schema.ts';
import type { Judge } from './judge.ts';

const isSchema = (word: unknown): word is JsonSchema => typeof word === 'boolean' || isObject(word);

/** The schemas whose findings count for the value itself. */
const inPlace = (value: unknown, schema: SchemaObject, judge: Judge): JsonSchema[] => {
  const found: JsonSchema[] = [];
  for (const word of ['$ref', '$dynamicRef', '$recursiveRef']) {
    const ref = schema[word];
    if (typeof ref === 'string') found.push(judge.target(ref, schema));
  }
  for (const list of [schema.allOf, schema.anyOf, schema.oneOf]) if (Array.isArray(list)) found.push(...list);
  if (isSchema(schema.if)) {
    const passed = judge.passes(value, schema.if);
    const branch = passed ? schema.then : schema.else;
    if (passed) found.push(schema.if);
    if (isSchema(branch)) found.push(branch);
  }
  for (const map of [schema.dependentSchemas, schema.dependencies]) {
    if (!isObject(map) || !isObject(value)) continue;
    for (const [key, sub] of Object.entries(map)) if (isSchema(sub) && hasOwn(value, key)) found.push(sub);
  }
  return found.filter((sub) => isObject(sub) && judge.passes(value, sub));
};

/** How many items stand under schemas of their own. */
const tupleLength = (schema: SchemaObject): number => {
  if (Array.isArray(schema.prefixItems)) return schema.prefixItems.length;
  return Array.isArray(schema.items) ? schema.items.length : 0;
};

type Own<Key> = (schema: SchemaObject, top: boolean) => Iterable<Key> | true;

const gather = <Key>(value: unknown, schema: SchemaObject, judge: Judge, own: Own<Key>): Set<Key> | true => {
  const found = new Set<Key>();
  const seen = new Set<SchemaObject>();
  const open: SchemaObject[] = [schema];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const keys = own(next, next === schema);
    if (keys === true) return true;
    for (const key of keys) found.add(key);
    for (const sub of inPlace(value, next, judge)) if (isObject(sub)) open.push(sub);
  }
  return found;
};

/** The keys of an object that are evaluated; `true` for all of them. The schema's own rest does not count. */
export const evaluatedKeys = (value: object, schema: SchemaObject, judge: Judge) =>
  gather<string>(value, schema, judge, (here, top) => {
    if (hasOwn(here, 'additionalProperties')) return true;
    if (hasOwn(here, 'unevaluatedProperties') && !top) return true;
    const others = new Set(additionalKeys(value, here));
    return Object.keys(value).filter((key) => !others.has(key));
  });

/** The indexes of a list that are evaluated; `true` for all of them. */
export const evaluatedItems = (value: readonly unknown[], schema: SchemaObject, judge: Judge) =>
  gather<number>(value, schema, judge, (here, top) => {
    if (isSchema(here.items) || (Array.isArray(here.items) && hasOwn(here, 'additionalItems'))) return true;
    if (hasOwn(here, 'unevaluatedItems') && !top) return true;
    const { contains } = here;
    const fits = isSchema(contains) ? value.flatMap((item, at) => (judge.passes(item, contains) ? [at] : [])) : [];
    return [...Array(tupleLength(here)).keys(), ...fits];
  });
