import type { Mark } from '../../json/reading.ts';
import { isGroup } from '../../json/tolerant/bare-words.ts';
import { habit, newEscapes } from '../../json/tolerant/escapes.ts';
import { escapeFault, pastedFault } from '../../json/tolerant/rules/escape-rules.ts';
import { otherGroups } from '../../json/tolerant/scalars.ts';
import type { Escapes } from '../../json/tolerant/state.ts';
import { mayBeQuotation } from '../../json/tolerant/string-pieces.ts';
import { writesFraction } from '../../json/value.ts';
import type { Item, Machine, Term } from './state.ts';

const number =
  /(?:0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?)(?![\p{L}\p{N}_])/uy;
const numberLike = /[\d.][\p{L}\p{N}_.]*/uy;
const word = /(?:[\p{L}_$]|\\_)(?:[\p{L}\p{N}_.$]|\\_|-(?=\p{L}))*/uy;
const prefix = /^(?:[rbfu]|rb|br|fr|rf)$/i;
const constants = new Map<string, boolean | null>([
  ['True', true],
  ['False', false],
  ['None', null],
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', null],
]);

/** Adds an operand to an item. Two without an operator are text, unless they are strings that Python joins. */
export function addTerm(m: Machine, item: Item, term: Term, start: number): void {
  const last = item.parts.at(-1);
  const end = item.end;
  if (item.parts.length === 0 && !item.text) item.from = start;
  item.end = m.at;
  // A closer in the middle of an item is part of a text whose quotes weren't escaped.
  if (item.stray) item.text = true;
  if (typeof last !== 'object') {
    item.parts.push(term);
    return;
  }
  if (isText(last) && isText(term) && !item.raw && isJoined(m, last.value, term.value, end, start)) {
    const value = last.value + term.value;
    item.parts[item.parts.length - 1] = { kind: 'literal', value, mark: { literal: value, pieces: true } };
    item.joined = 'quote';
  } else item.text = true;
}

/**
 * Whether two strings are pieces of one. Unescaped quotes look the same, on one line and at line ends, unless white space
 * stands where they meet, or parentheses hold them; and without a key, a comma may be missing.
 */
function isJoined(m: Machine, before: string, after: string, end: number, start: number): boolean {
  const frame = m.stack.at(-1);
  // Quotes without a gap between them may be doubled to escape them.
  if (frame?.closer !== ')' || start === end) return false;
  if (m.text[end - 1] !== m.text[start]) return false;
  if (before === '' || after === '' || mayBeQuotation(before.slice(-40), after, false)) return false;
  if (frame.name !== undefined) return frame.key !== undefined && (/\s$/.test(before) || /^\s/.test(after));
  piecesEnd.lastIndex = m.at;
  return frame.commas === 0 && piecesEnd.test(m.text);
}

/** What follows a piece in parentheses: their end, or another piece. */
const piecesEnd = /\s{0,99}[)'"]/y;

/** Whether an operand is a string, also one in pieces. */
export const isText = (term: Term): term is { kind: 'literal'; value: string } =>
  term.kind === 'literal' && typeof term.value === 'string' && (!term.mark || term.mark.pieces === true);

export function addOperator(m: Machine, item: Item, operator: string, start: number): void {
  if (item.parts.length === 0 && !item.text) item.from = start;
  item.parts.push(operator);
  item.end = m.at;
}

/** Adds what only counts as text: an unsupported operator, a sign, a stray character. */
export function addText(m: Machine, item: Item, start: number): void {
  if (item.parts.length === 0 && !item.text) item.from = start;
  item.text = true;
  item.end = m.at;
}

/** Reads a string literal at `quote`, whose prefix starts at `start`. */
export function takeString(m: Machine, item: Item, quote: number, start: number): void {
  const raw = /r/i.test(m.text.slice(start, quote));
  const { value, end, closed, inferred, fault } = readPythonString(m.text, quote, raw, m.stack[0]?.name !== undefined);
  m.at = end;
  if (inferred && (inferred !== 'newline' || !item.joined)) item.joined = inferred;
  if (fault) item.fault ??= fault;
  if (/[\n\r]/.test(m.text.slice(quote, end))) item.raw = true;
  m.settled = closed;
  m.openString = !closed;
  if (!raw && !m.escaped) m.escaped = m.text.slice(quote, end).includes('\\_');
  // A format string must be evaluated, and bytes aren't text.
  const formed = /[fb]/i.test(m.text.slice(start, quote));
  addTerm(m, item, formed ? { kind: 'text' } : { kind: 'literal', value }, start);
}

/**
 * Reads a number. Digits with letters or several points (`10km`, `1.2.3`) are text. Large integers and numbers with
 * leading zeros are kept as written, because only the schema tells whether they are text.
 */
export function takeNumber(m: Machine, item: Item): void {
  const start = m.at;
  number.lastIndex = start;
  const found = number.exec(m.text)?.[0];
  if (found === undefined || m.text[start + found.length] === '.') {
    numberLike.lastIndex = start;
    numberLike.test(m.text);
    m.at = Math.max(numberLike.lastIndex, start + 1);
    addText(m, item, start);
    return;
  }
  m.at = start + found.length;
  m.settled = false;
  if (m.stack.at(-1)?.closer !== '}' && isGroup(found, m.text, start)) item.fault ??= oneNumber;
  const plain = found.replaceAll('_', '');
  const value = Number(plain);
  if (otherGroups.test(found))
    addTerm(m, item, { kind: 'literal', value: found, mark: { literal: found, unsafe: true, other: true } }, start);
  else if (/^0[\d_]/.test(found))
    addTerm(m, item, { kind: 'literal', value: found, mark: { literal: found, unsafe: true, zeros: true } }, start);
  else if (/^\d+$/.test(plain) && !Number.isSafeInteger(value))
    addTerm(m, item, { kind: 'literal', value: plain, mark: { literal: found, unsafe: true } }, start);
  else if (!Number.isFinite(value)) addTerm(m, item, { kind: 'text' }, start);
  else if (plain === found) addTerm(m, item, literal(value, found), start);
  else addTerm(m, item, { kind: 'literal', value, mark: { ...markOf(value, found), other: true } }, start);
}

const oneNumber = 'may be one number with the value before it; write only its digits';

/** The word at an offset, with `\_` read as `_`, and its end; undefined if there is none. */
export function wordAt(text: string, at: number): { readonly word: string; readonly end: number } | undefined {
  word.lastIndex = at;
  const found = word.exec(text)?.[0];
  return found === undefined ? undefined : { word: found.replaceAll('\\_', '_'), end: at + found.length };
}

/** Whether a text is a name that can be called. */
export const isPythonName = (text: string): boolean => wordAt(text, 0)?.end === text.length && text !== '';

/** Whether a word is the prefix of a string literal directly after it. */
export const isPrefix = (text: string, found: { readonly word: string; readonly end: number }): boolean =>
  (text[found.end] === '"' || text[found.end] === "'") && prefix.test(found.word);

/** The operand of a word. */
export const termOf = (found: string): Term => {
  const value = constants.get(found);
  return value === undefined ? { kind: 'word', word: found } : literal(value, found);
};

/** The operand of a number or constant. A text field gets it as written. */
const literal = (value: number | boolean | null, written: string): Term => ({
  kind: 'literal',
  value,
  ...(value !== null && written !== String(value) && { mark: markOf(value, written) }),
});

const markOf = (value: number | boolean, literal: string): Mark =>
  Number.isInteger(value) && writesFraction(literal) ? { literal, fraction: true } : { literal };

/** A string literal. */
interface PythonString {
  readonly value: string;
  /** Offset after the closing quote, or the end of the text. */
  readonly end: number;
  readonly closed: boolean;
  /** What was repaired: an unescaped quote, an escape that Python doesn't have, or a line break in one line's quotes. */
  readonly inferred?: 'inner_quote' | 'escape' | 'newline' | undefined;
  /** Why it is ambiguous. */
  readonly fault?: string | undefined;
}

const letters: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '/': '/',
  _: '_',
  '\n': '',
};
const coded = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8}))/y;
/** Python escapes that are rarely intended: they usually belong to a pattern, a path or a command. */
const rare = /\\(?:[0-7]{1,3}|[av/]|N\{|\r?\n)/y;
/** A code that lacks its digits, and isn't the start of a word. */
const brokenHex = /^\\x(?!\p{L})/u;
const plain: Readonly<Record<string, RegExp>> = { "'": /[^'\\]+/y, '"': /[^"\\]+/y };

/** Typographic quotes. */
const pairs: Readonly<Record<string, string>> = { '“': '”', '‘': '’' };

/** What can follow a closing quote: punctuation, another string, the next argument, an expression's keyword. */
const follows =
  /[ \t\r\n]{0,64}(?:$|[,)\]}:;=+%*#'"\\`]|\.\w{1,32}\(|\[[-\d]|(?<=\s)[fFrRbBuU]{1,2}['"]|(?<=\s)(?:if|for|in|not|and|or|else)\s|(?<=\s)[A-Za-z_]\w{0,63}\s{0,8}=\s{0,8}[^\s=])/y;
/** Two quotes before punctuation: the first belongs to the text, as in `"say "hi""`. */
const doubled = /(['"])\1[ \t\r\n]{0,64}(?:$|[,)\]}])/y;

/**
 * Reads a string literal whose quote is at `at`. A quote without a valid continuation belongs to the text, because
 * models forget to escape. Every look ahead is bounded.
 *
 * @param python whether it is in a call, so that Python-only escapes are read
 */
function readPythonString(text: string, at: number, raw: boolean, python: boolean): PythonString {
  const quote = text[at] as string;
  const typographic = pairs[quote];
  if (typographic !== undefined) {
    const end = text.indexOf(typographic, at + 1);
    const value = text.slice(at + 1, end < 0 ? text.length : end);
    const fault = value.includes('\\') ? 'has a backslash between curly quotes, which has two readings' : undefined;
    return { value, end: end < 0 ? text.length : end + 1, closed: end >= 0, fault };
  }
  const triple = text.startsWith(quote.repeat(3), at);
  const width = triple ? 3 : 1;
  const run = plain[quote] as RegExp;
  const escapes = newPythonEscapes();
  /** Each unescaped quote between its neighbours. */
  const inner: string[] = [];
  let from = at + width;
  let value = '';
  // The first line of a triple-quoted string can be empty.
  if (triple && !raw && text.startsWith('\\\n', from)) from += 2;
  while (from < text.length) {
    run.lastIndex = from;
    if (run.test(text)) {
      value += text.slice(from, run.lastIndex);
      from = run.lastIndex;
    } else if (text[from] === '\\') {
      const [piece, end] = raw ? [text.slice(from, from + 2), from + 2] : unescapeAt(text, from);
      if (!raw) note(escapes, text, from, piece, quote, triple ? 'all' : python ? '' : 'xU');
      value += piece;
      from = end;
    } else if (triple ? text.startsWith(quote.repeat(3), from) : closes(text, from, value)) {
      const end = from + width;
      escapes.raw = !triple && /[\n\r]/.test(text.slice(at, end));
      const inferred =
        inner.length > 0 ? 'inner_quote' : escapes.underscore ? 'escape' : escapes.raw && !raw ? 'newline' : undefined;
      const long = triple && text[end] === quote ? 'ends in more than three quotes' : undefined;
      const open = inner.length > 0 && !isInner(inner, quote, text, end);
      return { value, end, closed: true, inferred, fault: long ?? (open ? unpaired : faultOf(escapes, value, inner)) };
    } else {
      if (!triple) inner.push(text.slice(from - 1, from + 2));
      value += quote;
      from++;
    }
  }
  return { value, end: text.length, closed: false };
}

/** The escapes of a string, and those of quotes other than its own. */
type PythonEscapes = Escapes & { foreign: string; foreigns: number };

const newPythonEscapes = (): PythonEscapes => ({ ...newEscapes(), foreign: '', foreigns: 0 });

/** Records what an escape says about its string; `doubted` are those that are ambiguous here. */
function note(escapes: PythonEscapes, text: string, at: number, piece: string, quote: string, doubted: string): void {
  const written = text.slice(at, at + 2);
  const char = written[1] ?? '';
  rare.lastIndex = at;
  habit.lastIndex = at + 1;
  if (rare.test(text)) escapes.ambiguous ||= char >= ' ' ? written : 'a backslash at the end of a line';
  else if (piece === '\\' && char !== '\\') {
    if (char === 'u') escapes.broken ||= written;
    else if (brokenHex.test(text.slice(at, at + 3))) escapes.ambiguous ||= written;
    else if (habit.test(text)) escapes.habitual ||= written;
    else escapes.unknown ||= written;
  } else if (doubted === 'all' || doubted.includes(char)) escapes.ambiguous ||= written;
  else if (char === '_') escapes.underscore ||= written;
  else if (char === quote) escapes.quotes++;
  else {
    if (char === '"' || char === "'") Object.assign(escapes, { foreign: char, foreigns: escapes.foreigns + 1 });
    escapes.valid ||= written;
  }
}

const unpaired = 'has unescaped quotes inside, which has two readings; escape every quote in the text';

const apostrophe = /^[\p{L}\p{N}].[\p{L}\p{N}]/u;
/** A quote that opens a quotation after a blank or a bracket, and one that closes it before a blank or a sign. */
const opens = /^[\s([{=:>].[^\s,;:.)\]}]/;
const ends = /^[^\s([{,;:=].[^\p{L}\p{N}]/u;

/** Unescaped quotes are unambiguous as apostrophes or around quotations, if no other quote of their kind follows. */
function isInner(inner: readonly string[], quote: string, text: string, end: number): boolean {
  if (text.includes(quote, end)) return false;
  if (quote === "'" && inner.every((one) => apostrophe.test(one))) return true;
  return inner.length % 2 === 0 && inner.every((one, at) => (at % 2 === 0 ? opens : ends).test(one));
}

/** Why the escapes and line breaks of a string are ambiguous. */
function faultOf(escapes: PythonEscapes, text: string, inner: readonly string[]): string | undefined {
  const { foreign, foreigns } = escapes;
  if (foreigns > 0 && text.split(foreign).length - 1 > foreigns) escapes.ambiguous ||= `\\${foreign}`;
  escapes.loose = inner.length > 0;
  escapes.nested = escapes.quotes > 0;
  return pastedFault(text, escapes.valid) ?? escapeFault(escapes, text, '"');
}

/** The name of a call in quotes, `'f'(a=1)`. */
const name = /^[\p{L}_][\p{L}\p{N}_.-]{0,200}$/u;

const apart = /^\s['"]\s$/;

function closes(text: string, at: number, value: string): boolean {
  doubled.lastIndex = at;
  if (value !== '' && doubled.test(text)) return false;
  if (text[at + 1] === '(') return name.test(value);
  // A quote with white space on both sides isn't part of a quotation: another term follows.
  if (apart.test(text.slice(at - 1, at + 2))) return true;
  follows.lastIndex = at + 1;
  return follows.test(text);
}

/** The text of the escape at `at`, and its end. An unknown escape keeps its backslash. */
function unescapeAt(text: string, at: number): [piece: string, end: number] {
  const next = text[at + 1];
  if (next === undefined) return ['\\', at + 1];
  const letter = Object.hasOwn(letters, next) ? letters[next] : undefined;
  if (letter !== undefined) return [letter, at + 2];
  coded.lastIndex = at;
  const [whole, ...codes] = coded.exec(text) ?? ['\\'];
  const code = Number.parseInt(codes.join(''), 16);
  return code <= 0x10ffff ? [String.fromCodePoint(code), at + whole.length] : ['\\', at + 1];
}
