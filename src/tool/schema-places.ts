import { isObject } from '../json/value.ts';
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts';
import { subschemas } from '../schema/subschemas.ts';
import { sameValue } from './in-place.ts';

/** A schema on the way through the definition. */
export interface Place {
  readonly schema: unknown;
  /** Where it is, for people: `parameters.properties.user.address[].zip`. */
  readonly field: string;
  /** What the fields of its properties begin with. */
  readonly below: string;
  /** True for what stands for a value of its own; a branch of a union may leave its type to the schema around it. */
  readonly typed: boolean;
  /** The outermost schema that describes the same value, where this one is a branch; a branch may ask for its names. */
  readonly whole?: SchemaObject | undefined;
}

/** Every schema of a tool's parameters, what is near the root first; the schema is known to be of a sane size. */
export function schemaPlaces(root: JsonSchema): Place[] {
  const places: Place[] = [{ schema: root, field: 'parameters', below: 'parameters.properties', typed: false }];
  // The list grows while it is read.
  for (const place of places) {
    if (isObject(place.schema)) for (const next of inside(place.schema as SchemaObject, place)) places.push(next);
  }
  return places;
}

/** What must not be may be asked for without being declared. */
const anything: SchemaObject = { patternProperties: { '': true } };
const forValues = new Set(['properties', 'prefixItems', 'items', '$defs', 'definitions']);

/** The schemas inside one, each with the field a person would call it by. */
const inside = (schema: SchemaObject, { field, below, whole = schema }: Place): Place[] =>
  [...subschemas(schema)].map(([held, word, key]) => {
    const at = key === undefined ? '' : Array.isArray(schema[word]) ? `[${key}]` : `.${key}`;
    const isItem = word === 'items' || word === 'prefixItems';
    const name = word === 'properties' ? below + at : isItem ? field + (at || '[]') : `${field}.${word}${at}`;
    const isRest = word === 'items' && Array.isArray(schema.prefixItems);
    const outermost = word === 'not' ? anything : sameValue.has(word) ? whole : undefined;
    return { schema: held, field: name, below: name, typed: forValues.has(word) && !isRest, whole: outermost };
  });
