import { foldKey } from './coerce/fold-key.ts';

const longest = 64;

/**
 * The one candidate that a key was probably meant to be: equal except for case, `_` and `-`, otherwise within a third
 * of the candidate's length in edits. Undefined if none or several are close.
 */
export const closestKey = (key: string, candidates: Iterable<string>): string | undefined => {
  const others = [...candidates].filter((one) => one !== key && Math.max(one.length, key.length) <= longest);
  const folded = foldKey(key);
  const same = others.filter((one) => foldKey(one) === folded);
  const near = (one: string): boolean => {
    const most = Math.floor(one.length / 3);
    return editDistance(folded, foldKey(one), most) <= most;
  };
  const found = same.length > 0 ? same : others.filter(near);
  return found.length === 1 ? found[0] : undefined;
};

/** Edit distance of two texts; a value above `max`, not exact, if they are further apart. */
export function editDistance(a: string, b: string, max: number): number {
  const far = max + 1;
  if (Math.abs(b.length - a.length) > max) return far;
  // One row of the table, updated in place. Only cells near the diagonal can end within `max`.
  const row: number[] = [];
  for (let j = 0; j <= b.length; j++) row.push(Math.min(j, far));
  for (let i = 1; i <= a.length; i++) {
    const first = Math.max(1, i - max);
    const last = Math.min(b.length, i + max);
    let before = row[first - 1] ?? far;
    let left = first === 1 ? i : far;
    let least = left;
    row[first - 1] = left;
    for (let j = first; j <= last; j++) {
      const above = row[j] ?? far;
      left = a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? before : 1 + Math.min(before, Math.min(above, left));
      before = above;
      row[j] = left;
      if (left < least) least = left;
    }
    if (least > max) return far;
  }
  return row[b.length] ?? far;
}
