import { isCloser, isColon, isComma, isInvisible, isQuote, isSpace, isWord, matchAt, quotes } from './chars.ts';
import { commentMayBeText } from './rules/comment-rules.ts';
import { readScalar } from './scalars.ts';
import type { Machine } from './state.ts';

// Each look ahead is bounded, so that reading stays linear. At the end of the text there is always a result.

/**
 * Thrown by a step that can't decide before more text arrives. It hasn't changed anything yet. A step returns false
 * instead where chunks often end, because that costs less.
 */
export const needsMore: unique symbol = Symbol('needs more text');

/** Ends the step unless the text up to this offset has arrived, or there is no more. */
export function awaitText(m: Machine, upTo: number): void {
  if (m.text.length < upTo && !m.ended) throw needsMore;
}

const windowSize = 512;
/** A terminal color code, written without a control character in the pattern. */
export const ansi = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[ -/]*[@-~]`, 'y');
const keyWindow = 200;

/** Offset of the next character that isn't white space; the text's length at its end. */
export function peek(m: Machine, from: number): number {
  const { text } = m;
  const limit = Math.min(text.length, from + windowSize);
  let at = from;
  while (at < limit) {
    const code = text.charCodeAt(at);
    if (isSpace(code) || isInvisible(code)) at++;
    else if (code === 47 || code === 35 || code === 27) {
      const end = asideEnd(m, at, limit);
      if (end === at) break;
      at = end;
    } else break;
  }
  awaitText(m, at + 1);
  return at;
}

/** End of a comment or color code at `at`; `at` if there is none. */
function asideEnd(m: Machine, at: number, limit: number): number {
  const { text } = m;
  if (text.charCodeAt(at) === 27) {
    if (matchAt(ansi, text, at)) return ansi.lastIndex;
    awaitText(m, at + 17);
    return at;
  }
  awaitText(m, at + 2);
  const block = text.startsWith('/*', at);
  if (!block && text[at] === '/' && text[at + 1] !== '/') return at;
  const mark = block ? '*/' : '\n';
  const found = text.slice(at, limit).indexOf(mark);
  if (found !== -1) return at + found + mark.length;
  if (limit < text.length) return at; // longer than the window
  awaitText(m, limit + 1);
  return block ? at : text.length;
}

const bareKey = /[\p{L}\p{N}_$.@-]{1,128}/uy;

/** Whether a key with its colon is at `at`. Returns `cut` if the text ends before that is clear. */
export function keyAhead(m: Machine, at: number, cut = true): boolean {
  const { text } = m;
  if (at >= text.length) return cut;
  if (isQuote(text[at])) return quotedKeyAhead(m, at, cut) || unclosedKeyAhead(m, at) !== undefined;
  if (!matchAt(bareKey, text, at)) return false;
  const end = bareKey.lastIndex;
  awaitText(m, end + 1);
  return colonAhead(m, isQuote(text[end]) ? end + 1 : end, cut);
}

/** The sign after a key without quotes at `at`. */
export function signAhead(m: Machine, at: number): string | undefined {
  if (!matchAt(bareKey, m.text, at)) return undefined;
  return m.text[peek(m, bareKey.lastIndex)];
}

/** Whether a quoted key with its colon is at `at`. */
export function quotedKeyAhead(m: Machine, at: number, cut = false): boolean {
  // A quote that only closes, such as », opens no key.
  const close = quotes[m.text[at] as string];
  const end = close === undefined ? -1 : endOfKey(m, at, close);
  return end > m.text.length ? cut : end !== -1 && colonAhead(m, end, cut);
}

function colonAhead(m: Machine, from: number, cut: boolean): boolean {
  const next = peek(m, from);
  if (next >= m.text.length) return cut;
  if (m.text[next] !== '=') return isColon(m.text[next]);
  awaitText(m, next + 2);
  return m.text[next + 1] !== '=';
}

const unclosed = /["'`“]([\p{L}\p{N}_$.-]{1,128})["'`“”]?[ \t]*[:=][ \t]*/uy;

/**
 * A key with a missing or different closing quote, followed by a colon and the start of a value (`"path: "x"`, `"limit:
 * 5`).
 */
export function unclosedKeyAhead(m: Machine, at: number): { readonly key: string; readonly end: number } | undefined {
  const found = matchAt(unclosed, m.text, at);
  return found && valueAhead(m, unclosed.lastIndex) ? { key: found[1] as string, end: unclosed.lastIndex } : undefined;
}

/** Offset after a key's closing quote, beyond the text if it isn't there; -1 if this can't be a key. */
function endOfKey(m: Machine, open: number, close: string): number {
  const { text } = m;
  const limit = Math.min(text.length, open + keyWindow);
  for (let at = open + 1; at < limit; at++) {
    const char = text[at] as string;
    if (char === '\\') at++;
    else if (char === '\n') return -1;
    else if (close.includes(char)) return at + 1;
  }
  awaitText(m, open + keyWindow);
  return limit === text.length && limit < open + keyWindow ? limit + 1 : -1;
}

const word = new RegExp(`[^\\s,\\]})${String.fromCharCode(27)}\u200b-\u200f\u2060]{0,64}`, 'y');

/** Whether a list item may start at `at`. A bare word must be followed by what follows an item. */
export function itemAhead(m: Machine, at: number, bare = false): boolean {
  const { text } = m;
  const char = text[at];
  if (char === undefined || isQuote(char) || isCloser(char) || '{[('.includes(char)) return true;
  const [found] = matchAt(word, text, at) as RegExpExecArray;
  const end = at + found.length;
  awaitText(m, end + 1);
  if (readScalar(found) !== undefined) return true;
  if (!bare || !plainWord.test(found)) return false;
  const next = text[peek(m, end)];
  return next === undefined || next === ']' || isComma(next);
}

/** A number or literal, followed by a comma or one of these brackets: the comma before it is missing. */
function scalarAhead(m: Machine, at: number, pattern: RegExp, closers: string): boolean {
  const [found] = matchAt(pattern, m.text, at) as RegExpExecArray;
  const next = m.text[peek(m, at + found.length)];
  return readScalar(found) !== undefined && (isComma(next) || closers.includes(next ?? ' '));
}

/** Whether an unambiguous value starts at `at`: a quote, a bracket, a number or a literal. */
export const valueAhead = (m: Machine, at: number): boolean =>
  m.text[at] !== undefined && !isCloser(m.text[at]) && itemAhead(m, at);

const plainWord = /^[\p{L}\p{N}_$./:@+*-]+$/u;

/**
 * Whether a value in the frame at `level` ends at `from`, as checked for a quote in a string: only if a valid
 * continuation follows, across any closing brackets.
 */
export function valueEnds(m: Machine, from: number, level: number): boolean {
  let lv = level;
  let start = from;
  for (let turns = 0; turns < 300; turns++) {
    const at = peek(m, start);
    const char = m.text[at];
    if (turns === 0 && at > from && commentMayBeText(m.text.slice(from, at))) return false;
    if (char === undefined) return true;
    if (lv < 0) {
      const ends = rootEnds(m, start, at);
      if (ends !== 'closer') return ends;
      start = at + 1;
      continue;
    }
    const list = m.stack[lv]?.list === true;
    if (isComma(char)) return afterComma(m, at, list);
    if (isCloser(char)) {
      const match = matching(m, char, lv);
      if (match === -1 && char === ')') return false;
      if (match !== -1) lv = match - 1;
      start = at + 1;
      continue;
    }
    if (list && isColon(char)) return true;
    if (list && '{['.includes(char)) return turns > 0;
    if (specialAhead(m, at)) return true;
    if (isQuote(char)) return list ? at > start : keyAhead(m, at, false);
    const apart = m.text.slice(start, at).includes('\n') || (at > start && !list && m.quotes.styles.includes('bare'));
    if (!apart) return at > start && (list ? scalarAhead(m, at, word, ']') : wordKeyAhead(m, at));
    return list ? itemAhead(m, at) : keyAhead(m, at);
  }
  return true;
}

const wordKey = /[\p{L}_$][\p{L}\p{N}_$.-]{0,127}\s*:\s*/uy;
const scalarOnly = /[^\s,\]}"'`]{0,40}/y;

/**
 * Whether a quote and a blank are followed by a key without quotes and without a comma (`"a.ts" limit: 5`). Only if the
 * quote can't open anything, it is the first in the string, and a complete value follows. The schema must declare the
 * key.
 */
function wordKeyAhead(m: Machine, at: number): boolean {
  const { string, text } = m;
  if (!string || string.inner.count > 0 || string.pieces || string.escapes.quotes % 2 === 1) return false;
  if (!/[^\s([{<=:,;+|&"'`]/.test(string.last ?? ' ')) return false;
  if (!matchAt(wordKey, text, at)) {
    awaitText(m, at + 141);
    return false;
  }
  const from = wordKey.lastIndex;
  awaitText(m, from + 1);
  return '"[{'.includes(text[from] ?? ' ') || scalarAhead(m, from, scalarOnly, ']}');
}

function afterComma(m: Machine, comma: number, list: boolean): boolean {
  let at = comma;
  while (isComma(m.text[at])) at = peek(m, at + 1);
  const char = m.text[at];
  if (char === undefined || isCloser(char) || specialAhead(m, at)) return true;
  if (list) return itemAhead(m, at, true);
  // With a quote in the string already, a quoted word is more likely part of the text than a key without colon.
  return keyAhead(m, at) || (!m.string?.inner.count && noColon(m, at));
}

/** After the root has closed, prose may follow, unless it shows that the string continues. */
function rootEnds(m: Machine, start: number, at: number): boolean | 'closer' {
  const char = m.text[at] as string;
  if (isCloser(char)) return 'closer';
  if (isQuote(char) && char !== '`') return false;
  if (';.'.includes(char)) {
    const next = peek(m, at + 1);
    if (m.text[next] !== '.') return next > at + 1 || next >= m.text.length;
  }
  if (isComma(char)) {
    const next = peek(m, at + 1);
    return next >= m.text.length || m.text[next] === '{' || keyAhead(m, next);
  }
  if ('<`~*{/#'.includes(char)) return true;
  if (at > start && (isWord(char) || char === '[')) return true;
  return onlyProse(m, at);
}

const structural = /["“”„«»`[\]{}]|(?<![\p{L}\p{N}])'|'(?![\p{L}\p{N}])/gu;

/** Whether only text without quotes and brackets follows (` — done.`, `!`), which can't continue a string. */
function onlyProse(m: Machine, at: number): boolean {
  const limit = at + windowSize;
  const found = matchAt(structural, m.text.slice(0, limit), at);
  // The next letter may make it an apostrophe.
  if (!found || (found[0] === "'" && found.index === m.text.length - 1)) awaitText(m, limit + 1);
  return !found;
}

/** A closing tag in a line that continues to a quote that ends a value: `"<p>"x"</p>"]`. */
const tagInside = /<\/[\w:-]{1,40}>[^[{\n]{0,300}?["'”]\s{0,9}[,\]}]/y;

/** A special token (`<|im_end|>`), a closing tag or a code fence, which ends what precedes it. */
export function specialAhead(m: Machine, at: number): boolean {
  const { text } = m;
  const char = text[at];
  if (char !== '<' && char !== '`') return false;
  if (text.startsWith('<|', at) || text.startsWith('```', at)) return true;
  const isTag = text.startsWith('</', at);
  if (isTag && matchAt(tagInside, text, at)) return false;
  awaitText(m, at + (isTag ? 361 : char === '<' ? 2 : 3));
  return isTag;
}

/** Index of the nearest open frame, from `level` down, that `closer` closes; -1 if there is none. */
export function matching(m: Machine, closer: string, level = m.stack.length - 1): number {
  for (let i = level; i >= 0; i--) if (m.stack[i]?.closer === closer) return i;
  return -1;
}

/** Whether the brace at `at` opens an object, or is part of prose. */
export function opensObject(m: Machine, at: number): boolean {
  let next = peek(m, at + 1);
  while (isComma(m.text[next])) next = peek(m, next + 1);
  return m.text[next] === '}' || keyAhead(m, next) || noColon(m, next);
}

const keyWithoutColon = /(["'])[\p{L}_][\p{L}\p{N}_.-]{0,64}\1/uy;

/** A quoted key directly followed by a value: the colon is missing. */
function noColon(m: Machine, at: number): boolean {
  if (matchAt(keyWithoutColon, m.text, at)) return valueAhead(m, peek(m, keyWithoutColon.lastIndex));
  awaitText(m, at + 81);
  return false;
}

/** Whether the bracket at `at` opens a list, or is part of prose. Bare words count only at the start of the text. */
export const opensList = (m: Machine, at: number, first: boolean): boolean => itemAhead(m, peek(m, at + 1)) || first;

const escapedQuote = /[[{](?:\s|\\[nrt]|[[{]){0,12}\\"/y;

/** Whether all quotes of this object are escaped, as inside a string. */
export const escapedAhead = (m: Machine, at: number): boolean => matchAt(escapedQuote, m.text, at) !== null;
