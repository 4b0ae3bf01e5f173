import { isObject, type JsonObject, typeName } from '../../json/value.ts';
import { WireError } from './errors.ts';
import type { Provider } from './types.ts';

/** Returns an object, or throws a `WireError`. */
export function mustBeObject(value: unknown, where: string): JsonObject {
  if (isObject(value)) return value;
  throw new WireError(where, `must be an object, not ${typeName(value)}`);
}

/** Returns a list, or throws a `WireError`. A missing value is an empty list. */
export function mustBeList(value: unknown, where: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (value === undefined || value === null) return [];
  throw new WireError(where, `must be a list, not ${typeName(value)}`);
}

/** Returns a string, or throws a `WireError`. A missing value is an empty string. */
export function mustBeText(value: unknown, where: string): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  throw new WireError(where, `must be text, not ${typeName(value)}`);
}

/** Maximum nesting depth, which a recursive function can reach without overflowing the stack. */
export const deepest = 1000;

/** Whether a text has enough brackets to be that deep. Counting is cheaper than parsing, and usually enough. */
export function mayBeTooDeep(text: string): boolean {
  // Each level takes at least two characters.
  return text.length > 2 * deepest && count(text, '{') + count(text, '[') > deepest;
}

function count(text: string, bracket: string): number {
  let found = 0;
  for (let at = text.indexOf(bracket); at >= 0 && found <= deepest; at = text.indexOf(bracket, at + 1)) found += 1;
  return found;
}

/** Whether a value is nested deeper than the limit. */
export function isTooDeep(value: unknown, room = deepest): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (room === 0) return true;
  // Every request and response is walked, so this makes no lists.
  if (Array.isArray(value)) {
    for (const inner of value) if (isTooDeep(inner, room - 1)) return true;
  } else {
    for (const key in value) if (isTooDeep((value as JsonObject)[key], room - 1)) return true;
  }
  return false;
}

/** Whether a value is a list of strings. */
export const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** Wraps an API format to reject bodies that are nested too deeply to process. */
export function bounded(wire: Provider): Provider {
  return {
    ...wire,
    readRequest: (body, address) => wire.readRequest(shallow(body), address),
    readTools: (tools) => wire.readTools(shallow(tools)),
    readResponse: (body) => wire.readResponse(shallow(body)),
    readError: (status, body) => wire.readError(status, isTooDeep(body) ? `The body ${tooDeep}` : body),
  };
}

const tooDeep = `is nested deeper than ${deepest} levels`;

function shallow<T>(body: T): T {
  if (isTooDeep(body)) throw new WireError('', tooDeep);
  return body;
}
