/** How close a key that no property declares is to those that are declared. */

import { editDistance, editedWords, oneEdit } from '../closest-key.ts';
import { foldKey, wordsOf } from './fold-key.ts';

export const longest = 128;
const fewest = 5;
const wholeWord = 4;

/**
 * Whether `key` may be meant as `property`: within a third of the longer one in edits, sharing whole words, or an
 * abbreviation.
 */
export function resembles(key: string, property: string): boolean {
  if (key.length > longest || property.length > longest) return false;
  const [a, b] = [foldKey(key), foldKey(property)];
  if (a === '' || b === '') return false;
  const most = Math.floor(Math.max(a.length, b.length) / 3);
  if (sameWords(key, property)) return true;
  // Short words are abbreviations (`lng`, `lon`).
  if (a[0] === b[0] && a.length === 3 && b.length === 3) return true;
  if (oneEdit(a, b) !== undefined) return Math.min(a.length, b.length) > 1 && most > 0;
  if (holds(key, property) || holds(property, key) || editDistance(a, b, most) <= most) return true;
  return a.length < b.length ? abbreviates(a, b) : abbreviates(b, a);
}

/**
 * Whether one is an abbreviation of the other (`src`, `source`): its letters occur in order, with the same first
 * letter.
 */
function abbreviates(short: string, long: string): boolean {
  if (short.length < 3 || short[0] !== long[0]) return false;
  let at = 0;
  for (const letter of long) if (letter === short[at]) at++;
  return at >= short.length;
}

/** Whether `part` is a sequence of whole words in the other. */
const holds = (whole: string, part: string): boolean =>
  foldKey(part).length >= wholeWord && ` ${wordsOf(whole)} `.includes(` ${wordsOf(part)} `);

/** Whether both have the same words in another order (`date_end`, `end_date`). */
const sameWords = (key: string, property: string): boolean => sorted(key) !== '' && sorted(key) === sorted(property);
const sorted = (key: string): string => wordsOf(key).split(' ').sort().join(' ');

/** A typo: one edit or two swapped letters in a key that is long enough, with the same first letter and digits. */
export function isSlipOf(key: string, property: string): boolean {
  const [a, b] = [foldKey(key), foldKey(property)];
  if (Math.min(a.length, b.length) < fewest || Math.max(a.length, b.length) > longest || a[0] !== b[0]) return false;
  return digits(a) === digits(b) && oneEdit(a, b) !== undefined;
}

/** Two letters that are confused in spelling (`seperator`). */
const vowels = /^[aeiouy]{2}$/;

/**
 * Whether the edit that makes a key a property is inside a long word, so that it can't be another one: the opposite
 * (`inactive` and `is_active`, `cant_edit` and `can_edit`) or a short word (`form_id` and `from_id`).
 * Another consonant makes another word (`context` and `content`), unless the property is missing.
 *
 * @param isMissing whether the property is required
 */
export function isSameWord(key: string, property: string, isMissing = false): boolean {
  const [written, meant] = [foldKey(key), foldKey(property)];
  const edit = oneEdit(written, meant);
  const words = wordsOf(property).split(' ');
  const parts = wordsOf(key).split(' ').length;
  // A key may be written without separators, but not with others.
  if (!edit || (parts > 1 && parts !== words.length) || words.join('') !== meant) return false;
  const isOther = edit.kind === 'replace' && !isMissing && !vowels.test(`${written[edit.at]}${meant[edit.at]}`);
  return [...editedWords(edit, words)].every(
    ([word, at]) =>
      !isOther &&
      word.length >= fewest &&
      at >= (edit.kind === 'swap' ? 1 : 2) &&
      // The last letter makes another word (`payer` and `payee`, `expires` and `expired`).
      !(edit.kind === 'replace' && at === word.length - 1),
  );
}

/** Whether two keys are equal except for case, `_` and `-`, or one edit apart. */
export function isSameOrSlip(key: string, property: string): boolean {
  const [a, b] = [foldKey(key), foldKey(property)];
  if (a === b) return a !== '';
  return Math.min(a.length, b.length) > 2 && Math.max(a.length, b.length) <= longest && oneEdit(a, b) !== undefined;
}

/** Whether the property is the last word of the key (`source_code`, `code`). */
export const endsIn = (key: string, property: string): boolean =>
  foldKey(property).length >= wholeWord && key.length <= longest && wordsOf(key).endsWith(` ${wordsOf(property)}`);

/** Whether a key is so close to a property that a typo of another one may be meant for it. */
export const isNear = (key: string, property: string): boolean => editDistance(foldKey(key), foldKey(property), 2) <= 2;

const digits = (text: string): string => text.replace(/\P{N}/gu, '');
