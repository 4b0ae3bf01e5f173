/** Nested deeper, nothing honest is; a walk as deep as this one stays within any stack. */
export const deepest = 1000;

/** Whether a text has brackets enough to be so deep; most have not, and finding that out costs less than a walk. */
export function mayBeTooDeep(text: string): boolean {
  // Each level takes two characters at the least.
  return text.length > 2 * deepest && count(text, '{') + count(text, '[') > deepest;
}

function count(text: string, bracket: string): number {
  let found = 0;
  for (let at = text.indexOf(bracket); at >= 0 && found <= deepest; at = text.indexOf(bracket, at + 1)) found += 1;
  return found;
}

/** Whether objects and lists stand in each other deeper than that. */
export function isTooDeep(value: unknown, room = deepest): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (room === 0) return true;
  const inside = Array.isArray(value) ? value : Object.values(value);
  return inside.some((inner) => isTooDeep(inner, room - 1));
}
