/**
 * Reads JSON and near-JSON. The ground layer: imports nothing of the other rooms.
 */
import { defaultLimits } from './limits.ts';
import { looksStrict } from './looks-strict.ts';
import { type ReaderOptions, readWhole } from './reader.ts';
import type { Reading } from './reading.ts';
import { screen } from './screen.ts';

export { JsonReader, type ReaderOptions } from './reader.ts';
export type { Reading } from './reading.ts';

/** What is known of a whole text before it is read. */
export interface ReadOptions extends ReaderOptions {
  /** The message ended by length: nothing open may be closed. */
  readonly cut?: boolean;
}

/**
 * Reads a whole text: strictly first, and where that fails or hides something, tolerantly, with every repair recorded.
 *
 * @example
 * readJson("{path: 'a.ts', limit: 5,}").value // { path: 'a.ts', limit: 5 }
 */
export function readJson(text: string, options: ReadOptions = {}): Reading {
  return readStrict(text, options) ?? readTolerant(text, options);
}

/** Below this length the error that `JSON.parse` throws costs more than a look beforehand. */
const quickLook = 16_384;
/** After so many good texts in a row the next is taken for good too, and the look is left out. Only time hangs on it. */
const trusted = 8;
let good = 0;

/** `JSON.parse` with the screen; undefined where the tolerant reader must say what the text is. */
export function readStrict(text: string, options: ReadOptions = {}): Reading | undefined {
  const limits = options.limits ? { ...defaultLimits, ...options.limits } : defaultLimits;
  if (text.length > limits.size || opensTooDeep(text, limits.depth)) return undefined;
  const keys = text.length < quickLook && good < trusted ? looksStrict(text) : undefined;
  if (keys !== -1) {
    try {
      const value = JSON.parse(text);
      good++;
      return screen(text, value, limits, keys) ? { value, repairs: none, problems: none, nesting: 'sure' } : undefined;
    } catch {
      // The tolerant reader says what the text is.
    }
  }
  good = 0;
  return undefined;
}

/** Nothing but opening brackets, more than may be open: `JSON.parse` takes ever longer over these to say no. */
function opensTooDeep(text: string, depth: number): boolean {
  let at = 0;
  while (at <= depth && (text.charCodeAt(at) === 91 || text.charCodeAt(at) === 123)) at++;
  return at > depth;
}

const none: readonly never[] = [];

/** The tolerant reader over a whole text. */
export const readTolerant = (text: string, options: ReadOptions = {}): Reading => readWhole(text, options);
