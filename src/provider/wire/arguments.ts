import { readJson } from '../../json/read-json.ts';
import { isObject, type JsonObject, parseJson, stringifyJson } from '../../json/value.ts';

/** Arguments as text, for APIs that use text. */
export const argumentsText = (value: unknown): string =>
  typeof value === 'string' ? value : stringifyJson(value ?? {});

/** Arguments as an object, for APIs that use objects; undefined if the text isn't a JSON object. */
export function argumentsObject(value: unknown): JsonObject | undefined {
  if (typeof value !== 'string') return isObject(value) ? value : undefined;
  if (value.trim() === '') return {};
  try {
    const read: unknown = parseJson(value);
    return isObject(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Mends the arguments of an earlier call for APIs that only accept objects, so that one bad call in the history doesn't
 * fail every later request. `what` describes the change.
 */
export function mendedArguments(value: unknown): { readonly object: JsonObject; readonly what?: string } {
  const object = argumentsObject(value);
  if (object) return { object };
  const read = typeof value === 'string' ? readJson(value) : undefined;
  if (read?.problems.length === 0 && isObject(read.value)) {
    return { object: read.value, what: 'Not a JSON object; mended' };
  }
  return { object: {}, what: 'Not a JSON object; replaced by {}' };
}

/**
 * Parses arguments that are exactly what `JSON.stringify` produces: a provider package may have serialized an object,
 * which hides a truncation. Text written by the model stays text.
 */
export function asValue(text: string): unknown {
  const value = argumentsObject(text);
  return value !== undefined && JSON.stringify(value) === text ? value : text;
}
