import type { Problem } from '../../json/problem.ts';
import type { Mark } from '../../json/reading.ts';
import type { RepairKind } from '../../json/repair.ts';
import { mayBeQuotation } from '../../json/tolerant/string-pieces.ts';
import { equal, hasOwn, isObject, type JsonObject, type JsonValue, writesFraction } from '../../json/value.ts';
import { argumentAt, type Frame, type Item, type Machine, newItem, type Term } from './state.ts';
import { isText } from './tokens.ts';

/** Ends the current item, and stores its value. */
export function finishItem(m: Machine, frame: Frame): void {
  const { item, key } = frame;
  frame.item = newItem(m.at);
  frame.key = undefined;
  if (item.parts.length === 0 && !item.text) {
    if (key !== undefined) {
      refuse(m, frame, key, item);
      put(m, frame, key, '');
    }
    return;
  }
  if (key === undefined && spread(m, frame, item)) return;
  const [only] = item.parts;
  if (frame.name !== undefined && !item.text && item.parts.length === 1 && isWord(only)) frame.bare.push(only.word);
  const made = itemValue(m, item);
  const value = made === undefined ? refuse(m, frame, key, item) : made;
  if (item.fault) doubt(m, frame, key, item.fault, written(m, item));
  const kind = made === undefined ? undefined : inferredIn(item);
  // The sums in an expression are parts of it: only its own result replaces its text.
  if (item.parts.length > 1 || item.text) while ((m.computed.at(-1)?.start ?? -1) >= item.from) m.computed.pop();
  if (kind === 'number' && typeof made === 'number') m.computed.push({ start: item.from, end: item.end, value: made });
  const place = kind && argumentAt(m, frame, key);
  if (kind && place !== undefined) m.inferred.push({ key: place, kind, before: written(m, item).slice(0, 80) });
  if (key !== undefined) {
    put(m, frame, key, value);
    mark(m, frame.named, key, item, value);
    return;
  }
  mark(m, frame.positional, frame.positional.length, item, value);
  frame.positional.push(value);
}

export const ambiguous = (key: string, fault: string, text: string): Problem => ({
  path: [key],
  code: 'ambiguous',
  received: text.slice(0, 500),
  message: `Field '${key}' ${fault}`,
});

export const isWord = (part: Term | string | undefined): part is Term & { kind: 'word' } =>
  typeof part === 'object' && part.kind === 'word';

/** The key that an item is if `=` or `:` follows; undefined if it isn't one. */
export function keyOf(m: Machine, item: Item): string | undefined {
  const [part] = item.parts;
  if (item.text || item.parts.length !== 1 || typeof part !== 'object') return undefined;
  if (part.kind === 'word') return part.word;
  if (part.kind !== 'literal' || (typeof part.value === 'object' && part.value !== null)) return undefined;
  return typeof part.value === 'string' ? part.value : written(m, item);
}

/** `*[1, 2]` and `**{'a': 1}` stand for their content; among arguments they still count as expressions. */
function spread(m: Machine, frame: Frame, item: Item): boolean {
  const [star, part] = item.parts;
  if (item.text || item.parts.length !== 2 || typeof part !== 'object' || part.kind !== 'literal') return false;
  if (star === '*' && Array.isArray(part.value)) {
    for (const [at, value] of part.value.entries()) {
      if (frame === m.stack[0] && frame.name !== undefined) refuse(m, frame, undefined, item);
      const known = m.marks.get(part.value, at);
      if (known) m.marks.set(frame.positional, frame.positional.length, known);
      frame.positional.push(value);
    }
    return true;
  }
  if (star !== '**' || !isObject(part.value)) return false;
  for (const [key, value] of Object.entries(part.value)) {
    if (frame === m.stack[0] && frame.name !== undefined) refuse(m, frame, key, item);
    put(m, frame, key, value);
    const known = m.marks.get(part.value, key);
    if (known) m.marks.set(frame.named, key, known);
  }
  return true;
}

/** Whether a value was computed from several parts. A single sign is part of a number. */
function inferredIn({ parts, joined }: Item): RepairKind | undefined {
  if (joined && joined !== 'newline') return joined;
  const [first, second] = parts;
  const computed = parts.length > 2 || first === '+' || (typeof second === 'object' && isGrouped(second));
  return computed ? (parts.some(isString) ? 'quote' : 'number') : joined;
}

const isGrouped = (part: Term): boolean => part.kind === 'literal' && part.grouped === true;

const isString = (part: Term | string): boolean => typeof part === 'object' && isText(part);

/** Keeps an expression as text, to report it. It is never run. */
function refuse(m: Machine, frame: Frame, key: string | undefined, item: Item): string {
  const text = written(m, item);
  const place = argumentAt(m, frame, key);
  const [only] = item.parts;
  const word = frame === m.stack[0] && !item.text && item.parts.length === 1 && isWord(only) ? { word: only.word } : {};
  if (place !== undefined) m.expressions.push({ key: place, text, ...word });
  return text;
}

/** Reports an ambiguous value. */
export function doubt(m: Machine, frame: Frame, key: string | undefined, fault: string, text: string): void {
  const place = argumentAt(m, frame, key);
  const last = m.expressions.at(-1);
  if (last?.key === place && last?.fault === fault) return;
  if (place !== undefined) m.expressions.push({ key: place, text, fault });
  // A call in a list stays text, and is read separately.
  else if (m.stack.every(({ name }) => name === undefined)) m.problems.push(ambiguous(key ?? 'args', fault, text));
}

/** A date without quotes isn't a subtraction. */
const day = /^\d{4}-\d{1,2}-\d{1,2}/;

function itemValue(m: Machine, item: Item): JsonValue | undefined {
  const { parts } = item;
  const [only] = parts;
  if (item.text) return undefined;
  if (parts.length === 1 && typeof only === 'object') {
    return only.kind === 'literal' ? only.value : undefined;
  }
  const signed = signedMark(item);
  if (signed) return signed.value;
  const literals = parts.map((part) =>
    typeof part === 'string' ? { operator: part } : part.kind === 'literal' ? part : undefined,
  );
  const texts: string[] = [];
  const numbers: (number | string)[] = [];
  for (const part of literals) {
    if (part === undefined) return undefined;
    if ('operator' in part) numbers.push(part.operator);
    else if (typeof part.value === 'number') numbers.push(part.value);
    else if (isText(part)) texts.push(part.value);
    else return undefined;
  }
  if (texts.length > 0) {
    const joined = numbers.length === texts.length - 1 && numbers.every((one) => one === '+');
    // Quotes around a plus may be a quotation in one text (`"join with " + " signs"`).
    const isQuoted = texts.some(
      (text, at) => at > 0 && mayBeQuotation((texts[at - 1] as string).slice(-40), text, true),
    );
    return joined && !isQuoted ? texts.join('') : undefined;
  }
  if (day.test(m.text.slice(item.from, item.from + 12))) return undefined;
  return arithmetic(numbers);
}

/** A string, or an escaped underscore outside of one. */
const stringOrEscape = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\\_/gs;

/** The item as written. A slice costs nothing, so nested calls stay cheap. */
function written(m: Machine, item: Item): string {
  const slice = m.text.slice(item.from, item.end);
  return m.escaped ? slice.replace(stringOrEscape, (found) => (found === '\\_' ? '_' : found)) : slice;
}

function put(m: Machine, frame: Frame, key: string, value: JsonValue): void {
  const named: JsonObject = frame.named;
  if (key === '__proto__') {
    m.problems.push({ path: [key], code: 'forbidden_key', message: `Field '${key}' is not allowed` });
    return;
  }
  if (hasOwn(named, key) && !equal(named[key], value)) {
    frame.repeated.push(key);
    m.problems.push({ path: [key], code: 'duplicate_key', message: `Field '${key}' is given twice, with two values` });
  }
  named[key] = value;
}

/** Records how a scalar was written if its value doesn't show it, so that a text field can get `007` or `1.0`. */
function mark(m: Machine, container: object, key: string | number, item: Item, value: JsonValue): void {
  const [only] = item.parts;
  const single = item.parts.length === 1 && typeof only === 'object' && only.kind === 'literal';
  const known = single ? only.mark : signedMark(item)?.mark;
  if (known) m.marks.set(container, key, known);
  else if (typeof value === 'number' && !single) {
    const literal = written(m, item);
    const isHidden = Number.isInteger(value) && writesFraction(literal.replace(/\s/g, ''));
    if (literal !== String(value)) m.marks.set(container, key, { literal, ...(isHidden && { fraction: true }) });
  }
}

/** A number with a minus sign that is kept as written. */
function signedMark({ parts, text }: Item): { readonly value: string; readonly mark: Mark } | undefined {
  const [sign, part] = parts;
  if (text || parts.length !== 2 || sign !== '-' || typeof part !== 'object' || part.kind !== 'literal')
    return undefined;
  if (!part.mark?.unsafe || part.grouped) return undefined;
  return { value: `-${part.value}`, mark: { ...part.mark, literal: `-${part.mark.literal}` } };
}

type Apply = (left: number, right: number) => number;

/** Operators with their precedence. Python's `%` and `//` round down. */
const table: Readonly<Record<string, readonly [binds: number, apply: Apply]>> = {
  '+': [1, (left, right) => left + right],
  '-': [1, (left, right) => left - right],
  '*': [2, (left, right) => left * right],
  '/': [2, (left, right) => left / right],
  '//': [2, (left, right) => Math.floor(left / right)],
  '%': [2, (left, right) => left - right * Math.floor(left / right)],
  '**': [4, (left, right) => left ** right],
};
/** A sign binds stronger than a product and weaker than a power. */
const sign = 3;

/**
 * Evaluates numbers joined by operators, in the order written (`[2, '*', '-', 3]`); undefined if it isn't arithmetic or
 * has no finite result. One pass with two stacks.
 */
function arithmetic(parts: readonly (number | string)[]): number | undefined {
  const values: number[] = [];
  const waiting: { readonly binds: number; readonly apply: Apply; readonly unary: boolean }[] = [];
  const settle = (binds: number): void => {
    for (let top = waiting.at(-1); top && top.binds >= binds; top = waiting.at(-1)) {
      waiting.pop();
      const right = values.pop() as number;
      const left = top.unary ? 0 : (values.pop() as number);
      const result = top.apply(left, right);
      // Python's integers have no limit, so one beyond 2^53 would be another number here.
      const isLost = Number.isSafeInteger(left) && Number.isSafeInteger(right) && Number.isInteger(result);
      values.push(isLost && !Number.isSafeInteger(result) ? Number.NaN : result);
    }
  };
  let wantsValue = true;
  for (const part of parts) {
    if (typeof part === 'number') {
      if (!wantsValue) return undefined;
      values.push(part);
      wantsValue = false;
      continue;
    }
    const row = table[part];
    if (!row) return undefined;
    const [binds, apply] = row;
    if (wantsValue) {
      if (binds !== 1) return undefined;
      waiting.push({ binds: sign, apply, unary: true });
      continue;
    }
    // Powers are right-associative, others left-associative.
    settle(part === '**' ? binds + 1 : binds);
    waiting.push({ binds, apply, unary: false });
    wantsValue = true;
  }
  if (wantsValue) return undefined;
  settle(0);
  const [result] = values;
  return values.length === 1 && Number.isFinite(result) ? result : undefined;
}
