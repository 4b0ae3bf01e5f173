import { isObject } from '../../json/value.ts';

/** Adds null for missing keys that a strict schema requires, which the SDK's parser expects. */
export function fillNulls(value: unknown, schema: unknown): unknown {
  if (!isObject(schema)) return value;
  if (Array.isArray(value)) return value.map((item) => fillNulls(item, schema.items));
  const { properties, required } = schema;
  if (!isObject(value) || !isObject(properties)) return value;
  const filled: [string, unknown][] = Object.entries(value).map(([key, one]) => [key, fillNulls(one, properties[key])]);
  for (const key of Array.isArray(required) ? required.map(String) : [])
    if (!Object.hasOwn(value, key) && admitsNull(properties[key])) filled.push([key, null]);
  return Object.fromEntries(filled);
}

/**
 * Removes what strict mode added to a schema: all keys are required there, and optional ones are nullable. Models that
 * don't enforce it omit such keys, which the SDK accepts.
 */
export function looseSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(looseSchema);
  if (!isObject(schema)) return schema;
  const loose = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, looseSchema(value)]));
  const { properties, required } = schema;
  if (!isObject(properties) || !Array.isArray(required)) return loose;
  return { ...loose, required: required.filter((key) => !admitsNull(properties[String(key)])) };
}

/** Whether a schema accepts null. */
function admitsNull(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { type, anyOf } = schema;
  if (Array.isArray(type)) return type.includes('null');
  return type === 'null' || (Array.isArray(anyOf) && anyOf.some(admitsNull));
}
