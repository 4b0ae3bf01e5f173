import type { Limits } from '../limits.ts';
import { type Problem, type ProblemCode, problemAt } from '../problem.ts';
import { type Mark, Marks } from '../reading.ts';
import type { Certainty, RepairKind } from '../repair.ts';
import { equal, type JsonValue, type Path } from '../value.ts';
import type { Machine, OpenString, Word } from './state.ts';

/** Sets what most texts change, so that readings have the same layout. Adding properties later makes them slow. */
export const newMachine = (limits: Limits, watch: boolean): Machine => ({
  text: '',
  at: 0,
  offset: 0,
  ended: !watch,
  mode: 'top',
  stack: [],
  string: undefined,
  word: newWord(-1, false),
  key: { at: -1, colonEnd: 0 },
  comment: undefined,
  current: undefined,
  candidates: [],
  outer: { repairs: [], problems: [] },
  lead: [],
  blank: true,
  keys: 0,
  limits,
  marks: undefined,
  changes: watch ? [] : undefined,
  freshLine: true,
  unquoted: {},
  separators: '',
  brackets: { removed: '', added: '' },
  quotes: {
    styles: '',
    values: { quoted: false },
    curly: 0,
    closer: '',
  },
  escapes: { strings: [] },
});

export const newWord = (from: number, apart: boolean): Word => ({
  pending: '',
  from,
  scanned: from,
  open: '',
  comma: false,
  apart,
});

/** Path of the value being read, or of its container if `inside` is false. */
export function pathOf(m: Machine, inside = true): (string | number)[] {
  const path: (string | number)[] = [];
  for (const { key } of m.stack) if (key !== undefined) path.push(key);
  if (!inside && m.stack.at(-1)?.key !== undefined) path.pop();
  return path;
}

/** Appends to the open string. */
export function append(string: OpenString, text: string): void {
  string.parts.push(text);
  string.last = text[text.length - 1];
}

/** Joins the collected parts with the text. */
export function flush(string: OpenString): void {
  string.tail = endOf(string);
  string.text += string.parts.join('');
  string.parts.length = 0;
  string.reported = 0;
}

/** The last characters of an open string. Reading them from `text` would cost its length. */
export function endOf({ tail = '', parts }: OpenString): string {
  let end = '';
  for (let at = parts.length - 1; at >= 0 && end.length < 40; at--) end = (parts[at] as string).slice(-40) + end;
  return (end.length < 40 ? tail + end : end).slice(-40);
}

/** Records how a scalar was written. */
export function setMark(m: Machine, container: object, key: string | number, mark: Mark): void {
  m.marks ??= new Marks();
  m.marks.set(container, key, mark);
}

const repairCap = 10_000;

/**
 * Records a repair. Consecutive repairs of the same kind at the same path are merged, with the lowest certainty and the
 * value.
 */
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
  let sure = certainty;
  if (last?.kind === kind && equal(last.path, path)) {
    const isValue = last.after === undefined && after !== undefined;
    if (!isValue && (certainty === 'lossless' || last.certainty !== 'lossless')) return;
    repairs.pop();
    if (last.certainty !== 'lossless') sure = last.certainty;
  } else if (repairs.length === repairCap) return problem(m, 'size', `needs more than ${repairCap} repairs`);
  repairs.push({ path, kind, before: shorten(before), certainty: sure, ...(after !== undefined && { after }) });
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
  addExcerpt(m);
  return true;
}

const nearby = 40;

/** Adds the text near the failure to its problem. */
export function addExcerpt(m: Machine): void {
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
  if (m.quotes.styles.includes(style)) return;
  m.quotes.styles += `${style} `;
  repair(m, 'quote', before, certainty);
}

const gathered = 256;

/** Reports what was added to the open string since the last report. */
export function reportString(m: Machine): void {
  const { string, changes } = m;
  if (!changes || !string || string.isKey || string.reported === string.parts.length) return;
  changes.push({ type: 'append', path: pathOf(m), text: string.parts.slice(string.reported).join('') });
  string.reported = string.parts.length;
  if (string.reported >= gathered) flush(string);
}
