import { equal, isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { AssistantPart, Format, Passthrough, WithPassthrough } from '../../model/index.ts';

/** A part, a message, a setting or an error. */
export interface MayPass {
  readonly passthrough?: Passthrough | undefined;
}

/** How an API format preserves fields that the common format doesn't have. */
interface FormatPassthrough {
  /**
   * The fields of an object that were not read; empty if there are none.
   *
   * @example
   * { type: 'text', text, ...passthroughOf(block, ['type', 'text']) }
   */
  passthroughOf(wire: JsonObject, known?: readonly string[]): { passthrough?: Passthrough };
  /** Passes these fields through, even if there are none: a passthrough also marks the format a part came from. */
  asPassthrough(fields: JsonObject): { passthrough: Passthrough };
  /** The passthrough fields of this format; undefined if the part came from elsewhere. */
  ownFields(part: MayPass): JsonObject | undefined;
  /** An object among those fields. */
  ownObject(part: MayPass, key: string): JsonObject | undefined;
  /** Applies those fields over the written ones. */
  layOver<W extends JsonObject>(written: W, part: MayPass): W;
  /** The same, merging nested objects. */
  mergeOver(written: JsonObject, part: MayPass): JsonObject;
}

/** Creates the passthrough of a format. Fields never reach another format. */
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

/** A part of a response for a client of this format: reasoning that another format signed keeps only its text. */
export function withOwnSignature(format: Format, part: AssistantPart): AssistantPart {
  if (part.type !== 'reasoning' || !part.signature || part.signature.format === format || part.text === '') return part;
  const { signature: _, ...unsigned } = part;
  return unsigned;
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

/** The fields of an object except the known ones. */
export function unreadFields(wire: JsonObject, known: readonly string[]): JsonObject {
  const fields: JsonObject = {};
  for (const key in wire) if (key !== '__proto__' && !known.includes(key)) fields[key] = wire[key] as JsonValue;
  return fields;
}

/** Whether an object has no fields. */
export const isEmpty = (wire: JsonObject): boolean => {
  for (const _ in wire) return false;
  return true;
};

/** Removes undefined fields. */
export function present(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) kept[key] = value;
  return kept;
}

/** Reads and writes one kind of object of an API format. */
export interface Form<T extends WithPassthrough> {
  readonly format: Format;
  read(wire: JsonObject): T;
  write(value: T): JsonObject;
}

/** Reads an object. If writing it wouldn't reproduce it, the complete object is passed through. */
export function readVerbatim<T extends WithPassthrough>(form: Form<T>, wire: JsonObject): T {
  const value = form.read(wire);
  return equal(form.write(value), wire) ? value : { ...value, ...passthroughFor(form.format).asPassthrough(wire) };
}

/** Writes the passthrough if it still matches the value, otherwise the value itself. */
export function writeVerbatim<T extends WithPassthrough>(form: Form<T>, value: T): JsonObject {
  const { passthrough: _, ...said } = value;
  const fields = passthroughFor(form.format).ownFields(value);
  return fields && equal(form.read(fields), said) ? fields : form.write(value);
}
