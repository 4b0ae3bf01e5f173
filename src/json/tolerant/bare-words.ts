import { elided } from '../problem.ts';
import { closerOf, isCloser, isComma, isInvisible, isQuote, isSemicolon, matchAt } from './chars.ts';
import { assign, finishValue, placeScalar } from './containers.ts';
import { itemAhead, keyAhead, matching, peek, specialAhead, valueEnds } from './lookahead.ts';
import { ambiguous, doubtKeys, mixStyles, problem, repair, reportSet, setMark } from './report.ts';
import { readScalar } from './scalars.ts';
import type { Machine } from './state.ts';
import { startsLine } from './whitespace.ts';

/** Starts a word without quotes: a number, a literal, or text. */
export function openBare(m: Machine): void {
  const apart = m.stack.at(-1)?.list === false && m.offset + m.at > m.key.colonEnd + 1;
  m.word = { pending: '', from: m.at, scanned: m.at, open: '', comma: false, apart };
  m.mode = 'bare';
}

/** Where a bare word may end, including color codes and zero-width characters. */
const stops = new RegExp(
  `[,，、;；{[(}\\])\\n\\r"'\`“”<#\\u200b-\\u200f\\u2060\\ufeff\\u00a0\\u00ad\\u3000${String.fromCharCode(27)}]|//|/\\*|[ \\t]+`,
  'g',
);

/** Continues the bare word where the last scan stopped. Returns false if more text is needed. */
export function stepBare(m: Machine): boolean {
  for (;;) {
    const found = matchAt(stops, m.text, m.word.scanned);
    if (!found) {
      m.word.scanned = Math.max(m.word.scanned, m.text.length - 1);
      return false;
    }
    const ends = stopsHere(m, found.index, found[0]);
    if (ends === undefined) {
      m.word.scanned = found.index;
      return false;
    }
    if (ends) {
      closeBare(m, found.index, ends === 'quote' ? found.index + 1 : found.index);
      return true;
    }
    m.word.scanned = found.index + found[0].length;
  }
}

/**
 * Whether the word ends at this character. A comma may belong to text, and a quote may be one that is missing its
 * opening quote.
 */
function stopsHere(m: Machine, at: number, char: string): boolean | 'quote' | undefined {
  const list = m.stack.at(-1)?.list === true;
  if ('{[('.includes(char)) {
    // Beyond the depth of any text, adds a marker that nothing closes.
    m.word.open = m.word.open.length < 32 ? m.word.open + closerOf[char] : '…';
    return false;
  }
  if (isCloser(char)) {
    if (!m.word.open.endsWith(char)) return true;
    m.word.open = m.word.open.slice(0, -1);
    m.brackets.removed += m.brackets.removed.includes(char) ? '' : char;
    return false;
  }
  if (isComma(char)) {
    const text = isSemicolon(char) && !isScalar(m, at);
    // A comma of another script may belong to the text.
    if (list && char !== ',' && !isScalar(m, at)) m.word.open = '…';
    if (list) return !text;
    const next = peek(m, at + 1);
    if (next === -1) return undefined;
    const after = m.text[next];
    if (after === undefined || isComma(after) || isCloser(after)) return !text;
    if (isQuote(after) && isScalar(m, at)) return true;
    const key = !(text && next === at + 1) && keyAhead(m, next);
    if (key === false && !text) m.word.comma = true;
    return key;
  }
  if (isQuote(char)) {
    const ends = valueEnds(m, at + 1, m.stack.length - 1);
    return ends === true ? 'quote' : ends;
  }
  if (char[0] === ' ' || char[0] === '\t') return gapEnds(m, at, list);
  // A comment after it may belong to it.
  if (char < ' ' || isInvisible(char.charCodeAt(0))) return peek(m, at) === -1 ? undefined : true;
  if (char === '<') return specialAhead(m, at);
  // A number or literal ends before a comment; other text continues (`see issue #5`).
  if (char === '#' || char === '//' || char === '/*') return /\s/.test(m.text[at - 1] ?? '') && isScalar(m, at, true);
  return true;
}

/** Whether the word up to here is a number or literal. `typed` excludes text. */
function isScalar(m: Machine, at: number, typed = false): boolean {
  if (m.word.pending.length + at - m.word.from > 40) return false;
  const scalar = readScalar((m.word.pending + m.text.slice(m.word.from, at)).trim());
  return scalar !== undefined && !(typed && typeof scalar.value === 'string');
}

/** A gap ends a number or literal if the next key or item follows, without a comma. */
function gapEnds(m: Machine, at: number, list: boolean): boolean | undefined {
  if (!isScalar(m, at, true)) return false;
  const next = peek(m, at);
  if (next === -1) return undefined;
  return list ? itemAhead(m, next) : keyAhead(m, next, false);
}

/** A word and a colon in text without quotes: the next key, or part of the text? */
const hiddenKey = /\s[\p{L}_][\p{L}\p{N}_-]*\s*[:=](?!\/\/)/u;
const keyFirst = /^[\p{L}\p{N}_-]+\s*[:=]\s/u;
/**
 * Quotes other than apostrophes in a word, a string with a prefix (`b'x'`), quotes as HTML entities, or a full-width
 * list.
 */
const hiddenQuote = /["`“”„«»［]|(?<![\p{L}\p{N}])['‘’]|['‘’](?![\p{L}\p{N}])|^[bBrRuUfF]{1,2}'|&quot;|&#3[49];/u;

/** Words that are unambiguous without quotes. */
const sureWord = /^(?!\.{3}\p{L})[\p{L}\p{N}_./:@-]+$/u;
/**
 * A possible expression, template or placeholder: a backslash, angle brackets, a call, an index, operators between
 * operands or before a name, an assignment, a condition. Operators that are words count only where they don't make
 * ordinary text: with literals (`x or None`), or in what programs alone write (`new Date`).
 */
const expression =
  /[\\<]|(?<!-)>|\$[{(]|\{\{|[\p{L}\p{N}_$)\]][([]|([&|?])\1|[!=]=|\s\*?[+*%^=|?]\s|[\p{L}\p{N})\]](?:\s*\*\s*|\*\*)[\p{L}\p{N}(]|\d\s*[+%&|^]\s*\d|(?:^\S+|\d)\s+(?:\/\/?|-)\s+\d|^(?![^+]*\+[^+]*@).*(?:[\p{L}\p{N}_)\]]\s*\+\s*[\p{L}_(]|\p{L}\+\+|(?<!\d)\p{Ll}\+\d)|^[\p{L}_][\p{L}\p{N}_.]*\s*(?:[-+*/%|&^:]{0,2}=|\?(?:\.|.*:))|^(?:[!~&*+]+[\p{L}_]|~\d)[\p{L}\p{N}_.]*$|^(?:!\p{L}|\.{3}\p{L}|[!~&*-]+\(|\$(?:[\p{L}_.]|\d$)|[#%@]\{|%(?:\(|[sdif]$|\w+%)|[[{(].*[\]})]$|(?:lambda|typeof)\s|void\s+\d|new\s+\p{Lu}\S*$|await\s+\S+$|(\w+)(?:[^\w\s]\S*)?\s+for\s+\2\s+in\s)|\s(?:in\s+[[(]|if\s.+\selse\s|instanceof\s)|\b(?:(?:and|or|not|is|in)\s+(?:True|False|None)|(?:True|False|None)\s+(?:and|or|not|is|in))\b/u;

/** Words that mean null in other languages, or are text. */
const nullWord = /^(?:none|nil|n\/a)$/i;

/** A possible variable: with several dots, or of an object that every program has. */
const variable = /^[\p{L}_]+(?:\.[\p{L}_][\p{L}\p{N}_]*){2,}$|^(?:this|self|process|os|sys)\./u;

/** Whether text without quotes may be more than text: it begins like a key, or is an expression. */
export const isExpression = (text: string): boolean =>
  !sureWord.test(text) && (keyFirst.test(text) || expression.test(text));

export const unquoted = 'is unquoted and has more than one reading; put quotes around it';
const grouped = 'is not a valid number; write only its digits';

/** A comment on the same line. After a literal it may belong to text without quotes (`true #5`). */
const aside = /[ \t]*(?:#|\/[/*])/y;

/** A number at the end of a text. A quote after it may mean inches, feet or seconds. */
const measure = /(?:^|\s|\dx)[^\p{L}\s]*\p{N}$/u;

/** Ends the word at `end`. If `next` is behind it, a quote follows that has no opening quote. */
export function closeBare(m: Machine, end: number, next: number) {
  const written = m.word.pending + m.text.slice(m.word.from, end);
  const text = written.trim();
  const half = next > end;
  m.at = next;
  // A quote at its end means that it is text.
  const scalar = half ? undefined : readScalar(text);
  if (scalar) {
    const frame = m.stack.at(-1);
    if (frame && matchAt(aside, m.text, next)) frame.gap = true;
    return placeScalar(m, scalar, text);
  }
  if (/(?:^|,\s*)(?:\.{3}|…)$/.test(text)) problem(m, 'syntax', elided);
  else if (
    m.word.open ||
    isDoubted(m) ||
    ((half || !sureWord.test(text)) && (hasMore(m, end) || (half ? /\s$/.test(written) : endsOpen(m, written, end)))) ||
    isStray(m, end) ||
    keyFirst.test(text) ||
    m.word.comma ||
    partsOtherwise(m, text, next) ||
    /^\/\*.*\*\//s.test(text) ||
    hiddenKey.test(text) ||
    goesOnAsComment(m, text, end) ||
    (m.stack.at(-1)?.closer === ')' && !isComma(m.text[end])) ||
    hiddenQuote.test(text) ||
    (half && (measure.test(text) || mayBelong(m, end)))
  )
    ambiguous(m, /^[+-]?\d[\d.,\s]*$/.test(text) ? grouped : unquoted, text);
  else if (isExpression(text)) ambiguous(m, 'is an expression or a placeholder without quotes; write its value', text);
  if (text === '') problem(m, 'syntax', 'has no readable value', { received: text });
  m.unquoted.any = true;
  // Blanks around a word may have been part of it, if they are more than the layout's.
  const isApart = m.word.apart || (/\s$/.test(written) && isComma(m.text[next]));
  const sure = sureWord.test(text) && !variable.test(text) && !isApart;
  if (half || !sureWord.test(text)) m.unquoted.loose = true;
  // The text may continue after the comma, so what follows is a key only if it is declared.
  const sureKeys = /^[\w$./:@+*-]*$/.test(text);
  if (half || !isCloser(m.text[next])) doubtKeys(m, half || !sureKeys ? 'keys' : 'kept');
  repair(m, 'quote', text, half || !sure ? 'inferred' : 'lossless', text);
  assign(m, text);
  const place = nullWord.test(text) ? m.stack.at(-1) : undefined;
  if (place?.key !== undefined) setMark(m, place.value, place.key, { literal: text, nothing: true });
  mixStyles(m, 1);
  reportSet(m, text);
  finishValue(m);
}

/**
 * Whether a separator beside it or inside it may belong to the text: a comma in a list with an item of several words
 * (`[New York, NY]`), or although lines separate the keys; or a semicolon, or a comma of another script with no key
 * after it.
 */
function partsOtherwise(m: Machine, text: string, next: number): boolean {
  const { list, key } = m.stack.at(-1) ?? {};
  const comma = isComma(m.text[next]);
  if (list !== false) return /\s/.test(text) && (comma || key !== 0);
  if (m.separators.includes('\n') && comma) return true;
  if (endsInSign.test(text) || (comma && m.text[next] !== ',' && endsParts(m, next))) return true;
  return /[;；]/.test(text) && (m.separators.includes(';') || isSemicolon(m.text[next] ?? ' '));
}

/** A semicolon that ends no entity, or a comma of another script, at the end of a text or before a comment. */
const endsInSign = /(?:(?<!&#?\w{1,12});|[；﹔؛،﹐､])\s*(?:$|#|\/[/*])/;

/** Whether nothing is left of the object after a separator but more of them. */
const endsParts = (m: Machine, at: number): boolean => {
  const after = m.text[peek(m, at + 1)];
  return isCloser(after) || isComma(after);
};

/** Whether a superfluous colon or a comment precedes it, which may be its first character or line. */
const isDoubted = (m: Machine): boolean => m.stack.at(-1)?.list === false && m.stack.at(-1)?.gap === true;

/** Whether white space around it, or a comma without a key after it, may belong to it. */
function hasMore(m: Machine, end: number): boolean {
  if (m.word.apart) return true;
  const after = m.text[peek(m, end + 1)];
  return isComma(m.text[end]) && m.stack.at(-1)?.list === false && (isCloser(after) || isComma(after));
}

/**
 * Whether it ends in a blank or line break that may belong to it. A line break doesn't if each key is on its own line.
 */
function endsOpen(m: Machine, written: string, end: number): boolean {
  if (/\s$/.test(written)) return true;
  return /[\n\r]/.test(m.text[end] ?? '') && !(m.key.at < 0 ? m.key.startsLine : startsLine(m, m.key.at));
}

const commentMark = /\s*(?:#|\/[/*])/y;

/** Whether lines follow that look like comments, but may continue a text that starts like one or has several words. */
function goesOnAsComment(m: Machine, text: string, end: number): boolean {
  const begins = /^(?:#|\/[/*])/.test(text);
  if (!begins && sureWord.test(text)) return false;
  const comma = begins && m.stack.at(-1)?.list === false && isComma(m.text[end]);
  return matchAt(commentMark, m.text, comma ? end + 1 : end) !== null;
}

/** Whether it ends at an unmatched closing bracket, which may therefore be part of it. */
const isStray = (m: Machine, end: number): boolean =>
  isCloser(m.text[end]) && matching(m, m.text[end] as string) === -1;

/**
 * Whether the quote at its end may be part of the text: in a list, as an apostrophe, or as the missing quote of an
 * earlier string.
 */
function mayBelong(m: Machine, end: number): boolean {
  const frame = m.stack.at(-1);
  if (m.quotes.missing || frame?.list || /[:：=]\s*$/.test(String(frame?.key))) return true;
  return m.text[end] !== '"' && !m.quotes.styles.includes(m.text[end] as string);
}
