import type { Problem } from '../problem.ts';
import { isQuote, matchAt } from './chars.ts';
import { awaitText } from './lookahead.ts';
import { ambiguousAt, append, pathOf, repair } from './machine.ts';
import type { Escapes, Machine, OpenString } from './state.ts';

export const newEscapes = (): Escapes => ({
  valid: '',
  quotes: 0,
  overEscaped: 0,
  raw: false,
  slashEnd: -1,
});

/** JSON's single-character escapes. */
const simple: Readonly<Record<string, string>> = {
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
 * Where a backslash is certainly intended: before letters and regular expression syntax. Other characters are escaped out
 * of habit in shells, templates and Markdown. Escapes of other languages for a control character or a code (`\a`, `\e[`,
 * `\0`, `\303`) are certain only if they begin a word or a longer number (`C:\anna`, `D:\2026`, `\1`).
 */
const sureEscape =
  /[b-df-uwyzA-Z.()[\]{}+?|^;-]|(?=[^ -~])\p{L}|[aev](?:\p{Ll}{2}|\d)|x(?:[g-z]|[a-f]\p{Ll})|[1-9](?![0-7]{2}(?!\d))/uy;
/** What code escapes in strings and templates out of habit, or intentionally: an apostrophe, a backtick and `${`. */
export const habit: RegExp = /['`]|\$\{/y;
const hex2 = /x[\da-fA-F]{2}/y;
/** Python escapes that JSON doesn't have, besides `\\x`. */
const pythonOwn = /\\(?:[0-7]{1,3}|[av]|U[\da-fA-F]{8}|N\{)/y;

/**
 * Reads the escape at `m.at` into the string. Unknown escapes keep their backslash (`\d` stays `\d`), except for an
 * escaped underscore or apostrophe, which is a habit. `escapeFault` checks at the end whether all escapes follow one
 * rule.
 */
export function readEscape(m: Machine, string: OpenString): true {
  awaitText(m, m.at + 2);
  const char = m.text[m.at + 1];
  const { escapes } = string;
  if (char === undefined) return leave(m, string, 1);
  const known = simple[char];
  if (known !== undefined) {
    if (char === '"') countQuote(m, string);
    else escapes.valid ||= `\\${char}`;
    if (char === '\\') escapes.slashEnd = m.offset + m.at + 2;
    if (char === '/') {
      escapes.code = '\\/';
      // Python keeps this backslash.
      m.escapes.python ??= pythonOnly(m, escapes.code);
      if (string.quote === "'") escapes.ambiguous ||= escapes.code;
    }
    return take(m, string, known, 2);
  }
  if (char === 'u' || char === 'x') {
    const length = char === 'u' ? 6 : 4;
    const hex = char === 'u' ? hex4 : hex2;
    if (matchAt(hex, m.text, m.at + 1)) {
      // A high surrogate waits for the low one.
      const half = char === 'u' && /^d[89ab]/i.test(m.text.slice(m.at + 2, m.at + 4));
      if (half && /^(?:\\(?:u[\da-fA-F]{0,3})?)?$/.test(m.text.slice(m.at + 6, m.at + 12))) awaitText(m, m.at + 12);
      if (char === 'u') {
        escapes.code ||= '\\u';
        escapes.valid ||= escapes.code;
      } else m.escapes.hex ??= pythonOnly(m, m.text.slice(m.at, m.at + 4));
      const code = Number.parseInt(m.text.slice(m.at + 2, m.at + length), 16);
      if (char === 'x') repair(m, 'escape', m.text.slice(m.at, m.at + 4), 'inferred');
      return take(m, string, String.fromCharCode(code), length);
    }
    if (/^[ux][\da-fA-F]*$/.test(m.text.slice(m.at + 1, m.at + length))) awaitText(m, m.at + length);
    if (char === 'u') escapes.broken ||= /\\u[\da-fA-F]*/.exec(m.text.slice(m.at, m.at + 6))?.[0] ?? '';
  }
  if (char === '\n' || char === '\r') return joinLine(m, string, char);
  if (/[0-7avUN]/.test(char)) {
    // A Python escape is recognized by its end, once it has arrived.
    if (/^\\(?:U[\da-fA-F]*|N\{?)$/.test(m.text.slice(m.at, m.at + 10))) awaitText(m, m.at + 10);
    const own = matchAt(pythonOwn, m.text, m.at)?.[0];
    if (own) m.escapes.python ??= pythonOnly(m, own);
    // Python's codes and names are never text.
    if (own && (own.length === 10 || (char === 'N' && /\p{Lu}/u.test(m.text[m.at + 3] ?? '')))) escapes.broken ||= own;
  }
  // The next characters tell whether it begins a word.
  if (/[aevx1-9$]/.test(char)) awaitText(m, m.at + 6);
  const own = string.close.includes(char);
  repair(m, 'escape', `\\${char}`, own || matchAt(sureEscape, m.text, m.at + 1) ? 'lossless' : 'inferred');
  if (char > '~' && isQuote(char)) escapes.ambiguous ||= `\\${char}`;
  if (own) {
    escapes.nested = true;
    return take(m, string, char, 2);
  }
  if (/[()[\]{}+|-]/.test(char)) escapes.sign ||= `\\${char}`;
  if (char === '_') escapes.underscore ||= '\\_';
  else if (matchAt(habit, m.text, m.at + 1)) escapes.habitual ||= `\\${char}`;
  else escapes.unknown ||= `\\${char}`;
  return "_'".includes(char) ? take(m, string, char, 2) : leave(m, string, 2);
}

/**
 * A backslash at the end of a line joins it with the next, as in JavaScript. Before indented text it may be a shell's.
 */
function joinLine(m: Machine, string: OpenString, char: string): true {
  const { escapes } = string;
  const length = char === '\r' && m.text[m.at + 2] === '\n' ? 3 : 2;
  awaitText(m, m.at + length + 1);
  repair(m, 'quote', '\\', 'inferred');
  // In JSON quotes it may also belong to a shell or a program, with the line break unescaped.
  escapes.joined = 'a backslash at the end of a line';
  if (string.quote !== "'") escapes.ambiguous ||= escapes.joined;
  if (/[\s-]/.test(m.text[m.at + length] ?? ' ')) escapes.raw = true;
  return take(m, string, '', length);
}

function countQuote(m: Machine, { escapes, inner }: OpenString): void {
  if (escapes.slashEnd === m.offset + m.at) escapes.overEscaped++;
  else escapes.quotes++;
  // Between unescaped quotes, it is an escape of the text itself.
  if (inner.count % 2 === 1) escapes.nested = true;
}

const pythonOnly = (m: Machine, written: string): Problem =>
  ambiguousAt(pathOf(m), `has ${written}, which Python reads differently; write \\${written} for a backslash`, written);

/** Records the escapes of a finished string, to compare them with those of the others. */
export function recordEscapes(m: Machine, { text, escapes }: OpenString): void {
  m.escapes.unknown ||= escapes.unknown;
  m.escapes.missing ||= escapes.raw || escapes.loose;
  m.escapes.nested ||= escapes.nested && !escapes.valid;
  if (escapes.valid) m.escapes.strings.push([pathOf(m), text, escapes.code]);
}

function take(m: Machine, string: OpenString, text: string, length: number): true {
  append(string, text);
  m.at += length;
  return true;
}

/** Keeps the backslash and what follows unchanged. */
const leave = (m: Machine, string: OpenString, length: number): true =>
  take(m, string, m.text.slice(m.at, m.at + length), length);

/**
 * Removes one level of escapes from text that was encoded once too often. Returns the text, an incomplete escape at its
 * end, and the first escape that JSON doesn't have, which stays unchanged and is ambiguous. An escaped underscore or
 * apostrophe is a habit, and is checked with its string.
 */
export function unescapeOnce(text: string, whole?: boolean): [text: string, held: string, odd?: string] {
  const cut = whole ? null : /\\(?:u[\da-fA-F]{0,3})?$/.exec(evenEnd(text));
  const held = cut ? cut[0] : '';
  const ready = held ? text.slice(0, -held.length) : text;
  let odd = '';
  const out = ready.replace(/\\(?:u([\da-fA-F]{4})|([\s\S]))/g, (written, hex?: string, char = '') => {
    if (hex) return String.fromCharCode(Number.parseInt(hex, 16));
    const known = simple[char];
    if (known === undefined && !"_'".includes(char)) odd ||= written;
    return known ?? written;
  });
  return odd ? [out, held, odd] : [out, held];
}

/** The last characters of the text without pairs of backslashes, to detect a single one at the end. */
const evenEnd = (text: string): string => text.slice(-64).replace(/\\\\/g, '  ');
