const longest = 64;

const fold = (key: string): string => key.toLowerCase().replace(/[_-]/g, '');

/** Levenshtein distance, given up (as Infinity) once it must pass `most`. */
const distance = (a: string, b: string, most: number): number => {
  if (Math.abs(a.length - b.length) > most) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    if (Math.min(...next) > most) return Number.POSITIVE_INFINITY;
    row = next;
  }
  return row[b.length] ?? Number.POSITIVE_INFINITY;
};

/**
 * The one candidate a key was probably meant to be: equal but for case, `_` and `-`, else within a third of the
 * candidate's length in edits. Undefined where none or several are close.
 */
export const closestKey = (key: string, candidates: Iterable<string>): string | undefined => {
  if (key.length > longest) return undefined;
  const folded = fold(key);
  const same: string[] = [];
  const close: string[] = [];
  for (const candidate of candidates) {
    if (candidate.length > longest || candidate === key) continue;
    const spelled = fold(candidate);
    if (spelled === folded) same.push(candidate);
    else if (distance(folded, spelled, Math.floor(candidate.length / 3)) <= candidate.length / 3) close.push(candidate);
  }
  const found = same.length > 0 ? same : close;
  return found.length === 1 ? found[0] : undefined;
};
