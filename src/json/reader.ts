import { defaultLimits, type Limits } from './limits.ts';
import { endsEarly } from './problem.ts';
import type { Reading } from './reading.ts';
import type { Repair } from './repair.ts';
import { closeBare, stepBare } from './tolerant/bare-words.ts';
import { balance } from './tolerant/chars.ts';
import { closeFrame, noteMissing } from './tolerant/containers.ts';
import { fastPath } from './tolerant/fast-path.ts';
import { needsMore } from './tolerant/lookahead.ts';
import { addExcerpt, exceed, newMachine, pathOf, problem, reportString, stop } from './tolerant/machine.ts';
import { pickValue } from './tolerant/pick-value.ts';
import { unquoted } from './tolerant/rules/word-rules.ts';
import { readScalar } from './tolerant/scalars.ts';
import type { Candidate, Change, Machine, Mode } from './tolerant/state.ts';
import { settleString, stepString, stepTriple } from './tolerant/strings.ts';
import { stepAfter, stepColon, stepKey, stepValue } from './tolerant/structure.ts';
import { stepTop, takeLevelOff } from './tolerant/surrounding-text.ts';
import { ToolmendError } from './toolmend-error.ts';
import type { JsonValue, Path } from './value.ts';

/** Options of a reader. */
export interface ReaderOptions {
  /** Limits; missing ones have their default. */
  readonly limits?: Partial<Limits>;
  /**
   * What the text should contain. Decides between an object, a list and prose with brackets.
   * @default 'any'
   */
  readonly want?: 'object' | 'array' | 'any';
}

const steps: Record<Exclude<Mode, 'done'>, (m: Machine) => boolean> = {
  top: stepTop,
  key: stepKey,
  colon: stepColon,
  value: stepValue,
  after: stepAfter,
  string: stepString,
  triple: stepTriple,
  bare: stepBare,
};

/**
 * Reads JSON and near-JSON chunk by chunk, each character once.
 *
 * @example
 * const reader = new JsonReader();
 * reader.push('{"path": "src/ma'); // open [], set ['path'] to '', append 'src/ma' to ['path']
 * reader.value; // { path: 'src/ma' }
 */
export class JsonReader {
  readonly #m: Machine;
  readonly #want: 'object' | 'array' | 'any';
  #size = 0;
  #half = '';
  #ended: Reading | undefined;

  constructor(options: ReaderOptions = {}) {
    this.#m = newMachine({ ...defaultLimits, ...options.limits }, true);
    this.#want = options.want ?? 'any';
  }

  /** Reads the next chunk and returns the changes. */
  push(chunk: string): readonly Change[] {
    const m = this.#m;
    if (this.#ended) throw new ToolmendError('closed', 'This reader has ended. Create a new one.');
    this.#size += chunk.length;
    if (this.#size > m.limits.size && m.mode !== 'done') tooLong(m);
    if (m.mode === 'done' && !m.failed && !m.encoded) return [];
    // A high surrogate waits for the next chunk.
    const text = this.#half + chunk;
    this.#half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? '';
    feed(m, this.#half ? text.slice(0, -1) : text);
    if (m.mode === 'done') {
      addExcerpt(m);
      return [];
    }
    run(m);
    reportString(m);
    return m.changes?.splice(0) ?? [];
  }

  /** Ends the text. `truncated` means that the message reached its length limit, so that nothing open may be closed. */
  end(options: { truncated?: boolean } = {}): Reading {
    if (this.#ended) return this.#ended;
    const m = this.#m;
    m.ended = true;
    if (m.encoded?.pending || this.#half) feed(m, this.#half);
    if (m.mode === 'done') addExcerpt(m);
    run(m);
    finish(m, options.truncated === true);
    this.#ended = pickValue(m, this.#want, options.truncated === true);
    return this.#ended;
  }

  /** The value so far. The same object grows with each chunk. */
  get value(): JsonValue | undefined {
    if (this.#ended) return this.#ended.value;
    settleString(this.#m);
    const at: Candidate | undefined = this.#m.current ?? this.#m.candidates.at(-1);
    return at?.root === 'string' && this.#m.string ? this.#m.string.text : at?.value;
  }

  /** Path of the value that is still open; empty at the root. */
  get path(): Path {
    return pathOf(this.#m);
  }

  /** The repairs so far. */
  get repairs(): readonly Repair[] {
    return (
      this.#ended?.repairs ?? [
        ...this.#m.outer.repairs,
        ...((this.#m.current ?? this.#m.candidates.at(-1))?.repairs ?? []),
      ]
    );
  }
}

/** Options for a text that is read at once. */
export interface CompleteOptions extends ReaderOptions {
  readonly truncated?: boolean;
  /** Whether the text is part of a text that isn't plain JSON, so that its doubts count. */
  readonly damaged?: boolean;
}

/** Reads a complete text at once. */
export function readComplete(text: string, options: CompleteOptions = {}): Reading {
  const limits = { ...defaultLimits, ...options.limits };
  const m = newMachine(limits, false);
  if (text.length > limits.size) tooLong(m);
  else m.text = text;
  run(m);
  finish(m, options.truncated === true);
  return pickValue(m, options.want ?? 'any', options.truncated === true, options.damaged);
}

const tooLong = (m: Machine): void => exceed(m, 'size', `is longer than ${m.limits.size} characters`);

/** Removes consumed text and adds the next chunk. */
function feed(m: Machine, chunk: string): void {
  const more = m.encoded ? takeLevelOff(m, m.encoded, chunk) : chunk;
  if (m.halted) {
    m.current?.after.push(more);
    return;
  }
  if (m.mode === 'bare') setAside(m);
  // Keeps some consumed text, so that looking back doesn't depend on chunk boundaries.
  const word = m.mode === 'bare' ? m.word : undefined;
  const base = Math.max(0, (word?.from ?? m.at) - lookBack);
  let back = base - 1;
  while (m.text[back] === ' ' || m.text[back] === '\t') back--;
  if (back >= 0) m.freshLine = m.text[back] === '\n' || m.text[back] === '\r';
  m.text = base >= m.text.length ? more : m.text.slice(base) + more;
  m.offset += base;
  m.at -= base;
  if (word) {
    word.from -= base;
    word.scanned -= base;
  }
}

const lookBack = 64;

/** Sets the scanned part of a long bare word aside, so that it isn't scanned again with every chunk. */
function setAside(m: Machine): void {
  const upTo = m.word.scanned - 1; // the previous character decides whether a comment starts
  if (upTo - m.word.from < 64) return;
  m.word.pending += m.text.slice(m.word.from, upTo);
  m.word.from = upTo;
}

function run(m: Machine): void {
  try {
    while (m.mode !== 'done' && (m.at < m.text.length || m.mode === 'bare')) {
      if (!m.changes && fastPath(m)) continue;
      if (!steps[m.mode](m)) return;
    }
  } catch (reason) {
    if (reason !== needsMore) throw reason;
  }
}

/** Reports missing brackets after a complete last value. */
function unclosed(m: Machine): void {
  const expected = m.stack
    .map(({ closer }) => closer)
    .reverse()
    .join('');
  const words = `is not closed: the text ends without ${expected}`;
  problem(m, 'truncated', words, { path: pathOf(m, false), expected });
}

/** Why a text that ends like a complete one isn't a truncated string. */
export const textAfterQuote = 'continues after its closing quote; write one string, with \\" for a quote';

const ends = /[}\]]\s*$/;

/** What keeps a text open that was not cut off, as its end shows. */
function faultAtEnd({ halted, current, comment, mode, string }: Machine, isEnd: boolean): string | false | undefined {
  if (halted && balance(current?.after.join('') ?? '') < 0) return 'continues after a tag or a fence';
  if (comment && /[}\]]/.test(comment.head + comment.last)) return 'is not closed: its closing bracket is in a comment';
  if (mode === 'triple') return 'has three quotes that are never closed';
  // An unpaired quote ended the string, and everything after it is closed.
  return isEnd && (mode === 'bare' ? unquoted : string && string.inner.count % 2 === 1 && textAfterQuote);
}

/** Closes what can be closed at the end of the text, or reports that it is truncated. */
function finish(m: Machine, cut: boolean): void {
  if (m.mode === 'bare') {
    const word = m.word.pending + m.text.slice(m.word.from);
    const scalar = readScalar(word.trim());
    // A number may continue, unless a blank or an end token follows.
    if (scalar && (!scalar.number || m.halted || /\s$/.test(word))) closeBare(m, m.text.length, m.text.length);
  }
  if (m.mode === 'done' || m.mode === 'top') return;
  const open = m.mode !== 'after' || cut || m.quotes.atEnd || m.stack.some((frame) => frame.list);
  // A comment up to the end of the text may contain the rest of the value.
  if (open || m.comment) {
    const isWhole = m.mode === 'after' && !m.quotes.atEnd && !m.comment && !cut;
    settleString(m);
    const { string, mode } = m;
    // After a complete value or before the next key, the container is what is incomplete.
    const path = pathOf(m, m.quotes.atEnd || !(string?.isKey || mode === 'after' || mode === 'key'));
    const isEnd = ends.test(m.text.slice(-64));
    const fault = !cut && faultAtEnd(m, isEnd);
    if (fault) problem(m, mode === 'triple' && !isEnd ? 'truncated' : 'syntax', fault, { path });
    else if (isWhole) unclosed(m);
    // If the text ends like a complete one, the earlier problem explains the rest.
    else if (cut || !isEnd || !m.current?.problems.length || string?.isKey === false) {
      // A text that ends in brackets is probably not truncated.
      const words = string && isEnd && !cut ? 'is not closed: the text ends without its closing quote' : endsEarly;
      problem(m, 'truncated', words, m.current ? { path } : {});
    }
    stop(m);
    return;
  }
  while (m.stack.length) {
    noteMissing(m, m.stack.at(-1)?.closer as string);
    closeFrame(m);
  }
}
