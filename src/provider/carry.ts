import { isObject, type JsonObject, type JsonValue } from '../json/value.ts';
import type { Carrying, Extra, Format } from '../turn/turn.ts';
import { isEmpty, rest } from './rest.ts';

/**
 * What an object of the wire says beyond the fields that were read, to be carried along; nothing where nothing is left.
 *
 * @example
 * { type: 'text', text, ...carry('anthropic', block, ['type', 'text']) }
 */
export function passthroughFields(format: Format, wire: JsonObject, known: readonly string[]): { extra?: Extra } {
  const fields = rest(wire, known);
  return isEmpty(fields) ? {} : { extra: { format, fields } };
}

/** Lays what was carried over what is written, where it came from the same format. */
export const layOver = <W extends JsonObject>(format: Format, written: W, { extra }: Carrying): W =>
  extra?.format === format ? { ...written, ...extra.fields } : written;

/** The fields whose value is there, so that `undefined` is never written. */
export function present(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) kept[key] = value;
  return kept;
}

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
