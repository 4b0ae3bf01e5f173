/** Any JSON value. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
/** A JSON object. Keys are own properties, never `__proto__`. */
export interface JsonObject {
  [key: string]: JsonValue;
}
/** Keys and indexes from the root; empty for the root itself. */
export type Path = readonly (string | number)[];

/** Whether a value is an object, not null and not a list. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Checks own properties only, so that keys such as `toString` don't match inherited ones. */
export const hasOwn = (value: object, key: string | number): boolean => Object.hasOwn(value, key);

/** The JSON type of a value: null, boolean, number, string, array, object. */
export const typeName = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/** Whether two JSON values are equal, in any key order. Recursion is bounded by the depth limit. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => equal(item, b[i]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => hasOwn(b, key) && equal(a[key], b[key]));
}

/** Name of a field in messages for the model. */
export const fieldName = (path: Path): string => (path.length === 0 ? 'Root object' : `Field '${path.join('.')}'`);

/**
 * A deep copy, so that a value shown to or received from a person can't change later. Values that can't be cloned
 * aren't JSON, and are returned unchanged.
 */
export function ownCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  try {
    return structuredClone(value);
  } catch {
    return value;
  }
}
