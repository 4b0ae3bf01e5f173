import { isCloser, isComma, isSemicolon, looksQuoted, matchAt } from '../chars.ts';
import { matching, peek, signAhead } from '../lookahead.ts';
import type { Machine } from '../state.ts';
import { startsLine } from '../whitespace.ts';

/** A text without quotes, as written. */
export interface BareText {
  /** The text, without and with the blanks around it. */
  readonly text: string;
  readonly written: string;
  /** Whether it consists of words that are unambiguous without quotes. */
  readonly isWord: boolean;
  /** Where it ends, and whether there is a closing quote without an opening one. */
  readonly end: number;
  readonly half: boolean;
}

/** A word and a colon in text without quotes: the next key, or part of the text? */
const hiddenKey = /\s[\p{L}_][\p{L}\p{N}_-]*\s*[:=](?!\/\/)/u;
const keyFirst = /^[\p{L}\p{N}_-]+\s*[:=]\s/u;
/**
 * Quotes other than apostrophes in a word, a string with a prefix (`b'x'`), quotes as HTML entities, or a full-width
 * list.
 */
const hiddenQuote = /["`“”„«»［]|(?<![\p{L}\p{N}])['‘’]|['‘’](?![\p{L}\p{N}])|^[bBrRuUfF]{1,2}'|&quot;|&#3[49];/u;

/** Words that are unambiguous without quotes. Signs alone may stand for something, and a point may end a sentence. */
export const sureWord = /^(?!\.{3}\p{L})(?=.*[\p{L}\p{N}])[\p{L}\p{N}_./:@-]+(?<!\.)$/u;

/** Signs without a letter or digit. */
export const onlySigns = /^[^\p{L}\p{N}]*$/u;
/**
 * A possible expression, template or placeholder: a backslash, angle brackets, a call, an index, operators between
 * operands or before a name, an assignment, a condition. Operators that are words count only where they don't make
 * ordinary text: with literals (`x or None`), or in what programs alone write (`new Date`).
 */
const expression =
  /[\\<]|(?<!-)>|\$[{(]|\{\{|[\p{L}\p{N}_$)\]][([]|([&|?])\1|[!=]=|\s\*?[+*%^=|?]\s|[\p{L}\p{N})\]](?:\s*\*\s*|\*\*)[\p{L}\p{N}(]|\d\s*[+%&|^]\s*\d|(?:^\S+|\d)\s+(?:\/\/?|-)\s+\d|^(?![^+]*\+[^+]*@).*(?:[\p{L}\p{N}_)\]]\s*\+\s*[\p{L}_(]|\p{L}\+\+|(?<!\d)\p{Ll}\+\d)|^[\p{L}_][\p{L}\p{N}_.]*\s*(?:[-+*/%|&^:]{0,2}=|\?(?:\.|.*:))|^(?:[!~&*+]+[\p{L}_]|~\d)[\p{L}\p{N}_.]*$|^(?:!\p{L}|\.{3}\p{L}|[!~&*-]+\(|\$(?:[\p{L}_.]|\d$)|[#%@]\{|%(?:\(|[sdif]$|\w+%)|[[{(].*[\]})]$|(?:lambda|typeof)\s|void\s+\d|new\s+\p{Lu}\S*$|await\s+\S+$|(\w+)(?:[^\w\s]\S*)?\s+for\s+\2\s+in\s)|\s(?:in\s+[[(]|if\s.+\selse\s|instanceof\s)|\b(?:(?:and|or|not|is|in)\s+(?:True|False|None)|(?:True|False|None)\s+(?:and|or|not|is|in))\b/u;

/** Words that mean null in other languages or are a misspelled null, or are text. */
export const nullWord: RegExp = /^[.:@-]?(?:none|nil|undef|n[/.]a|n{1,2}u{0,2}l{1,3}|unll|nlul)[.:@-]?$/i;

/** A possible variable: with several dots, or of an object that every program has. */
const variable = /^[\p{L}_]+(?:\.[\p{L}_][\p{L}\p{N}_]*){2,}$|^(?:this|self|process|os|sys)\./u;

/** Whether text without quotes may be more than text: it begins like a key, or is an expression. */
export const isExpression = (text: string): boolean =>
  !sureWord.test(text) && (keyFirst.test(text) || expression.test(text));

/** Words that are unambiguous without quotes, and aren't a variable, a pattern (`/TODO/`) or the name of their own field. */
export const isPlainWord = (text: string, key?: string | number): boolean =>
  sureWord.test(text) && !variable.test(text) && !/^\/.+\/$/.test(text) && foldKey(text) !== foldKey(String(key));

const foldKey = (text: string): string => text.replace(/[_-]/g, '').toLowerCase();

/** A number at the end of a text. A quote after it may mean inches, feet or seconds. */
const measure = /(?:^|\s|\dx)[^\p{L}\s]*\p{N}$/u;

/** A semicolon that ends no entity, or a comma of another script, at the end of a text or before a comment. */
const endsInSign = /(?:(?<!&#?\w{1,12});|[；﹔؛،﹐､])\s*(?:$|#|\/[/*])/;
const commentMark = /\s*(?:#|\/[/*])/y;

/** Why a text without quotes is ambiguous. */
export function wordFault(m: Machine, word: BareText): string | undefined {
  const { text, end, half, isWord } = word;
  const { list, closer, gap } = m.stack.at(-1) ?? {};
  const isAmbiguous =
    m.word.open ||
    m.word.comma ||
    // A superfluous colon or a comment before it may be its first character or line.
    (list === false && gap) ||
    ((half || !isWord) && mayHaveMore(m, word)) ||
    // An unmatched closing bracket may be part of it.
    (isCloser(m.text[end]) && matching(m, m.text[end] as string) === -1) ||
    keyFirst.test(text) ||
    hiddenKey.test(text) ||
    hiddenQuote.test(text) ||
    looksQuoted.test(text) ||
    /^\/\*.*\*\//s.test(text) ||
    mayHaveSeparator(m, word) ||
    mayContinue(m, word) ||
    (closer === ')' && !isComma(m.text[end])) ||
    (half && (measure.test(text) || mayHaveQuote(m, end)));
  if (isAmbiguous) return /^[+-]?\d[\d.,\s]*$/.test(text) ? grouped : unquoted;
  return isExpression(text) ? 'is an expression or a placeholder without quotes; write its value' : undefined;
}

const inObject = (m: Machine): boolean => m.stack.at(-1)?.list === false;

/** Whether white space around it, or a comma without a key after it, may belong to it. */
function mayHaveMore(m: Machine, { half, written, end }: BareText): boolean {
  if (m.word.apart || /\s$/.test(written) || (isComma(m.text[end]) && inObject(m) && endsAfter(m, end))) return true;
  // A line break doesn't belong to it if each key is on its own line.
  return !half && /[\n\r]/.test(m.text[end] ?? '') && !(m.key.at < 0 ? m.key.fresh : startsLine(m, m.key.at));
}

/** Whether nothing is left of the object after a separator but more of them. */
function endsAfter(m: Machine, at: number): boolean {
  const after = m.text[peek(m, at + 1)];
  return isCloser(after) || isComma(after);
}

/**
 * Whether a separator beside it or inside it may belong to the text: a comma in a list with an item of several words
 * (`[New York, NY]`), or although lines separate the keys; or a semicolon, or a comma of another script with no key
 * after it; or with a key after it that is written differently (`"a": x; b = y`).
 */
function mayHaveSeparator(m: Machine, { text, end, half }: BareText): boolean {
  const next = half ? end + 1 : end;
  const { list, key } = m.stack.at(-1) ?? {};
  const comma = isComma(m.text[next]);
  if (list !== false) return /\s/.test(text) && (comma || key !== 0);
  if (m.separators.includes('\n') && comma) return true;
  const sign = comma && !half ? signAhead(m, peek(m, next + 1)) : undefined;
  const isOtherSign = sign !== undefined && (sign === '=') !== (m.key.equalsEnd === m.key.colonEnd);
  if (isOtherSign || (sign && isSemicolon(m.text[next] ?? '') && !m.quotes.styles.includes('bare'))) return true;
  if (endsInSign.test(text) || (comma && m.text[next] !== ',' && endsAfter(m, next))) return true;
  return /[;；]/.test(text) && (m.separators.includes(';') || isSemicolon(m.text[next] ?? ' '));
}

/** Whether lines follow that look like comments, but may continue a text that starts like one or has several words. */
function mayContinue(m: Machine, { text, isWord, end }: BareText): boolean {
  const begins = /^(?:#|\/[/*])/.test(text);
  if (!begins && isWord) return false;
  const comma = begins && inObject(m) && isComma(m.text[end]);
  return matchAt(commentMark, m.text, comma ? end + 1 : end) !== null;
}

/**
 * Whether the quote at its end may be part of the text: in a list, as an apostrophe, or as the missing quote of an
 * earlier string.
 */
function mayHaveQuote(m: Machine, end: number): boolean {
  const frame = m.stack.at(-1);
  if (m.quotes.missing || frame?.list || /[:：=]\s*$/.test(String(frame?.key))) return true;
  return m.text[end] !== '"' && !m.quotes.styles.includes(m.text[end] as string);
}

const grouped = 'is not a valid number; write only its digits';
export const unquoted = 'is unquoted and has more than one reading; put quotes around it';
