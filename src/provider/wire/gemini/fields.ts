import type { JsonObject } from '../../../json/value.ts';
import { passthroughFor } from '../passthrough.ts';
import { mustBeObject } from '../validate.ts';

/** How this wire passes unknown fields through. */
export const { passthroughOf, asPassthrough, ownFields, ownObject } = passthroughFor('gemini');

/**
 * An object of the wire with its fields in camelCase: the service takes snake_case for the same fields. Only this object's
 * own fields are renamed, so that arguments and schemas keep their keys.
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
