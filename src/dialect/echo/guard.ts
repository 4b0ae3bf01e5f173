import { cached } from '../../json/text-cache.ts';
import type { Outcome } from '../../mend/outcome.ts';
import type { CallEvent, Dialect } from '../types.ts';
import { type CallContext, messagesIn } from './context.ts';
import { isEcho } from './echo.ts';

/** Additional conditions for calls in text. */
export interface GuardOptions {
  /** The conversation before the text. A call that only repeats what the model was shown stays text. */
  readonly context?: CallContext | undefined;
  /**
   * Whether the text comes from a service with native calls. Then calls count only if no text follows them and nothing
   * was mended.
   */
  readonly hosted?: boolean | undefined;
  /** Whether the text starts inside reasoning, so that no word can open it. */
  readonly reasoningOpen?: boolean | undefined;
}

/** Buffers calls until the end of the text, because one that isn't a call makes all of them text. */
export class Guard {
  readonly #options: GuardOptions;
  readonly #taught: boolean;
  readonly #closers: readonly string[];
  #raw: string[] = [];
  #head = '';
  /** The text before the first call, with adjacent pieces of one kind joined. */
  #said: { type: string; text: string }[] = [];
  #held: CallEvent[] = [];
  /** Words that open reasoning at the start. They are text again if a call after them isn't one. */
  readonly #labels: readonly string[];
  /** Reasoning that such words opened, until what follows shows what it is. */
  #labelled: CallEvent[] = [];

  /** @param taught whether the system prompt explains how to call */
  constructor(options: GuardOptions, taught: boolean, rows: readonly Dialect[]) {
    this.#options = options;
    this.#taught = taught;
    const { labels, closers } = cached(marksOf, rows, () => readMarks(rows));
    this.#labels = options.reasoningOpen ? [] : labels;
    this.#closers = closers;
  }

  get holds(): boolean {
    return this.#held.length + this.#labelled.length > 0;
  }

  /** Processes the events of a chunk, and returns those to emit now. */
  take(chunk: string, events: readonly CallEvent[]): readonly CallEvent[] {
    if (chunk) this.#raw.push(chunk);
    if (this.#head.length < longestLabel) this.#head = (this.#head + chunk).trimStart();
    const from = this.#held.length > 0 ? 0 : events.findIndex(({ type }) => type.startsWith('call.'));
    let now = from < 0 ? events : events.slice(0, from);
    if (now.length > 0 && this.#said.length === 0 && this.#labels.some((one) => this.#head.startsWith(one))) {
      now = [...this.#labelled, ...now];
      this.#labelled = now.some((event) => event.type === 'text' && /\S/.test(event.text)) ? [] : [...now];
      if (this.#labelled.length > 0) now = [];
    }
    for (const event of now) this.#note(event);
    if (from >= 0) this.#held.push(...this.#labelled.splice(0), ...events.slice(from));
    return now;
  }

  /** Ends the text. Returns why its calls are text; undefined if they count. */
  refuse(calls: readonly Outcome[]): 'echo' | 'unsure' | undefined {
    if (calls.length === 0) return undefined;
    const { context, hosted } = this.#options;
    const text = (type: 'text', events: readonly { type: string; text?: string }[]): boolean =>
      events.some((event) => event.type === type && /\S/.test(event.text ?? ''));
    const after = this.#held.slice(this.#held.findLastIndex(({ type }) => type === 'call.finished') + 1);
    if (hosted && (text('text', after) || !calls.every(isClean) || bare.test(this.#rest()))) return 'unsure';
    const alone = !text('text', this.#said) && !text('text', this.#held);
    return isEcho(calls, messagesIn(context), { taught: this.#taught, alone }) ? 'echo' : undefined;
  }

  /** The buffered events. */
  release(): readonly CallEvent[] {
    return [...this.#labelled.splice(0), ...this.#held.splice(0)];
  }

  /** Drops the buffered events from the first call on. */
  drop(): void {
    this.#held.length = Math.max(
      0,
      this.#held.findIndex(({ type }) => type.startsWith('call.')),
    );
  }

  /** The buffered events as text. */
  text(): readonly CallEvent[] {
    this.#held = [];
    const left = this.#rest();
    return left ? [{ type: 'text', text: left }] : [];
  }

  /** The text after what was emitted. */
  #rest(): string {
    const raw = this.#raw.join('');
    let at = 0;
    for (const { text } of this.#said) {
      const found = raw.indexOf(text, at);
      if (found >= 0) at = found + text.length;
      else {
        const tail = text.slice(-40);
        const near = raw.indexOf(tail, at);
        if (near >= 0) at = near + tail.length;
      }
    }
    const rest = raw.slice(at);
    const closer =
      this.#said.at(-1)?.type === 'reasoning' && this.#closers.find((one) => rest.trimStart().startsWith(one));
    return closer ? rest.slice(rest.indexOf(closer) + closer.length).replace(/^\s+/, '') : rest;
  }

  #note(event: CallEvent): void {
    if (event.type !== 'text' && event.type !== 'reasoning') return;
    const last = this.#said.at(-1);
    if (last?.type === event.type) last.text += event.text;
    else this.#said.push({ type: event.type, text: event.text });
  }
}

/** Words that open reasoning at the start, and what ends reasoning. */
interface Marks {
  readonly labels: readonly string[];
  readonly closers: readonly string[];
}

/** Every response has a guard, and most of them the same rows. */
const marksOf = new WeakMap<readonly Dialect[], Marks>();

function readMarks(rows: readonly Dialect[]): Marks {
  const thinks = rows.flatMap(({ think = [] }) => think);
  const ends = rows.flatMap(({ frame }) => frame?.end ?? []);
  return {
    labels: thinks.flatMap(([open]) => (/^\^\w+:$/.test(open) ? [open.slice(1)] : [])),
    closers: [...new Set([...thinks.flatMap(([, ...closers]) => closers), ...ends])],
  };
}

const longestLabel = 40;

/** The start of calls without markers. */
const bare = /^\s*(?:[{\w"'`]|\[\s*(?:[{\]]|[\w.]+\s*\())/;

/** Whether a call is valid without repairs, except that it was written as text. */
const isClean = ({ status, repairs }: Outcome): boolean =>
  status === 'ok' && repairs.every(({ kind }) => String(kind) === 'text');
