import { editDistance } from '../edit-distance.ts';
import { oneEdit } from '../one-edit.ts';
import { foldKey } from './fold.ts';

const longest = 128;
const fewest = 5;
const wholeWord = 4;

/** Might `key` have been meant as `property`? Within a third of the longer in edits, or one a word or more of the other. */
export function resembles(key: string, property: string): boolean {
  if (key.length > longest || property.length > longest) return false;
  const [a, b] = [foldKey(key), foldKey(property)];
  if (a === '' || b === '') return false;
  const most = Math.floor(Math.max(a.length, b.length) / 3);
  if (oneEdit(a, b) !== undefined) return Math.min(a.length, b.length) > 2;
  return holds(key, property) || holds(property, key) || editDistance(a, b, most) <= most;
}

/** Is `part` a row of whole words of the other? */
const holds = (whole: string, part: string): boolean =>
  foldKey(part).length >= wholeWord && ` ${wordsOf(whole)} `.includes(` ${wordsOf(part)} `);

const wordsOf = (key: string): string =>
  key
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();

/** A slip of the hand: one edit or two letters swapped, in a key long enough, with its first letter and digits kept. */
export function isSlipOf(key: string, property: string): boolean {
  const [a, b] = [foldKey(key), foldKey(property)];
  if (Math.min(a.length, b.length) < fewest || Math.max(a.length, b.length) > longest || a[0] !== b[0]) return false;
  return digits(a) === digits(b) && oneEdit(a, b) !== undefined;
}

const digits = (text: string): string => text.replace(/\P{N}/gu, '');

const happenings = new Set(['dryrun', 'append', 'force', 'confirm', 'preview', 'simulate', 'validateonly']);

/** Does the key change what happens, so that a tool which writes must not run as if it had not been said? */
export const changesWhatHappens = (key: string): boolean =>
  happenings.has(foldKey(key)) || /^(?:no|skip)(?:[_-]|(?=[A-Z]))/.test(key) || /^(?:NO|SKIP)_/.test(key);
