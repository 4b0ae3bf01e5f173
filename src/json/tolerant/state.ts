import type { Limits } from '../limits.ts';
import { type Problem, type ProblemCode, problemAt } from '../problem.ts';
import { type Mark, Marks } from '../reading.ts';
import type { Certainty, Repair, RepairKind } from '../repair.ts';
import { equal, type JsonObject, type JsonValue, type Path } from '../value.ts';
import type { Escapes } from './escapes.ts';

/** What is expected next: a structural token, the rest of an open token, or text outside of any value. */
export type Mode = 'top' | 'key' | 'colon' | 'value' | 'after' | 'string' | 'triple' | 'bare' | 'done';

/** An open object or list. */
export interface Frame {
  readonly list: boolean;
  readonly closer: string;
  readonly closerCode: number;
  readonly value: JsonObject | JsonValue[];
  /** The key whose value is being read, or the index in a list. */
  key: string | number | undefined;
  /** Whether a comma follows the last value, or a semicolon as one. */
  comma: boolean | ';';
  /** Number of semicolons used as commas. */
  semicolons: number;
  /** Quote styles of its items (`mixStyles`). */
  styles: number;
  /** Whether the current scalar may be part of a text: it follows a number on its line, or precedes a comment. */
  gap: boolean;
  /** Whether the current number may have a decimal comma, together with the previous one. */
  decimal: boolean;
  /** The first value of a duplicate key. */
  earlier?: JsonValue | undefined;
  mark?: Mark | undefined;
  repeated?: boolean;
  /** Whether it holds adjacent strings in parentheses, or in an object its current value, which were joined. */
  pieces?: boolean;
}

/** The open string. */
export interface OpenString {
  readonly quote: string;
  readonly close: string;
  readonly isKey: boolean;
  /** The text without `parts`. Small pieces are collected and joined, because appending each would be slow. */
  text: string;
  parts: string[];
  /** Number of parts that were reported as a change. */
  told: number;
  /** The last character, stored because reading it from `text` costs its length. */
  last?: string | undefined;
  /** The last characters of `text`. */
  tail?: string;
  /** Unescaped quotes inside: how many, whether they pair up so far, and whether the first may open. */
  inner: number;
  paired: boolean;
  firstMayOpen: boolean;
  /** Whether a comment after it may be its text. */
  commented?: boolean;
  readonly escapes: Escapes;
  /** Whether it was written in pieces. */
  pieces?: '' | 'sure' | 'beside' | 'doubted';
}

/** A root value with its repairs and problems. */
export interface Candidate {
  readonly value: JsonValue;
  readonly repairs: Repair[];
  readonly problems: Problem[];
  /** Problems that only count if the text isn't plain JSON. */
  readonly doubts: Problem[];
  /**
   * What was inferred: which object a key belongs to, because of a missing or superfluous bracket; or that it is a key.
   */
  nesting: 'sure' | 'kept' | 'keys' | 'early' | 'inferred';
  readonly root: 'object' | 'list' | 'string';
  /** The text up to the next value, in pieces. */
  readonly after: string[];
}

/** A change made by a chunk. */
export type Change =
  | { readonly type: 'open'; readonly path: Path; readonly value: JsonObject | JsonValue[] }
  | { readonly type: 'append'; readonly path: Path; readonly text: string }
  | { readonly type: 'set'; readonly path: Path; readonly value: JsonValue }
  | { readonly type: 'close'; readonly path: Path }
  /** What was read so far is not part of the value, which is yet to come. At the end of a stream: there is none. */
  | { readonly type: 'reset'; readonly path: Path };

/** The complete state of a reading, as plain data for the step functions. */
export interface Machine {
  /** Text from `text[at]` on is unread; what precedes it can be removed. */
  text: string;
  at: number;
  /** Number of characters removed before `text[0]`. */
  offset: number;
  ended: boolean;
  mode: Mode;
  readonly stack: Frame[];
  string?: OpenString | undefined;
  /** The open bare word: its part that was removed, where the rest starts, and how far it was scanned. */
  bareHeld: string;
  bareFrom: number;
  bareScan: number;
  bareComma?: boolean;
  /** Whether there was text without quotes, which may contain a closing bracket after it. */
  bareText?: boolean;
  /** Whether some of it was more than unambiguous words. */
  bareLoose?: boolean;
  /** Separators of keys other than a comma: line breaks after text without quotes, semicolons. */
  partedBy: string;
  /** Whether a colon is missing somewhere. */
  noColon?: boolean;
  /** Where the last colon ended, and whether more than a blank separates it from the bare word. */
  colonEnd: number;
  bareApart?: boolean;
  /** Where the current key starts if that text is still available, otherwise whether it starts a line. */
  keyAt: number;
  keyFresh?: boolean;
  /** Whether the current key starts a line after words without quotes, without a comma before it. */
  lineKey?: boolean | undefined;
  /** The closing brackets that open brackets in the current word require. */
  bareOpen: string;
  comment?: { readonly block: boolean; head: string; readonly alone: boolean; last?: string } | undefined;
  current?: Candidate | undefined;
  readonly candidates: Candidate[];
  readonly outer: { repairs: Repair[]; problems: Problem[] };
  /** Text before the first value, in pieces. */
  readonly lead: string[];
  /** Whether there was only white space since the last value or the start. */
  quiet: boolean;
  /** Whether a code fence is open outside of values. */
  fenced?: boolean;
  reopened?: boolean;
  keys: number;
  readonly limits: Limits;
  marks?: Marks | undefined;
  /** Undefined if the complete text is available, so that nothing observes it while it streams. */
  readonly changes: Change[] | undefined;
  /** Whether the text is escaped once too often, and goes through `unescapeOnce` first. */
  escaped?: boolean;
  /** Whether such text is inside a string. */
  escapedIn?: boolean;
  /** The other quote, within a string that uses it. */
  otherIn?: string | undefined;
  heldEscape: string;
  reasoning?: string | undefined;
  /**
   * Closing brackets removed as superfluous or taken as text without quotes, and added as missing. The same
   * kind can't be both.
   */
  stray: string;
  closedFor: string;
  /** The problem that ended the reading, until the text after it arrives. */
  failed?:
    | { readonly problems: Problem[]; readonly index: number; readonly words: string; readonly at: number }
    | undefined;
  /** Whether a special token ended the text while a bracket was open; what follows is prose. */
  sealed?: boolean;
  /** Whether a string with unescaped quotes closed at the very end, so that it may still be open. */
  quoteAtEnd?: boolean;
  /**
   * Whether a string was ended because its closing quote seemed missing. A superfluous quote later contradicts that.
   */
  unclosed?: boolean;
  /** Whether a key or word was written in a way that Python never uses. */
  notPython?: boolean;
  /** The first escape that only Python has (`\\x41`). */
  hexAt?: Problem | undefined;
  /** The first escape that Python has and others keep as text (`\\a`, `\\101`). */
  ownAt?: Problem | undefined;
  /** The first JSON escape beside a plain `"` in other quotes: an escape only in text that is a program's throughout. */
  besideAt?: Problem | undefined;
  /** The first escape that JSON doesn't have, and the strings with escapes, which it makes doubtful. */
  odd?: string | undefined;
  /** Whether a string has line breaks or quotes that aren't escaped. */
  unescaped: boolean;
  readonly escaping: [path: Path, text: string, coded?: string][];
  /** Whether a key or string has quotes that Python or JavaScript, with single quotes elsewhere, wouldn't have. */
  otherQuotes?: boolean;
  /** Whether the text before `text[0]` ended in a line break, ignoring blanks. */
  freshLine: boolean;
  /** Number of strings with typographic quotes, and the quotes that close them; negative if these differ. */
  curls: number;
  curl: string;
  /** Quote styles other than JSON's that were recorded. Each is one repair, at its first occurrence. */
  quoteStyles: string;
}

/** Records how a scalar was written. */
export function setMark(m: Machine, container: object, key: string | number, mark: Mark): void {
  m.marks ??= new Marks();
  m.marks.set(container, key, mark);
}

/** Sets what most texts change, so that readings have the same layout. Adding properties later makes them slow. */
export function newMachine(limits: Limits, watch: boolean): Machine {
  return {
    text: '',
    at: 0,
    offset: 0,
    ended: !watch,
    mode: 'top',
    stack: [],
    string: undefined,
    bareHeld: '',
    bareFrom: -1,
    bareScan: 0,
    bareComma: false,
    bareText: false,
    partedBy: '',
    colonEnd: 0,
    bareApart: false,
    keyAt: -1,
    keyFresh: false,
    lineKey: false,
    bareOpen: '',
    comment: undefined,
    current: undefined,
    candidates: [],
    outer: { repairs: [], problems: [] },
    lead: [],
    quiet: true,
    keys: 0,
    limits,
    marks: undefined,
    changes: watch ? [] : undefined,
    heldEscape: '',
    odd: '',
    unescaped: false,
    escaping: [],
    stray: '',
    closedFor: '',
    notPython: false,
    otherQuotes: false,
    freshLine: true,
    curls: 0,
    curl: '',
    quoteStyles: '',
  };
}

/** Path of the value being read, or of its container if `inside` is false. */
export function pathOf(m: Machine, inside = true): (string | number)[] {
  const path: (string | number)[] = [];
  for (const { key } of m.stack) if (key !== undefined) path.push(key);
  if (!inside && m.stack.at(-1)?.key !== undefined) path.pop();
  return path;
}

const repairCap = 10_000;

/** Records a repair. Consecutive repairs of the same kind at the same path are merged, with the lowest certainty. */
export function repair(
  m: Machine,
  kind: RepairKind,
  before: string,
  certainty: Certainty = 'lossless',
  after?: JsonValue,
) {
  const { repairs } = m.current ?? m.outer;
  if (repairs.length > repairCap) return;
  const path = m.current && m.mode !== 'top' ? pathOf(m) : [];
  const last = repairs.at(-1);
  if (last?.kind === kind && equal(last.path, path)) {
    if (certainty === 'lossless' || last.certainty !== 'lossless') return;
    repairs.pop();
  } else if (repairs.length === repairCap) return problem(m, 'size', `needs more than ${repairCap} repairs`);
  repairs.push({ path, kind, before: shorten(before), certainty, ...(after !== undefined && { after }) });
}

/** Reports the current value, which a chunk changed. */
export function reportSet(m: Machine, value: JsonValue): void {
  m.changes?.push({ type: 'set', path: pathOf(m), value });
}

/** Records a problem at the current path. */
export function problem(m: Machine, code: ProblemCode, words: string, extra: Partial<Problem> = {}): void {
  const { problems } = m.current ?? m.outer;
  if (problems.length >= 50) return;
  const path = extra.path ?? (m.current ? pathOf(m) : []);
  problems.push(problemAt(path, code, words, extra));
}

/**
 * Marks that from here on it is inferred which object a key belongs to. `keys`: only whether it is a key. `kept`: no
 * key is dropped.
 */
export function doubtKeys(m: Machine, nesting: 'kept' | 'keys' | 'inferred' = 'keys'): void {
  const was = m.current?.nesting;
  if (m.current && was !== 'inferred' && (nesting !== 'kept' || was === 'sure')) m.current.nesting = nesting;
}

/** Records that the current value is ambiguous. */
export function ambiguous(m: Machine, words: string, received: string): void {
  problem(m, 'ambiguous', words, { received });
}

export const ambiguousAt = (path: Path, words: string, received: string): Problem =>
  problemAt(path, 'ambiguous', words, { received });

/** Records what is ambiguous only if the text is damaged elsewhere. */
export function doubt(m: Machine, words: string, received: string): void {
  m.current?.doubts.push(ambiguousAt(pathOf(m), words, received));
}

/**
 * Gives up on the current value, because nothing after a broken place can be trusted. Returns true, like a step that
 * advanced.
 */
export function fail(m: Machine, words: string, inside = true): true {
  const { problems } = m.current ?? m.outer;
  const path = m.current ? pathOf(m, inside) : [];
  const at = m.offset + m.at;
  stop(m);
  if (problems.length >= 50) return true;
  m.failed = { problems, index: problems.push({ path, code: 'syntax', message: '' }) - 1, words, at };
  sayNear(m);
  return true;
}

const nearby = 40;

/** Adds the text near the failure to its problem. */
export function sayNear(m: Machine): void {
  m.at = m.text.length;
  if (!m.failed) return;
  const { problems, index, words, at } = m.failed;
  const near = m.text.slice(at - m.offset, at - m.offset + nearby);
  const { path } = problems[index] as Problem;
  problems[index] = problemAt(path, 'syntax', `${words}, near ${JSON.stringify(near)}`, { received: near });
  if (near.length === nearby || m.ended) m.failed = undefined;
}

/** Ends the reading because a limit was exceeded. */
export function exceed(m: Machine, limit: 'depth' | 'keys' | 'size', words: string): void {
  problem(m, limit, words, { path: [] });
  stop(m);
}

/** Ends the reading. */
export function stop(m: Machine): void {
  m.mode = 'done';
  m.string = undefined;
  m.at = m.text.length;
}

export const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 77)}…` : text);

/** Appends to the open string. */
export function append(string: OpenString, text: string): void {
  string.parts.push(text);
  string.last = text[text.length - 1];
}

/**
 * Records an item without quotes (1) or in other than double quotes (2). With both in one list, the quotes may belong
 * to the text.
 */
export function mixStyles(m: Machine, style: number): void {
  const frame = m.stack.at(-1);
  if (!frame?.list || frame.styles === 3) return;
  frame.styles |= style;
  if (frame.styles < 3) return;
  const item = (frame.value as JsonValue[])[frame.key as number];
  ambiguous(m, 'is in a list with quotes around some items; put quotes around it', String(item));
}

/** Records a quote style, or keys without quotes, at its first occurrence. */
export function recordQuotes(m: Machine, style: string, certainty?: Certainty, before = style): void {
  if (m.quoteStyles.includes(style)) return;
  m.quoteStyles += `${style} `;
  repair(m, 'quote', before, certainty);
}

/** Joins the collected parts with the text. */
export function flush(string: OpenString): void {
  string.tail = endOf(string);
  string.text += string.parts.join('');
  string.parts.length = 0;
  string.told = 0;
}

/** The last characters of an open string. Reading them from `text` would cost its length. */
export const endOf = ({ tail = '', parts }: OpenString): string =>
  (
    (parts.length > 40 ? '' : tail) +
    parts
      .slice(-40)
      .map((part) => part.slice(-40))
      .join('')
  ).slice(-40);
