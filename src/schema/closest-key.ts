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

/** The single edit between two texts: what was done to `meant`, and where. */
export interface Edit {
  readonly kind: 'insert' | 'delete' | 'replace' | 'swap';
  readonly at: number;
}

/**
 * The edit that turns `meant` into `written`: one inserted, missing or replaced character, or two swapped ones.
 * Undefined if there is none.
 */
export function oneEdit(written: string, meant: string): Edit | undefined {
  const more = written.length - meant.length;
  if (Math.abs(more) > 1) return undefined;
  let at = 0;
  while (at < meant.length && written[at] === meant[at]) at++;
  const rest = (from: number, of: number): boolean => written.slice(from) === meant.slice(of);
  if (more === 1) return rest(at + 1, at) ? { kind: 'insert', at } : undefined;
  if (more === -1) return rest(at, at + 1) ? { kind: 'delete', at } : undefined;
  if (at === meant.length) return undefined;
  if (rest(at + 1, at + 1)) return { kind: 'replace', at };
  const swapped = written[at] === meant[at + 1] && written[at + 1] === meant[at] && rest(at + 2, at + 2);
  return swapped ? { kind: 'swap', at } : undefined;
}

/**
 * The words of `meant` that an edit is in, with its offset in each. A character inserted between two words may belong to
 * either.
 */
export function* editedWords({ kind, at }: Edit, words: readonly string[]): Generator<readonly [string, number]> {
  const last = at + (kind === 'swap' ? 1 : 0);
  let start = 0;
  for (const word of words) {
    const end = start + word.length;
    if (kind === 'insert' ? start <= at && at <= end : start <= last && at < end) yield [word, at - start];
    start = end;
  }
}
