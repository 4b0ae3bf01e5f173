import type { RunEvent } from '../../log/events.ts';
import { applyEvent, fold } from '../../log/fold.ts';
import { harmless, visible } from '../../log/shown/visible.ts';
import { newRunState } from '../../log/state.ts';
import type { StreamedEvent } from '../../log/subscribe.ts';
import type { AssistantPart, UserMessage } from '../../model/index.ts';
import type { Progress } from '../../tools/tool.ts';
import type { Page } from '../mend/show-outcome.ts';
import { columnsOf, truncateTo, wrap } from '../terminal/layout.ts';
import { callLines, countCalls, openCallLine, personLines } from './call-lines.ts';

/** How a run is drawn. */
interface ScreenOptions {
  readonly page: Page;
  /** Whether running work is updated in place, in a terminal. */
  readonly live?: boolean;
  /** Whether to show user messages too, for a past run. */
  readonly whole?: boolean;
}

/** Length of a call's text to keep while it streams. */
const mostGrowing = 200;

type Block = 'words' | 'thought' | 'call' | 'person' | 'question' | 'note';

/** Draws a run's events as they arrive: streamed text, the state of calls, repairs. */
export class RunScreen {
  readonly #write: (text: string) => void;
  readonly #options: ScreenOptions;
  readonly #live: LiveLines;
  readonly #flow: FlowingText;
  readonly #state = newRunState();
  readonly #growing = new Map<string, { readonly name: string; text: string; characters: number }>();
  readonly #progress = new Map<string, Progress>();
  #held: StreamedEvent[] | undefined;
  #block: Block | undefined;
  #lineIsOpen = false;
  #streamed = 0;

  constructor(write: (text: string) => void, options: ScreenOptions) {
    this.#write = write;
    this.#options = options;
    this.#flow = new FlowingText(options.live ? options.page.width : Number.POSITIVE_INFINITY);
    this.#live = new LiveLines(write, options.live === true);
  }

  /** Applies earlier events without drawing them. */
  know(events: Iterable<RunEvent>): void {
    fold(events, this.#state);
  }

  show(event: StreamedEvent): void {
    if (this.#held) this.#held.push(event);
    else this.#draw(event);
  }

  /** Pauses drawing until `release`, while the user is asked. Events are buffered. */
  hold(): void {
    this.#live.clear();
    this.#begin('question');
    this.#held ??= [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const event of held) this.#draw(event);
  }

  #draw(event: StreamedEvent): void {
    if ('seq' in event) applyEvent(this.#state, event);
    this.#drawers[event.type]?.(event as never);
    if (this.#options.live && !this.#lineIsOpen) this.#drawLive();
  }

  readonly #drawers: { readonly [T in StreamedEvent['type']]?: (event: Extract<StreamedEvent, { type: T }>) => void } =
    {
      'run.started': ({ run, model, from, history }) => {
        if (!this.#options.whole) return;
        const origin = from ? `, forked from ${from.run} at ${from.seq}` : '';
        const earlier = history
          ? `, after ${history.length} earlier ${history.length === 1 ? 'message' : 'messages'}`
          : '';
        this.#note(`${run}: ${model.name} (${model.provider})${origin}${earlier}`);
      },
      'run.resumed': () => this.#note('resumed'),
      'attempt.failed': ({ attempt, error }) =>
        this.#problem(`attempt ${attempt} failed: ${error.name}: ${error.message}`),
      'message.added': ({ message }) => {
        if (this.#options.whole) this.#lines('person', personLines(wordsOf(message), this.#options.page));
      },
      'text.delta': ({ turn, text }) => this.#grow('words', turn, text),
      'reasoning.delta': ({ turn, text }) => this.#grow('thought', turn, text),
      'call.started': ({ callId, name }) => {
        this.#closeLine();
        this.#growing.set(callId, { name, text: '', characters: 0 });
      },
      'call.delta': ({ callId, text }) => {
        const growing = this.#growing.get(callId);
        if (!growing) return;
        growing.characters += text.length;
        if (growing.text.length < mostGrowing) growing.text += text;
      },
      'turn.completed': ({ turn, response }) => {
        this.#growing.clear();
        if (this.#streamed !== turn) for (const part of response.message.parts) this.#part(part, turn);
        this.#closeLine();
      },
      'turn.failed': ({ error }) => {
        this.#growing.clear();
        this.#problem(error.kind === 'aborted' ? 'stopped' : `the model request failed: ${error.message}`);
      },
      'call.ignored': ({ call }) =>
        this.#note(
          `ignored a call ${call.repeated ? 'that was sent twice' : 'without a usable tool name'}: ${JSON.stringify(call.name)}`,
        ),
      'call.refused': ({ callId }) => this.#settled(callId),
      'call.denied': ({ callId }) => this.#settled(callId),
      'call.settled': ({ callId }) => this.#settled(callId),
      'tool.finished': ({ callId, ms }) => this.#settled(callId, ms),
      'tool.progressed': ({ callId, progress }) => void this.#progress.set(callId, progress),
      'tool.orphaned': ({ name, outcome }) => this.#note(`${name} finished after it was abandoned: ${outcome}`),
      'run.ended': ({ end, message }) => this.#end(end, message),
      'run.halted': ({ message }) => this.#problem(message),
    };

  #settled(callId: string, ms?: number): void {
    const record = this.#state.calls.get(callId);
    this.#progress.delete(callId);
    if (record) this.#lines('call', callLines(record, this.#options.page, ms));
  }

  #end(end: string, message: string): void {
    const { turn, calls } = this.#state;
    const told = `${end} after ${turn} ${turn === 1 ? 'turn' : 'turns'}: ${countCalls(calls.values())}`;
    if (end !== 'done') this.#problem(message);
    this.#note(told);
  }

  #part(part: AssistantPart, turn: number): void {
    if (part.type === 'text' || part.type === 'refusal') this.#grow('words', turn, part.text);
    else if (part.type === 'reasoning') this.#grow('thought', turn, part.text);
  }

  #grow(block: 'words' | 'thought', turn: number, text: string): void {
    if (text === '') return;
    this.#streamed = turn;
    this.#begin(block);
    this.#lineIsOpen = true;
    this.#say(this.#flow.take(text.replaceAll('\r\n', '\n')));
  }

  #problem(text: string): void {
    const { paint, width } = this.#options.page;
    this.#lines('note', wrap(harmless(text), width).map(paint.red));
  }

  #note(text: string): void {
    const { paint, width } = this.#options.page;
    this.#lines('note', wrap(harmless(text), width).map(paint.dim));
  }

  #lines(block: Block, lines: readonly string[]): void {
    this.#begin(block);
    this.#closeLine();
    this.#write(`${lines.join('\n')}\n`);
  }

  /** Removes the live lines, and adds an empty line between blocks of different kinds. */
  #begin(block: Block): void {
    this.#live.clear();
    if (this.#block === block) return;
    this.#closeLine();
    if (this.#block) this.#write('\n');
    this.#block = block;
  }

  #closeLine(): void {
    if (this.#lineIsOpen) this.#say(this.#flow.end());
    this.#lineIsOpen = false;
  }

  #say(text: string): void {
    const { paint } = this.#options.page;
    const lines = this.#block === 'thought' ? text.split('\n').map(paint.dim) : [text];
    if (text !== '') this.#write(lines.join('\n'));
  }

  /** Draws running work, with the empty line that will precede it when done. */
  #drawLive(): void {
    const lines = this.#underWay();
    const gap = lines.length > 0 && this.#block && this.#block !== 'call' ? [''] : [];
    this.#live.draw([...gap, ...lines]);
  }

  #underWay(): string[] {
    const { page } = this.#options;
    const { paint, width } = page;
    const growing = [...this.#growing.values()].map(({ name, text, characters }) => {
      const count = `  ${characters} characters`;
      return paint.dim(`${truncateTo(`◌ ${visible(`${name} ${text}`)}`, width - count.length)}${count}`);
    });
    const open = [...this.#state.calls.values()].filter(({ result }) => !result);
    return [...growing, ...open.map((record) => openCallLine(record, page, this.#progress.get(record.callId)))];
  }
}

const wordsOf = ({ parts }: UserMessage): string =>
  parts.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');

/** Wraps streamed text at words, and escapes what would act on the terminal, also if it comes in pieces. */
export class FlowingText {
  readonly #width: number;
  #column = 0;
  #word = '';

  constructor(width: number) {
    this.#width = width;
  }

  /** The text that can be written now. An incomplete word is buffered. */
  take(text: string): string {
    let out = '';
    for (const piece of text.split(/([ \t\n])/)) {
      if (!/^[ \t\n]$/.test(piece)) {
        this.#word += piece;
        continue;
      }
      out += this.#place();
      const isFull = piece !== '\n' && this.#column >= this.#width;
      // At the end of a line, the space would start the next one.
      if (isFull) continue;
      const blank = harmless(piece);
      out += blank;
      this.#column = piece === '\n' ? 0 : this.#column + blank.length;
    }
    return out;
  }

  /** The buffered text, and a line break if a line is open. */
  end(): string {
    const out = this.#place();
    const isOpen = this.#column > 0;
    this.#column = 0;
    return isOpen ? `${out}\n` : out;
  }

  #place(): string {
    const word = harmless(this.#word);
    const columns = columnsOf(word);
    this.#word = '';
    const breaks = this.#column > 0 && this.#column + columns > this.#width;
    this.#column = breaks ? columns : this.#column + columns;
    return breaks ? `\n${word}` : word;
  }
}

/** Lines at the end of the output that are updated in place. Draws nothing in a pipe. */
export class LiveLines {
  readonly #write: (text: string) => void;
  readonly #on: boolean;
  #drawn: readonly string[] = [];

  constructor(write: (text: string) => void, on: boolean) {
    this.#write = write;
    this.#on = on;
  }

  /** Removes the lines, so that other text can be written. */
  clear(): void {
    if (this.#drawn.length > 0) this.#write(`\u001b[${this.#drawn.length}A\u001b[J`);
    this.#drawn = [];
  }

  /** Draws these lines. Each must fit the width, because a wrapped one couldn't be removed. */
  draw(lines: readonly string[]): void {
    if (!this.#on || same(lines, this.#drawn)) return;
    this.clear();
    if (lines.length > 0) this.#write(`${lines.join('\n')}\n`);
    this.#drawn = lines;
  }
}

const same = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((line, index) => line === other[index]);
