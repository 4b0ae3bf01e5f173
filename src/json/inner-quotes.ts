import { isWord } from './chars.ts';
import type { OpenString } from './machine.ts';

/** Notes a quote that stands unescaped inside a string, by the characters around it. */
export function noteInnerQuote(string: OpenString, before: string | undefined, after: string | undefined): void {
  if (string.quote !== '"' && isWord(before) && isWord(after)) return; // an apostrophe
  string.inner.push({ opens: !isWord(before), closes: !isWord(after) });
}

/**
 * Have the unescaped quotes one reading? They do where they pair up as quotations, each opening after and closing before
 * something that is no letter or digit; and outside a list a single one that can only stand after a word, with more words
 * behind it (6" pipe): with none it may as well be the closing quote.
 */
export function quotesPairUp({ inner, quote, text }: OpenString, inList: boolean): boolean {
  if (inner.length === 1) {
    const behind = text.slice(text.lastIndexOf(quote) + 1);
    return !inList && !inner[0]?.opens && inner[0]?.closes === true && /[\p{L}\p{N}]/u.test(behind);
  }
  return inner.length % 2 === 0 && inner.every((one, i) => (i % 2 === 0 ? one.opens : one.closes));
}
