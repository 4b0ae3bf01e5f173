import { isWord } from './chars.ts';
import type { OpenString } from './machine.ts';

/** Notes a quote that stands unescaped inside a string, by the characters around it. */
export function noteInnerQuote(string: OpenString, before: string | undefined, after: string | undefined): void {
  if (string.quote !== '"' && isWord(before) && isWord(after)) return; // an apostrophe
  // Each odd one must open after, each even one close before something that is no letter or digit.
  // Before a closing bracket none opens: it may as well close the string.
  const fits = string.inner % 2 === 0 ? !isWord(before) && !'}]'.includes(after ?? ' ') : !isWord(after);
  if (string.inner === 0) {
    string.firstMayOpen = !isWord(before);
    // Before a blank the first may as well close (`"a/" or "b/"`), unless a bracket opens right before it.
    const closes = string.quote === '"' && /\s/.test(after ?? '') && !'([{'.includes(before ?? ' ');
    string.paired = string.firstMayOpen ? fits && !closes : !isWord(after);
  } else if (string.inner === 1) string.paired &&= string.firstMayOpen && fits;
  else string.paired &&= fits;
  string.inner++;
}

/** A quote, closing brackets and a comma: a list that ends too early reads like that, too. */
const closesBetween = /["'`]\s*[\]}]+\s*,/;

/** Does an opening quote stand before a comma? In a list it may have closed an item. */
const opensBefore = (text: string, quote: string): boolean =>
  text.split(quote).some((piece, i) => i % 2 === 1 && /^\s*[,，、;]/.test(piece));

/** A sign between two strings, or brackets that close what the text is in: the quotes around it belong to two strings. */
export const parts = /^\s*(?:(?:[-+*/%|&^~<>=!?.;:]{1,3}|or|and|oder|und|ou|et|или|и|或|和)\s*$|[}\]])/i;
/** Blanks on both sides, in the first quotation of all: it parts two strings. */
export const apart = /^\s[\s\S]*\s$/;

/**
 * Have the unescaped quotes one reading? They do where they pair up as quotations, each opening after and closing before
 * something that is no letter or digit; and outside a list a single one that can only stand after a word, with more words
 * behind it (6" pipe): with none it may as well be the closing quote.
 */
export function quotesPairUp(string: OpenString, inList: boolean): boolean {
  const { inner, paired, firstMayOpen, quote, text, escapedQuotes } = string;
  // Around all of it they may be the string's own, written twice; curled or single ones inside their like may have been straight.
  const around = /^\s*"[^"]*"\s*$|^\s*[“”„‘’'`][^“”„]*[“”„‘’'`]\s*$/.test(text);
  if (around || (quote > '~' && /[“”„‟]/.test(text)) || quote === "'") return false;
  const pieces = text.split(quote);
  const behind = (inner === 1 ? pieces.at(-1) : escapedQuotes ? '' : pieces[1]) ?? '';
  if (parts.test(behind) || (inner > 1 && quote === '"' && apart.test(behind))) return false;
  if (inner !== 1)
    return inner % 2 === 0 && paired && !(inList && (closesBetween.test(text) || opensBefore(text, quote)));
  return !inList && paired && !firstMayOpen && /[\p{L}\p{N}]/u.test(behind);
}
