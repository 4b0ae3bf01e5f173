/** Reads JSON and near-JSON. The lowest layer: it imports nothing from other layers. */

import { defaultLimits, type Limits } from './limits.ts';
import { type CompleteOptions, type ReaderOptions, readComplete } from './reader.ts';
import type { Reading } from './reading.ts';
import { isDigit } from './tolerant/fast-path.ts';
import { checkArgument, equal, oddNumber, writesFraction } from './value.ts';

export { JsonReader, type ReaderOptions } from './reader.ts';
export type { Reading } from './reading.ts';

/** Options for a complete text. */
export interface ReadOptions extends ReaderOptions {
  /** Whether the message reached its length limit, so that nothing open may be closed. */
  readonly truncated?: boolean;
}

/**
 * Reads a complete text: strictly first. If that fails or hides something, tolerantly, and records every repair.
 *
 * @example
 * readJson("{path: 'a.ts', limit: 5,}").value // { path: 'a.ts', limit: 5 }
 */
export function readJson(text: string, options: ReadOptions = {}): Reading {
  checkArgument(typeof text === 'string', 'text', 'a string', text);
  return readStrict(text, options) ?? readTolerant(text, options);
}

/** Adds how numbers were written, which strict reading doesn't keep. */
export function asWritten(reading: Reading, text: string, options?: CompleteOptions): Reading {
  if (reading.marks || !oddNumber.test(text)) return reading;
  const again = readTolerant(text, options);
  return again.problems.length === 0 && again.marks && equal(again.value, reading.value)
    ? { ...reading, value: again.value, marks: again.marks }
    : reading;
}

/** Below this length, a quick check is cheaper than the error that `JSON.parse` throws. */
const quickLook = 16_384;
/** After this many valid texts in a row, the check is skipped. This only affects speed. */
const trusted = 8;
let good = 0;

/** `JSON.parse` with a check for what it hides; undefined if the tolerant reader must read the text. */
export function readStrict(text: string, options: ReadOptions = {}): Reading | undefined {
  const limits = { ...defaultLimits, ...options.limits };
  if (text.length > limits.size || opensTooDeep(text, limits.depth)) return undefined;
  const keys = text.length < quickLook && good < trusted ? looksStrict(text) : undefined;
  if (keys !== -1) {
    try {
      const value = JSON.parse(text);
      good++;
      return screen(text, value, limits, keys) ? { value, repairs: none, problems: none, nesting: 'sure' } : undefined;
    } catch {
      // The tolerant reader will report the problem.
    }
  }
  good = 0;
  return undefined;
}

/**
 * Whether a text starts with more opening brackets than allowed. `JSON.parse` takes very long to reject such a text.
 */
function opensTooDeep(text: string, depth: number): boolean {
  let at = 0;
  while (at <= depth && (text.charCodeAt(at) === 91 || text.charCodeAt(at) === 123)) at++;
  return at > depth;
}

const none: readonly never[] = [];

/** Reads a complete text with the tolerant reader. */
export const readTolerant: (text: string, options?: CompleteOptions) => Reading = readComplete;

/**
 * Quickly checks whether a text may be JSON: returns the number of its keys, or -1. Cheaper than the error of
 * `JSON.parse`. A wrong result only costs time.
 */
export function looksStrict(text: string): number {
  const { length } = text;
  let ended = false; // whether the last token ended a value
  let waits = false; // whether the last token was a comma or a colon
  let depth = 0;
  let keys = 0;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      at = ended ? -1 : stringEnd(text, at + 1);
      if (at === -1) return -1;
      ended = true;
    } else if (code === 44 || code === 58) {
      if (!ended) return -1;
      if (code === 58) keys++;
      ended = false;
      waits = true;
    } else if (code === 123 || code === 91) {
      if (ended) return -1;
      depth++;
      waits = false;
    } else if (code === 125 || code === 93) {
      if ((waits && !ended) || depth-- === 0) return -1;
      ended = true;
    } else if (code !== 32 && code !== 10 && code !== 13 && code !== 9) {
      at = ended ? -1 : scalarEnd(text, at, code);
      if (at === -1) return -1;
      ended = true;
    }
  }
  return ended && depth === 0 ? keys : -1;
}

/** Offset of the closing quote, or -1 for an invalid escape or control character. */
function stringEnd(text: string, from: number): number {
  for (let at = from; ; at++) {
    const code = text.charCodeAt(at);
    if (code > 92) continue; // most letters
    if (code === 34) return at;
    if (code === 92) {
      if (!'"\\/bfnrtu'.includes(text[++at] ?? '?')) return -1;
    } else if (!(code >= 32)) return -1; // NaN at the end of the text
  }
}

const literals = ['true', 'false', 'null'];

/** Offset of the last character of a number or literal, or -1. */
function scalarEnd(text: string, from: number, code: number): number {
  if (code > 57) for (const literal of literals) if (text.startsWith(literal, from)) return from + literal.length - 1;
  if (code !== 45 && !isDigit(code)) return -1;
  let at = from;
  for (let next = text.charCodeAt(at + 1); isNumeric(next); ) next = text.charCodeAt(++at + 1);
  return isDigit(text.charCodeAt(at)) ? at : -1;
}

/** Digits, `.`, `e`, `E`, `+` and `-`. */
const isNumeric = (code: number): boolean =>
  isDigit(code) || code === 46 || code === 101 || code === 69 || code === 43 || code === 45;

/**
 * Checks for what `JSON.parse` hides: duplicate keys, integers beyond 2^53, decimals that it rounds to integers,
 * `__proto__`, and exceeded limits. True means that the value is exactly what the text says.
 *
 * @param written the number of keys in the text, if already counted
 */
export function screen(text: string, value: unknown, limits: Limits, written?: number): boolean {
  const seen = { keys: 0, limit: limits.keys, integers: false };
  if (!walk(value, limits.depth, seen)) return false;
  if (seen.integers && mayRound(text) && hidesFractions(text)) return false;
  return (
    seen.keys === written ||
    seen.keys === 0 ||
    (written === undefined && (countColons(text) === seen.keys || countKeys(text) === seen.keys))
  );
}

/** Counts keys recursively, within the depth limit. */
function walk(value: unknown, room: number, seen: { keys: number; limit: number; integers: boolean }): boolean {
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) return Number.isFinite(value);
    seen.integers = true;
    return Number.isSafeInteger(value);
  }
  if (typeof value !== 'object' || value === null) return true;
  if (room === 0) return false;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const item = value[i];
      if (typeof item === 'string') continue;
      if (!walk(item, room - 1, seen)) return false;
    }
    return true;
  }
  for (const key in value) {
    if (++seen.keys > seen.limit) return false;
    if (key === '__proto__') return false;
    const item = (value as Record<string, unknown>)[key];
    if (typeof item !== 'string' && !walk(item, room - 1, seen)) return false;
  }
  return true;
}

/** Length of the shortest number that `JSON.parse` may round to an integer. */
const longRun = 17;
const inNumber = (code: number): boolean => isDigit(code) || code === 46;

/**
 * Whether a text may contain a decimal which `JSON.parse` rounds to an integer: a long run of digits around a point, or
 * a negative exponent.
 */
function mayRound(text: string): boolean {
  for (let at = text.indexOf('.', 1); at !== -1; at = text.indexOf('.', at + 1)) {
    if (!isDigit(text.charCodeAt(at + 1))) continue;
    let [from, to] = [at, at];
    while (to - from < longRun && inNumber(text.charCodeAt(from))) from--;
    while (to - from < longRun && inNumber(text.charCodeAt(to))) to++;
    if (to - from >= longRun) return true;
  }
  for (let at = text.indexOf('-', 1); at !== -1; at = text.indexOf('-', at + 1))
    if ((text.charCodeAt(at - 1) | 32) === 101 && isDigit(text.charCodeAt(at + 1))) return true;
  return false;
}

const longNumber = /-?\d[\d.eE+-]+/g;

/** Whether valid JSON contains a decimal that `JSON.parse` rounds to an integer (`4.99999999999999999`). */
function hidesFractions(text: string): boolean {
  for (let from = 0; from < text.length; ) {
    const open = text.indexOf('"', from);
    const outside = text.slice(from, open === -1 ? undefined : open);
    const numbers: readonly string[] = outside.match(longNumber) ?? [];
    if (numbers.some((literal) => Number.isInteger(Number(literal)) && writesFraction(literal))) return true;
    if (open === -1) return false;
    from = endOfString(text, open) + 1;
  }
  return false;
}

/**
 * Counts colons after quotes. There are never fewer than keys, so an equal count proves that no key is repeated. A
 * string such as `": "` makes the count too high; then the exact count decides.
 */
function countColons(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) {
    let back = at - 1;
    while (text.charCodeAt(back) <= 32) back--;
    if (text.charCodeAt(back) === 34) count++;
  }
  return count;
}

/** Counts keys in valid JSON: strings followed by a colon. */
function countKeys(text: string): number {
  let count = 0;
  for (let open = text.indexOf('"'); open !== -1; ) {
    const close = endOfString(text, open);
    let at = close + 1;
    while (text.charCodeAt(at) <= 32) at++;
    if (text.charCodeAt(at) === 58) count++;
    open = text.indexOf('"', at);
  }
  return count;
}

/** The closing quote of the string that opens at `open`: the first with an even number of backslashes before it. */
function endOfString(text: string, open: number): number {
  for (let close = text.indexOf('"', open + 1); ; close = text.indexOf('"', close + 1)) {
    let back = close - 1;
    while (text.charCodeAt(back) === 92) back--;
    if ((close - back) % 2 === 1) return close;
  }
}

const anySize = { size: Number.POSITIVE_INFINITY, keys: Number.POSITIVE_INFINITY };

/**
 * What `JSON.parse` would lose of a text without saying so, such as the digits of a long number or all but the last of
 * two values with one key. Undefined if nothing.
 */
export function parseFault(text: string): string | undefined {
  if (readStrict(text, { limits: anySize })) return undefined;
  const { problems, value } = readJson(text, { limits: anySize });
  if (problems[0]) return problems[0].message;
  return equal(value, JSON.parse(text)) ? undefined : 'it contains a number that is too large';
}
