import { forbidden } from '../problem.ts';
import { literalOf, markAt, markRepeated, takeMark, twoStrings, unclosed, wordLists } from '../reading.ts';
import { equal, hasOwn, type JsonObject, type JsonValue } from '../value.ts';
import { balance, closerOf, isCloser } from './chars.ts';
import { matching, peek } from './lookahead.ts';
import { ambiguous, doubtKeys, exceed, fail, pathOf, problem, repair, reportSet, setMark } from './machine.ts';
import { onlySigns, unquoted } from './rules/word-rules.ts';
import { certaintyOf, type Scalar } from './scalars.ts';
import type { Candidate, Frame, Machine } from './state.ts';

/** Opens an object or list as a value. */
export function open(m: Machine, char: string, implied = false) {
  if (m.stack.length >= m.limits.depth) return exceed(m, 'depth', `is nested more than ${m.limits.depth} deep`);
  const value: JsonObject | JsonValue[] = char === '{' ? {} : [];
  if (m.stack.length === 0) begin(m, value, char === '{' ? 'object' : 'list');
  else assign(m, value);
  m.stack.push(newFrame(char, value));
  m.changes?.push({ type: 'open', path: pathOf(m), value });
  if (char === '(') repair(m, 'tuple', '(');
  m.mode = char === '{' ? 'key' : 'value';
  if (!implied) m.at++;
}

export function newFrame(opener: string, value: JsonObject | JsonValue[]): Frame {
  const closer = closerOf[opener] as string;
  const closerCode = closer.charCodeAt(0);
  return {
    list: opener !== '{',
    closer,
    closerCode,
    value,
    key: undefined,
    comma: false,
    semicolons: 0,
    styles: 0,
    gap: false,
    decimal: false,
    repeated: false,
  };
}

/** Starts a root value. */
export function begin(m: Machine, value: JsonValue, root: Candidate['root']): void {
  m.current = { value, repairs: [], problems: [], doubts: [], nesting: 'sure', root, after: [] };
  m.quotes.curly = 0;
  m.quotes.closer = '';
  m.brackets.removed = '';
  m.brackets.added = '';
  m.reopened = false;
}

/** Stores a value under the current key. `__proto__` was reported, and is never stored. */
export function assign(m: Machine, value: JsonValue): void {
  const frame = m.stack.at(-1);
  if (!frame) return;
  if (frame.list) (frame.value as JsonValue[])[frame.key as number] = value;
  else if (frame.key !== '__proto__') (frame.value as JsonObject)[frame.key as string] = value;
}

/** Starts a key: counts it, and records whether it is a duplicate. */
export function takeKey(m: Machine, key: string): void {
  const frame = m.stack.at(-1) as Frame;
  frame.key = key;
  frame.comma = false;
  frame.repeated = hasOwn(frame.value, key);
  if (frame.repeated) {
    frame.earlier = (frame.value as JsonObject)[key];
    frame.mark = takeMark(frame.value, key);
  }
  if (key === '__proto__') problem(m, 'forbidden_key', forbidden);
  if (++m.keys > m.limits.keys) exceed(m, 'keys', `has more than ${m.limits.keys} keys`);
}

/** Stores a scalar without quotes, and its literal if the value doesn't preserve it. */
export function placeScalar(m: Machine, scalar: Scalar, literal: string): void {
  assign(m, scalar.value);
  const frame = m.stack.at(-1);
  const doubtful = frame?.gap === true || frame?.decimal === true;
  if (frame?.key !== undefined && (scalar.unsafe || doubtful || String(scalar.value) !== literal)) {
    const { value, repair, number, ...written } = scalar;
    const { gap, decimal } = frame;
    setMark(m, frame.value, frame.key, { literal, ...written, ...(gap && { gap }), ...(decimal && { decimal }) });
  }
  if (scalar.repair) repair(m, scalar.repair, literal, certaintyOf(scalar), scalar.value);
  reportSet(m, scalar.value);
  finishValue(m);
}

/** Ends a value in an object or list: checks a duplicate key, and continues after the value. */
export function finishValue(m: Machine) {
  const frame = m.stack.at(-1);
  if (!frame) return finishRoot(m);
  frame.gap = false;
  frame.decimal = false;
  m.mode = 'after';
  if (!frame.repeated || Array.isArray(frame.value)) return;
  const key = frame.key as string;
  const later = frame.value[key];
  frame.repeated = false;
  const literal = frame.mark?.literal ?? literalOf(frame.earlier, undefined);
  const again = literalOf(later, takeMark(frame.value, key));
  const differs = literal !== undefined && again !== undefined && literal !== again;
  if (differs) setMark(m, frame.value, key, { ...frame.mark, literal, again });
  else if (frame.mark) setMark(m, frame.value, key, frame.mark);
  if (equal(frame.earlier, later)) {
    repair(m, 'duplicate', key);
    markRepeated([[frame.earlier], 0], [[later], 0], (...at) => setMark(m, ...at));
  } else problem(m, 'duplicate_key', 'is given twice with different values', { received: [frame.earlier, later] });
  frame.value[key] = frame.earlier as JsonValue;
  reportSet(m, frame.earlier as JsonValue);
}

/** Closes the innermost object or list. */
export function closeFrame(m: Machine): void {
  const frame = m.stack.pop() as Frame;
  m.changes?.push({ type: 'close', path: pathOf(m) });
  const items = frame.value as JsonValue[];
  // Next to semicolons, a comma may belong to a number (`1,5; 2,5`).
  if (frame.semicolons && items.length - 1 > frame.semicolons && items.some((item) => typeof item === 'number'))
    ambiguous(m, 'has commas and semicolons; write a point for decimals', String(items.slice(0, 8)));
  if (m.unquoted.parted && !frame.list && Object.keys(items).length - 1 > frame.semicolons)
    ambiguous(m, unquoted, m.unquoted.last as string);
  if (frame.words) checkWords(m, items, frame.words);
  const outer = m.stack.at(-1);
  if (frame.closer === ')' && !frame.comma && items.length === 1 && outer) {
    const only = items[0] as JsonValue;
    if (typeof only === 'number')
      ambiguous(m, 'is a number in parentheses, which may be negative; write it without them', `(${only})`);
    else repair(m, 'tuple', '(', 'inferred');
    assign(m, only);
    reportSet(m, only);
    const mark = frame.pieces ? { literal: only as string, pieces: true as const } : takeMark(items, 0);
    if (mark) setMark(m, outer.value, outer.key as string, mark);
  } else if (frame.pieces) ambiguous(m, twoStrings, String(items));
  finishValue(m);
}

const separator = /[,;，、；]/;

/**
 * Checks words without quotes in a list. Signs alone may stand for items that were left out, and beside an item with a
 * comma, several words may be one item. Beside other items in quotes, they may be a variable or a remark.
 */
function checkWords(m: Machine, items: readonly JsonValue[], words: ReadonlySet<number>): void {
  const bare = items.filter((_, at) => words.has(at)).map(String);
  const quoted = items.filter((item, at) => typeof item === 'string' && !words.has(at) && !markAt(items, at));
  const first = bare[0] as string;
  if (items.length > 1 && bare.some((word) => onlySigns.test(word))) ambiguous(m, unquoted, String(items.slice(0, 8)));
  else if (quoted.some((text) => separator.test(text as string)))
    ambiguous(m, 'has quotes around some items; put quotes around each', first);
  else if (quoted.length > 0) repair(m, 'quote', first, 'inferred', first);
}

/** Typographic quotes around only some strings may belong to the text. Around keys alone they are inferred. */
function checkCurly(m: Machine, written: string): void {
  const bare = m.unquoted.last || m.quotes.styles.includes('bare');
  if (!bare && written.replace(/\\./g, '').split('"').length <= 2 * m.quotes.curly + 1) return;
  if (bare || m.quotes.closer) ambiguous(m, 'has typographic quotes around some strings; write " around each', written);
  else repair(m, 'quote', m.quotes.styles, 'inferred');
}

function finishRoot(m: Machine): void {
  m.mode = 'top';
  m.blank = true;
  if (!m.current) return;
  if (m.quotes.curly) checkCurly(m, JSON.stringify(m.current.value));
  m.candidates.push(m.current);
  m.current = undefined;
}

/** Handles a closing bracket: its own, that of an outer container with inner ones missing, or a superfluous one. */
export function takeCloser(m: Machine, char: string): boolean {
  const match = matching(m, char);
  if (match === -1) return takeStray(m, char);
  if (m.mode === 'value' && m.stack.at(-1)?.closer === '}') return fail(m, 'has no value');
  if (!implyClosers(m, match)) return true;
  const frame = m.stack.at(-1);
  // It may belong to text without quotes (`'use strict';`), unless semicolons separate the members.
  if (frame?.comma === ';' && !m.separators.includes(';;')) return fail(m, 'ends in a semicolon');
  if (frame?.comma && char !== ')') repair(m, 'comma', ',');
  m.at++;
  closeFrame(m);
  return true;
}

/** Closes the frames above `match`, whose brackets are missing. Returns false if that isn't possible. */
function implyClosers(m: Machine, match: number): boolean {
  while (m.stack.length - 1 > match) {
    const { comma, closer, key } = m.stack.at(-1) as Frame;
    // An opening bracket before one of another kind may be superfluous.
    if (comma || key === undefined) return !fail(m, 'ends where a bracket is missing');
    noteMissing(m, closer);
    closeFrame(m);
  }
  return true;
}

const quoteFirst = /["'”’»]\s*[}\]][\s}\]]*$/;

/** The last scalar inside a value, at any depth; with `list`, only if every container is one, or none is. */
function lastOf(value: JsonValue | undefined, list?: boolean): JsonValue | undefined {
  let last = value;
  while (typeof last === 'object' && last !== null) {
    if (list === !Array.isArray(last)) return undefined;
    last = Array.isArray(last) ? last.at(-1) : last[Object.keys(last).at(-1) ?? ''];
  }
  return last;
}

/** Whether a text closes a bracket that it didn't open, or one of another kind (`[}`). */
function isMismatched(text: string): boolean {
  const open: (string | undefined)[] = [];
  for (const [bracket] of text.matchAll(/[{}[\]]/g)) {
    if (!isCloser(bracket)) open.push(closerOf[bracket]);
    else if (open.pop() !== bracket) return true;
  }
  return false;
}

/** Records a bracket that was added. */
export function noteMissing(m: Machine, closer: string): void {
  const { value } = m.stack.at(-1) as Frame;
  const last = lastOf(value);
  unclosed.add(value);
  // The text may contain the missing bracket, before its closing quote (`"x}"`, `"x”}"`). An escaped line break after
  // it means that the string is complete.
  if (
    m.brackets.removed.includes(closer) ||
    (typeof last === 'string' &&
      /[}\]]\s*$/.test(last) &&
      (!/[\n\r]$/.test(last) || m.current?.repairs.some(({ kind }) => kind === 'newline')) &&
      (isMismatched(last) || quoteFirst.test(last)) &&
      !m.current?.problems.some(({ received }) => received === last))
  )
    ambiguous(m, 'ends in a bracket, and one is missing after it: its closing quote may be misplaced', last as string);
  // One wrong sign may stand for two that are missing: a bracket for a colon (`"a"[ "x"}`), a digit for a bracket (`["a"\n0}`).
  const isApart = m.current?.repairs.at(-1)?.kind === 'comma';
  if (Array.isArray(value) && (m.colonMissing || (isApart && typeof value.at(-1) === 'number')))
    ambiguous(m, 'lacks a closing bracket and another sign', String(last));
  repair(m, 'closer', closer, 'inferred');
  m.brackets.added += closer;
  doubtKeys(m, 'inferred');
}

/**
 * Records what makes a superfluous bracket ambiguous: text without quotes before it, whose end it may be; or text that
 * opens one, so that the first bracket after its closing quote may belong before it. The others close the same containers
 * only if all are alike (`"{"}}`, not `"{"}]}}`).
 */
export function doubtSurplus(m: Machine, char: string, value: JsonValue | undefined): void {
  // Once for several in a row, because each check costs the length of the text.
  if (m.current?.repairs.at(-1)?.kind === 'extra_closer') return;
  const last = lastOf(value);
  if (typeof last === 'string' && last === m.unquoted.last) ambiguous(m, unquoted, last);
  const opened = typeof last === 'string' ? balance(last) : 0;
  if (opened > 1 || (opened === 1 && lastOf(value, char === ']') === last))
    ambiguous(m, 'opens a bracket, and its closing quote may be misplaced', String(last));
}

/**
 * An unmatched closing bracket is dropped, unless one of its kind was added before, or it may belong to text without
 * quotes that ends in a string (`'a'],`).
 */
function takeStray(m: Machine, char: string): boolean {
  const next = peek(m, m.at + 1);
  const { value, key } = m.stack.at(-1) as Frame;
  const held = (value as JsonObject)[key as string];
  if (
    m.brackets.added.includes(char) ||
    m.mode === 'value' ||
    char === ')' ||
    (m.unquoted.loose && wordLists.has(held as object)) ||
    (typeof held === 'string' &&
      (m.unquoted.last || (m.quotes.notProgram && /[^a-z ]/.test(m.quotes.styles)) || !isCloser(m.text[next] ?? char)))
  )
    return fail(m, `has an unmatched '${char}'`);
  doubtSurplus(m, char, held);
  m.brackets.removed += char;
  repair(m, 'extra_closer', char);
  doubtKeys(m, 'inferred');
  m.at++;
  return true;
}
