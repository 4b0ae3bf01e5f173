import type { JsonValue } from '../json/value.ts';

/** What a body says, where it is JSON. */
export function jsonOf(body: Buffer | string): JsonValue | undefined {
  try {
    return JSON.parse(typeof body === 'string' ? body : body.toString('utf8'));
  } catch {
    return undefined;
  }
}
