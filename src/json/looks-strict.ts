/** Characters that may follow a backslash in a string, by their code. */
const afterEscape = new Uint8Array(128);
for (const char of '"\\/bfnrtu') afterEscape[char.charCodeAt(0)] = 1;

/**
 * A quick look whether text may be JSON at all: the number of its keys, or -1. It costs less than the error that
 * `JSON.parse` throws for text that is not; where it is wrong either way, only time is lost.
 */
export function looksStrict(text: string): number {
  const { length } = text;
  let ended = false; // the last token ended a value
  let waits = false; // the last token was a comma or colon
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

/** The closing quote, or -1 where an escape or a control character is not JSON's. */
function stringEnd(text: string, from: number): number {
  for (let at = from; ; at++) {
    const code = text.charCodeAt(at);
    if (code > 92) continue; // most letters
    if (code === 34) return at;
    if (code === 92) {
      if (afterEscape[text.charCodeAt(++at)] !== 1) return -1;
    } else if (!(code >= 32)) return -1; // at the end of the text the code is NaN
  }
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
