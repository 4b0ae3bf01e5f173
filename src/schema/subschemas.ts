import { isObject } from '../json/value.ts';
import type { JsonSchema, SchemaObject } from './json-schema.ts';

type Shape = 'one' | 'list' | 'map';

/** Where a schema may hold other schemas; everything else under it is data. */
const places: ReadonlyMap<string, readonly Shape[]> = new Map<string, readonly Shape[]>([
  ...['$defs', 'definitions', 'properties', 'patternProperties', 'dependentSchemas', 'dependencies'].map(
    (word): [string, Shape[]] => [word, ['map']],
  ),
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((word): [string, Shape[]] => [word, ['list']]),
  ['items', ['one', 'list']],
  ...[
    ...['additionalItems', 'contains', 'unevaluatedItems', 'additionalProperties', 'propertyNames'],
    ...['unevaluatedProperties', 'not', 'if', 'then', 'else', 'contentSchema'],
  ].map((word): [string, Shape[]] => [word, ['one']]),
]);

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'boolean' || isObject(value);

/** The schemas directly inside a schema, with the keyword that holds each. */
export function* subschemas(schema: SchemaObject): Generator<readonly [JsonSchema, string]> {
  for (const word of Object.keys(schema)) {
    const shapes = places.get(word);
    const held = schema[word];
    if (shapes === undefined) continue;
    const shape = Array.isArray(held) ? 'list' : shapes.includes('map') ? 'map' : 'one';
    if (!shapes.includes(shape)) continue;
    const found = shape === 'one' ? [held] : isObject(held) || Array.isArray(held) ? Object.values(held) : [];
    for (const sub of found) if (isSchema(sub)) yield [sub, word];
  }
}
