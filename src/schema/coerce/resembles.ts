import { editDistance } from '../edit-distance.ts';
import { foldKey } from './fold.ts';

const longest = 128;

/** Might `key` have been meant as `property`? Within a third of its length in edits, or one holding the other. */
export function resembles(key: string, property: string): boolean {
  if (key.length > longest || property.length > longest) return false;
  const [a, b] = [foldKey(key), foldKey(property)];
  if (a === '' || b === '') return false;
  const most = Math.floor(property.length / 3);
  return a.includes(b) || b.includes(a) || editDistance(a, b, most) <= most;
}
