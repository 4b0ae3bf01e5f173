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
