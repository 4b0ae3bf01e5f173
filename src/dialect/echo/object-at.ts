import { readJson } from '../../json/read-json.ts';
import type { JsonValue } from '../../json/value.ts';

/** The object or list at an offset; undefined if it doesn't end. */
export function objectAt(text: string, at: number): JsonValue | undefined {
  const end = endOf(text, at);
  if (end < 0) return undefined;
  const slice = text.slice(at, end).replace(/(<\|"\|>|<escape ?>)([\s\S]*?)\1/g, (_, __, held) => JSON.stringify(held));
  return readLoosely(slice);
}

/** Parses a text as JSON or near-JSON. */
export function readLoosely(text: string): JsonValue | undefined {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return readJson(text).value;
  }
}

/** Offset after the bracket that closes the one at `at`, ignoring strings; -1 if there is none. */
export function endOf(text: string, at: number): number {
  let depth = 0;
  let last = '';
  for (let i = at; i < text.length; i += 1) {
    const char = text[i] as string;
    if (char === '"' || (char === "'" && '{[,:('.includes(last))) {
      const close = stringEnd(text, i + 1, char);
      if (close < 0) return -1;
      i = close;
    } else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
    if (char !== ' ' && char !== '\n' && char !== '\t' && char !== '\r') last = char;
  }
  return -1;
}

function stringEnd(text: string, from: number, quote: string): number {
  for (let i = from; i < text.length; i += 1) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === quote) return i;
  }
  return -1;
}
