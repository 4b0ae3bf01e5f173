import { hasOwn, isObject } from '../json/value.ts';
import { additionalKeys } from './additional-keys.ts';
import type { JsonSchema, SchemaObject } from './json-schema.ts';
import type { Validator } from './judge.ts';
import { compilePattern } from './pattern.ts';

/** A schema that the value, or its part under `key`, must pass as well. */
export interface Demand {
  readonly schema: JsonSchema;
  readonly key?: string | number;
}

/** Demands come one by one and are weighed by the caller, so that depth costs no frames here. */
export type Applicator = (word: unknown, value: unknown, schema: SchemaObject, judge: Validator) => Iterable<Demand>;

/** True for whatever may stand where a schema is wanted. */
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

/** How many items stand under schemas of their own. */
export const tupleLength = ({ prefixItems, items }: SchemaObject): number =>
  [prefixItems, items].find(Array.isArray)?.length ?? 0;

/** The keywords by which a value must pass other schemas too, itself or in its parts. */
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
