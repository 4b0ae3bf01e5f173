import { WireError } from '../errors.ts';
import { passthroughFor } from '../passthrough-fields.ts';

/** Name of this API format. */
export const format = 'openai-responses';

/** Passthrough of this API format. */
export const { passthroughOf, asPassthrough, ownFields, layOver } = passthroughFor(format);

/** Returns a string, or throws a `WireError`. */
export function expectText(value: unknown, where: string): string {
  if (typeof value !== 'string') throw new WireError(where, 'must be a string');
  return value;
}

/** The value if it is a string, otherwise the fallback. */
export const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);
