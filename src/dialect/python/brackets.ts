import { elided, type Problem } from '../../json/problem.ts';
import type { Marks } from '../../json/reading.ts';
import { leavesOut } from '../../json/tolerant/rules/comment-rules.ts';
import type { JsonValue } from '../../json/value.ts';
import {
  closesNothing,
  holdsArgument,
  isCloserMoved,
  isCommaMoved,
  keyFault,
  lostCloserFault,
  mayBeText,
  mayBeValue,
  movedComma,
  startsLine,
} from './faults.ts';
import { doubt, finishItem, isWord, keyOf } from './items.ts';
import {
  argumentAt,
  type Computed,
  closers,
  type Expression,
  type Frame,
  type Inferred,
  type Item,
  lastArgument,
  type Machine,
  newItem,
  newMachine,
  type Sources,
  type Term,
} from './state.ts';
import {
  addOperator,
  addTerm,
  addText,
  isPrefix,
  isPythonName,
  takeNumber,
  takeString,
  termOf,
  wordAt,
} from './tokens.ts';

/** The content of a bracket: the arguments of a call, or a list, dict, set or tuple. */
export interface Bracket {
  readonly positional: JsonValue[];
  readonly named: Frame['named'];
  /** The value, if it isn't a call. */
  readonly value: JsonValue;
  /** Arguments that are a bare word. */
  readonly bare: readonly string[];
  /** Offset after the closer. */
  readonly end: number;
  readonly closed: boolean;
  /** Whether only closers are missing: the last token is complete, and no list is open, but for one that holds only complete items. */
  readonly closable: boolean;
  /** Whether closers are missing inside. */
  readonly forced: boolean;
  /** Whether the text ends inside a string. */
  readonly openString: boolean;
  readonly marks: Marks;
  readonly problems: readonly Problem[];
  /** Where its lists and dicts are, itself among them. */
  readonly sources: Sources;
  readonly computed: readonly Computed[];
  readonly expressions: readonly Expression[];
  readonly inferred: readonly Inferred[];
  readonly comments: Machine['comments'];
}

/** Deeper brackets are kept as text. */
const deepest = 256;
const space = /\s+/y;
const spaces = /[ \t]*/y;

/**
 * Reads the bracket at `at` like Python, and in variants that models write. One pass with an explicit stack: each
 * character is read once.
 *
 * @param name the word before the bracket, if it contains the arguments of a call
 */
export function readPythonBracket(text: string, at: number, name?: string): Bracket {
  const m = newMachine(text, at);
  open(m, name, at);
  const [base] = m.stack as [Frame];
  while (m.at < text.length && m.stack.length > 0) step(m);
  const closed = m.stack.length === 0;
  const isOpen = base.closer === ']' ? m.stack.length === 1 : m.open[']'] === 0;
  const closable = !closed && m.settled && isOpen && m.deeper === 0 && !isCloserMoved(text, text.length);
  while (m.stack.length > 0) {
    const frame = m.stack.at(-1) as Frame;
    if (frame.holdsArgument) doubt(m, frame, frame.key, holdsArgument, frame.key ?? '');
    close(m);
  }
  const { positional, named, bare } = base;
  const value = bracketValue(m, base);
  locate(m, base, value);
  const { marks, problems, sources, computed, openString, expressions, inferred, comments, forced } = m;
  return {
    positional,
    named,
    value,
    bare,
    end: m.at,
    closed,
    closable,
    forced,
    openString,
    marks,
    problems,
    sources,
    computed,
    expressions,
    inferred,
    comments,
  };
}

/** Reads one token. */
function step(m: Machine): void {
  const frame = m.stack.at(-1) as Frame;
  const { item } = frame;
  const char = m.text[m.at] as string;
  space.lastIndex = m.at;
  if (space.test(m.text)) {
    m.at = space.lastIndex;
  } else if (isComment(m, frame, char)) {
    skipComment(m, frame);
  } else if (char === '"' || char === "'" || char === '“' || char === '‘') {
    takeString(m, item, m.at, m.at);
  } else if (/\d/.test(char) || (char === '.' && /\d/.test(m.text[m.at + 1] ?? ''))) {
    takeNumber(m, item);
  } else if (char === '(' || char === '[' || char === '{') {
    open(m, char === '(' ? quotedName(m, item) : undefined, m.at);
  } else if (char === ')' || char === ']' || char === '}') {
    closeWith(m, char);
  } else if (char === ',') {
    takeComma(m, frame);
  } else if (char === ':' || char === '=') {
    takeKey(m, frame, char);
  } else if (!takeWord(m, frame)) {
    takeOperator(m, frame, char);
  }
}

/** `#` and `//` start a comment where a value can't continue with them. */
function isComment(m: Machine, frame: Frame, char: string): boolean {
  const empty = frame.item.parts.length === 0 && !frame.item.text && frame.key === undefined;
  if (char === '#') return empty || /\s/.test(m.text[m.at - 1] ?? '');
  if (char !== '/' || m.text[m.at + 1] !== '/') return false;
  const last = frame.item.parts.at(-1);
  return empty || (isLiteral(last) && !isNumber(last));
}

/** Skips a comment. Next to a token, it is inferred. */
function skipComment(m: Machine, frame: Frame): void {
  const end = m.text.indexOf('\n', m.at);
  const comment = m.text.slice(m.at, end < 0 ? m.text.length : end);
  const isAlone = startsLine(m);
  const isDoubtful = mayBeValue(comment, isAlone, frame);
  if (isDoubtful) doubt(m, frame, frame.key, mayBeText, comment);
  const before = comment.trim().slice(0, 80);
  if (m.stack.every(({ name }) => name === undefined))
    m.comments.push({ text: before, within: m.stack.slice(0, -1).map(({ key }) => key) });
  else if (!isDoubtful && leavesOut(comment)) doubt(m, frame, frame.key, elided, comment);
  else if (!isDoubtful && !isAlone && m.stack[0]?.name !== undefined)
    m.inferred.push({ key: lastArgument(m), kind: 'comment', before });
  m.at += comment.length;
  // It is unknown what it may contain.
  if (end < 0) m.settled = false;
}

const hole: Problem = {
  path: [],
  code: 'syntax',
  message: 'Root object has a comma with nothing before it; a value may be missing there',
};

function takeComma(m: Machine, frame: Frame): void {
  m.at++;
  m.settled = false;
  if (frame.item.lambda || m.deeper > 0) return;
  frame.commas++;
  const { parts, text } = frame.item;
  if (parts.length === 0 && !text && frame.key === undefined && m.problems.at(-1) !== hole) m.problems.push(hole);
  finishItem(m, frame);
}

/** A keyword argument directly after a value: the comma is missing. */
const nextKey = /\s{0,8}=\s{0,8}[^\s=]/y;

function takeWord(m: Machine, frame: Frame): boolean {
  const start = m.at;
  const found = wordAt(m.text, start);
  if (!found) return false;
  const last = frame.item.parts.at(-1);
  nextKey.lastIndex = found.end;
  if (frame.name !== undefined && frame.key !== undefined && isLiteral(last) && nextKey.test(m.text)) {
    const place = argumentAt(m, frame, frame.key);
    if (place !== undefined) m.inferred.push({ key: place, kind: 'comma', before: found.word });
    if (isCommaMoved(m.text, start)) frame.item.fault ??= movedComma;
    finishItem(m, frame);
  }
  const { item } = frame;
  if (isPrefix(m.text, found)) {
    takeString(m, item, found.end, start);
    return true;
  }
  m.at = found.end;
  m.settled = false;
  if (found.word.length !== found.end - start) m.escaped = true;
  if (found.word === 'lambda') item.lambda = true;
  if (found.word === 'for' && item.parts.length > 0 && frame.name === undefined) frame.text = true;
  spaces.lastIndex = m.at;
  spaces.test(m.text);
  if (m.text[spaces.lastIndex] === '(' && typeof item.parts.at(-1) !== 'object') {
    m.at = spaces.lastIndex;
    open(m, found.word, start);
  } else {
    addTerm(m, item, termOf(found.word), start);
  }
  return true;
}

const isLiteral = (part: Term | string | undefined): boolean => typeof part === 'object' && part.kind === 'literal';

const operators = ['**', '//', '+', '-', '*', '/', '%'];

function takeOperator(m: Machine, { item }: Frame, char: string): void {
  const start = m.at;
  const operator = operators.find((one) => m.text.startsWith(one, start)) ?? char;
  m.at += operator.length;
  m.settled = false;
  if (operators.includes(operator)) addOperator(m, item, operator, start);
  else addText(m, item, start);
}

/** A quoted name directly before the arguments, `'f'(a=1)`, removed from the item it was read into. */
function quotedName(m: Machine, item: Item): string | undefined {
  const [part] = item.parts;
  if (item.text || item.parts.length !== 1 || item.end !== m.at || typeof part !== 'object') return undefined;
  if (part.kind !== 'literal' || typeof part.value !== 'string' || !isPythonName(part.value)) return undefined;
  return part.value;
}

function open(m: Machine, name: string | undefined, start: number): void {
  const closer = closers[m.text[m.at] as keyof typeof closers];
  m.at++;
  m.settled = false;
  if (m.stack.length >= deepest) {
    m.deeper++;
    addText(m, (m.stack.at(-1) as Frame).item, start);
    return;
  }
  m.open[closer]++;
  const fresh = {
    positional: [],
    named: {},
    key: undefined,
    commas: 0,
    text: false,
    repeated: [],
    computed: m.computed.length,
    bare: [],
  };
  m.stack.push({ closer, start, name, ...fresh, item: newItem(m.at) });
}

/** A closer also closes what is open inside its bracket. An unmatched one is superfluous. */
function closeWith(m: Machine, closer: Frame['closer']): void {
  if (m.deeper > 0) {
    m.at++;
    m.deeper--;
    return;
  }
  if (m.open[closer] === 0) {
    m.at++;
    const frame = m.stack.at(-1) as Frame;
    rest.lastIndex = m.at;
    if (!rest.test(m.text)) {
      frame.item.stray = true;
      doubt(m, frame, frame.key, closesNothing, closer);
    }
    return;
  }
  let isLost = false;
  for (const at = m.at; ; ) {
    const frame = m.stack.at(-1) as Frame;
    const matches = frame.closer === closer;
    if (matches) m.at = at + 1;
    close(m);
    if (matches) break;
    m.forced = true;
    const parent = m.stack.at(-1);
    const place = parent && argumentAt(m, parent, parent.key);
    if (place !== undefined) m.inferred.push({ key: place, kind: 'closer', before: closer });
    const fault = isLost && !frame.holdsArgument ? undefined : lostCloserFault(m, frame, at);
    if (parent && fault) parent.item.fault = fault;
    isLost = true;
  }
  m.settled = true;
}

/** At the end of the text, it stands for the closer that is missing. */
const rest = /\s*$/y;

/** Removes the innermost bracket from the stack, and adds its value to the one around it. */
function close(m: Machine): void {
  const frame = m.stack.at(-1) as Frame;
  finishItem(m, frame);
  m.stack.pop();
  m.open[frame.closer]--;
  const parent = m.stack.at(-1);
  const place = parent && frame.name !== undefined ? argumentAt(m, parent, parent.key) : undefined;
  if (place !== undefined) m.expressions.push({ key: place, text: m.text.slice(frame.start, m.at) });
  if (!parent) return;
  const term = termFor(m, frame);
  if (term.kind === 'literal') locate(m, frame, term.value);
  addTerm(m, parent.item, term, frame.start);
}

/** Records where a list or dict is. */
function locate(m: Machine, { start, repeated, computed }: Frame, value: JsonValue): void {
  if (typeof value === 'object' && value !== null && !m.sources.has(value))
    m.sources.set(value, { start, end: m.at, repeated, computed: [computed, m.computed.length] });
}

/** Handles a colon or an equals sign: what precedes it is a key, a parameter with a type, or part of an expression. */
function takeKey(m: Machine, frame: Frame, char: string): void {
  const start = m.at++;
  m.settled = false;
  const { item } = frame;
  if (char === ':' && item.lambda) {
    item.lambda = false;
    return;
  }
  if (char === '=' && frame.name !== undefined && isAnnotation(frame)) {
    frame.item = newItem(m.at);
    return;
  }
  const twice = char === '=' && m.text[m.at] === '=';
  const holds = frame.name !== undefined || frame.closer !== ')';
  const given = holds && !twice && m.deeper === 0 && frame.key === undefined ? keyOf(m, item) : undefined;
  // A number before a colon in a list is a slice or a time of day.
  const key = frame.closer === ']' && isNumber(item.parts[0]) ? undefined : given;
  if (key === undefined) {
    if (twice) m.at++;
    if (char === ':' && frame.closer === ']') frame.text = true;
    addText(m, item, start);
  } else {
    const isPlain = frame.name === undefined;
    frame.sign ??= char;
    // Python writes arguments with an equals sign, and keys with a colon.
    const isOther = isPlain && (frame.sign !== char || (frame.closer === ']' && char === '='));
    const fault = keyFault(item) ?? (isOther ? holdsArgument : undefined);
    if (fault) doubt(m, frame, key, fault, key);
    const [base] = m.stack as [Frame];
    if (!fault && isPlain && base.name !== undefined && base.sign === char && isWord(item.parts[0]))
      frame.holdsArgument = true;
    frame.key = key;
    frame.item = newItem(m.at);
    const place = char === ':' && frame.name !== undefined ? argumentAt(m, frame, key) : undefined;
    if (place !== undefined) m.inferred.push({ key: place, kind: 'colon', before: ':' });
  }
}

const types = new Set([
  'int',
  'integer',
  'float',
  'number',
  'str',
  'string',
  'bool',
  'boolean',
  'list',
  'dict',
  'tuple',
]);

/** `f(days: int = 3)`: what was read as the value is the parameter's type. */
function isAnnotation({ key, item }: Frame): boolean {
  const [part] = item.parts;
  const word = !item.text && item.parts.length === 1 && typeof part === 'object' && part.kind === 'word';
  return key !== undefined && word && types.has(part.word.toLowerCase());
}

const isNumber = (part: Term | string | undefined): boolean =>
  typeof part === 'object' && part.kind === 'literal' && (typeof part.value === 'number' || part.mark?.unsafe === true);

const constructors = ['list', 'tuple', 'set', 'frozenset'];

/** A closed bracket as an operand. A call is text, except for those that only construct a value. */
function termFor(m: Machine, frame: Frame): Term {
  const { name, positional, named } = frame;
  if (frame.text) return { kind: 'text' };
  if (name === undefined) {
    const mixed = Object.keys(named).length > 0 && positional.length > 0 && frame.closer !== ']';
    if (mixed) return { kind: 'text' };
    const value = bracketValue(m, frame);
    // Parentheses around a single value change nothing.
    if (frame.closer !== ')' || value === positional || typeof value === 'object') return { kind: 'literal', value };
    return { kind: 'literal', value, mark: m.marks.get(positional, 0), grouped: true };
  }
  const [only] = positional;
  if (name === 'dict' && positional.length === 0) return { kind: 'literal', value: named };
  if (!constructors.includes(name) || Object.keys(named).length > 0 || positional.length > 1) return { kind: 'text' };
  if (only === undefined) return { kind: 'literal', value: [] };
  return Array.isArray(only) ? { kind: 'literal', value: only } : { kind: 'text' };
}

/** The value of a bracket that isn't a call. */
function bracketValue(m: Machine, { closer, positional, named, commas, text, start }: Frame): JsonValue {
  if (text) return m.text.slice(start, m.at);
  const dict = closer === '}' && (Object.keys(named).length > 0 || positional.length === 0);
  if (dict) return named;
  // `['f', 'a': 1]`: items with keys follow those without.
  if (closer === ']' && Object.keys(named).length > 0) return [...positional, named];
  const [only] = positional;
  return closer === ')' && commas === 0 && only !== undefined ? only : positional;
}
