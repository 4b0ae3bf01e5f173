import { isObject } from '../../json/value.ts';
import { admitsNull } from './loose-schema.ts';

/** Arguments with null for each key that a strict schema requires and that was left out: what the SDK's parser waits for. */
export function fillNulls(value: unknown, schema: unknown): unknown {
  if (!isObject(schema)) return value;
  if (Array.isArray(value)) return value.map((item) => fillNulls(item, schema.items));
  const { properties, required } = schema;
  if (!isObject(value) || !isObject(properties)) return value;
  const filled: [string, unknown][] = Object.entries(value).map(([key, one]) => [key, fillNulls(one, properties[key])]);
  for (const key of Array.isArray(required) ? required.map(String) : [])
    if (!Object.hasOwn(value, key) && admitsNull(properties[key])) filled.push([key, null]);
  return Object.fromEntries(filled);
}
