import type { Repair } from '../json/repair.ts';
import { ToolmendError } from '../json/toolmend-error.ts';
import type { Outcome } from '../mend/outcome.ts';
import { findTool } from '../tools/find-tool.ts';
import { checkIsToolbox, type Toolbox } from '../tools/toolbox.ts';
import { areMentioned } from './call/check-call.ts';
import { rowsFor, unnamedRows } from './detect.ts';
import { type CallContext, taskIn } from './echo/context.ts';
import { Guard } from './echo/guard.ts';
import { isOnlyMarkers } from './grammar/faulty-markers.ts';
import { type Grammar, grammarOf, withoutEnds } from './grammar/grammar.ts';
import { isQuiet, type StopChars } from './grammar/marker-trie.ts';
import { closeCall, passedOn } from './machine/open-call.ts';
import { emitReasoning, emitText, noteText, putEvent, recheck, trackText, withResult } from './machine/output.ts';
import { contentLabel, passThought } from './machine/reasoning.ts';
import { continuesMarker, endMachine, enforceLimit, runMachine, settleMachine, stopCharsOf } from './machine/run.ts';
import { type Candidate, type Machine, newMachine, noEvents } from './machine/state.ts';
import { mayBeCompleteMessage, readCompleteMessage, readFaultyMessage } from './message/complete-message.ts';
import { readOtherDialect, withOthers } from './message/other-dialect.ts';
import { logUpTo, passRaw } from './placement/candidate.ts';
import { isTemplate, isToolList, isTypesOnly } from './placement/template.ts';
import { placeOf } from './placement/track-text.ts';
import { readPrompted } from './prompted/index.ts';
import { isRetracted, leadsMarked } from './prompted/retraction.ts';
import type { CallEvent, Dialect } from './types.ts';

/** How to read a text. */
export interface ReadCallsOptions {
  /**
   * A dialect by name, or a custom one. `auto` detects it.
   * @default 'auto'
   */
  readonly dialect?: string | Dialect;
  /**
   * Whether the model was asked to respond with calls. With `auto`, a response without markers is then read in all
   * common forms. Text is buffered until the end, because only the complete text decides.
   */
  readonly prompted?: boolean;
  /** Whether the text starts inside reasoning, because the prompt opened it. */
  readonly reasoningOpen?: boolean;
  /**
   * The conversation before the text. A call that only repeats a user message or a tool result stays text, with all
   * calls next to it. Calls are therefore buffered until the end.
   */
  readonly context?: CallContext;
  /** Whether the system prompt explains how to call, so that calls in it are examples. Implied by a named dialect. */
  readonly taught?: boolean;
  /**
   * Whether the text comes from a service with native calls. Then only marked calls count that are complete and valid,
   * with no text after them.
   */
  readonly hosted?: boolean;
  /**
   * Maximum number of buffered characters, and of one call. Beyond it they are text.
   * @default 16 Mi
   */
  readonly limit?: number;
}

/** Maximum number of characters that are passed on before they are read. */
const longestQuiet = 1024;

/**
 * Reads calls from streaming text: each chunk returns the events it decides, in text order.
 *
 * @example
 * const reader = new CallReader(toolbox);
 * for await (const piece of stream) for (const event of reader.push(piece)) show(event);
 * for (const event of reader.end()) show(event);
 */
export class CallReader {
  readonly #m: Machine;
  /** Text that is buffered until the complete text can decide. */
  #held: string | undefined;
  /** Whether the buffered text may be a response that only consists of calls; `sure` if it starts like one. */
  #answer: 'no' | 'maybe' | 'sure' = 'no';
  readonly #guard: Guard | undefined;
  readonly #prompted: boolean;
  readonly #context: CallContext | undefined;
  /** The rows of a named dialect, whose markers may be faulty. */
  readonly #named: readonly Dialect[] | undefined;
  /** The rows whose markers may start a response of only calls. */
  readonly #beginnings: readonly Dialect[];
  /** Whether no tools were offered, so that nothing is a call. */
  readonly #none: boolean;
  #note: 'echo' | undefined;
  #refused = false;
  /** Events that are emitted at the end. */
  #waiting: CallEvent[] = [];

  constructor(toolbox?: Toolbox, options: ReadCallsOptions = {}) {
    if (toolbox !== undefined) checkIsToolbox(toolbox);
    const known = toolbox && toolbox.size > 0 ? toolbox : undefined;
    const isAuto = options.dialect === undefined || options.dialect === 'auto';
    const { rows, named } = rowsFor(options.dialect);
    this.#prompted = isAuto && options.prompted === true;
    this.#context = options.context;
    this.#named = isAuto || !known ? undefined : rows;
    this.#beginnings = this.#named ? withOthers(rows) : rows;
    if ((isAuto && !options.prompted) || this.#named) this.#answer = 'maybe';
    if (isAuto || this.#named) this.#held = '';
    const grammar = grammarOf(rows, known?.list().map(({ name }) => name) ?? []);
    this.#m = newMachine(grammar, known, named);
    this.#m.limit = options.limit ?? this.#m.limit;
    this.#m.settle = () => settleMachine(this.#m);
    if (!named && known) this.#m.disowns = (isFirst, said, call) => this.#disowns(isFirst, said, call);
    if (options.reasoningOpen) openThink(this.#m, grammar);
    const hosted = isAuto && !options.prompted && options.hosted === true;
    this.#none = toolbox?.size === 0;
    if (hosted || this.#none) {
      // Without markers nothing is a call there.
      this.#answer = 'no';
      this.#held = undefined;
    }
    if (hosted || this.#none || options.context) {
      const taught = named || options.prompted === true || options.taught === true;
      this.#guard = new Guard({ ...options, hosted }, taught, isAuto ? unnamedRows : rows);
    }
  }

  /** Reads the next chunk. */
  push(chunk: string): readonly CallEvent[] {
    const events = this.#push(chunk);
    return this.#guard ? this.#guard.take(chunk, events) : this.#settled(events);
  }

  /** Text after a call may refuse it, so everything from its end on is buffered. */
  #settled(events: readonly CallEvent[]): readonly CallEvent[] {
    if (this.#m.count === 0) return events;
    const waits = this.#waiting.length > 0;
    const from = waits ? 0 : events.findIndex(({ type }) => type === 'call.finished');
    if (from < 0) return events;
    this.#waiting.push(...events.slice(from));
    return events.slice(0, from);
  }

  /** Whether the words before marked calls retract them or, if calls were requested, don't announce them. */
  #disowns(isFirst: boolean, said: string, { lead, outcomes }: Candidate): boolean {
    const calls = outcomes.map(({ name, input }) => ({ name, arguments: input }));
    if (!this.#prompted) return (!isFirst && loneWord.test(lead)) || isRetracted(lead, calls);
    const told = this.#m.events.map((event) => (event.type === 'text' ? event.text : '')).join('');
    return !leadsMarked(isFirst ? (this.#held ?? '') + told + said : said, calls, !isFirst);
  }

  /** Replaces calls in events with their final results, and removes faulty markers around them. */
  #judged(events: readonly CallEvent[]): readonly CallEvent[] {
    const { refused, written, calls } = this.#m;
    const all = this.#unmarked(refused ? events.map((event) => withResult(event, refused)) : events);
    return written !== undefined && areMentioned(calls) ? withWritten(all, withoutEnds(written)) : all;
  }

  /** Removes text around calls that consists of markers in another spelling, as if their inner markers are intact. */
  #unmarked(events: readonly CallEvent[]): readonly CallEvent[] {
    const { rows } = this.#m.grammar;
    if (!events.some(({ type }) => type.startsWith('call.'))) return events;
    const joined: CallEvent[] = [];
    for (const event of events) {
      const before = joined.at(-1);
      if (event.type === 'text' && before?.type === 'text')
        joined[joined.length - 1] = { type: 'text', text: before.text + event.text };
      else joined.push(event);
    }
    return joined.filter((event) => event.type !== 'text' || !isOnlyMarkers(event.text, rows));
  }

  #push(chunk: string): readonly CallEvent[] {
    const m = this.#m;
    if (m.ended) throw new ToolmendError('closed', 'This reader has ended. Create a new one.');
    if (m.rest && this.#passes(m.rest) && isQuiet(m.rest, chunk)) return this.#passOn(m, m.rest, chunk);
    if (!m.rest && !this.#held && continuesMarker(m, chunk)) {
      m.buffer += chunk;
      return noEvents;
    }
    return this.#read(m, chunk);
  }

  #read(m: Machine, chunk: string): readonly CallEvent[] {
    settleMachine(m);
    logUpTo(m, m.at);
    m.buffer = m.buffer.slice(m.at) + m.quiet + chunk;
    m.quiet = '';
    m.at = 0;
    runMachine(m);
    enforceLimit(m);
    m.rest = stopCharsOf(m);
    return this.#released();
  }

  /** Whether a chunk that is irrelevant to the machine is also irrelevant to the buffered text. */
  #passes({ says }: StopChars): boolean {
    return says === 'text' ? this.#answer !== 'maybe' : !this.#held;
  }

  /** Passes on an irrelevant chunk, which is read later with others. */
  #passOn(m: Machine, { says }: StopChars, chunk: string): readonly CallEvent[] {
    if (m.count > 0 && (says === 'text' || says === 'reasoning')) m.outside += chunk;
    if (says === 'text') {
      trackText(m, chunk);
      m.spoke ||= /\S/.test(chunk);
      m.followed ||= m.spoke;
      noteText(m, chunk);
      passRaw(m, chunk);
      if (this.#held === undefined) return chunk ? [{ type: 'text', text: chunk }] : noEvents;
      this.#held += chunk;
      return noEvents;
    }
    if (says === 'reasoning') {
      passThought(m, chunk);
      passRaw(m, chunk);
      return chunk ? [{ type: 'reasoning', text: chunk }] : noEvents;
    }
    if (says === 'undecided' && (m.quiet.length + chunk.length) * 8 >= m.buffer.length - m.at)
      return this.#read(m, chunk);
    m.quiet += chunk;
    if (says === 'undecided') return noEvents;
    if (m.quiet.length > longestQuiet) settleMachine(m);
    if (m.candidate && !m.candidate.confirmed) {
      enforceLimit(m);
      if (m.candidate) return noEvents;
      // It exceeded the limit and is text, and so is what follows.
      m.rest = undefined;
      return this.#released();
    }
    return says === 'arguments' && m.call && chunk ? [passedOn(m.call, chunk)] : noEvents;
  }

  /**
   * Ends the text. `truncated` means that it reached its length limit, so that an open call is lost. `native` means
   * that the message has native calls or didn't end regularly, so that buffered calls (`context`) are text.
   */
  end(options: { truncated?: boolean; native?: boolean } = {}): readonly CallEvent[] {
    const guard = this.#guard;
    const events = this.#end(options);
    if (!guard) {
      const waiting = this.#waiting;
      this.#waiting = [];
      return this.#judged([...waiting, ...events]);
    }
    const now = guard.take('', events);
    const refused = options.native || this.#none ? 'native' : guard.refuse(this.#m.calls);
    if (!refused || !guard.holds) return this.#judged([...now, ...guard.release()]);
    this.#refused = true;
    if (refused === 'echo') this.#note = refused;
    return [...now, ...guard.text()];
  }

  #end(options: { truncated?: boolean }): readonly CallEvent[] {
    const m = this.#m;
    if (m.ended) return [];
    settleMachine(m);
    logUpTo(m, m.at);
    m.buffer = m.buffer.slice(m.at) + m.quiet;
    m.quiet = '';
    m.at = 0;
    m.cut = options.truncated === true;
    endMachine(m);
    const isMended = mendFaulty(m);
    if (this.#prompted && !isMended && !m.spoke && !m.refused) nameCalls(m);
    endThink(m);
    const events = this.#released();
    if (this.#held === undefined) return events;
    // The turn of another role and an answer to the user aren't a response of calls, also if only calls remain of them.
    const isAnswer = m.answered === contentLabel || (m.answered !== undefined && labelled.test(this.#held));
    if (placeOf(m).otherRole || isAnswer) m.events = this.#held ? [{ type: 'text', text: this.#held }] : noEvents;
    else if (this.#answer === 'no') endPrompted(m, this.#held, this.#context);
    else endAnswer(m, this.#held, this.#named);
    return [...events, ...taken(m)];
  }

  /**
   * The events that can be emitted now. Text is buffered while it may be a response of calls, and released with the
   * first marked call.
   */
  #released(): readonly CallEvent[] {
    const events = taken(this.#m);
    const { back } = this.#m;
    if (back) {
      this.#m.back = false;
      this.#waiting = [];
      this.#guard?.drop();
    }
    if (this.#held === undefined) return events;
    const called = events.findIndex(({ type }) => type.startsWith('call.'));
    const holds = this.#holds(called < 0 ? events : events.slice(0, called));
    // A call that was taken back had ended the buffering.
    if (this.#m.counted || back || !holds) {
      const text = this.#held;
      this.#held = undefined;
      const all = text ? withText(text, events) : events;
      // What precedes the first call was returned before it, unless it may belong to it. What follows isn't complete yet.
      const after = holds ? 1 + all.findIndex(({ type }) => type.startsWith('call.')) : 0;
      return [...this.#unmarked(all.slice(0, after)), ...all.slice(after)];
    }
    for (const event of events) if (event.type === 'text') this.#held += event.text;
    if (this.#held.length > this.#m.limit) {
      this.#m.notes.push(`More than ${this.#m.limit} characters were buffered, so they were left as text`);
      const text = this.#held;
      this.#held = undefined;
      return [...events.filter(({ type }) => type !== 'text'), { type: 'text', text }];
    }
    return events.filter(({ type }) => type !== 'text');
  }

  /** Whether to keep buffering. Without known tools, only a response that consists of calls is buffered. */
  #holds(events: readonly CallEvent[]): boolean {
    if (this.#answer === 'no') return true;
    // What exceeded the limit is text.
    if (this.#m.notes.length > 0) return false;
    let text = this.#held ?? '';
    for (const event of events) {
      if (event.type === 'text') text += event.text;
      else if (/\S/.test(text)) return false;
    }
    if (this.#answer === 'maybe') this.#answer = mayBeCompleteMessage(text, this.#m.toolbox, this.#beginnings);
    return this.#answer !== 'no';
  }

  /** Whether something is buffered that may be a call or belong to one. */
  get undecided(): boolean {
    const { mode, buffer, at, quiet, think, candidate, waiting, thought } = this.#m;
    const calm = mode === 'text' || (mode === 'think' && think?.held === undefined && !think?.label);
    if (
      !calm ||
      candidate ||
      waiting.length > 0 ||
      thought !== undefined ||
      this.#guard?.holds ||
      this.#waiting.length > 0
    )
      return true;
    return buffer.length > at || quiet !== '' || !!this.#held;
  }

  /** The calls so far. */
  get calls(): readonly Outcome[] {
    return this.#refused || this.#guard?.holds || this.#waiting.length > 0 ? [] : this.#m.calls;
  }

  /** `echo` if there are calls that only repeat what the model was shown; known at the end. */
  get note(): 'echo' | undefined {
    return this.#note;
  }

  /** Remarks about what is neither text nor a call. */
  get notes(): readonly string[] {
    return this.#m.notes;
  }

  /** The dialect of the first call; undefined before. */
  get dialect(): string | undefined {
    return this.#refused ? undefined : this.#m.dialect;
  }
}

/** Prepends buffered text, joined with the text after it. */
const withText = (text: string, [first, ...more]: readonly CallEvent[]): readonly CallEvent[] =>
  first?.type === 'text'
    ? [{ type: 'text', text: text + first.text }, ...more]
    : [{ type: 'text', text }, ...(first ? [first] : []), ...more];

/** Events with the text as written instead of what is left of it between calls and after them. */
function withWritten(events: readonly CallEvent[], text: string): readonly CallEvent[] {
  const first = events.findIndex(({ type }) => type.startsWith('call.'));
  return [...events.filter(({ type }, at) => at < first || type !== 'text'), { type: 'text', text }];
}

function taken(m: Machine): readonly CallEvent[] {
  const { events } = m;
  m.events = noEvents;
  return events;
}

function openThink(m: Machine, grammar: Grammar): void {
  // If no dialect is named, any dialect's closer ends reasoning, and what is closed later is reasoning.
  const callEnds = m.named && grammar.rows.some((row) => row.callEndsThink);
  m.think = { closes: grammar.thinkEnds, held: undefined, callEnds, frame: false };
  m.mode = 'think';
}

/** Calls that are the complete response to a request for calls count like those of a named dialect. */
function nameCalls(m: Machine): void {
  const surely = (repair: Repair): Repair => (repair.kind === 'text' ? { ...repair, certainty: 'lossless' } : repair);
  recheck(m, { outcomes: m.calls, events: m.events }, ({ raw }) => ({ read: raw.read?.map(surely) }));
}

/** The start of a response in labelled lines, or in tags with a tool's name, also in a fence. */
const labelled = /^\s*(?:```(?:json|tool_code)?\s+)?(?:(?:\*\*|__)?(?:Thought|Action)(?:\*\*|__)?:|<([\w.-]{1,128})>)/;

/** Reads a response without markers from a model that was asked to respond with calls. */
function endPrompted(m: Machine, held: string, context: CallContext | undefined): void {
  const label = labelled.exec(held);
  const inner =
    label && (!label[1] || m.toolbox?.has(label[1])) ? readCompleteMessage(held, m.cut, m.toolbox) : undefined;
  if (inner) {
    nameCalls(inner);
    m.events = inner.events;
    m.calls.push(...inner.calls);
    m.dialect ??= inner.dialect;
    m.written = held;
    return;
  }
  const read = readPrompted(held, m.toolbox, m.cut, () => taskIn(context));
  const mended = read.calls.length === 0 ? readFaultyMessage(held, m.cut, m.toolbox) : undefined;
  if (mended) {
    m.events = mended.events;
    m.calls.push(...mended.calls);
    m.dialect ??= mended.dialect;
    return;
  }
  const listed = read.calls.map((call) => {
    const tool = m.toolbox && findTool(call.name, m.toolbox).tool;
    return { ...call, schema: tool?.schema.json, onlyReads: tool?.effect === 'read' };
  });
  const isExample =
    listed.some(
      ({ arguments: given, schema, onlyReads }) => isTemplate(given, schema) || isTypesOnly(given, schema, onlyReads),
    ) || isToolList(listed);
  const { calls, text, dialect } = isExample ? { calls: [], text: held, dialect: read.dialect } : read;
  m.events = text ? [{ type: 'text', text }] : noEvents;
  // A response of only calls is what was requested; a call in prose is inferred.
  m.asked = read.sure === true;
  for (const { name, arguments: input, source = input, read, problems } of calls)
    closeCall(m, { name, arguments: source, read }, { name: dialect }, false, problems);
}

/** Reads calls again whose markers are faulty inside, if all of them are valid then. Such calls are inferred. */
function mendFaulty(m: Machine): boolean {
  if (m.faulty === undefined || m.calls.length === 0 || m.twice || m.tail || m.turnedAt !== undefined) return false;
  const mended = readFaultyMessage(m.faulty, false, m.toolbox);
  if (!mended) return false;
  m.events = [...m.events.filter(({ type }) => type === 'reasoning'), ...mended.events];
  m.calls = [...mended.calls];
  m.dialect = mended.dialect;
  return true;
}

/** Reads a response of only calls without markers, with faulty ones, or in another dialect than the named one. */
function endAnswer(m: Machine, held: string, named: readonly Dialect[] | undefined): void {
  const inner =
    readCompleteMessage(held, m.cut, m.toolbox, named) ??
    (named && m.toolbox ? readOtherDialect(held, m.cut, m.toolbox) : undefined);
  m.events = inner?.events ?? (held ? [{ type: 'text', text: held }] : []);
  m.written = held;
  m.calls.push(...(inner?.calls ?? []));
  m.dialect ??= inner?.dialect;
}

/** A word alone between calls, which may make them alternatives in any language. A sentence ends in a sign. */
const loneWord = /^[^\p{L}\p{N}]*\p{L}+(?![.!。])[^\p{L}\p{N}]*$/u;

/** Whether the model decides against calls of tools that don't only read, or puts them off. */
const isDenied = (said: string, calls: readonly Outcome[]): boolean =>
  calls.some(({ tool }) => tool?.effect !== 'read') &&
  isRetracted(
    said,
    calls.map(({ name, input }) => ({ name, arguments: input })),
  );

/**
 * A call at the end of reasoning, closed or not: if the response is otherwise empty and not truncated, the model forgot
 * to end its reasoning, and the call counts.
 */
function endThink(m: Machine): void {
  const held = m.think?.held ?? m.thought;
  const label = m.think?.label;
  const at = m.thoughtAt;
  const thought = at?.tail ?? '';
  m.think = undefined;
  m.thought = undefined;
  const said = label?.said ?? '';
  if (label && (m.cut || held === undefined)) {
    if (m.cut) emitReasoning(m, said + (held ?? ''));
    else emitText(m, label.raw + said);
    return;
  }
  if (!held) return;
  const inner = newMachine(m.grammar, m.toolbox, m.named);
  Object.assign(inner, { again: true, sure: false, buffer: held, cut: m.cut, count: m.count });
  if (at) inner.tracked = at;
  if (!m.cut && !m.spoke && !m.counted && m.decided) endMachine(inner);
  if (inner.calls.length === 0 || areMentioned(inner.calls) || isDenied(thought, inner.calls)) {
    if (label) emitText(m, label.raw + said + held);
    else emitReasoning(m, held);
    return;
  }
  emitReasoning(m, said);
  m.calls.push(...inner.calls);
  m.counted = true;
  m.dialect ??= inner.dialect;
  let started = false;
  for (const event of inner.events) {
    started ||= event.type === 'call.started';
    if (event.type === 'text' && !started) emitReasoning(m, event.text);
    else if (event.type === 'text') emitText(m, event.text);
    else putEvent(m, event);
  }
}
