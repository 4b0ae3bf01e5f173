import { isCloser, isColon, isComma, isInvisible, isQuote, isSpace, isWord, matchAt, quotes } from './chars.ts';
import { commentMayBeText } from './rules/comment-rules.ts';
import { readScalar } from './scalars.ts';
import type { Machine } from './state.ts';

/**
 * The result of looking ahead. Each look is bounded, so that reading stays linear. `undefined` means that more text is
 * needed; at the end of the text there is always a result.
 */
export type Lookahead = boolean | undefined;

const windowSize = 512;
/** A terminal color code, written without a control character in the pattern. */
export const ansi = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[ -/]*[@-~]`, 'y');
const keyWindow = 200;

/** Offset of the next character that isn't white space; the text's length at its end, -1 if more text is needed. */
export function peek(m: Machine, from: number): number {
  const { text } = m;
  const limit = Math.min(text.length, from + windowSize);
  let at = from;
  while (at < limit) {
    const code = text.charCodeAt(at);
    if (isSpace(code) || isInvisible(code)) at++;
    else if (code === 47 || code === 35 || code === 27) {
      const end = asideEnd(m, at, limit);
      if (end === undefined) return -1;
      if (end === at) break;
      at = end;
    } else break;
  }
  return at < text.length || m.ended ? at : -1;
}

/** End of a comment or color code at `at`; `at` if there is none, undefined if more text is needed. */
function asideEnd(m: Machine, at: number, limit: number): number | undefined {
  const { text } = m;
  if (text.charCodeAt(at) === 27) {
    if (matchAt(ansi, text, at)) return ansi.lastIndex;
    return m.ended || text.length - at > 16 ? at : undefined;
  }
  const block = text.startsWith('/*', at);
  if (!block && text[at] === '/' && text[at + 1] !== '/')
    return text[at + 1] === undefined && !m.ended ? undefined : at;
  const mark = block ? '*/' : '\n';
  const found = text.slice(at, limit).indexOf(mark);
  if (found !== -1) return at + found + mark.length;
  if (limit < text.length) return at; // longer than the window
  return m.ended ? (block ? at : text.length) : undefined;
}

const bareKey = /[\p{L}\p{N}_$.@-]{1,128}/uy;

/** Whether a key with its colon is at `at`. Returns `cut` if the text ends before that is clear. */
export function keyAhead(m: Machine, at: number, cut = true): Lookahead {
  const { text } = m;
  if (at === -1) return undefined;
  if (at >= text.length) return cut;
  if (isQuote(text[at])) {
    const quoted = quotedKeyAhead(m, at, false);
    if (quoted !== false) return quoted;
    return unclosedKeyAhead(m, at) !== undefined || quotedKeyAhead(m, at, cut);
  }
  if (!matchAt(bareKey, text, at)) return false;
  const end = bareKey.lastIndex;
  if (end === text.length && !m.ended) return undefined;
  return colonAhead(m, isQuote(text[end]) ? end + 1 : end, cut);
}

/** Whether a quoted key with its colon is at `at`. */
export function quotedKeyAhead(m: Machine, at: number, cut: boolean): Lookahead {
  // A quote that only closes, such as », opens no key.
  const close = quotes[m.text[at] as string];
  if (close === undefined) return false;
  const end = endOfKey(m, at, close);
  if (end === -1) return m.text.length - at >= keyWindow ? false : m.ended ? cut : undefined;
  return end === -2 ? false : colonAhead(m, end, cut);
}

function colonAhead(m: Machine, from: number, cut: boolean): Lookahead {
  const next = peek(m, from);
  if (next === -1) return undefined;
  if (next >= m.text.length) return cut;
  if (m.text[next] !== '=') return isColon(m.text[next]);
  return next + 1 === m.text.length && !m.ended ? undefined : m.text[next + 1] !== '=';
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

/** Offset after a key's closing quote; -1 if it hasn't arrived, -2 if this can't be a key. */
function endOfKey(m: Machine, open: number, close: string): number {
  const { text } = m;
  const limit = Math.min(text.length, open + keyWindow);
  for (let at = open + 1; at < limit; at++) {
    const char = text[at] as string;
    if (char === '\\') at++;
    else if (char === '\n') return -2;
    else if (close.includes(char)) return at + 1;
  }
  return -1;
}

const word = new RegExp(`[^\\s,\\]})${String.fromCharCode(27)}\u200b-\u200f\u2060]{0,64}`, 'y');

/** Whether a list item may start at `at`. A bare word must be followed by what follows an item. */
export function itemAhead(m: Machine, at: number, bare = false): Lookahead {
  if (at === -1) return undefined;
  const { text } = m;
  const char = text[at];
  if (char === undefined || isQuote(char) || isCloser(char) || '{[('.includes(char)) return true;
  const found = matchAt(word, text, at)?.[0] ?? '';
  const end = at + found.length;
  if (end === text.length && !m.ended) return undefined;
  if (readScalar(found) !== undefined) return true;
  if (!bare || !plainWord.test(found)) return false;
  const next = peek(m, end);
  return next === -1 ? undefined : text[next] === undefined || text[next] === ']' || isComma(text[next]);
}

/** A number or literal in a list, followed by what follows an item: the comma before it is missing. */
function scalarItemAhead(m: Machine, at: number): Lookahead {
  const found = matchAt(word, m.text, at)?.[0] ?? '';
  const next = peek(m, at + found.length);
  if (next === -1) return undefined;
  return readScalar(found) !== undefined && (m.text[next] === ']' || isComma(m.text[next]));
}

/** Whether an unambiguous value starts at `at`: a quote, a bracket, a number or a literal. */
export const valueAhead = (m: Machine, at: number): Lookahead =>
  m.text[at] !== undefined || at === -1 ? !isCloser(m.text[at]) && itemAhead(m, at) : false;

const plainWord = /^[\p{L}\p{N}_$./:@+*-]+$/u;

/**
 * Whether a value in the frame at `level` ends at `from`, as checked for a quote in a string: only if a valid
 * continuation follows, across any closing brackets.
 */
export function valueEnds(m: Machine, from: number, level: number): Lookahead {
  let lv = level;
  let start = from;
  for (let turns = 0; turns < 300; turns++) {
    const at = peek(m, start);
    if (at === -1) return undefined;
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
    const special = specialAhead(m, at);
    if (special !== false) return special;
    if (isQuote(char)) return list ? at > start : keyAhead(m, at, false);
    const apart = m.text.slice(start, at).includes('\n') || (at > start && !list && m.quotes.styles.includes('bare'));
    if (!apart) return at > start && (list ? scalarItemAhead(m, at) : wordKeyAhead(m, at));
    return list ? itemAhead(m, at) : keyAhead(m, at);
  }
  return true;
}

const wordKey = /[\p{L}_$][\p{L}\p{N}_$.-]{0,127}\s*:\s*/uy;
const scalarOnly = /[^\s,\]}"'`]{1,40}/y;

/**
 * Whether a quote and a blank are followed by a key without quotes and without a comma (`"a.ts" limit: 5`). Only if the
 * quote can't open anything, it is the first in the string, and a complete value follows. The schema must declare the
 * key.
 */
function wordKeyAhead(m: Machine, at: number): Lookahead {
  const { string, text } = m;
  if (!string || string.inner.count > 0 || string.pieces || string.escapes.quotes % 2 === 1) return false;
  if (!/[^\s([{<=:,;+|&"'`]/.test(string.last ?? ' ')) return false;
  if (!matchAt(wordKey, text, at)) return m.ended || text.length - at > 140 ? false : undefined;
  const from = wordKey.lastIndex;
  if (from === text.length) return m.ended ? false : undefined;
  if ('"[{'.includes(text[from] as string)) return true;
  const word = matchAt(scalarOnly, text, from)?.[0] ?? '';
  const next = peek(m, from + word.length);
  if (next === -1) return undefined;
  return readScalar(word) !== undefined && (isComma(text[next]) || isCloser(text[next]));
}

function afterComma(m: Machine, comma: number, list: boolean): Lookahead {
  let at = comma;
  while (at !== -1 && isComma(m.text[at])) at = peek(m, at + 1);
  if (at === -1) return undefined;
  const char = m.text[at];
  if (char === undefined || isCloser(char)) return true;
  const special = specialAhead(m, at);
  if (special !== false) return special;
  if (list) return itemAhead(m, at, true);
  const key = keyAhead(m, at);
  // With a quote in the string already, a quoted word is more likely part of the text than a key without colon.
  return key === false && !m.string?.inner.count ? noColon(m, at) : key;
}

/** After the root has closed, prose may follow, unless it shows that the string continues. */
function rootEnds(m: Machine, start: number, at: number): Lookahead | 'closer' {
  const char = m.text[at] as string;
  if (isCloser(char)) return 'closer';
  if (isQuote(char) && char !== '`') return false;
  if (';.'.includes(char)) {
    const next = peek(m, at + 1);
    if (next === -1) return undefined;
    if (m.text[next] !== '.') return next > at + 1 || next >= m.text.length;
  }
  if (isComma(char)) {
    const next = peek(m, at + 1);
    if (next === -1) return undefined;
    return next >= m.text.length || m.text[next] === '{' || keyAhead(m, next);
  }
  if ('<`~*{/#'.includes(char)) return true;
  if (at > start && (isWord(char) || char === '[')) return true;
  return onlyProse(m, at);
}

const structural = /["“”„«»`[\]{}]|(?<![\p{L}\p{N}])'|'(?![\p{L}\p{N}])/gu;

/** Whether only text without quotes and brackets follows (` — done.`, `!`), which can't continue a string. */
function onlyProse(m: Machine, at: number): Lookahead {
  const limit = at + windowSize;
  const found = matchAt(structural, m.text.slice(0, limit), at);
  // The next letter may make it an apostrophe.
  const isOpen = !m.ended && (!found || (found[0] === "'" && found.index === m.text.length - 1));
  return isOpen && m.text.length <= limit ? undefined : !found;
}

/** A closing tag in a line that continues to a quote that ends a value: `"<p>"x"</p>"]`. */
const tagInside = /<\/[\w:-]{1,40}>[^[{\n]{0,300}?["'”]\s{0,9}[,\]}]/y;

/** A special token (`<|im_end|>`), a closing tag or a code fence, which ends what precedes it. */
export function specialAhead(m: Machine, at: number): Lookahead {
  const { text } = m;
  const char = text[at];
  if (char !== '<' && char !== '`') return false;
  if (text.startsWith('<|', at) || text.startsWith('```', at)) return true;
  if (text.startsWith('</', at))
    return !matchAt(tagInside, text, at) && (m.ended || text.length - at > 360 || undefined);
  const short = char === '<' ? at + 1 === text.length : at + 2 >= text.length;
  return short && !m.ended ? undefined : false;
}

/** Index of the nearest open frame, from `level` down, that `closer` closes; -1 if there is none. */
export function matching(m: Machine, closer: string, level = m.stack.length - 1): number {
  for (let i = level; i >= 0; i--) if (m.stack[i]?.closer === closer) return i;
  return -1;
}

/** Whether the brace at `at` opens an object, or is part of prose. */
export function opensObject(m: Machine, at: number): Lookahead {
  let next = peek(m, at + 1);
  while (next !== -1 && isComma(m.text[next])) next = peek(m, next + 1);
  if (next === -1) return undefined;
  const char = m.text[next];
  if (char === undefined || char === '}') return true;
  const key = keyAhead(m, next);
  return key === false ? noColon(m, next) : key;
}

const keyWithoutColon = /(["'])[\p{L}_][\p{L}\p{N}_.-]{0,64}\1/uy;

/** A quoted key directly followed by a value: the colon is missing. */
function noColon(m: Machine, at: number): Lookahead {
  if (matchAt(keyWithoutColon, m.text, at)) return valueAhead(m, peek(m, keyWithoutColon.lastIndex));
  return m.ended || m.text.length - at > 80 ? false : undefined;
}

/** Whether the bracket at `at` opens a list, or is part of prose. Bare words count only at the start of the text. */
export function opensList(m: Machine, at: number, first: boolean): Lookahead {
  const next = peek(m, at + 1);
  if (next === -1) return undefined;
  const item = itemAhead(m, next);
  return item === undefined ? undefined : item || first;
}

const escapedQuote = /[[{](?:\s|\\[nrt]|[[{]){0,12}\\"/y;

/** Whether all quotes of this object are escaped, as inside a string. */
export function escapedAhead(m: Machine, at: number): boolean {
  return matchAt(escapedQuote, m.text, at) !== null;
}
