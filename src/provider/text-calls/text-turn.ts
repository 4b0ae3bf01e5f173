import { callParts } from '../../dialect/call/call-part.ts';
import { CallReader, type ReadCallsOptions } from '../../dialect/call-reader.ts';
import type { CallEvent } from '../../dialect/types.ts';
import { allowsTextCalls } from '../../mend/finish-reason.ts';
import type { Outcome } from '../../mend/outcome.ts';
import type { AssistantPart, TurnError, TurnEvent, TurnResponse } from '../../model/index.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import { type Slot, TurnAssembler } from '../wire/turn-assembler.ts';

/** Reads the calls in a model's text as it streams, and yields the same turn with the calls as parts. */
export async function* readTextTurn(
  events: AsyncIterable<TurnEvent>,
  toolbox: Toolbox,
  options: ReadCallsOptions,
): AsyncGenerator<TurnEvent> {
  let made: TurnEvent[] = [];
  const turn = new TextTurn(toolbox, options, (event) => made.push(event));
  for await (const event of events) {
    turn.take(event);
    const out = made;
    made = [];
    yield* out;
  }
}

/** Takes the events of a turn and emits them with the calls in its text as parts. */
export class TextTurn {
  readonly #reader: CallReader;
  readonly #emit: (event: TurnEvent) => void;
  readonly #assembly: TurnAssembler;
  /** Parts that pass unchanged, by index in the original message. */
  readonly #passing = new Map<number, Slot>();
  /** The open text or reasoning part. */
  #open: Slot | undefined;
  #calls = 0;
  #failed = false;
  #native = false;

  constructor(toolbox: Toolbox, options: ReadCallsOptions, emit: (event: TurnEvent) => void) {
    this.#reader = new CallReader(toolbox, options);
    this.#emit = emit;
    // The format matters only for passthrough fields, which pass unchanged here.
    this.#assembly = new TurnAssembler('openai-chat', emit);
  }

  /** The calls read so far. */
  get calls(): readonly Outcome[] {
    return this.#reader.calls;
  }

  get dialect(): string | undefined {
    return this.#reader.dialect;
  }

  take(event: TurnEvent): void {
    const slot = 'index' in event ? this.#passing.get(event.index) : undefined;
    if (event.type === 'turn.started') {
      const { type: _, ...start } = event;
      this.#assembly.start(start);
    } else if (event.type === 'part.started') this.#begin(event.index, event.part);
    else if (event.type === 'part.delta' && slot) this.#assembly.grow(slot, event.text);
    else if (event.type === 'part.delta') this.#read(event.text);
    else if (event.type === 'part.finished' && slot) this.#assembly.close(slot, event.part);
    else if (event.type === 'turn.finished') this.#finish(event.response);
    else if (event.type === 'turn.failed') this.#fail(event.error, event.response);
    else if (event.type !== 'part.finished') this.#emit(event);
  }

  #begin(index: number, part: AssistantPart): void {
    if (part.type === 'text') {
      this.#read(part.text);
      return;
    }
    this.#close();
    if (part.type === 'call') this.#native = true;
    this.#passing.set(index, this.#assembly.open(part));
  }

  #finish({ finish, usage, passthrough }: TurnResponse): void {
    this.#say(this.#reader.end({ truncated: finish === 'length', native: this.#native || !allowsTextCalls(finish) }));
    this.#close();
    // The server reports `stop` because it doesn't know about calls in text.
    const called = finish === 'stop' && this.#calls > 0;
    this.#assembly.finish({ finish: called ? 'tool_calls' : finish, usage, passthrough });
  }

  #fail(error: TurnError, { usage }: TurnResponse): void {
    this.#failed = true;
    this.#say(this.#reader.end({ truncated: true, native: this.#native }));
    this.#assembly.fail(error, { usage });
  }

  #read(text: string): void {
    if (text !== '') this.#say(this.#reader.push(text));
  }

  #say(events: readonly CallEvent[]): void {
    for (const event of events) {
      if (event.type === 'text' || event.type === 'reasoning') {
        if (this.#open?.part.type !== event.type) {
          this.#close();
          this.#open = this.#assembly.open({ type: event.type, text: '' });
        }
        this.#assembly.grow(this.#open as Slot, event.text);
      } else if (event.type === 'call.finished') {
        this.#close();
        this.#calls += 1;
        for (const part of callParts([event.outcome])) {
          const slot = this.#assembly.open(part);
          // If the turn failed, an incomplete call is emitted but never finished.
          if (!this.#failed) this.#assembly.close(slot);
        }
      }
    }
  }

  #close(): void {
    if (this.#open) this.#assembly.close(this.#open);
    this.#open = undefined;
  }
}
