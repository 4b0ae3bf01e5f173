import { isObject, type JsonObject } from '../../json/value.ts';
import type { Carrying, Extra } from '../../turn/turn.ts';
import { isEmpty } from './proto.ts';

/** What is left of an object, to be carried along; nothing where nothing is left. */
export const carried = (fields: JsonObject): { extra?: Extra } => (isEmpty(fields) ? {} : always(fields));

/** Carried though it may be empty: that it is there says something by itself. */
export const always = (fields: JsonObject): { extra: Extra } => ({ extra: { format: 'gemini', fields } });

/** What this format carried along, if anything. */
export const own = ({ extra }: Carrying): JsonObject | undefined =>
  extra?.format === 'gemini' ? extra.fields : undefined;

/** An object among what was carried along. */
export function ownObject(carrying: Carrying, key: string): JsonObject | undefined {
  const value = own(carrying)?.[key];
  return isObject(value) ? value : undefined;
}
