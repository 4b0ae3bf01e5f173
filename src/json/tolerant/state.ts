import type { Limits } from '../limits.ts';
import { type Problem, type ProblemCode, problemAt } from '../problem.ts';
import { type Mark, Marks } from '../reading.ts';
import type { Certainty, Repair, RepairKind } from '../repair.ts';
import type { JsonObject, JsonValue, Path } from '../value.ts';

/** What comes next: a token of the structure, the rest of an open token, or text outside any value. */
export type Mode = 'top' | 'key' | 'colon' | 'value' | 'after' | 'string' | 'triple' | 'bare' | 'done';

/** An object or list that is still open. */
export interface Frame {
  readonly list: boolean;
  readonly closer: string;
  readonly closerCode: number;
  readonly value: JsonObject | JsonValue[];
  /** The key whose value is being read; for a list, the index. */
  key: string | number | undefined;
  /** A comma stands after the last value. */
  comma: boolean;
  /** How many semicolons stand for commas. */
  semicolons: number;
  /** Which styles of quotes its items have (`mixStyles`). */
  styles: number;
  /** The scalar being read may be a part of text: it stands behind a number on its line, or before a comment. */
  gap: boolean;
  /** The number being read may have decimals behind a comma, with the one before it. */
  decimal: boolean;
  /** The first value of a key that is given again. */
  earlier: JsonValue | undefined;
  mark: Mark | undefined;
  repeated: boolean;
}

/** The string that is still open. */
export interface OpenString {
  readonly quote: string;
  readonly close: string;
  readonly isKey: boolean;
  /** All but what `parts` holds: small pieces are gathered, so that a long string is few large ones. */
  text: string;
  parts: string[];
  /** How many of the parts were reported as a change. */
  told: number;
  /** The last character; reading it off `text` would cost its length. */
  last: string | undefined;
  /** Quotes inside that were not escaped: how many, whether they pair up so far, and what the first could be. */
  inner: number;
  paired: boolean;
  firstMayOpen: boolean;
  /** A quote of the delimiter's kind, or a control character, stands inside as it is. */
  loose: boolean;
  raw: boolean;
  /** The first escape that is JSON's, other than that of a quote. */
  valid: string;
  /** The first escape that JSON does not know, of each treatment: kept, read as its character, joined, refused. */
  odd: string;
  /** One of them stands before a sign that no habit escapes, so that the text is one with backslashes of its own. */
  own: boolean;
  under: string;
  apostrophes: number;
  joined: string;
  broken: string;
  /** The first escape where none has one reading: in triple quotes, or of a curled quote. */
  twofold: string;
  /** Escaped quotes: as they should be, with two backslashes too many, and between quotes that were not escaped. */
  escapedQuotes: number;
  overEscaped: number;
  nested: boolean;
  /** Where the last escaped backslash ends. */
  slashEnd: number;
  /** It was written in pieces. */
  pieces: '' | 'sure' | 'beside' | 'doubted';
}

/** A root value that was read, with what it took. */
export interface Candidate {
  readonly value: JsonValue;
  readonly repairs: Repair[];
  readonly problems: Problem[];
  /** Problems that count only where the text is no plain JSON. */
  readonly doubts: Problem[];
  readonly start: number;
  end: number;
  /** What was inferred: which object a key belongs to, because a bracket was missing or too many; or that it is a key. */
  nesting: 'sure' | 'kept' | 'keys' | 'early' | 'inferred';
  readonly root: 'object' | 'list' | 'string';
  /** Text after it, in pieces, up to the next value. */
  readonly after: string[];
}

/** What one chunk changed. */
export type Change =
  | { readonly type: 'open'; readonly path: Path; readonly value: JsonObject | JsonValue[] }
  | { readonly type: 'append'; readonly path: Path; readonly text: string }
  | { readonly type: 'set'; readonly path: Path; readonly value: JsonValue }
  | { readonly type: 'close'; readonly path: Path }
  /** What was read so far turned out to be no part of the value, which is yet to come; at the end of a stream, that there is none. */
  | { readonly type: 'reset'; readonly path: Path };

/** The whole state of a reading: plain data that the step functions move along. */
export interface Machine {
  /** The text not yet consumed starts at `text[at]`; what lies before may be let go. */
  text: string;
  at: number;
  /** Characters let go before `text[0]`. */
  offset: number;
  ended: boolean;
  /** The whole text is here and nobody watches it come: plain JSON may be read in one go. */
  turbo: boolean;
  mode: Mode;
  readonly stack: Frame[];
  string: OpenString | undefined;
  /** The open bare word: what was let go of it, where the rest begins, and up to where it was looked at. */
  bareHeld: string;
  bareFrom: number;
  bareScan: number;
  bareComma: boolean;
  /** Text without quotes was read: a closing bracket behind it may stand in it. */
  bareText: boolean;
  /** Some of it was more than sure words. */
  bareLoose: boolean;
  /** What parted the keys of objects otherwise than a comma: line breaks behind text without quotes, semicolons. */
  partedBy: string;
  /** A colon is missing somewhere. */
  noColon: boolean;
  /** Where the last colon ended, and whether more than a blank stands between it and the bare word. */
  colonEnd: number;
  bareApart: boolean;
  /** Where the key in hand begins, where the text before it is still there, else whether it begins a line. */
  keyAt: number;
  keyFresh: boolean;
  /** The key in hand begins a line behind words without quotes, with no comma before it. */
  lineKey: boolean;
  /** The closing brackets that brackets inside the open word wait for. */
  bareOpen: string;
  comment: { readonly block: boolean; head: string; readonly alone: boolean; last?: string } | undefined;
  current: Candidate | undefined;
  readonly candidates: Candidate[];
  readonly outer: { repairs: Repair[]; problems: Problem[] };
  /** Text before the first value, in pieces. */
  readonly lead: string[];
  /** Nothing but white space since the last value, or since the start. */
  quiet: boolean;
  reopened: boolean;
  keys: number;
  readonly limits: Limits;
  marks: Marks | undefined;
  readonly changes: Change[] | undefined;
  /** Text is escaped once too often and goes through `unescapeOnce` first. */
  escaped: boolean;
  /** Such text stands inside a string of its own. */
  escapedIn: boolean;
  heldEscape: string;
  reasoning: string | undefined;
  /** Closing brackets left out as too many, and added as missing: of one kind it can't be both. */
  stray: string;
  closedFor: string;
  /** The problem that ended the reading, until the text near it has come. */
  failed:
    | { readonly problems: Problem[]; readonly index: number; readonly words: string; readonly at: number }
    | undefined;
  /** A special token ended the text while a bracket was open; what follows is looked at as prose. */
  sealed: boolean;
  /** A string with unescaped quotes in it closed at the very end: it may as well be open. */
  quoteAtEnd: boolean;
  /** A string was ended where its closing quote seemed forgotten: a quote too many later says otherwise. */
  unclosed: boolean;
  /** A key or word was written as Python never writes it. */
  notPython: boolean;
  /** Escapes that only Python knows (`\\x41`): where the first was met. */
  hexAt: Problem | undefined;
  /** Escapes that Python knows and others keep as text (`\\a`, `\\101`): where the first was met. */
  ownAt: Problem | undefined;
  /** The text before `text[0]` ended in a line break, but for blanks. */
  freshLine: boolean;
  /** How many strings have typographic quotes, and which close them; below zero where these differ. */
  curls: number;
  curl: string;
  /** Styles of quotes other than JSON's that were told of; each is one repair, where it was first met. */
  quoteStyles: string;
}

/** Keeps how a scalar was written. */
export function setMark(m: Machine, container: object, key: string | number, mark: Mark): void {
  m.marks ??= new Marks();
  m.marks.set(container, key, mark);
}

export function newMachine(limits: Limits, watch: boolean): Machine {
  return {
    text: '',
    at: 0,
    offset: 0,
    ended: false,
    turbo: false,
    mode: 'top',
    stack: [],
    string: undefined,
    bareHeld: '',
    bareFrom: -1,
    bareScan: 0,
    bareComma: false,
    bareText: false,
    bareLoose: false,
    partedBy: '',
    noColon: false,
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
    reopened: false,
    keys: 0,
    limits,
    marks: undefined,
    changes: watch ? [] : undefined,
    escaped: false,
    escapedIn: false,
    heldEscape: '',
    reasoning: undefined,
    stray: '',
    closedFor: '',
    failed: undefined,
    sealed: false,
    quoteAtEnd: false,
    unclosed: false,
    notPython: false,
    hexAt: undefined,
    ownAt: undefined,
    freshLine: true,
    curls: 0,
    curl: '',
    quoteStyles: '',
  };
}

/** The path of the value being read, or of the container itself when `inside` is false. */
export function pathOf(m: Machine, inside = true): (string | number)[] {
  const path: (string | number)[] = [];
  for (const { key } of m.stack) if (key !== undefined) path.push(key);
  if (!inside && m.stack.at(-1)?.key !== undefined) path.pop();
  return path;
}

const repairCap = 10_000;

/** Records a repair; the same kind at the same place in a row is one repair, as sure as the least sure of them. */
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
  if (last?.kind === kind && last.path.length === path.length && last.path.every((step, i) => step === path[i])) {
    if (certainty === 'lossless' || last.certainty !== 'lossless') return;
    repairs.pop();
  } else if (repairs.length === repairCap) return problem(m, 'size', `needs more than ${repairCap} repairs`);
  repairs.push({ path, kind, before: shorten(before), certainty, ...(after !== undefined && { after }) });
}

/** Records a problem at the place being read. */
export function problem(m: Machine, code: ProblemCode, words: string, extra: Partial<Problem> = {}): void {
  const { problems } = m.current ?? m.outer;
  if (problems.length >= 50) return;
  const path = extra.path ?? (m.current ? pathOf(m) : []);
  problems.push(problemAt(path, code, words, extra));
}

/** Which object a key belongs to is inferred from here on; `keys`: only whether it is one; `kept`: none is dropped. */
export function doubtKeys(m: Machine, nesting: 'kept' | 'keys' | 'inferred' = 'keys'): void {
  const was = m.current?.nesting;
  if (m.current && was !== 'inferred' && (nesting !== 'kept' || was === 'sure')) m.current.nesting = nesting;
}

/** Records that the value being read has more readings than one. */
export function ambiguous(m: Machine, words: string, received: string): void {
  problem(m, 'ambiguous', words, { received });
}

/** Records what has two readings only where the text is damaged anyway. */
export function doubt(m: Machine, words: string, received: string): void {
  m.current?.doubts.push(problemAt(pathOf(m), 'ambiguous', words, { received }));
}

/** Gives up on the value being read: nothing after a broken place is trusted. True, as a step that moved on. */
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

/** Names the place where the reading failed, as far as its text has come. */
export function sayNear(m: Machine): void {
  m.at = m.text.length;
  if (!m.failed) return;
  const { problems, index, words, at } = m.failed;
  const near = m.text.slice(at - m.offset, at - m.offset + nearby);
  const { path } = problems[index] as Problem;
  problems[index] = problemAt(path, 'syntax', `${words}, near ${JSON.stringify(near)}`, { received: near });
  if (near.length === nearby || m.ended) m.failed = undefined;
}

/** Ends the reading where the text holds more than it may. */
export function exceed(m: Machine, limit: 'depth' | 'keys' | 'size', words: string): void {
  problem(m, limit, words, { path: [] });
  stop(m);
}

/** Ends the reading where it stands. */
export function stop(m: Machine): void {
  m.mode = 'done';
  m.string = undefined;
  m.at = m.text.length;
}

export const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 77)}…` : text);

/** Adds to the open string. */
export function append(string: OpenString, text: string): void {
  string.parts.push(text);
  string.last = text[text.length - 1];
}

/** Notes an item without quotes (1) or in other than double ones (2): beside the former the latter may belong to the text. */
export function mixStyles(m: Machine, style: number): void {
  const frame = m.stack.at(-1);
  if (!frame?.list || frame.styles === 3) return;
  frame.styles |= style;
  if (frame.styles < 3) return;
  const item = (frame.value as JsonValue[])[frame.key as number];
  ambiguous(m, 'is in a list with quotes around some items only; put double quotes around each', String(item));
}

/** Tells of a style of quotes, or of keys without any, the first time it is met. */
export function recordQuotes(m: Machine, style: string, before = style): void {
  if (m.quoteStyles.includes(style)) return;
  m.quoteStyles += `${style} `;
  repair(m, 'quote', before);
}

/** Puts the gathered parts to the text. */
export function flush(string: OpenString): void {
  const { parts } = string;
  string.text += parts.length === 1 ? (parts[0] as string) : parts.join('');
  parts.length = 0;
  string.told = 0;
}
