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

/** Adds an operand to an item; two without an operator between them are text, unless both are strings. */
export function addTerm(m: Machine, item: Item, term: Term, start: number): void {
  const last = item.parts.at(-1);
  if (item.parts.length === 0 && !item.text) item.from = start;
  item.end = m.at;
  if (typeof last !== 'object') {
    item.parts.push(term);
    return;
  }
  if (isText(last) && isText(term)) {
    item.parts[item.parts.length - 1] = { kind: 'literal', value: last.value + term.value };
    item.joined = 'quote';
  } else item.text = true;
}

const isText = (term: Term): term is { kind: 'literal'; value: string } =>
  term.kind === 'literal' && typeof term.value === 'string' && term.unsafe !== true;

export function addOperator(m: Machine, item: Item, operator: string, start: number): void {
  if (item.parts.length === 0 && !item.text) item.from = start;
  item.parts.push(operator);
  item.end = m.at;
}

/** Adds what only counts as text: an operator nobody works out here, a sign, a stray character. */
export function addText(m: Machine, item: Item, start: number): void {
  if (item.parts.length === 0 && !item.text) item.from = start;
  item.text = true;
  item.end = m.at;
}

/** Reads a string literal at `quote`, whose prefix begins at `start`. */
export function takeString(m: Machine, item: Item, quote: number, start: number): void {
  const raw = /r/i.test(m.text.slice(start, quote));
  const { value, end, closed, inferred } = readPythonString(m.text, quote, raw);
  m.at = end;
  if (inferred) item.joined = inferred;
  m.settled = closed;
  m.openString = !closed;
  if (!raw && !m.escaped) m.escaped = m.text.slice(quote, end).includes('\\_');
  // A format string must be worked out, and bytes are no text.
  const formed = /[fb]/i.test(m.text.slice(start, quote));
  addTerm(m, item, formed ? { kind: 'text' } : { kind: 'literal', value }, start);
}

/** Reads a number; digits with letters or points in them (`10km`, `1.2.3`) are text, and so are leading zeros. */
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
  const plain = found.replaceAll('_', '');
  const value = Number(plain);
  const unsafe = /^\d+$/.test(plain) && !Number.isSafeInteger(value);
  if (unsafe) addTerm(m, item, { kind: 'literal', value: plain, unsafe }, start);
  else addTerm(m, item, Number.isFinite(value) ? { kind: 'literal', value } : { kind: 'text' }, start);
}

/** The word at the reader's place, `\_` read as `_`, and where it ends; undefined where none begins. */
export function wordAt(text: string, at: number): { readonly word: string; readonly end: number } | undefined {
  word.lastIndex = at;
  const found = word.exec(text)?.[0];
  return found === undefined ? undefined : { word: found.replaceAll('\\_', '_'), end: at + found.length };
}

/** Whether a text is a name that could be called. */
export const isPythonName = (text: string): boolean => wordAt(text, 0)?.end === text.length && text !== '';

/** Whether a word is the prefix of a string literal that begins right behind it. */
export const isPrefix = (text: string, found: { readonly word: string; readonly end: number }): boolean =>
  (text[found.end] === '"' || text[found.end] === "'") && prefix.test(found.word);

/** What a word stands for as an operand. */
export const termOf = (found: string): Term => {
  const value = constants.get(found);
  return value === undefined ? { kind: 'word', word: found } : { kind: 'literal', value };
};

/** A string literal as it was read. */
interface PythonString {
  readonly value: string;
  /** Just past the closing quote, or the end of the text. */
  readonly end: number;
  readonly closed: boolean;
  /** What was inferred: a quote that was not escaped, an escape that Python has not. */
  readonly inferred?: 'inner_quote' | 'escape' | undefined;
}

const letters: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  a: '\u0007',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '/': '/',
  _: '_',
  '\n': '',
};
/** Escapes by code: octal only where it can't be a reference inside a pattern (`\1`). */
const coded = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|(0))/y;
const plain: Readonly<Record<string, RegExp>> = { "'": /[^'\\]+/y, '"': /[^"\\]+/y };

/** Quotes that a word processor made. */
const pairs: Readonly<Record<string, string>> = { '“': '”', '‘': '’' };

/** What may stand behind a closing quote: punctuation, another string, the next argument, a word of an expression. */
const follows =
  /[ \t\r\n]{0,64}(?:$|[,)\]}:;=+%*#'"\\`]|\.\w{1,32}\(|\[[-\d]|(?<=\s)[fFrRbBuU]{1,2}['"]|(?<=\s)(?:if|for|in|not|and|or|else)\s|(?<=\s)[A-Za-z_]\w{0,63}\s{0,8}=\s{0,8}[^\s=])/y;
/** Two quotes before punctuation: the first belongs to the text, as in `"say "hi""`. */
const doubled = /(['"])\1[ \t\r\n]{0,64}(?:$|[,)\]}])/y;

/**
 * Reads a string literal whose quote stands at `at`. A quote that nothing legal follows belongs to the text, since
 * models forget to escape; every look ahead is bounded.
 */
function readPythonString(text: string, at: number, raw: boolean): PythonString {
  const quote = text[at] as string;
  const typographic = pairs[quote];
  if (typographic !== undefined) {
    const end = text.indexOf(typographic, at + 1);
    return {
      value: text.slice(at + 1, end < 0 ? text.length : end),
      end: end < 0 ? text.length : end + 1,
      closed: end >= 0,
    };
  }
  const triple = text.startsWith(quote.repeat(3), at);
  const run = plain[quote] as RegExp;
  let from = at + (triple ? 3 : 1);
  let value = '';
  let inferred: PythonString['inferred'];
  while (from < text.length) {
    run.lastIndex = from;
    if (run.test(text)) {
      value += text.slice(from, run.lastIndex);
      from = run.lastIndex;
    } else if (text[from] === '\\') {
      const [piece, end] = raw ? [text.slice(from, from + 2), from + 2] : unescapeAt(text, from);
      if (!raw && /[_/]/.test(text[from + 1] ?? '')) inferred ??= 'escape';
      value += piece;
      from = end;
    } else if (triple ? text.startsWith(quote.repeat(3), from) : closes(text, from, value)) {
      return { value, end: from + (triple ? 3 : 1), closed: true, inferred };
    } else {
      if (!triple) inferred = 'inner_quote';
      value += quote;
      from++;
    }
  }
  return { value, end: text.length, closed: false };
}

/** The name of a call in quotes, `'f'(a=1)`. */
const name = /^[\p{L}_][\p{L}\p{N}_.-]{0,200}$/u;

const apart = /^\s['"]\s$/;

function closes(text: string, at: number, value: string): boolean {
  doubled.lastIndex = at;
  if (value !== '' && doubled.test(text)) return false;
  if (text[at + 1] === '(') return name.test(value);
  // A quote with white space on both sides is no part of a quotation: what follows is another term.
  if (apart.test(text.slice(at - 1, at + 2))) return true;
  follows.lastIndex = at + 1;
  return follows.test(text);
}

/** What the escape at `at` stands for, and where it ends; an unknown one keeps its backslash. */
function unescapeAt(text: string, at: number): [piece: string, end: number] {
  const next = text[at + 1];
  if (next === undefined) return ['\\', at + 1];
  const letter = Object.hasOwn(letters, next) ? letters[next] : undefined;
  if (letter !== undefined) return [letter, at + 2];
  coded.lastIndex = at;
  const found = coded.exec(text);
  if (!found) return ['\\', at + 1];
  const [whole, byte, short, long, octal] = found;
  const code = octal ? Number.parseInt(octal, 8) : Number.parseInt(byte ?? short ?? long ?? '0', 16);
  return code > 0x10ffff ? ['\\', at + 1] : [String.fromCodePoint(code), at + whole.length];
}
