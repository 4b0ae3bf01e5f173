import type { Outcome } from '../../mend/outcome.ts';
import type { CallEvent, Dialect } from '../types.ts';
import type { CallContext } from './context.ts';
import { isEcho } from './echo.ts';

/** What calls in text must stand up to beside their grammar. */
export interface GuardOptions {
  /** The conversation before the text: a call that only repeats what the model was shown stays text. */
  readonly context?: CallContext | undefined;
  /** A service with native calls wrote it: calls count only where nothing follows them and nothing had to be mended. */
  readonly hosted?: boolean | undefined;
}

/** Holds calls back until the text is over, because one of them that is none makes all of them text. */
export class Guard {
  readonly #options: GuardOptions;
  readonly #taught: boolean;
  readonly #closers: readonly string[];
  #raw: string[] = [];
  #head = '';
  /** What was said of the text before its first call, pieces of one kind joined. */
  #said: { type: string; text: string }[] = [];
  #held: CallEvent[] = [];
  /** Words that open reasoning at the start: they are text again with a call behind them that is none. */
  readonly #labels: readonly string[];
  /** Reasoning that such words opened, until what follows it shows what it is. */
  #labelled: CallEvent[] = [];

  /** @param taught the model was told how to call */
  constructor(options: GuardOptions, taught: boolean, rows: readonly Dialect[]) {
    this.#options = options;
    this.#taught = taught;
    const thinks = rows.flatMap(({ think = [] }) => think);
    this.#labels = thinks.flatMap(([open]) => (/^\^\w+:$/.test(open) ? [open.slice(1)] : []));
    const ends = rows.flatMap(({ frame }) => frame?.end ?? []);
    this.#closers = [...new Set([...thinks.flatMap(([, ...closers]) => closers), ...ends])];
  }

  get holds(): boolean {
    return this.#held.length + this.#labelled.length > 0;
  }

  /** Takes what a piece of the text said; gives what can be said now. */
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

  /** The text is over. Nothing where its calls stand; else all of it that was held, as text. */
  refuse(calls: readonly Outcome[]): 'echo' | 'unsure' | undefined {
    if (calls.length === 0) return undefined;
    const { context = [], hosted } = this.#options;
    const text = (type: 'text', events: readonly { type: string; text?: string }[]): boolean =>
      events.some((event) => event.type === type && /\S/.test(event.text ?? ''));
    const after = this.#held.slice(this.#held.findLastIndex(({ type }) => type === 'call.finished') + 1);
    if (hosted && (text('text', after) || !calls.every(isClean) || bare.test(this.#rest()))) return 'unsure';
    const alone = !text('text', this.#said) && !text('text', this.#held);
    const messages = typeof context === 'function' ? context() : context;
    return isEcho(calls, messages, { taught: this.#taught, alone }) ? 'echo' : undefined;
  }

  /** What was held, as it was read. */
  release(): readonly CallEvent[] {
    return [...this.#labelled.splice(0), ...this.#held.splice(0)];
  }

  /** What was held, as it was written. */
  text(): readonly CallEvent[] {
    this.#held = [];
    const left = this.#rest();
    return left ? [{ type: 'text', text: left }] : [];
  }

  /** The text from the end of what was said of it. */
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

const longestLabel = 40;

/** How calls begin that no marker tells from prose. */
const bare = /^\s*(?:[{\w"'`]|\[\s*(?:[{\]]|[\w.]+\s*\())/;

/** Whether a call is as its tool wants it, nothing repaired but that it stood in text. */
const isClean = ({ status, repairs }: Outcome): boolean =>
  status === 'ok' && repairs.every(({ kind }) => String(kind) === 'text');
