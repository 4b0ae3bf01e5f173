import type { JsonObject } from '../../../json/value.ts';
import { passthroughFor } from '../passthrough-fields.ts';
import { mustBeObject } from '../validate.ts';

/** Passthrough of this API format. */
export const { passthroughOf, asPassthrough, ownFields, ownObject } = passthroughFor('gemini');

/**
 * Converts the fields of an object to camelCase, because the service also accepts snake_case. Nested keys stay
 * unchanged, so arguments and schemas keep theirs.
 */
export function proto(value: unknown, where: string): JsonObject {
  const wire = mustBeObject(value, where);
  for (const key in wire) if (key.includes('_')) return renamed(wire);
  return wire;
}

function renamed(wire: JsonObject): JsonObject {
  const fields: JsonObject = {};
  for (const [key, value] of Object.entries(wire)) if (key !== '__proto__') fields[camelCase(key)] = value;
  return fields;
}

const camelCase = (key: string): string =>
  key.startsWith('_') ? key : key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
