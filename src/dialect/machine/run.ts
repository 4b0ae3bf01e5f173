import { checkOutside } from '../grammar/closers.ts';
import type { Grammar } from '../grammar/grammar.ts';
import { branchAt, firstsOf, isOpen, type StopChars, stopCharsFor } from '../grammar/marker-trie.ts';
import type { Pattern } from '../grammar/pattern.ts';
import {
  closeCandidate,
  flushWaiting,
  isSubject,
  logUpTo,
  rawUpTo,
  settleWaiting,
  takeBack,
} from '../placement/candidate.ts';
import { stepFrame } from './frame.ts';
import { stepAfter, stepJson } from './json.ts';
import { isFlowing, type JsonBody } from './json-scanner.ts';
import { noteMissing, noteOpenSection } from './marker-faults.ts';
import { closeCall } from './open-call.ts';
import { emitReasoning, emitText, endBatch } from './output.ts';
import { stepPlainBody } from './plain-body.ts';
import { stepPython } from './python.ts';
import { emitLabelled, stepThink } from './reasoning.ts';
import { refuseCalls } from './refuse-calls.ts';
import type { Machine } from './state.ts';
import { stepTagged } from './tagged.ts';
import { stepText } from './text.ts';

const steps: Readonly<Record<Machine['mode'], (m: Machine) => boolean>> = {
  text: stepText,
  think: stepThink,
  frame: stepFrame,
  json: stepJson,
  tagged: stepTagged,
  python: stepPython,
  word: stepPlainBody,
  after: stepAfter,
};

/** Runs a machine as far as its text allows. */
export function runMachine(m: Machine): void {
  while (m.at < m.buffer.length || (m.ended && m.body)) if (!step(m)) return;
}

/** Reads one piece, and records what is outside of calls; returns whether to continue. */
function step(m: Machine): boolean {
  const { mode, at, lastForm } = m;
  const outside = m.count > 0 && m.body === undefined;
  const more = steps[mode](m);
  const piece = outside ? m.buffer.slice(at, m.at) : '';
  // After a body, everything but white space belongs to the call.
  if (mode !== 'after' || !/\S/.test(piece)) m.outside += piece;
  if (outside && m.body) checkOutside(m, lastForm);
  return more;
}

/** Ends a text: reads the rest, and resolves everything that is pending. */
export function endMachine(m: Machine): void {
  m.ended = true;
  runMachine(m);
  if (m.mode === 'after' && m.lastForm) noteMissing(m, m.lastForm);
  if (m.section) noteOpenSection(m);
  closeCandidate(m, m.base + m.at);
  settleWaiting(m);
  checkOutside(m, m.lastForm);
  if (isSubject(m)) takeBack(m);
  if (m.calls.length > 0) refuseCalls(m);
}

/** Reads the text that was passed on. It is all inside one value, so nothing is emitted. */
export function settleMachine(m: Machine): void {
  if (m.quiet === '' || m.rest?.says === 'undecided') return;
  logUpTo(m, m.buffer.length);
  m.buffer = m.quiet;
  m.at = 0;
  m.quiet = '';
  m.told = !m.candidate || m.candidate.confirmed;
  step(m);
  m.told = false;
}

/**
 * The characters that matter in the current state; undefined if all do. Buffered text is read again when a character
 * may decide it, or after it has grown by an eighth: at every character it would be quadratic.
 */
export function stopCharsOf(m: Machine): StopChars | undefined {
  if (m.ended) return undefined;
  const held = m.buffer.length - m.at;
  if (held === 0) return inMode[m.mode]?.(m);
  return held < longHeld ? undefined : held < veryLongHeld ? undecided : anything;
}

/** Whether text after the start of a marker continues it, so that nothing is decided yet. */
export function continuesMarker(m: Machine, more: string): boolean {
  const { mode, start, candidate, waiting, space, grammar, again, buffer, at, ended } = m;
  if (mode !== 'text' || start || candidate || waiting.length > 0 || space !== undefined || ended) return false;
  const held = buffer.length - at;
  if (held === 0 || held >= longHeld) return false;
  const text = buffer.slice(at) + more;
  const branch = branchAt(again ? grammar.calls : grammar.text, text, 0);
  return isOpen(branch, text, 0);
}

/** Long buffered text is a name, a header or white space, which one more letter doesn't decide. */
const longHeld = 16;
const veryLongHeld = 512;
const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const undecided = stopCharsFor('undecided', ascii.filter((char) => !/[\w .-]/.test(char)).join(''));
const anything = stopCharsFor('undecided', '');

const inMode: Readonly<Partial<Record<Machine['mode'], (m: Machine) => StopChars | undefined>>> = {
  text: ({ start, space, grammar, candidate, waiting }) =>
    start || candidate || waiting.length > 0 || space !== undefined ? undefined : inText(grammar),
  think: ({ think, grammar, waiting }) => {
    if (!think || (waiting.length > 0 && think.held === undefined)) return undefined;
    think.rest ??=
      think.held === undefined
        ? stopCharsFor(
            think.label ? 'nothing' : 'reasoning',
            firstsOf([...think.closes, ...inThink(grammar, think.callEnds)]),
          )
        : stopCharsFor('nothing', firstsOf(think.closes));
    return think.rest;
  },
  // What waits for adjacent calls isn't passed on.
  json: ({ body, call, batch }) =>
    body?.kind === 'json' && call && !batch?.events.length && isFlowing(body.json) ? inJson(body.json) : undefined,
  tagged: ({ body }) => (body?.kind === 'tagged' && body.key !== undefined ? body.ends?.rest : undefined),
  python: ({ body, batch }) => {
    if (body?.kind !== 'python' || batch?.events.length || body.span.depth === 0 || body.span.escaped) return undefined;
    return body.span.quote ? inString(body.span.quote.charCodeAt(0)) : undefined;
  },
  word: ({ body }) => {
    if (body?.kind !== 'word') return undefined;
    const { closes, calls } = body.form;
    body.rest ??= stopCharsFor('arguments', closes.length === 0 && !calls ? '\n' : firstsOf(closes));
    return body.rest;
  },
};

const texts = new WeakMap<Grammar, StopChars>();

function inText(grammar: Grammar): StopChars {
  const known = texts.get(grammar);
  if (known) return known;
  const chars = firstsOf(grammar.text.root.all.map(({ pattern }) => pattern));
  const rest = { ...stopCharsFor('text', chars), markers: grammar.text };
  texts.set(grammar, rest);
  return rest;
}

/** What matters in reasoning. A bare call only does if calls end reasoning. */
const inThink = ({ text }: Grammar, callEnds: boolean): readonly Pattern[] =>
  text.root.all.filter(({ form }) => callEnds || !form?.bare).map(({ pattern }) => pattern);

const strings = new Map([34, 39].map((quote) => [quote, stopCharsFor('arguments', `\\${String.fromCharCode(quote)}`)]));

/** In a string of Python, only its closing quote and a backslash matter. */
const inString = (quote: number): StopChars | undefined => strings.get(quote);

const jsonStrings = new Map([34, 39].map((quote) => [quote, stopCharsFor('arguments', String.fromCharCode(quote))]));

/**
 * In a string of JSON, only a quote matters: escapes before it are read with it. If a row has its own quotes, their content is
 * escaped as it arrives.
 */
const inJson = ({ string, quote }: JsonBody): StopChars | undefined =>
  string > 0 && quote === undefined
    ? jsonStrings.get(string)
    : stopCharsFor('arguments', `${quote?.[0] ?? ''}"'\\${ascii.slice(0, 32).join('')}`);

const tooLong = (limit: number): string => `A call is longer than ${limit} characters`;

/** Enforces the buffer limit: beyond it the text isn't a call, and a call that was already emitted is refused. */
export function enforceLimit(m: Machine): void {
  const { candidate, call, limit, think } = m;
  const at = m.base + m.at;
  if (think?.held !== undefined && think.held.length > limit) {
    m.notes.push(`${tooLong(limit)}, so it was left as reasoning`);
    emitReasoning(m, think.held);
    think.held = undefined;
    think.over = true;
    think.rest = undefined;
  }
  if (think?.label && think.label.said.length > limit) emitLabelled(m);
  if (candidate?.confirmed) {
    if (call && at - call.from > limit) refuseLong(m, call.name);
    return;
  }
  if (m.waits + (candidate ? at - candidate.from : 0) <= limit) return;
  m.notes.push(`${tooLong(limit)}, so it was left as text`);
  giveUp(m);
}

function refuseLong(m: Machine, name: string): void {
  m.notes.push(`${tooLong(m.limit)}, so it was refused`);
  const row = (m.body?.form ?? m.lastForm)?.row ?? { name: '' };
  closeCall(m, { name, arguments: {} }, row, false, [{ path: [], code: 'size', message: tooLong(m.limit) }]);
  endBatch(m);
  m.mode = 'text';
  m.body = undefined;
  m.candidate = undefined;
}

/** Treats everything pending as text, and continues after it. */
function giveUp(m: Machine): void {
  const { candidate } = m;
  m.candidate = undefined;
  flushWaiting(m);
  if (!candidate) return;
  const raw = rawUpTo(m, candidate, m.base + m.at);
  m.log.take();
  m.mode = 'text';
  m.body = undefined;
  m.batch = undefined;
  m.call = undefined;
  emitText(m, raw);
}
