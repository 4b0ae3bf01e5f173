import { isObject } from '../json/value.ts';
import type { SchemaObject } from '../schema/json-schema.ts';
import type { Refs } from '../schema/refs.ts';
import { subschemas } from '../schema/subschemas.ts';

/** The keywords whose schemas judge the same value as the schema they stand in. */
export const sameValue: ReadonlySet<string> = new Set([
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
]);

/** The schemas that judge the same value as this one: its branches and what its `$ref` points at. */
export function* inPlace(schema: SchemaObject, refs: Refs): Generator<SchemaObject> {
  for (const [held, word] of subschemas(schema)) if (sameValue.has(word) && isObject(held)) yield held;
  const target = typeof schema.$ref === 'string' ? refs.target(schema.$ref, schema) : undefined;
  if (isObject(target)) yield target;
}
