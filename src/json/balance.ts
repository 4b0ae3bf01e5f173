/** Opening brackets less closing ones; below zero as soon as one closes what was not opened. */
export function balance(text: string): number {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[{}[\]]/g)) {
    depth += bracket === '{' || bracket === '[' ? 1 : -1;
    if (depth < 0) return depth;
  }
  return depth;
}
