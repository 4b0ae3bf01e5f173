import { isObject } from '../json/value.ts';
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts';

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

const sameValue = ['anyOf', 'oneOf', 'allOf', 'if', 'then', 'else', 'dependentSchemas'];
const otherValues = [
  ...['additionalProperties', 'patternProperties', 'unevaluatedProperties', 'propertyNames'],
  ...['additionalItems', 'unevaluatedItems', 'contains', 'contentSchema'],
];
/** What must not be may be asked for without being declared. */
const anything: SchemaObject = { patternProperties: { '': true } };

/** The schemas inside one, each with the field a person would call it by. */
function inside(schema: SchemaObject, { field, below, whole = schema }: Place): Place[] {
  const places: Place[] = [];
  const put = (held: unknown, name: string, typed: boolean, outermost?: SchemaObject) =>
    places.push({ schema: held, field: name, below: name, typed, whole: outermost });
  for (const [key, held] of entries(schema.properties)) put(held, `${below}.${key}`, true);
  for (const word of ['prefixItems', 'items'] as const) {
    const items: unknown = schema[word];
    if (Array.isArray(items)) for (const [index, item] of items.entries()) put(item, `${field}[${index}]`, true);
    else if (items !== undefined) put(items, `${field}[]`, !Array.isArray(schema.prefixItems));
  }
  for (const word of ['$defs', 'definitions'] as const) {
    for (const [key, held] of entries(schema[word])) put(held, `${field}.${word}.${key}`, true);
  }
  for (const [words, outermost] of [
    [sameValue, whole],
    [otherValues, undefined],
    [['not'], anything],
  ] as const) {
    for (const word of words) {
      for (const [name, held] of branches(schema[word], `${field}.${word}`)) put(held, name, false, outermost);
    }
  }
  return places;
}

const keywordMaps = /\.(?:patternProperties|dependentSchemas)$/;

function branches(held: unknown, field: string): [string, unknown][] {
  if (held === undefined) return [];
  if (Array.isArray(held)) return held.map((branch, index) => [`${field}[${index}]`, branch]);
  return keywordMaps.test(field) ? entries(held).map(([key, one]) => [`${field}.${key}`, one]) : [[field, held]];
}

const entries = (held: unknown): [string, unknown][] => (isObject(held) ? Object.entries(held) : []);
