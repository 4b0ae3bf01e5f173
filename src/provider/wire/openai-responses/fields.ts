import { WireError } from '../errors.ts';
import { passthroughFor } from '../passthrough.ts';

/** The name of this wire. */
export const format = 'openai-responses';

/** How this wire passes unknown fields through. */
export const { passthroughOf, asPassthrough, ownFields, layOver } = passthroughFor(format);

/** The text that must stand here. */
export function expectText(value: unknown, where: string): string {
  if (typeof value !== 'string') throw new WireError(where, 'must be a string');
  return value;
}

/** The text that stands here, or another where none does. */
export const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);
