import { equal } from '../json/equal.ts';
import type { JsonObject } from '../json/value.ts';
import type { Carrying, Format } from '../turn/turn.ts';

/** One object of a wire, both ways. */
export interface Form<T extends Carrying> {
  readonly format: Format;
  read(wire: JsonObject): T;
  write(value: T): JsonObject;
}

/** Reads an object of the wire; where writing would not give it back as it was, it is carried whole. */
export function readVerbatim<T extends Carrying>(form: Form<T>, wire: JsonObject): T {
  const value = form.read(wire);
  return equal(form.write(value), wire) ? value : { ...value, extra: { format: form.format, fields: wire } };
}

/** Writes it as it came for as long as that still says the same, and anew where somebody has changed it since. */
export function writeVerbatim<T extends Carrying>(form: Form<T>, value: T): JsonObject {
  const { extra, ...said } = value;
  const same = extra?.format === form.format && equal(form.read(extra.fields), said);
  return same ? extra.fields : form.write(value);
}
