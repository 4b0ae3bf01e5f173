import { isObject } from '../../json/value.ts';

/**
 * A text that is the same for all notations of a value: sorted and normalized keys, scalars as text, no white space,
 * JSON in strings parsed, and nothing for null.
 */
export function canonical(value: unknown, depth = 0): string {
  if (typeof value === 'string') return canonicalText(value, depth);
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join(',')}]`;
  if (!isObject(value)) return String(value ?? '');
  const pairs = Object.entries(value)
    .filter(([, item]) => item !== null && item !== undefined)
    .map(([key, item]) => `${foldKey(key)}:${canonical(item, depth + 1)}`);
  return `{${pairs.sort().join(',')}}`;
}

/** The canonical form of arguments, also if there are none. */
export const canonicalArguments = (given: unknown): string =>
  canonical(given === '' || given === null || given === undefined ? {} : given);

function canonicalText(text: string, depth: number): string {
  const plain = composed(text).trim();
  if (depth < 8 && /^[[{]/.test(plain)) {
    try {
      return canonical(JSON.parse(plain), depth + 1);
    } catch {
      // Text that only looks like JSON.
    }
  }
  return /^(?:true|false|none|null)$/i.test(plain) ? plain.toLowerCase() : plain.replace(/\s+/g, '');
}

export const foldKey = (key: string): string => composed(key).replace(/[_-]/g, '').toLowerCase();

/** The letters and digits of a name, in lower case. */
export const fold = (name: string): string =>
  composed(name)
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();

/** A text without the compatibility forms of characters, such as ligatures, and with composed letters. */
export const composed = (text: string): string => (beyondAscii.test(text) ? text.normalize('NFKC') : text);
const beyondAscii = /[^ -~\s]/;
