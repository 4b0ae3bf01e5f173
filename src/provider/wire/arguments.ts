import { readJson } from '../../json/read-json.ts';
import { isObject, type JsonObject } from '../../json/value.ts';

/** A call's arguments as text, for wires that have text. */
export const argumentsText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? {});

/** A call's arguments as an object, for wires that have one; nothing where the text is no JSON object. */
export function argumentsObject(value: unknown): JsonObject | undefined {
  if (typeof value !== 'string') return isObject(value) ? value : undefined;
  if (value.trim() === '') return {};
  try {
    const read: unknown = JSON.parse(value);
    return isObject(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Arguments of an earlier call for a wire that takes objects alone: one bad call in the history must not make every later
 * request fail. `what` tells what was done where they were none.
 */
export function mendedArguments(value: unknown): { readonly object: JsonObject; readonly what?: string } {
  const object = argumentsObject(value);
  if (object) return { object };
  const read = typeof value === 'string' ? readJson(value) : undefined;
  if (read?.problems.length === 0 && isObject(read.value)) {
    return { object: read.value, what: 'No JSON object, so the object it means stands in its place' };
  }
  return { object: {}, what: 'No JSON object, so {} stands in its place' };
}
