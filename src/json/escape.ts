import { append, type Machine, type OpenString, repair } from './machine.ts';

/** What JSON's escapes of one character stand for. */
export const simple: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const hex4 = /u[\da-fA-F]{4}/y;

/**
 * Reads the escape at `m.at` into the string. One that JSON does not know keeps its backslash (`\d` stays `\d`), but for
 * an escaped underscore or apostrophe, which are habits of writing. False where the escape is not whole yet.
 */
export function readEscape(m: Machine, string: OpenString): boolean {
  const char = m.text[m.at + 1];
  if (char === undefined) {
    if (m.ended) return leave(m, string, 1);
    return false;
  }
  const known = simple[char];
  if (known !== undefined) {
    if (char > '\\')
      string.controlEscape = true; // a letter
    else if (char === '\\' && string.last === undefined) string.slashFirst = true;
    return take(m, string, known, 2);
  }
  if (char === 'u') {
    hex4.lastIndex = m.at + 1;
    if (hex4.test(m.text)) {
      string.controlEscape = true;
      return take(m, string, String.fromCharCode(Number.parseInt(m.text.slice(m.at + 2, m.at + 6), 16)), 6);
    }
    if (!m.ended && m.text.length < m.at + 6 && /^u[\da-fA-F]*$/.test(m.text.slice(m.at + 1))) return false;
  }
  repair(m, 'escape', `\\${char}`);
  if (char === '_' || string.close.includes(char)) return take(m, string, char, 2);
  if (char === "'") {
    if (string.last === "'") string.shellQuote = true;
    return take(m, string, "'", 2);
  }
  string.oddEscape = true;
  return leave(m, string, 2);
}

function take(m: Machine, string: OpenString, text: string, length: number): true {
  append(string, text);
  m.at += length;
  return true;
}

/** Keeps the backslash and what follows as they stand. */
function leave(m: Machine, string: OpenString, length: number): true {
  return take(m, string, m.text.slice(m.at, m.at + length), length);
}
