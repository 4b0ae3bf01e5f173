import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { WireError } from '../errors.ts';
import { passthroughFor } from '../passthrough-fields.ts';
import { mustBeObject } from '../validate.ts';

/** Name of this API format. */
export const format = 'openai-chat';

export const isString = (value: unknown): value is string => typeof value === 'string';
export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
export const isNumber = (value: unknown): value is number => typeof value === 'number';
export const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

/** Removes a field from `rest` and returns it if it is valid. Null and invalid values stay and pass through. */
export function take<T>(rest: JsonObject, key: string, guard: (value: unknown) => value is T): T | undefined {
  const value: unknown = rest[key];
  if (!guard(value)) return undefined;
  delete rest[key];
  return value;
}

/** Puts the remaining fields of a nested object back, or removes it if none remain. */
export function putBack(rest: JsonObject, key: string, inner: JsonObject): void {
  if (Object.keys(inner).length > 0) rest[key] = inner;
  else delete rest[key];
}

/** Passthrough of this API format. */
export const { passthroughOf, asPassthrough, ownFields, mergeOver } = passthroughFor(format);

/** Returns a copy of an object, from which known fields can be removed, or throws a `WireError`. */
export function objectAt(value: unknown, where: string): JsonObject {
  return { ...mustBeObject(value, where) };
}

/** Returns a list, or throws a `WireError`. */
export function listAt(value: unknown, where: string): JsonValue[] {
  if (!Array.isArray(value)) throw new WireError(where, 'must be a list');
  return value;
}
