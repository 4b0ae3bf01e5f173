import type { Outcome } from '../call/outcome.ts';
import type { Toolbox } from '../tool/toolbox.ts';
import { stepAfter } from './after-step.ts';
import type { CallEvent } from './call-event.ts';
import type { Dialect } from './dialect.ts';
import { emitReasoning, emitText } from './emit.ts';
import { stepFrame } from './frame-step.ts';
import { type Grammar, grammarOf } from './grammar.ts';
import { stepJson } from './json-step.ts';
import { type Machine, newMachine } from './machine.ts';
import { stepPython } from './python-step.ts';
import { rowsFor } from './rows-for.ts';
import { stepTagged } from './tagged-step.ts';
import { stepText } from './text-step.ts';
import { stepThink } from './think-step.ts';
import { stepWord } from './word-step.ts';

/** How a text is read. */
export interface ReadCallsOptions {
  /** The dialect by its name, or a row of your own; `auto` (the default) finds it from the text. */
  readonly dialect?: string | Dialect;
  /** The text begins inside reasoning, because the prompt opened it. */
  readonly reasoningOpen?: boolean;
}

const steps: Readonly<Record<Machine['mode'], (m: Machine) => boolean>> = {
  ...{ text: stepText, think: stepThink, frame: stepFrame, json: stepJson, tagged: stepTagged },
  ...{ python: stepPython, word: stepWord, after: stepAfter },
};

/**
 * Reads calls from text as it comes: each piece gives the events it decides, in the order of the text.
 *
 * @example
 * const reader = new CallReader(toolbox);
 * for await (const piece of stream) for (const event of reader.push(piece)) show(event);
 * for (const event of reader.end()) show(event);
 */
export class CallReader {
  readonly #m: Machine;

  constructor(toolbox?: Toolbox, options: ReadCallsOptions = {}) {
    const known = toolbox && toolbox.size > 0 ? toolbox : undefined;
    const { rows, named } = rowsFor(options.dialect);
    const grammar = grammarOf(rows, known?.list().map(({ name }) => name) ?? []);
    this.#m = newMachine(grammar, known, named);
    if (options.reasoningOpen) openThink(this.#m, grammar);
  }

  /** Takes the next piece of text. */
  push(chunk: string): readonly CallEvent[] {
    const m = this.#m;
    if (m.ended) throw new Error('This reader has ended; make a new CallReader for the next text.');
    m.buffer = m.at >= m.buffer.length ? chunk : m.buffer.slice(m.at) + chunk;
    m.at = 0;
    run(m);
    return taken(m);
  }

  /** Says that the text is over. `cut`: it ended by length, so that a call still open is lost. */
  end(options: { cut?: boolean } = {}): readonly CallEvent[] {
    const m = this.#m;
    if (m.ended) return [];
    m.buffer = m.buffer.slice(m.at);
    m.at = 0;
    m.ended = true;
    m.cut = options.cut === true;
    run(m);
    if (m.think) endThink(m);
    return taken(m);
  }

  /** The calls so far. */
  get calls(): readonly Outcome[] {
    return this.#m.calls;
  }

  /** The dialect of the first call; undefined before one was found. */
  get dialect(): string | undefined {
    return this.#m.dialect;
  }
}

function run(m: Machine): void {
  while (m.at < m.buffer.length || (m.ended && m.body)) {
    if (!steps[m.mode](m)) return;
  }
}

const none: readonly CallEvent[] = [];

function taken(m: Machine): readonly CallEvent[] {
  if (m.events.length === 0) return none;
  const { events } = m;
  m.events = [];
  return events;
}

function openThink(m: Machine, grammar: Grammar): void {
  const callEnds = grammar.rows.some((row) => row.callEndsThink);
  m.think = { closes: grammar.thinkEnds.map(({ pattern }) => pattern), held: undefined, callEnds, frame: false };
  m.mode = 'think';
}

/** Reasoning that never ended: what was held since a call's opener was a call, if it can be read as one. */
function endThink(m: Machine): void {
  const held = m.think?.held;
  m.think = undefined;
  if (!held) return;
  const inner = newMachine(m.grammar, m.toolbox, m.named);
  Object.assign(inner, { again: true, buffer: held, ended: true, cut: m.cut, count: m.count });
  run(inner);
  if (inner.calls.length === 0) {
    emitReasoning(m, held);
    return;
  }
  m.calls.push(...inner.calls);
  m.dialect ??= inner.dialect;
  let started = false;
  for (const event of inner.events) {
    started ||= event.type === 'call.started';
    if (event.type === 'text' && !started) emitReasoning(m, event.text);
    else if (event.type === 'text') emitText(m, event.text);
    else m.events.push(event);
  }
}
