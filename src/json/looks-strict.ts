const afterEscape = new Set([...'"\\/bfnrtu'].map((char) => char.charCodeAt(0)));

/** What may come next: a value, what follows a value, or a value after a comma or colon. */
const begins = 0;
const ended = 1;
const waits = 2;

/**
 * A quick look whether text may be JSON at all: the number of its keys, or -1. It costs less than the error that
 * `JSON.parse` throws for text that is not; where it is wrong either way, only time is lost.
 */
export function looksStrict(text: string): number {
  const { length } = text;
  const plain = !text.includes('\\') && !text.includes('\n') && !text.includes('\t');
  let state = begins;
  let depth = 0;
  let keys = 0;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      if (state === ended) return -1;
      if (plain) while (++at < length && text.charCodeAt(at) !== 34);
      else at = stringEnd(text, at + 1);
      if (at === -1 || at === length) return -1;
      state = ended;
    } else if (code === 44) {
      if (state !== ended) return -1;
      state = waits;
    } else if (code === 58) {
      if (state !== ended) return -1;
      state = waits;
      keys++;
    } else if (code === 123 || code === 91) {
      if (state === ended) return -1;
      depth++;
      state = begins;
    } else if (code === 125 || code === 93) {
      if (state === waits || depth-- === 0) return -1;
      state = ended;
    } else if (code === 32 || code === 10 || code === 13 || code === 9) {
    } else {
      if (state === ended) return -1;
      at = scalarEnd(text, at, code);
      if (at === -1) return -1;
      state = ended;
    }
  }
  return state === ended && depth === 0 ? keys : -1;
}

/** The closing quote, or -1 where an escape or a control character is not JSON's. */
function stringEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) return at;
    if (code < 32) return -1;
    if (code === 92 && !afterEscape.has(text.charCodeAt(++at))) return -1;
  }
  return -1;
}

/** The last character of a number or literal, or -1. */
function scalarEnd(text: string, from: number, code: number): number {
  if (code === 116) return text.startsWith('true', from) ? from + 3 : -1;
  if (code === 102) return text.startsWith('false', from) ? from + 4 : -1;
  if (code === 110) return text.startsWith('null', from) ? from + 3 : -1;
  if (code !== 45 && (code < 48 || code > 57)) return -1;
  let at = from;
  for (let next = text.charCodeAt(at + 1); isNumeric(next); ) next = text.charCodeAt(++at + 1);
  const last = text.charCodeAt(at);
  return last >= 48 && last <= 57 ? at : -1;
}

/** Digits, `.`, `e`, `E`, `+` and `-`. */
const isNumeric = (code: number): boolean =>
  (code >= 48 && code <= 57) || code === 46 || code === 101 || code === 69 || code === 43 || code === 45;
