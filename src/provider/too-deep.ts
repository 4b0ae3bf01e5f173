/** Nested deeper, nothing honest is; a walk as deep as this one stays within any stack. */
export const deepest = 1000;

/** Whether objects and lists stand in each other deeper than that. */
export function isTooDeep(value: unknown, room = deepest): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (room === 0) return true;
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key];
    if (typeof inner === 'object' && inner !== null && isTooDeep(inner, room - 1)) return true;
  }
  return false;
}
