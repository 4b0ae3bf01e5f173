import type { JsonObject, JsonValue } from '../json/value.ts';

/** What is left of an object when the known fields are taken away. */
export function rest(wire: JsonObject, known: readonly string[]): JsonObject {
  const fields: JsonObject = {};
  for (const key in wire) if (key !== '__proto__' && !known.includes(key)) fields[key] = wire[key] as JsonValue;
  return fields;
}

/** Whether an object has no field at all. */
export const isEmpty = (wire: JsonObject): boolean => {
  for (const _ in wire) return false;
  return true;
};
