import { isObject, type JsonObject, typeName } from '../json/value.ts';
import { WireError } from './wire-error.ts';

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
