import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { WireError } from '../errors.ts';
import { passthroughFor } from '../passthrough.ts';
import { mustBeObject } from '../validate.ts';

/** The name of this wire. */
export const format = 'openai-chat';

export const isString = (value: unknown): value is string => typeof value === 'string';
export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
export const isNumber = (value: unknown): value is number => typeof value === 'number';
export const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

/** Takes a field out of `rest` where it is what the wire promises; a null or an odd value stays, to be carried. */
export function take<T>(rest: JsonObject, key: string, guard: (value: unknown) => value is T): T | undefined {
  const value: unknown = rest[key];
  if (!guard(value)) return undefined;
  delete rest[key];
  return value;
}

/** Puts back what is left of an object inside `rest`, or removes it where nothing is left. */
export function putBack(rest: JsonObject, key: string, inner: JsonObject): void {
  if (Object.keys(inner).length > 0) rest[key] = inner;
  else delete rest[key];
}

/** How this wire passes unknown fields through. */
export const { passthroughOf, asPassthrough, ownFields, mergeOver } = passthroughFor(format);

/** The object that must stand there, copied, so that what is known can be taken out of it. */
export function objectAt(value: unknown, where: string): JsonObject {
  return { ...mustBeObject(value, where) };
}

/** The list that must stand there. */
export function listAt(value: unknown, where: string): JsonValue[] {
  if (!Array.isArray(value)) throw new WireError(where, 'must be a list');
  return value;
}
