import { isObject, type JsonObject } from '../json/value.ts';
import type { Carrying, Extra, Format } from '../turn/turn.ts';
import { isEmpty } from './rest.ts';

/** How one format carries along what it could not say, and finds it again. */
export interface Carrier {
  /** What is left of an object; nothing where nothing is left. */
  carried(fields: JsonObject): { extra?: Extra };
  /** The same, though it may be empty: that it is there says something by itself. */
  always(fields: JsonObject): { extra: Extra };
  /** What this format carried along, if anything. */
  own(carrying: Carrying): JsonObject | undefined;
  /** An object among what was carried along. */
  ownObject(carrying: Carrying, key: string): JsonObject | undefined;
}

/** The carrier of a format. */
export function carrier(format: Format): Carrier {
  const always = (fields: JsonObject): { extra: Extra } => ({ extra: { format, fields } });
  const own = ({ extra }: Carrying): JsonObject | undefined => (extra?.format === format ? extra.fields : undefined);
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
