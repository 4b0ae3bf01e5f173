import type { RunEvent } from '../../log/event.ts';
import { applyEvent, fold } from '../../log/fold.ts';
import type { StreamedEvent } from '../../log/hub.ts';
import { newRunState } from '../../log/run-state.ts';
import { visible } from '../../log/shown-arguments.ts';
import type { Progress } from '../../tool/tool.ts';
import type { AssistantPart, UserMessage } from '../../turn/turn.ts';
import { harmless } from '../colour.ts';
import { cutTo } from '../columns.ts';
import type { Page } from '../show-outcome.ts';
import { wrap } from '../wrap.ts';
import { callLines, openCallLine } from './call-lines.ts';
import { countCalls } from './call-verdict.ts';
import { FlowingText } from './flowing-text.ts';
import { LiveLines } from './live-lines.ts';
import { personLines } from './person-lines.ts';

/** How a run is drawn. */
export interface ScreenOptions {
  readonly page: Page;
  /** What is under way changes in place: for a terminal. */
  readonly live?: boolean;
  /** What people said is shown too: for a run that is looked at afterwards. */
  readonly whole?: boolean;
}

/** How much of a call's text is kept to be shown while it comes. */
const mostGrowing = 200;

type Block = 'words' | 'thought' | 'call' | 'person' | 'question' | 'note';

/** Draws a run's events as they come: words as they stream, calls that move through their states, what was mended. */
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

  /** Takes in what happened before, which is not drawn. */
  know(events: Iterable<RunEvent>): void {
    fold(events, this.#state);
  }

  show(event: StreamedEvent): void {
    if (this.#held) this.#held.push(event);
    else this.#draw(event);
  }

  /** Draws nothing until `release`, because a question is asked: what comes is kept. */
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
      'run.started': ({ run, model, from }) => {
        if (!this.#options.whole) return;
        const origin = from ? `, forked from ${from.run} at ${from.seq}` : '';
        this.#note(`${run}: ${model.name} (${model.provider})${origin}`);
      },
      'run.resumed': () => this.#note('taken up again'),
      'message.added': ({ message }) => {
        if (this.#options.whole) this.#lines('person', personLines(wordsOf(message), this.#options.page));
      },
      'text.grew': ({ turn, text }) => this.#grow('words', turn, text),
      'reasoning.grew': ({ turn, text }) => this.#grow('thought', turn, text),
      'call.started': ({ callId, name }) => {
        this.#closeLine();
        this.#growing.set(callId, { name, text: '', characters: 0 });
      },
      'call.grew': ({ callId, text }) => {
        const growing = this.#growing.get(callId);
        if (!growing) return;
        growing.characters += text.length;
        if (growing.text.length < mostGrowing) growing.text += text;
      },
      'turn.answered': ({ turn, response }) => {
        this.#growing.clear();
        if (this.#streamed !== turn) for (const part of response.message.parts) this.#part(part, turn);
        this.#closeLine();
      },
      'turn.broken': ({ error }) => {
        this.#growing.clear();
        this.#problem(error.kind === 'aborted' ? 'stopped' : `the model broke off: ${error.message}`);
      },
      'call.dropped': ({ call }) => this.#note(`a call that names no tool was left out: ${JSON.stringify(call.name)}`),
      'call.refused': ({ callId }) => this.#settled(callId),
      'call.denied': ({ callId }) => this.#settled(callId),
      'call.sealed': ({ callId }) => this.#settled(callId),
      'tool.finished': ({ callId, ms }) => this.#settled(callId, ms),
      'tool.progressed': ({ callId, progress }) => void this.#progress.set(callId, progress),
      'tool.orphaned': ({ name, outcome }) => this.#note(`${name} came back after it had been given up: ${outcome}`),
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
    this.#say(this.#flow.take(harmless(text.replaceAll('\r\n', '\n'))));
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

  /** Takes away what is under way, and leaves an empty line between blocks of different kinds. */
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

  /** What is under way, with the empty line before it that it will have when it is done. */
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
      return paint.dim(`${cutTo(`◌ ${visible(`${name} ${text}`)}`, width - count.length)}${count}`);
    });
    const open = [...this.#state.calls.values()].filter(({ result }) => !result);
    return [...growing, ...open.map((record) => openCallLine(record, page, this.#progress.get(record.callId)))];
  }
}

const wordsOf = ({ parts }: UserMessage): string =>
  parts.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
