import { isObject, type JsonObject, typeName } from '../../json/value.ts';
import { WireError } from './errors.ts';
import type { Provider } from './types.ts';

/** The value as an object, or an error that says where none was found. */
export function mustBeObject(value: unknown, where: string): JsonObject {
  if (isObject(value)) return value;
  throw new WireError(where, `must be an object, not ${typeName(value)}`);
}

/** The value as a list; nothing at all is an empty one. */
export function mustBeList(value: unknown, where: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (value === undefined || value === null) return [];
  throw new WireError(where, `must be a list, not ${typeName(value)}`);
}

/** The value as text; nothing at all is an empty one. */
export function mustBeText(value: unknown, where: string): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  throw new WireError(where, `must be text, not ${typeName(value)}`);
}

/** Nested deeper, nothing honest is; a walk as deep as this one stays within any stack. */
export const deepest = 1000;

/** Whether a text has brackets enough to be so deep; most have not, and finding that out costs less than a walk. */
export function mayBeTooDeep(text: string): boolean {
  // Each level takes two characters at the least.
  return text.length > 2 * deepest && count(text, '{') + count(text, '[') > deepest;
}

function count(text: string, bracket: string): number {
  let found = 0;
  for (let at = text.indexOf(bracket); at >= 0 && found <= deepest; at = text.indexOf(bracket, at + 1)) found += 1;
  return found;
}

/** Whether objects and lists stand in each other deeper than that. */
export function isTooDeep(value: unknown, room = deepest): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (room === 0) return true;
  const inside = Array.isArray(value) ? value : Object.values(value);
  return inside.some((inner) => isTooDeep(inner, room - 1));
}

/** Whether a value is a list of texts and of nothing else. */
export const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** The same wire, which refuses bodies so deep that reading or writing them would overflow the stack. */
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
