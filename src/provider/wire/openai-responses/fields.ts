import type { JsonObject } from '../../../json/value.ts';
import type { Passthrough, WithPassthrough } from '../../../model/index.ts';
import { WireError } from '../errors.ts';

/** The name of this wire. */
export const format = 'openai-responses';

/** What was carried along from this wire; nothing where it came from another. */
export const ownFields = ({ passthrough }: WithPassthrough): JsonObject | undefined =>
  passthrough?.format === format ? passthrough.fields : undefined;

/** Fields of this wire, to be carried along, though there be none of them. */
export const asPassthrough = (fields: JsonObject): { passthrough: Passthrough } => ({
  passthrough: { format, fields },
});

/** The text that must stand here. */
export function expectText(value: unknown, where: string): string {
  if (typeof value !== 'string') throw new WireError(where, 'must be a string');
  return value;
}

/** The text that stands here, or another where none does. */
export const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);
