import { innerQuotes } from '../../problem.ts';
import { isWord } from '../chars.ts';
import type { OpenString } from '../state.ts';
import { escapeFault } from './escape-rules.ts';

/** Blanks that typography puts inside quotes. */
const spaced = /^(?:[«‹](?:\p{Zs}.*|.*\p{Zs})|[^ -~]\p{Zs}.*\p{Zs})$/su;

/** Why the text of a string or key is ambiguous, whatever follows it. */
export const textFault = ({ quote, close, text, escapes }: OpenString): string | undefined =>
  quote > '~' && spaced.test(quote + text)
    ? 'has spaces inside typographic quotes'
    : // An opening quote inside means that a closing one may be missing.
      !close.includes(quote) && text.includes(quote)
      ? innerQuotes
      : escapeFault(escapes, text, quote);

/** Why a closed string is ambiguous. */
export function stringFault(string: OpenString): string | undefined {
  const { quote, text, triple, commented, pieces, inner, escapes } = string;
  const { quotes } = escapes;
  const reasons = [
    commented && 'may continue in the comment after it; leave the comment out, or write \\" for a quote',
    textFault(string),
    // Next to escaped quotes, the quotes between the pieces may be unescaped quotes of the text.
    (pieces === 'doubted' || (pieces && quotes % 2 === 1) || (pieces === 'beside' && quotes > 0)) &&
      'is in pieces or has quotes inside; write one string, with \\" for a quote',
    // Text with quotes inside may extend beyond the three quotes that end it. Doubled, they may be one quote each.
    triple && text.includes(quote.repeat(2)) && 'has doubled quotes; write one string, with \\" for a quote',
    // Text between two values that are a quote each, as in a call that is repeated (`"""}{"a": """`).
    triple && /^\s*[,}\]]/.test(text) && /[,:=[]\s*$/.test(text) && innerQuotes,
    // Python and JavaScript begin the text with it, TOML, Kotlin, Swift and most authors behind it.
    (triple || quote === '`') &&
      /^[ \t]*\r?\n/.test(text) &&
      'starts with a line break, which may not belong to it; write one string, with \\n for a line break',
    quote === '`' && text.includes('${') && 'is a template; write its value',
    inner.count > 0 && !inner.paired && innerQuotes,
  ];
  return reasons.find(Boolean) || undefined;
}

/** Why it is ambiguous only if the text is damaged elsewhere. */
export function stringDoubt({ quote, text, escapes }: OpenString): string | undefined {
  if (escapes.overEscaped > 0 && escapes.quotes === 0)
    return 'has quotes after three backslashes; write \\" for a quote';
  // Also within other quotes: if every quote is escaped, the backslash may be superfluous.
  const all = quote !== '"' && text.includes('\\"') && (text.match(/\\"/g)?.length ?? 0) > 1 && !/(?<!\\)"/.test(text);
  return all ? 'has a backslash before every quote; write \\" for a quote' : undefined;
}

/** Records an unescaped quote in a string, with the characters around it. */
export function noteInnerQuote(
  { inner }: OpenString,
  before: string | undefined,
  after: string | undefined,
  char: string,
): void {
  // An apostrophe, which scripts without blanks don't have.
  if ("'’".includes(char) && isWord(before) && isWord(after) && (after as string) < '\u0e00') return;
  // Odd quotes must open and even ones close, next to something other than a letter or digit. Before a closing bracket
  // none opens, because it may close the string.
  const fits = inner.count % 2 === 0 ? !isWord(before) && !'}]'.includes(after ?? ' ') : !isWord(after);
  if (inner.count === 0) {
    inner.opens = !isWord(before);
    // Before a blank, the first quote may also close the string (`"a/" or "b/"`), unless an opening bracket precedes
    // it.
    const closes = /\s/.test(after ?? '') && !'([{'.includes(before ?? ' ');
    inner.paired = inner.opens ? fits && !closes : !isWord(after);
  } else inner.paired &&= inner.opens && fits;
  inner.count++;
}

/** A quote, closing brackets and a comma, as in a list that ends too early. */
const closesBetween = /["'`]\s*[\]}]+\s*,/;

/** Whether an opening quote precedes a comma, or a number or literal with one. In a list it may have closed an item. */
const opensBefore = (text: string): boolean =>
  text.split('"').some((piece, i) => i % 2 === 1 && /^\s*(?:-?[\d.]+|true|false|null)?\s*[,，、;]/i.test(piece));

/** An operator between two strings, or closing brackets, which mean that the quotes around it belong to two strings. */
const operator = /^\s*(?:(?:[-+*/%|&^~<>=!?.;:]{1,3}|or|and|oder|und|ou|et|или|и|或|和)\s*$|[}\]])/i;
/** Blanks on both sides of a quotation, which separate two strings. */
const apart = /^\s[\s\S]*\s$/;

/** Whether text between two quotes separates two strings. The first quotation does so with blanks, too. */
export const separatesStrings = (between: string, isFirst: boolean): boolean =>
  operator.test(between) || (isFirst && apart.test(between));

/** A number of up to three digits that stands by itself, and isn't the operand of an operator or the value of an option. */
const measure =
  /(?<![=<>:]\s*|(?:^|\s)--?\w+\s+)(?<=^|[\s(×x'′-])(?:[1-9]\d{0,2}(?:[.,]\d+)?|0?\.\d+|\d{1,2}\/\d{1,2}|0[.,]\d+)$/;

/** More text after a blank or a closing bracket, which isn't another number. */
const wordBehind = /^(?:[\s)]|-\p{L})(?!\s*\d+(?![\p{L}\d]))[\s\S]*[\p{L}\p{N}]/u;

/**
 * Whether the unescaped quotes have only one reading: if they form quotations, each opening and closing next to
 * something other than a letter or digit. Outside of a list, also a single quote after a number by itself with a
 * word behind it (6" pipe). After a word or in a number, it may be one too many.
 */
export function quotesPairUp(string: OpenString): boolean {
  const { quote, text, inList, escapes } = string;
  const { count, paired } = string.inner;
  // Quotes around the whole text may be the string's own, written twice. Other quotes than JSON's may belong to the
  // text, and end a quotation in it (`「a」と「b」`).
  const around = /^\s*"[^"]*"\s*$|^\s*[“”„‘’'`][^“”„]*[“”„‘’'`]\s*$/.test(text);
  if (around || quote !== '"') return false;
  // Two quotes in a row may be one that was doubled, or separate two strings.
  if (count > 1 && /"\s*"/.test(text)) return false;
  const pieces = text.split('"');
  const behind = (count === 1 ? pieces.at(-1) : escapes.quotes ? '' : pieces[1]) ?? '';
  if (separatesStrings(behind, count > 1)) return false;
  if (count !== 1) return count % 2 === 0 && paired && !(inList && (closesBetween.test(text) || opensBefore(text)));
  return !inList && paired && measure.test((pieces.at(-2) ?? '').slice(-40)) && wordBehind.test(behind);
}
