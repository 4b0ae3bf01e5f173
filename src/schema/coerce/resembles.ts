import { editDistance } from '../edit-distance.ts';
import { oneEdit } from '../one-edit.ts';
import { foldKey } from './fold.ts';

const longest = 128;
const fewest = 5;
const wholeWord = 4;

/** Might `key` have been meant as `property`? Within a third of the longer in edits, or one a word or more of the other, or short for it. */
export function resembles(key: string, property: string): boolean {
  if (key.length > longest || property.length > longest) return false;
  const [a, b] = [foldKey(key), foldKey(property)];
  if (a === '' || b === '') return false;
  const most = Math.floor(Math.max(a.length, b.length) / 3);
  if (oneEdit(a, b) !== undefined) return Math.min(a.length, b.length) > 1 && most > 0;
  if (sameWords(key, property) || holds(key, property) || holds(property, key) || editDistance(a, b, most) <= most)
    return true;
  return a.length < b.length ? abbreviates(a, b) : abbreviates(b, a);
}

/** Are the letters of the one, in their order, among those of the other, and its first letter the same (`src`, `source`)? */
function abbreviates(short: string, long: string): boolean {
  if (short.length < 3 || short[0] !== long[0]) return false;
  let at = 0;
  for (const letter of long) if (letter === short[at]) at++;
  return at >= short.length;
}

/** Is `part` a row of whole words of the other? */
const holds = (whole: string, part: string): boolean =>
  foldKey(part).length >= wholeWord && ` ${wordsOf(whole)} `.includes(` ${wordsOf(part)} `);

/** The same words in another order (`date_end`, `end_date`)? */
const sameWords = (key: string, property: string): boolean => sorted(key) === sorted(property);
const sorted = (key: string): string => wordsOf(key).split(' ').sort().join(' ');

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

/** The same but for case, `_` and `-`, or one edit from it. */
export function isSameOrSlip(key: string, property: string): boolean {
  const [a, b] = [foldKey(key), foldKey(property)];
  if (a === b) return a !== '';
  return Math.min(a.length, b.length) > 2 && Math.max(a.length, b.length) <= longest && oneEdit(a, b) !== undefined;
}

/** Is the property the last word of the key (`source_code`, `code`)? */
export const endsIn = (key: string, property: string): boolean =>
  foldKey(property).length >= wholeWord && key.length <= longest && wordsOf(key).endsWith(` ${wordsOf(property)}`);

/** So near a property that a key one edit away from another may have been meant for either. */
export const isNear = (key: string, property: string): boolean => editDistance(foldKey(key), foldKey(property), 2) <= 2;

const digits = (text: string): string => text.replace(/\P{N}/gu, '');

/** Stems of words that say how, when or whether something is done, each in all its forms. */
const stems = [
  'dry ?run(?:s|ning)?',
  'append(?:s|ed|ing)?',
  'forc(?:e[sd]?|ing|ibly|eful)',
  'confirm(?:s|ed|ing|ation)?',
  'preview(?:s|ed|ing)?',
  'simulat(?:e[sd]?|ing|ions?)',
  'validat(?:e[sd]?|ing|ions?)',
  'pretend(?:s|ed|ing)?',
  'no ?op',
  'what ?if',
  'read ?only',
  'only|test ?only',
  'only ?if|if ?(?:not ?)?exists?|if ?(?:none ?)?match',
  'unless',
  'except(?:s|ed|ing)?',
  'exclu(?:d(?:e[sd]?|ing)|sions?)',
  'where',
  'filter(?:s|ed|ing)?',
  'limit(?:s|ed)? ?to',
  'back ?ups?',
  'over ?writ(?:es?|ing|ten)',
  'recurs(?:e[sd]?|ive(?:ly)?|ing|ion)',
  'cascad(?:e[sd]?|ing)',
  'undo(?:ne|es|ing)?',
  'roll ?backs?|roll(?:ed|ing|s) back',
  'cancel(?:s|l?ed|l?ing|lation)?',
  'abort(?:s|ed|ing)?',
  '(?:dis|en)abl(?:e[sd]?|ing)',
  'skip(?:s|ped|ping)?',
  'ask ?(?:first|before)|approv(?:e[sd]?|ing|al)',
  'transaction(?:s|al)?|atomic(?:ally)?',
  'check(?:s|ed|ing)?|test(?:s|ed|ing)?|mock(?:s|ed|ing)?|drafts?|sandbox(?:ed)?',
  'modes?',
  // Where, when and in what form.
  'lines?|line ?(?:no|num(?:ber)?s?)|positions?|offsets?|ranges?|insert(?:s|ed|ing)?|prepend(?:s|ed|ing)?',
  'schedul(?:e[sd]?|ing)|delay(?:s|ed)?|defer(?:s|red)?|(?:not )?before|after|until|expir(?:es?|y|ation)',
  'encod(?:e[sd]?|ing)|decod(?:e[sd]?|ing)|charset|base ?64|binary|compress(?:ed|ion)?|gzip|encrypt(?:ed|ion)?|escaped?',
  'cwd|work(?:ing)? ?dir(?:ectory)?|time ?zone|sudo|run ?as',
].join('|');
const happening = new RegExp(
  ` (?:no|skip|is|do|auto|allow)?(?:${stems})(?:only|mode|flag)?\\d* |^ (?:no|if) .|^ (?!creat|updat|modif|request|generat)(?:\\w+ )?at $`,
);

/** Does the key change what happens, so that a tool which writes must not run as if it had not been said? */
export const changesWhatHappens = (key: string): boolean =>
  key.length <= longest && happening.test(` ${wordsOf(key)} `);
