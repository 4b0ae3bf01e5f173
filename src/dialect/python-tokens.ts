import type { Item, Machine, Term } from './python-machine.ts';
import { readPythonString } from './python-string.ts';

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
