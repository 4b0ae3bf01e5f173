/** What a definition may hold; more comes from a mistake or an attacker, and would cost every request. */
export const schemaLimits = { size: 1024 * 1024, depth: 200 } as const;

/**
 * Whether a schema is within the limits, measured as its JSON text would be. It does not call itself and stops at the
 * first limit passed, so that no schema, not even one that holds itself, can take long or overflow the stack.
 */
export function schemaSize(schema: unknown): 'fits' | keyof typeof schemaLimits {
  let size = 0;
  const open: { value: unknown; depth: number }[] = [{ value: schema, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (depth > schemaLimits.depth) return 'depth';
    size += 1 + (typeof value === 'string' ? value.length + 2 : 0);
    if (typeof value === 'object' && value !== null) {
      for (const key of Object.keys(value)) {
        size += Array.isArray(value) ? 1 : key.length + 4;
        if (size > schemaLimits.size) return 'size';
        open.push({ value: (value as Record<string, unknown>)[key], depth: depth + 1 });
      }
    }
    if (size > schemaLimits.size) return 'size';
  }
  return 'fits';
}
