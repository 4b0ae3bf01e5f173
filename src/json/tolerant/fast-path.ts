import type { JsonObject, JsonValue } from '../value.ts';
import { isSpace } from './chars.ts';
import { closeFrame, newFrame, open, placeScalar, takeCloser } from './containers.ts';
import { valueEnds } from './lookahead.ts';
import { mixStyles, pathOf, recordQuotes } from './machine.ts';
import { readScalar, type Scalar } from './scalars.ts';
import type { Frame, Machine, Mode } from './state.ts';

const quote = 34;
const apostrophe = 39;
const comma = 44;
const colon = 58;

/**
 * Reads plain JSON in one loop, token by token, and stops before anything else, which the steps then read. It makes no
 * decisions, so what it skips costs time but doesn't change the result. Returns true if it closed the root.
 */
export function fastPath(m: Machine): boolean {
  const { text, limits } = m;
  if (m.mode === 'top' && opensPlainly(m)) open(m, '{');
  if (m.stack.length === 0 || (m.mode !== 'key' && m.mode !== 'value' && m.mode !== 'after')) return false;
  let frame = m.stack[m.stack.length - 1] as Frame;
  let at = m.at;
  let mode: Mode = m.mode;
  for (;;) {
    at = spaceEnd(text, at);
    const code = text.charCodeAt(at);
    if (mode === 'after') {
      if (code === comma) {
        frame.comma = true;
        mode = frame.list ? 'value' : 'key';
        at++;
      } else if (code === frame.closerCode) {
        m.at = at + 1;
        closeFrame(m);
        if (m.mode !== 'after') return true;
        frame = m.stack[m.stack.length - 1] as Frame;
        at = m.at;
      } else break;
    } else if (code === frame.closerCode && (mode === 'key' || frame.list) && !frame.repeated) {
      m.mode = mode;
      m.at = at;
      takeCloser(m, frame.closer);
      if ((m.mode as Mode) !== 'after') return true;
      frame = m.stack[m.stack.length - 1] as Frame;
      at = m.at;
      mode = 'after';
    } else if (mode === 'key') {
      const bare = code !== quote && code !== apostrophe;
      const from = bare ? at : at + 1;
      const end = bare ? wordEnd(text, at) : plainEnd(text, from, code);
      if (end === -1) break;
      const next = spaceEnd(text, bare ? end : end + 1);
      const key = keyAt(text, from, end);
      // Duplicate and inherited keys are left to the steps.
      if (text.charCodeAt(next) !== colon || key in frame.value || m.keys >= limits.keys) break;
      m.keys++;
      m.key.at = at;
      if (code !== apostrophe) m.quotes.notPython = true;
      if (code === quote) m.quotes.notProgram = true;
      frame.key = key;
      frame.comma = false;
      if (bare) recordQuotes(m, 'bare', undefined, key);
      else if (code === apostrophe) recordQuotes(m, "'");
      at = next + 1;
      m.key.colonEnd = m.offset + at;
      mode = 'value';
    } else if (frame.repeated || frame.gap || frame.decimal) break;
    else if (code === 123 || code === 91) {
      if (m.stack.length >= limits.depth) break;
      const value: JsonObject | JsonValue[] = code === 123 ? {} : [];
      put(frame, value);
      frame = newFrame(code === 123 ? '{' : '[', value);
      m.stack.push(frame);
      mode = code === 123 ? 'key' : 'value';
      at++;
    } else {
      const isString = code === quote || code === apostrophe;
      const end = isString ? stringEnd(m, text, at, code, frame) : scalarEnd(text, at, frame);
      if (end === -1) break;
      const value = isString ? stringAt(text, at, end) : scalarAt(text, at, end);
      put(frame, value);
      if (isString) m.quotes.values.quoted = true;
      if (code === quote) {
        m.quotes.notProgram ||= !(value as string).includes("'");
        // Each escape is longer than its character.
        if (end - at > (value as string).length + 2) m.escapes.strings.push([pathOf(m), value as string]);
      }
      if (code === 84 || code === 70 || code === 78) placePython(m, text.slice(at, end));
      if (code === apostrophe) {
        recordQuotes(m, "'");
        mixStyles(m, 2);
      }
      at = end;
      mode = 'after';
    }
  }
  m.at = at;
  m.mode = mode;
  return false;
}

/** Whether the text starts with an object that has a plain first key. */
function opensPlainly(m: Machine): boolean {
  if (m.candidates.length > 0 || m.lead.length > 0 || m.reasoning !== undefined) return false;
  const at = spaceEnd(m.text, m.at);
  if (m.text.charCodeAt(at) !== 123) return false;
  const key = spaceEnd(m.text, at + 1);
  if (!keyGoesOn(m.text, key, m.text.charCodeAt(key))) return false;
  m.at = at;
  return true;
}

function put(frame: Frame, value: JsonValue): void {
  if (frame.list) {
    frame.key = (frame.value as JsonValue[]).length;
    frame.comma = false;
    (frame.value as JsonValue[]).push(value);
  } else (frame.value as JsonObject)[frame.key as string] = value;
}

/** A small hash table of recent keys, which avoids creating new strings. */
const keys: string[] = new Array(256).fill('');
const longestKept = 32;

function keyAt(text: string, from: number, end: number): string {
  const length = end - from;
  if (length === 0 || length > longestKept) return text.slice(from, end);
  const slot = (text.charCodeAt(from) * 7 + text.charCodeAt(end - 1) * 31 + length * 13) & 255;
  const known = keys[slot] as string;
  if (known.length === length && text.startsWith(known, from)) return known;
  const key = text.slice(from, end);
  keys[slot] = key;
  return key;
}

/** End of an ASCII identifier; -1 if there is none. */
function wordEnd(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); isLetter(code) || (isDigit(code) && at > from); ) code = text.charCodeAt(++at);
  return at > from ? at : -1;
}

const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;

function spaceEnd(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

/**
 * Closing quote of a string without control characters and escapes; -1 for others. With `escapes`, it may have those of
 * JSON, except for `\\/`, which Python reads differently, and `\\u`, which the steps record.
 */
function plainEnd(text: string, from: number, close: number, escapes = false): number {
  let single = false;
  let over = false;
  for (let at = from; ; at++) {
    const code = text.charCodeAt(at);
    if (code > 92) continue; // most letters
    // Quotes that all follow three backslashes are left to the steps.
    if (code === close) return over && !single ? -1 : at;
    // The code is NaN at the end of the text, and every comparison with it is false.
    if (!(code >= 32)) return -1;
    if (code !== backslash) continue;
    const after = text.charCodeAt(++at);
    if (!escapes || escapable[after] !== 1) return -1;
    if (after === quote) single = true;
    else if (after === backslash && text.charCodeAt(at + 1) === backslash && text.charCodeAt(at + 2) === quote) {
      over = true;
      at += 2;
    }
  }
}

const backslash = 92;
/** The characters that may follow a backslash, by code. */
const escapable = new Uint8Array(128);
for (const char of 'n"\\trbf') escapable[char.charCodeAt(0)] = 1;

/** The offset after a string if what follows confirms its end; otherwise -1. */
function stringEnd(m: Machine, text: string, at: number, close: number, frame: Frame): number {
  const end = plainEnd(text, at + 1, close, close === quote);
  if (end === -1) return -1;
  const next = spaceEnd(text, end + 1);
  const after = text.charCodeAt(next);
  if (after === comma) return goesOn(text, next, frame) ? end + 1 : -1;
  // A comment may be text of the string.
  if (after === 35 || after === 47) return -1;
  // In a list, it may be a key or a piece of a string. Quotes in a row may be one quote.
  if (after !== frame.closerCode && (frame.list || text.charCodeAt(end + 1) === close)) return -1;
  return closesAll(text, next) || valueEnds(m, end + 1, m.stack.length - 1) ? end + 1 : -1;
}

/** Whether only closing brackets follow. */
function closesAll(text: string, from: number): boolean {
  let at = from;
  for (let code = text.charCodeAt(at); code === 125 || code === 93; code = text.charCodeAt(at))
    at = spaceEnd(text, at + 1);
  return at >= text.length;
}

/** The text of a string that `stringEnd` accepted. Escapes are decoded by `JSON.parse`. */
function stringAt(text: string, from: number, end: number): string {
  const raw = text.slice(from + 1, end - 1);
  return raw.includes('\\') ? (JSON.parse(text.slice(from, end)) as string) : raw;
}

/** Whether a comma is followed by a key with its colon, or in a list by a quoted item, a bracket or a number. */
function goesOn(text: string, commaAt: number, frame: Frame): boolean {
  const at = spaceEnd(text, commaAt + 1);
  const code = text.charCodeAt(at);
  if (code === frame.closerCode) return true; // a superfluous comma, which the steps report
  return frame.list ? beginsItem(text, at, code) : keyGoesOn(text, at, code);
}

function beginsItem(text: string, at: number, code: number): boolean {
  if (code === quote || code === apostrophe || code === 123 || code === 91) return true;
  const end = code === 45 || isDigit(code) ? numberEnd(text, at) : -1;
  const after = text.charCodeAt(end);
  return end !== -1 && (after === comma || after === 93 || after === 32 || after === 10);
}

/** Whether this is a plain key with its colon. */
function keyGoesOn(text: string, at: number, code: number): boolean {
  const bare = code !== quote && code !== apostrophe;
  const end = bare ? wordEnd(text, at) - 1 : plainEnd(text, at + 1, code);
  return end >= 0 && end - at < 200 && text.charCodeAt(spaceEnd(text, end + 1)) === colon;
}

const literal = /true|false|null|True|False|None/y;

/**
 * The offset after a number or literal that is followed by a comma or the container's closing bracket; otherwise -1.
 */
function scalarEnd(text: string, from: number, frame: Frame): number {
  const code = text.charCodeAt(from);
  let end = from;
  if (code === 45 || isDigit(code)) {
    end = numberEnd(text, from);
    if (end === -1) return -1;
  } else {
    literal.lastIndex = from;
    if (!literal.test(text)) return -1;
    end = literal.lastIndex;
  }
  const next = spaceEnd(text, end);
  const after = text.charCodeAt(next);
  // A line break ends it, whatever follows.
  return after === frame.closerCode || text.charCodeAt(end) === 10 || (after === comma && goesOn(text, next, frame))
    ? end
    : -1;
}

/** The value of a scalar that `scalarEnd` accepted. Literals are recognized by their first letter. */
function scalarAt(text: string, from: number, end: number): JsonValue {
  const code = text.charCodeAt(from) | 32;
  return code === 116 ? true : code === 102 ? false : code === 110 ? null : Number(text.slice(from, end));
}

const placePython = (m: Machine, word: string): void => placeScalar(m, readScalar(word) as Scalar, word);

/** End of a plain number with at most fifteen digits, which excludes integers beyond 2^53. */
function numberEnd(text: string, from: number): number {
  let at = from + (text.charCodeAt(from) === 45 ? 1 : 0);
  const start = at;
  const first = text.charCodeAt(at);
  while (isDigit(text.charCodeAt(at))) at++;
  if (at === start || at - start > 15 || (first === 48 && (at - start > 1 || start > from))) return -1;
  if (text.charCodeAt(at) !== 46) return at;
  const point = at++;
  while (isDigit(text.charCodeAt(at))) at++;
  // The notation of a fraction that ends in 0, or begins with six, is recorded by the steps.
  const isTiny = first === 48 && text.startsWith('0.000000', start);
  return at > point + 1 && at - start < 16 && text.charCodeAt(at - 1) !== 48 && !isTiny ? at : -1;
}

export const isDigit = (code: number): boolean => code >= 48 && code <= 57;
