import { equal, isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Format, Passthrough, WithPassthrough } from '../../model/index.ts';

/** A part, a message, a setting or an error. */
export interface MayPass {
  readonly passthrough?: Passthrough | undefined;
}

/** How one format passes through the fields that the middle shape has no word for, and finds them again. */
interface FormatPassthrough {
  /**
   * The fields of an object beyond those that were read; nothing where none is left.
   *
   * @example
   * { type: 'text', text, ...passthroughOf(block, ['type', 'text']) }
   */
  passthroughOf(wire: JsonObject, known?: readonly string[]): { passthrough?: Passthrough };
  /** These fields, also where there are none: that a passthrough is there tells which format a part came from. */
  asPassthrough(fields: JsonObject): { passthrough: Passthrough };
  /** The fields this format passed through; undefined where the part came from another format, or from a program. */
  ownFields(part: MayPass): JsonObject | undefined;
  /** An object among those fields. */
  ownObject(part: MayPass, key: string): JsonObject | undefined;
  /** Lays those fields over what is written. */
  layOver<W extends JsonObject>(written: W, part: MayPass): W;
  /** The same, for formats that pass through what is left of objects inside objects. */
  mergeOver(written: JsonObject, part: MayPass): JsonObject;
}

/** The passthrough of a format. Fields cross to no other format. */
export function passthroughFor(format: Format): FormatPassthrough {
  const asPassthrough = (fields: JsonObject): { passthrough: Passthrough } => ({ passthrough: { format, fields } });
  const ownFields = ({ passthrough }: MayPass): JsonObject | undefined =>
    passthrough?.format === format ? passthrough.fields : undefined;
  return {
    asPassthrough,
    ownFields,
    passthroughOf(wire, known = []) {
      const fields = unreadFields(wire, known);
      return isEmpty(fields) ? {} : asPassthrough(fields);
    },
    ownObject(part, key) {
      const value = ownFields(part)?.[key];
      return isObject(value) ? value : undefined;
    },
    layOver(written, part) {
      const fields = ownFields(part);
      return fields ? { ...written, ...fields } : written;
    },
    mergeOver: (written, part) => merge(written, ownFields(part) ?? {}),
  };
}

function merge(written: JsonObject, over: JsonObject): JsonObject {
  const merged = { ...written };
  for (const [key, value] of Object.entries(over)) {
    if (key === '__proto__') continue;
    const under = merged[key];
    merged[key] = isObject(under) && isObject(value) ? merge(under, value) : value;
  }
  return merged;
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

/** The fields whose value is there, so that `undefined` is never written. */
export function present(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) kept[key] = value;
  return kept;
}

/** One object of a wire, both ways. */
export interface Form<T extends WithPassthrough> {
  readonly format: Format;
  read(wire: JsonObject): T;
  write(value: T): JsonObject;
}

/** Reads an object of the wire; where writing would not give it back as it was, all of it is passed through. */
export function readVerbatim<T extends WithPassthrough>(form: Form<T>, wire: JsonObject): T {
  const value = form.read(wire);
  return equal(form.write(value), wire) ? value : { ...value, ...passthroughFor(form.format).asPassthrough(wire) };
}

/** Writes what was passed through for as long as it still says the same, and anew where a program has changed it. */
export function writeVerbatim<T extends WithPassthrough>(form: Form<T>, value: T): JsonObject {
  const { passthrough: _, ...said } = value;
  const fields = passthroughFor(form.format).ownFields(value);
  return fields && equal(form.read(fields), said) ? fields : form.write(value);
}
