import type { Limits } from './limits.ts';

/**
 * Looks for what `JSON.parse` hides: repeated keys, integers past 2^53, `__proto__`, too much depth or too many keys.
 * True means the value is exactly what the text says; false sends the text to the tolerant reader, which says what it is.
 * `written` is the number of keys in the text, where somebody has counted them.
 */
export function screen(text: string, value: unknown, limits: Limits, written?: number): boolean {
  const seen = { keys: 0, limit: limits.keys };
  if (!walk(value, limits.depth, seen)) return false;
  return (
    seen.keys === written ||
    seen.keys === 0 ||
    (written === undefined && (countColons(text) === seen.keys || countKeys(text) === seen.keys))
  );
}

/** Counts keys on the way down; recursion stays within the depth limit. */
function walk(value: unknown, room: number, seen: { keys: number; limit: number }): boolean {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) || (!Number.isInteger(value) && Number.isFinite(value));
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

/**
 * Colons that follow a quote: never fewer than there are keys, so an equal count proves that no key came twice.
 * A string such as `": "` makes the count too high; then the exact count decides.
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

/** Keys as written: strings that a colon follows, in text known to be JSON. */
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
