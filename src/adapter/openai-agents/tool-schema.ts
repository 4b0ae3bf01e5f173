import { isObject } from '../../json/value.ts';

/** Arguments with null for each key that a strict schema requires and that was left out: what the SDK's parser waits for. */
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
 * A schema without what strict mode added to it: there every key is required, and one that may be left out is nullable
 * instead. A model that is not held to it leaves such keys out, and the SDK takes that.
 */
export function looseSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(looseSchema);
  if (!isObject(schema)) return schema;
  const loose = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, looseSchema(value)]));
  const { properties, required } = schema;
  if (!isObject(properties) || !Array.isArray(required)) return loose;
  return { ...loose, required: required.filter((key) => !admitsNull(properties[String(key)])) };
}

/** Whether null fits a schema. */
function admitsNull(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { type, anyOf } = schema;
  if (Array.isArray(type)) return type.includes('null');
  return type === 'null' || (Array.isArray(anyOf) && anyOf.some(admitsNull));
}
