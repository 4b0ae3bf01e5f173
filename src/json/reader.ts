import { defaultLimits, type Limits } from './limits.ts';
import type { Reading } from './reading.ts';
import type { Repair } from './repair.ts';
import { closeBare, stepBare } from './tolerant/bare-words.ts';
import { isCloser } from './tolerant/chars.ts';
import { closeFrame, noteMissing } from './tolerant/containers.ts';
import { fastPath } from './tolerant/fast-path.ts';
import { pickValue } from './tolerant/pick-value.ts';
import { readScalar } from './tolerant/scalars.ts';
import {
  type Candidate,
  type Change,
  exceed,
  type Machine,
  type Mode,
  newMachine,
  pathOf,
  problem,
  sayNear,
  stop,
} from './tolerant/state.ts';
import { reportString, settleString, stepString, stepTriple } from './tolerant/strings.ts';
import { stepAfter, stepColon, stepKey, stepValue } from './tolerant/structure.ts';
import { stepTop, takeLevelOff } from './tolerant/surrounding-text.ts';
import { ToolmendError } from './toolmend-error.ts';
import type { JsonValue, Path } from './value.ts';

/** What a reader is told beforehand. */
export interface ReaderOptions {
  /** How much the text may hold; what is not said stays at its default. */
  readonly limits?: Partial<Limits>;
  /** What the text should hold; decides between an object, a list and prose with brackets in it. Default `any`. */
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
 * Reads JSON and near-JSON as it comes, chunk by chunk, each character once.
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

  /** Takes the next piece of text and says what it changed. */
  push(chunk: string): readonly Change[] {
    const m = this.#m;
    if (this.#ended) throw new ToolmendError('closed', 'This reader has ended. Create a new one.');
    this.#size += chunk.length;
    if (this.#size > m.limits.size && m.mode !== 'done') tooLong(m);
    if (m.mode === 'done' && !m.failed && !m.escaped) return [];
    // Half of a character waits for the other half.
    const text = this.#half + chunk;
    this.#half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? '';
    feed(m, this.#half ? text.slice(0, -1) : text);
    if (m.mode === 'done') {
      sayNear(m);
      return [];
    }
    run(m);
    reportString(m);
    return m.changes?.splice(0) ?? [];
  }

  /** Says that the text is over. `truncated`: the message ended by length, so that nothing open may be closed. */
  end(options: { truncated?: boolean } = {}): Reading {
    if (this.#ended) return this.#ended;
    const m = this.#m;
    m.ended = true;
    if (m.heldEscape || this.#half) feed(m, this.#half);
    if (m.mode === 'done') sayNear(m);
    run(m);
    finish(m, options.truncated === true);
    this.#ended = pickValue(m, this.#want, options.truncated === true);
    return this.#ended;
  }

  /** The value so far, live: it grows with each chunk. */
  get value(): JsonValue | undefined {
    if (this.#ended) return this.#ended.value;
    settleString(this.#m);
    const at: Candidate | undefined = this.#m.current ?? this.#m.candidates.at(-1);
    return at?.root === 'string' && this.#m.string ? this.#m.string.text : at?.value;
  }

  /** Where the value that is still open stands; empty at the root. */
  get path(): Path {
    return pathOf(this.#m);
  }

  /** The repairs so far. */
  get repairs(): readonly Repair[] {
    return (
      this.#ended?.repairs ?? [
        ...this.#m.outer.repairs,
        ...(this.#m.current?.repairs ?? this.#m.candidates.at(-1)?.repairs ?? []),
      ]
    );
  }
}

/** Reads a whole text at once, with no need to wait for more. */
export function readComplete(text: string, options: ReaderOptions & { readonly truncated?: boolean } = {}): Reading {
  const limits = options.limits ? { ...defaultLimits, ...options.limits } : defaultLimits;
  const m = newMachine(limits, false);
  m.ended = true;
  m.turbo = true;
  if (text.length > limits.size) tooLong(m);
  else m.text = text;
  run(m);
  finish(m, options.truncated === true);
  return pickValue(m, options.want ?? 'any', options.truncated === true);
}

const tooLong = (m: Machine): void => exceed(m, 'size', `is longer than ${m.limits.size} characters`);

/** Lets go of what was read and adds the next piece. */
function feed(m: Machine, chunk: string): void {
  let more = chunk;
  if (m.escaped) {
    more = takeLevelOff(m, m.heldEscape + chunk);
  }
  if (m.sealed) {
    m.current?.after.push(more);
    return;
  }
  if (m.mode === 'bare') letGo(m);
  // A little of what was read stays: a look back must not depend on where the text was cut.
  const base = Math.max(0, (m.mode === 'bare' ? m.bareFrom : m.at) - lookBack);
  let back = base - 1;
  while (m.text[back] === ' ' || m.text[back] === '\t') back--;
  if (back >= 0) m.freshLine = m.text[back] === '\n' || m.text[back] === '\r';
  m.text = base >= m.text.length ? more : m.text.slice(base) + more;
  m.offset += base;
  m.at -= base;
  m.bareFrom -= base;
  m.bareScan -= base;
}

const lookBack = 64;

/** Puts what was looked at of a long bare word aside, so that it is not looked at again with every chunk. */
function letGo(m: Machine): void {
  const upTo = m.bareScan - 1; // the character before decides on a comment
  if (upTo - m.bareFrom < 64) return;
  m.bareHeld += m.text.slice(m.bareFrom, upTo);
  m.bareFrom = upTo;
}

function run(m: Machine): void {
  while (m.mode !== 'done' && (m.at < m.text.length || m.mode === 'bare')) {
    if (m.turbo && fastPath(m)) continue;
    if (!steps[m.mode](m)) return;
  }
}

/** The last value is complete and only brackets are missing: they are named, and the innermost that is open. */
function unclosed(m: Machine): void {
  const expected = m.stack
    .map(({ closer }) => closer)
    .reverse()
    .join('');
  const words = `is not closed: the text ends without ${expected}`;
  problem(m, 'truncated', words, { path: pathOf(m, false), expected });
}

/** Why a text that ends as a whole does is no string that was cut off. */
export const textAfterQuote =
  'goes on behind its closing quote; write one string and nothing behind it, with \\" for a quote inside';

const ends = /[}\]]\s*$/;

/** Closes what may be closed at the end of the text, or says that it was cut off. */
function finish(m: Machine, cut: boolean): void {
  if (m.mode === 'bare') {
    const word = m.bareHeld + m.text.slice(m.bareFrom);
    const scalar = readScalar(word.trim());
    // A number may go on, but not past a blank or a token that ended the text.
    if (scalar && (!scalar.number || m.sealed || /\s$/.test(word))) closeBare(m, m.text.length, m.text.length);
  }
  if (m.mode === 'done' || m.mode === 'top') return;
  const open = m.mode !== 'after' || cut || m.quoteAtEnd || m.stack.some((frame) => frame.list);
  // A comment that reaches the end of the text may have swallowed the rest.
  if (open || m.comment) {
    const isWhole = m.mode === 'after' && !m.quoteAtEnd && !m.comment && !cut;
    settleString(m);
    // A quote without a partner ended it, and all is closed behind what follows.
    const { inner = 0, text = '' } = m.string ?? {};
    const isBehindQuote = inner % 2 === 1 && ends.test(text.slice(-200));
    // Behind a complete value, or before the next key, it is the container that goes on.
    const inKey = m.string?.isKey === true;
    const path = pathOf(m, m.quoteAtEnd || !(inKey || m.mode === 'after' || m.mode === 'key'));
    if (isWhole) unclosed(m);
    else if (m.comment && isCloser(m.comment.last) && !cut)
      problem(m, 'syntax', 'is not closed: its closing bracket stands in what reads as a comment', { path });
    else if (isBehindQuote && !cut) problem(m, 'syntax', textAfterQuote, { path });
    // What was found wrong before explains the rest, where the text ends as a whole does.
    else if (cut || !m.current?.problems.length || m.string?.isKey === false || !ends.test(m.text.slice(-64))) {
      // What ends in brackets was hardly cut off there.
      const unquoted = m.string && !inKey && !cut && ends.test(text.slice(-200));
      const words = unquoted
        ? 'is not closed: the text ends without its closing quote'
        : 'is cut off: the text ends before it is complete';
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
