import { elided } from '../problem.ts';
import { wordLists } from '../reading.ts';
import { closerOf, isCloser, isComma, isInvisible, isQuote, isSemicolon, matchAt } from './chars.ts';
import { assign, finishValue, placeScalar } from './containers.ts';
import { awaitText, itemAhead, keyAhead, peek, specialAhead, valueEnds } from './lookahead.ts';
import { ambiguous, doubtKeys, mixStyles, newWord, problem, repair, reportSet, setMark } from './machine.ts';
import { isPlainWord, nullWord, sureWord, wordFault } from './rules/word-rules.ts';
import { readScalar } from './scalars.ts';
import type { Machine } from './state.ts';

/** An invisible character or a color code before a text, which may be part of it. */
const signBefore = new RegExp(`(?:[\\u200b-\\u200f\\u2060\\ufeff\\u00ad]|${String.fromCharCode(27)}\\[[0-9;]{0,20}m)$`);

/** Signs inside a word: those that join letters of scripts that need them, and a fixed blank. */
const joined = /^(?:(?![!-~])\p{L}[\u200c\u200d](?![!-~])[\p{L}\p{M}]|\p{L}\u00a0\p{L})/u;

/** Starts a word without quotes: a number, a literal, or text. */
export function openBare(m: Machine): void {
  const apart = m.stack.at(-1)?.list === false && m.offset + m.at > m.key.colonEnd + 1;
  m.word = newWord(m.at, apart || signBefore.test(m.text.slice(Math.max(0, m.at - 32), m.at)));
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
    m.word.scanned = found.index;
    const ends = stopsHere(m, found.index, found[0]);
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
function stopsHere(m: Machine, at: number, char: string): boolean | 'quote' {
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
    const after = m.text[next];
    if (after === undefined || isComma(after) || isCloser(after)) return !text;
    if (isQuote(after) && isScalar(m, at)) return true;
    const key = !(text && next === at + 1) && keyAhead(m, next);
    if (key ? pairAhead(m, at) : !text) m.word.comma = true;
    return key;
  }
  if (isQuote(char)) return valueEnds(m, at + 1, m.stack.length - 1) && 'quote';
  if (char[0] === ' ' || char[0] === '\t') return gapEnds(m, at, list);
  if (char > '~') awaitText(m, at + 2);
  if (joined.test(m.text.slice(Math.max(0, at - 1), at + 2))) return false;
  // A comment after it may belong to it.
  if (char < ' ' || isInvisible(char.charCodeAt(0))) return peek(m, at) >= 0;
  if (char === '<') return specialAhead(m, at);
  // A number or literal ends before a comment; other text continues (`see issue #5`).
  if (char === '#' || char === '//' || char === '/*') return /\s/.test(m.text[at - 1] ?? '') && isScalar(m, at, true);
  return true;
}

const pairInside = /[^\s:]:(?!\/\/)\S/;
const tightPair = /([ \t]*)[\p{L}\p{N}_$.-]{1,128}:(\s|\S)?/uy;

/**
 * Whether a word with a colon and the key after the comma may be one text of several pairs (`src:app,data:db`): there is
 * no blank after the comma, or none after the key's colon, unlike after the colon of the word's own key.
 */
function pairAhead(m: Machine, comma: number): boolean {
  const { pending, from } = m.word;
  if (!pairInside.test(pending + m.text.slice(from, comma))) return false;
  const [whole, gap, next] = matchAt(tightPair, m.text, comma + 1) ?? [];
  if (whole === undefined) return false;
  awaitText(m, comma + 1 + whole.length + (next === undefined ? 1 : 0));
  return /\S/.test(next ?? ' ') && (gap === '' || m.offset + from - pending.length > m.key.colonEnd);
}

/** Whether the word up to here is a number or literal. `typed` excludes text. */
function isScalar(m: Machine, at: number, typed = false): boolean {
  if (m.word.pending.length + at - m.word.from > 40) return false;
  const scalar = readScalar((m.word.pending + m.text.slice(m.word.from, at)).trim());
  return scalar !== undefined && !(typed && typeof scalar.value === 'string');
}

/** A gap ends a number or literal if the next key or item follows, without a comma. */
function gapEnds(m: Machine, at: number, list: boolean): boolean {
  if (!isScalar(m, at, true)) return false;
  const next = peek(m, at);
  return list ? itemAhead(m, next) : keyAhead(m, next, false);
}

/** Whether the digits at `at` may belong to the number before their comma, as thousands (`1,000`). */
export const isGroup = (digits: string, text: string, at: number): boolean =>
  /^0\d\d(?:\.\d*)?$/.test(digits) && /\d,$/.test(text.slice(Math.max(0, at - 2), at));

/** A comment on the same line. After a literal it may belong to text without quotes (`true #5`). */
const aside = /[ \t]*(?:#|\/[/*])/y;

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
    if (frame?.list && isGroup(text, m.text, m.word.from))
      ambiguous(m, 'may be one number with the value before it; write only its digits', text);
    return placeScalar(m, scalar, text);
  }
  const isWord = sureWord.test(text);
  if (/(?:^|,\s*)(?:\.{3}|…)$/.test(text)) problem(m, 'syntax', elided);
  else {
    const fault = wordFault(m, { text, written, isWord, end, half });
    if (fault) ambiguous(m, fault, text);
  }
  if (text === '') problem(m, 'syntax', 'has no readable value', { received: text });
  m.unquoted.last = text;
  if (half || !isWord) m.unquoted.loose = true;
  // Blanks around a word may have been part of it, if they are more than the layout's.
  const hasSign = isInvisible(m.text.charCodeAt(next)) || m.text.charCodeAt(next) === 27;
  const isApart = m.word.apart || hasSign || (/\s$/.test(written) && isComma(m.text[next]));
  const isNull = nullWord.test(text);
  const sure = !half && isPlainWord(text, m.stack.at(-1)?.key) && !isApart && !isNull;
  // The text may continue after the comma, so what follows is a key only if it is declared.
  const sureKeys = !half && /^[\w$./:@+*-]*$/.test(text);
  if (half || !isCloser(m.text[next])) doubtKeys(m, sureKeys ? 'kept' : 'keys');
  repair(m, 'quote', text, sure ? 'lossless' : 'inferred', text);
  assign(m, text);
  const frame = m.stack.at(-1);
  if (frame?.list) {
    wordLists.add(frame.value);
    frame.words = frame.words?.add(frame.key as number) ?? new Set([frame.key as number]);
  }
  if (frame?.key !== undefined && isNull)
    setMark(m, frame.value, frame.key, { literal: text, nothing: m.quotes.values });
  mixStyles(m, 1);
  reportSet(m, text);
  finishValue(m);
}
