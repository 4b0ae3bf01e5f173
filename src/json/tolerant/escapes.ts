import type { Problem } from '../problem.ts';
import type { Path } from '../value.ts';
import { isQuote, isWord, matchAt } from './chars.ts';
import { ambiguousAt, append, type Machine, type OpenString, pathOf, repair } from './state.ts';

/** How the escapes of a string were written. `escapeFault` decides whether they follow one rule. */
export interface Escapes {
  /** The first escape of JSON other than a quote, as written. */
  valid: string;
  /** One of them that may also be part of a regular expression. */
  code?: string;
  /** The first escape that JSON doesn't have, by treatment: kept, an underscore, a habit of code, joined lines, refused. */
  unknown?: string;
  underscore?: string;
  habitual?: string;
  joined?: string;
  broken?: string;
  /** The first escape that is always ambiguous: in triple quotes, or of a curly quote. */
  ambiguous?: string;
  /** Number of escaped quotes, and of those with two superfluous backslashes. */
  quotes: number;
  overEscaped: number;
  /** Whether an escaped quote is the string's own, or between unescaped quotes. */
  nested?: boolean;
  /** Whether a control character isn't escaped, or a quote of its delimiter. */
  rawControl: boolean;
  rawQuote?: boolean;
  /** Where the last escaped backslash ends. */
  slashEnd: number;
}

export const newEscapes = (): Escapes => ({
  valid: '',
  quotes: 0,
  overEscaped: 0,
  rawControl: false,
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
 * rule. Returns false if the escape is incomplete.
 */
export function readEscape(m: Machine, string: OpenString): boolean {
  const char = m.text[m.at + 1];
  const { escapes } = string;
  if (char === undefined) {
    if (m.ended) return leave(m, string, 1);
    return false;
  }
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
      if (half && !m.ended && /^(?:\\(?:u[\da-fA-F]{0,3})?)?$/.test(m.text.slice(m.at + 6, m.at + 12))) return false;
      if (char === 'u') {
        escapes.code ||= '\\u';
        escapes.valid ||= escapes.code;
      } else m.escapes.hex ??= pythonOnly(m, m.text.slice(m.at, m.at + 4));
      const code = Number.parseInt(m.text.slice(m.at + 2, m.at + length), 16);
      if (char === 'x') repair(m, 'escape', m.text.slice(m.at, m.at + 4), 'inferred');
      return take(m, string, String.fromCharCode(code), length);
    }
    if (!m.ended && m.text.length < m.at + length && /^[ux][\da-fA-F]*$/.test(m.text.slice(m.at + 1))) return false;
    if (char === 'u') escapes.broken ||= /\\u[\da-fA-F]*/.exec(m.text.slice(m.at, m.at + 6))?.[0] ?? '';
  }
  if (char === '\n' || char === '\r') return joinLine(m, string, char);
  if (/[0-7avUN]/.test(char)) {
    // A Python escape is recognized by its end, once it has arrived.
    if (!m.ended && m.text.length < m.at + 10 && /^\\(?:U[\da-fA-F]*|N)$/.test(m.text.slice(m.at))) return false;
    const own = matchAt(pythonOwn, m.text, m.at)?.[0];
    if (own) m.escapes.python ??= pythonOnly(m, own);
    if (own && own.length === 10) escapes.broken ||= own;
  }
  // The next characters tell whether it begins a word.
  if (!m.ended && m.text.length < m.at + 6 && /[aevx1-9$]/.test(char)) return false;
  const own = string.close.includes(char);
  repair(m, 'escape', `\\${char}`, own || matchAt(sureEscape, m.text, m.at + 1) ? 'lossless' : 'inferred');
  if (char > '~' && isQuote(char)) escapes.ambiguous ||= `\\${char}`;
  if (own) {
    escapes.nested = true;
    return take(m, string, char, 2);
  }
  if (char === '_') escapes.underscore ||= '\\_';
  else if (matchAt(habit, m.text, m.at + 1)) escapes.habitual ||= `\\${char}`;
  else escapes.unknown ||= `\\${char}`;
  return "_'".includes(char) ? take(m, string, char, 2) : leave(m, string, 2);
}

/**
 * A backslash at the end of a line joins it with the next, as in JavaScript. Before indented text it may be a shell's.
 */
function joinLine(m: Machine, string: OpenString, char: string): boolean {
  const { escapes } = string;
  const length = char === '\r' && m.text[m.at + 2] === '\n' ? 3 : 2;
  const next = m.text[m.at + length];
  if (next === undefined && !m.ended) return false;
  repair(m, 'quote', '\\', 'inferred');
  // In JSON quotes it may also belong to a shell or a program, with the line break unescaped.
  escapes.joined = 'a backslash at the end of a line';
  if (string.quote !== "'") escapes.ambiguous ||= escapes.joined;
  if (/[\s-]/.test(next ?? ' ')) escapes.rawControl = true;
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

/** An underscore in a quotation: a pattern in SQL or code, where the backslash may be intended. */
const quotedUnderscore =
  /"[^"]{0,500}_[^"]{0,500}"|`[^`]{0,500}_[^`]{0,500}`|(?<![\p{L}\p{N}])'[^']{0,500}_[^']{0,500}'(?![\p{L}\p{N}])/u;

/** Records the escapes of a finished string, to compare them with those of the others. */
export function recordEscapes(m: Machine, { text, escapes }: OpenString): void {
  m.escapes.unknown ||= escapes.unknown ?? '';
  m.escapes.missing ||= escapes.rawControl || escapes.rawQuote === true;
  if (escapes.valid) m.escapes.strings.push([pathOf(m), text, escapes.code]);
}

/**
 * Escapes that look like a path or pattern pasted between other quotes than JSON's: after a drive, dots or a server,
 * before the name of a file, and control characters that text doesn't have.
 */
const pasted =
  /[\b\f]|(?:(?<![\p{L}\p{N}])[C-Zc-h]:|(?:^|[\s"=(])(?:\.\.?|\\[\w.$-]+)|^[\w-]+(?=\s(?:[\w-]+\s)*[\w-]+\.[a-z]\w{0,4}$))[\t\n\r](?=\w)/u;

/** The first control character of a text, as its escape. */
const controlIn = (text: string): string => JSON.stringify(/[\b\f\n\r\t]/.exec(text)?.[0] ?? '').slice(1, -1);

/** Why the escapes of a string may be text: in other quotes than JSON's, in code, or next to strings without escapes. */
export const pastedFault = (text: string, valid: string = controlIn(text)): string | undefined =>
  valid && pasted.test(text)
    ? `has ${valid}, which may be part of a path or pattern; write every backslash of the text as \\\\`
    : undefined;

type EscapeRule = (escapes: Escapes, text: string, quote: string) => string | false | undefined;

/** What makes the escapes of a string ambiguous, in the order in which it is reported. */
const escapeRules: readonly EscapeRule[] = [
  ({ broken }) => broken && `has the broken escape ${broken}; write \\u with four digits, or \\\\u for a backslash`,
  ({ ambiguous }) => ambiguous && `has ${ambiguous}, which has two readings; write the text in double quotes`,
  ({ unknown }, text) => unknown && /\\&(?:quot|apos|#3[49]);/.test(text) && mixed('\\&', 'an entity'),
  // One of two escaped quotes may be missing.
  ({ unknown, quotes }) => unknown && quotes % 2 === 1 && mixed(unknown, 'an odd number of \\"'),
  ({ valid }, text, quote) => quote !== '"' && pastedFault(text, valid),
  ({ nested, valid }, text, quote) => nested && valid && quote === "'" && breaksQuotation(text) && mixed("\\'", valid),
  ({ habitual }) =>
    habitual &&
    `has ${habitual}, which JSON does not know; write \\${habitual} for a backslash, or ${habitual.slice(1)} alone`,
  ({ underscore }, text) => underscore && quotedUnderscore.test(text) && mixed(underscore, 'quotes around it'),
  ({ unknown, underscore, joined, valid, nested }, _, quote) => {
    const [first, second] = [unknown, underscore, joined].filter(Boolean);
    const beside = second || valid || (nested && `\\${quote}`);
    return first && beside && mixed(first, beside);
  },
  // An escape in JavaScript, but a backslash in Go.
  ({ valid, quotes }, _, quote) => quote === '`' && (valid || quotes > 0) && mixed(valid || '\\"', 'backticks'),
  // An escape next to signs without one means that only part of the text was escaped.
  ({ valid, underscore, joined, unknown, rawControl, rawQuote }) => {
    const written = valid || underscore || joined || unknown;
    return written && (rawControl || rawQuote) && mixed(written, rawControl ? lineBreaks : plainQuotes);
  },
  ({ nested, rawQuote }, _, quote) => nested && rawQuote && mixed(`\\${quote}`, plainQuotes),
  ({ quotes, overEscaped }, text, quote) => {
    const escaped = quotes + overEscaped;
    return escaped > 0 && quote !== '"' && text.split('"').length - 1 > escaped && mixed('\\"', plainQuotes);
  },
];

/** The first reason in a list of rules that applies. */
const firstOf = (rules: readonly EscapeRule[], ...string: Parameters<EscapeRule>): string | undefined => {
  for (const rule of rules) {
    const reason = rule(...string);
    if (reason) return reason;
  }
  return undefined;
};

/** Why the escapes of a finished string are ambiguous; undefined if they follow one rule. */
export const escapeFault = (escapes: Escapes, text: string, quote: string): string | undefined =>
  firstOf(escapeRules, escapes, text, quote);

/** The parts of text that tell where quotations in single quotes end: quotes, with what is before, and control characters. */
const quoteOrControl = /(?<![\p{L}\p{N}_])(?:[bfru]{1,2})?'|'|[\b\f\n\r\t]/giu;

/** Whether a control character stands inside a quotation, where code would have an escape (`split('\t')`). */
function breaksQuotation(text: string): boolean {
  let open = false;
  for (const { 0: found, index } of text.matchAll(quoteOrControl)) {
    if (!found.endsWith("'")) {
      if (open) return true;
      // An apostrophe within a word neither opens nor closes.
    } else if (open) open = isWord(text[index + found.length]) && isWord(text[index + found.length - 2]);
    else open = found !== "'" || !isWord(text[index - 1]);
  }
  return false;
}

/** Blank lines, and line breaks before an indent, a list item, a heading or a capital, and at the end. */
const sureBreak = /(?:\r?\n){2,}|\r?\n(?:\t+(?![a-z])|(?=$|[\s\p{Lu}\d#<}@-]|[*>|] |\/\/|[^ -~]))/gu;
/** In a text with two such line breaks, also those between lines of words or code. */
const plainBreak = /(?<=(?:^|\s)[\w.]*\w|[)\]"'`])\r?\n(?=\w+[ =:;]|\w[\w.]*\(|[)\]])/g;

/**
 * The first escape of a string that may be text (`C:\temp`, `\bfoo\b`, `\frac`), if another string of the same call
 * has backslashes that were not escaped. Line breaks are sure in a text of several lines, except within quotes. A single
 * one may be part of a path, pattern or command (`src\new`, `lib\nUnit`, `tr , \n`).
 */
export function doubtfulEscape(text: string, coded?: string): string | undefined {
  if (coded && (coded !== '\\u' || /[[\]|^$*+{}\\]|^\w:/.test(text))) return coded;
  // A backslash inside a word is escaped in this text, so that line breaks are, too.
  const isEscaped = /\S\\[A-Za-mo-z.]/.test(text);
  if (!isEscaped) {
    // A backslash at the end of a line, as in shells.
    if (/\s\\n|\\n(?![a-z])/.test(text)) return '\\\\n';
    const lines = text.split('\n').slice(0, -1);
    if (lines.some((line) => line.split(/["`]|\B'|'\B/).length % 2 === 0)) return '\\n';
  }
  // Tabs are indents if they indent a block.
  const indented = /[{(]\n\t|\):\n\t/.test(text) ? text.replace(/\n\t+/g, '\n ') : text;
  const isText = isEscaped || (indented.match(sureBreak)?.length ?? 0) > 1;
  const rest = isText ? indented.replace(isEscaped ? /\r?\n/g : sureBreak, '\v').replace(plainBreak, '\v') : indented;
  const [found] = /[\b\f\n\r\t]/.exec(rest) ?? [];
  return found && JSON.stringify(found).slice(1, -1);
}

/** A JSON escape beside plain double quotes or an escaped single quote, in other quotes. */
export function besideQuotes(path: Path, { escapes, text, quote }: OpenString): Problem | undefined {
  const { nested, valid, quotes, underscore, joined } = escapes;
  if (nested && valid && quote === "'") return ambiguousAt(path, mixed("\\'", valid), text);
  const written = !quotes && text.includes('"') && (valid || underscore || joined);
  return written ? ambiguousAt(path, mixed(written, plainQuotes), text) : undefined;
}

const lineBreaks = 'line breaks that are not escaped';
const plainQuotes = 'quotes that are not escaped';

export const mixed = (one: string, other: string): string => {
  const first =
    other === plainQuotes
      ? 'every quote inside as \\" and '
      : other === lineBreaks
        ? 'every line break as \\n and '
        : '';
  return `has ${one} beside ${other}, which has two readings; write ${first}every backslash of the text as \\\\`;
};

function take(m: Machine, string: OpenString, text: string, length: number): true {
  append(string, text);
  m.at += length;
  return true;
}

/** Keeps the backslash and what follows unchanged. */
function leave(m: Machine, string: OpenString, length: number): true {
  return take(m, string, m.text.slice(m.at, m.at + length), length);
}

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
