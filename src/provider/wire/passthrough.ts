import { equal, isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Format, Passthrough, WithPassthrough } from '../../model/index.ts';

/**
 * What an object of the wire says beyond the fields that were read, to be carried along; nothing where nothing is left.
 *
 * @example
 * { type: 'text', text, ...carry('anthropic', block, ['type', 'text']) }
 */
export function passthroughFields(
  format: Format,
  wire: JsonObject,
  known: readonly string[],
): { passthrough?: Passthrough } {
  const fields = unreadFields(wire, known);
  return isEmpty(fields) ? {} : { passthrough: { format, fields } };
}

/** Lays what was carried over what is written, where it came from the same format. */
export const layOver = <W extends JsonObject>(format: Format, written: W, { passthrough }: WithPassthrough): W =>
  passthrough?.format === format ? { ...written, ...passthrough.fields } : written;

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

/** How one format carries along what it could not say, and finds it again. */
interface Carrier {
  /** What is left of an object; nothing where nothing is left. */
  carried(fields: JsonObject): { passthrough?: Passthrough };
  /** The same, though it may be empty: that it is there says something by itself. */
  always(fields: JsonObject): { passthrough: Passthrough };
  /** What this format carried along, if anything. */
  own(carrying: WithPassthrough): JsonObject | undefined;
  /** An object among what was carried along. */
  ownObject(carrying: WithPassthrough, key: string): JsonObject | undefined;
}

/** The carrier of a format. */
export function passthroughOfFormat(format: Format): Carrier {
  const always = (fields: JsonObject): { passthrough: Passthrough } => ({ passthrough: { format, fields } });
  const own = ({ passthrough }: WithPassthrough): JsonObject | undefined =>
    passthrough?.format === format ? passthrough.fields : undefined;
  return {
    carried: (fields) => (isEmpty(fields) ? {} : always(fields)),
    always,
    own,
    ownObject(carrying, key) {
      const value = own(carrying)?.[key];
      return isObject(value) ? value : undefined;
    },
  };
}

/** What is left of an object when the known fields are taken away. */
export function unreadFields(wire: JsonObject, known: readonly string[]): JsonObject {
  const fields: JsonObject = {};
  for (const key in wire) if (key !== '__proto__' && !known.includes(key)) fields[key] = wire[key] as JsonValue;
  return fields;
}

/** Whether an object has no field at all. */
export const isEmpty = (wire: JsonObject): boolean => {
  for (const _ in wire) return false;
  return true;
};

/** One object of a wire, both ways. */
export interface Form<T extends WithPassthrough> {
  readonly format: Format;
  read(wire: JsonObject): T;
  write(value: T): JsonObject;
}

/** Reads an object of the wire; where writing would not give it back as it was, it is carried whole. */
export function readVerbatim<T extends WithPassthrough>(form: Form<T>, wire: JsonObject): T {
  const value = form.read(wire);
  return equal(form.write(value), wire) ? value : { ...value, passthrough: { format: form.format, fields: wire } };
}

/** Writes it came for as long as that still says the same, and anew where somebody has changed it since. */
export function writeVerbatim<T extends WithPassthrough>(form: Form<T>, value: T): JsonObject {
  const { passthrough, ...said } = value;
  const same = passthrough?.format === form.format && equal(form.read(passthrough.fields), said);
  return same ? passthrough.fields : form.write(value);
}
