import { isObject } from '../../json/value.ts';

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
export function admitsNull(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { type, anyOf } = schema;
  if (Array.isArray(type)) return type.includes('null');
  return type === 'null' || (Array.isArray(anyOf) && anyOf.some(admitsNull));
}
