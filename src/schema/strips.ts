/**
 * Our own keyword next to `additionalProperties: false`: unknown keys are stripped, not rejected. A symbol, so that no
 * model, log or message ever gets it: JSON has no symbols.
 */
export const strips: unique symbol = Symbol('toolmend.strips');

/** A copy of a schema, or of anything with schemas in it, that keeps which objects strip keys. */
export function copySchema<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copySchema) as T;
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copySchema(inner)]));
  return (strips in value ? { ...copy, [strips]: true } : copy) as T;
}

/** The text of a schema that differs if only stripping does. For cache keys, never for output. */
export const schemaText = (value: unknown): string =>
  JSON.stringify(value, (_, held) =>
    typeof held === 'object' && held !== null && strips in held ? { ...held, '\u0000strips': true } : held,
  );
