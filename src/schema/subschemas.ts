import { isObject } from '../json/value.ts';
import type { SchemaObject } from './json-schema.ts';

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Where a schema may hold other schemas, by name, in a list, or one alone; everything else under it is data. */
const maps = words('$defs definitions properties patternProperties dependentSchemas dependencies');
const lists = words('allOf anyOf oneOf prefixItems items');
const ones = words(
  'items additionalItems contains unevaluatedItems additionalProperties propertyNames unevaluatedProperties not if then else contentSchema',
);

/** What stands where a schema directly inside a schema should: with the keyword that holds it, and its key there. */
export function* subschemas(schema: SchemaObject): Generator<readonly [unknown, string, string?]> {
  for (const word of Object.keys(schema)) {
    const held = schema[word];
    if (Array.isArray(held) ? lists.has(word) : maps.has(word) && isObject(held)) {
      for (const [key, sub] of Object.entries(held as object)) {
        // `dependencies` also leads to lists of names.
        if (word !== 'dependencies' || !Array.isArray(sub)) yield [sub, word, key];
      }
    } else if (ones.has(word)) yield [held, word];
  }
}
