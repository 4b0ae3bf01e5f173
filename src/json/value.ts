/** What JSON can hold. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
/** A JSON object; keys are own properties, `__proto__` never among them. */
export interface JsonObject {
  [key: string]: JsonValue;
}
/** Where something is: keys and indexes from the root; empty for the root itself. */
export type Path = readonly (string | number)[];

/** True for a plain JSON object: neither null nor a list. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Own properties only, so that a key named `toString` or `constructor` finds nothing inherited. */
export const hasOwn = (value: object, key: string | number): boolean => Object.hasOwn(value, key);

/** The word a model knows a value's type by: null, boolean, number, string, array, object. */
export const typeName = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/** Are two JSON values the same, whatever the order of their keys? Depth is bounded by the reader's limit. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => equal(item, b[i]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => hasOwn(b, key) && equal(a[key], b[key]));
}

/** How a field is named to a model. */
export const fieldName = (path: Path): string => (path.length === 0 ? 'Root object' : `Field '${path.join('.')}'`);

/**
 * A value that nobody else holds: what was shown to a person, or given by one, must not change afterwards. What can't be
 * copied is no JSON, and is given as it is.
 */
export function ownCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  try {
    return structuredClone(value);
  } catch {
    return value;
  }
}
