import { foldKey } from './fold.ts';

const longest = 128;

/** Might `key` have been meant as `property`? Within a third of its length in edits, or one holding the other. */
export function resembles(key: string, property: string): boolean {
  if (key.length > longest || property.length > longest) return false;
  const [a, b] = [foldKey(key), foldKey(property)];
  if (a === '' || b === '') return false;
  return a.includes(b) || b.includes(a) || distance(a, b) <= Math.floor(property.length / 3);
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      next.push(Math.min((row[j - 1] ?? 0) + same, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
