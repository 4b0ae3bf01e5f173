import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { WireError } from '../wire-error.ts';

/** The object that must stand here. */
export function expectObject(value: unknown, where: string): JsonObject {
  if (!isObject(value)) throw new WireError(where, 'must be an object');
  return value;
}

/** The list that must stand here; left out or null it is empty. */
export function expectList(value: unknown, where: string): readonly JsonValue[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new WireError(where, 'must be a list');
  return value;
}

/** The text that must stand here. */
export function expectText(value: unknown, where: string): string {
  if (typeof value !== 'string') throw new WireError(where, 'must be a string');
  return value;
}

/** The text that stands here, or none. */
export const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);
