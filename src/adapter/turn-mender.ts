import { mendCall } from '../call/mended-call.ts';
import { callsIn, nativeCall } from '../provider/text/calls-in-words.ts';
import { TextWatch } from '../provider/text/text-watch.ts';
import { withCalls } from '../provider/text/with-calls.ts';
import type { Toolbox } from '../tool/toolbox.ts';
import type { AssistantPart, CallPart, FinishReason, TurnEvent, TurnResponse } from '../turn/turn.ts';
import { StreamingCall } from './coming-call.ts';
import { type AnswerOptions, readsOf } from './mend-options.ts';

/**
 * Mends the calls of an answer as it streams: events in, events out. Words pass at once unless a call may have begun in
 * them; arguments pass while they are strict JSON that fits, and wait from their first fault until the call is whole.
 */
export class TurnMender {
  readonly #toolbox: Toolbox;
  readonly #options: AnswerOptions;
  readonly #text: TextWatch | undefined;
  readonly #coming = new Map<number, StreamingCall>();
  /** Those of them that are not settled. */
  readonly #open = new Set<StreamingCall>();
  /** The place of the last call that has begun. */
  #last = -1;
  #waiting: TurnEvent[] = [];

  constructor(toolbox: Toolbox, options: AnswerOptions = {}) {
    this.#toolbox = toolbox;
    this.#options = options;
    const reads = readsOf(options);
    this.#text = reads === undefined ? undefined : new TextWatch(toolbox, reads);
  }

  /** Takes an event; gives what can be said now. */
  take(event: TurnEvent): TurnEvent[] {
    this.#text?.take([event]);
    this.#waiting.push(event);
    if (event.type === 'turn.finished') return this.#finish(event.response);
    return event.type !== 'turn.failed' && this.#text?.waits ? [] : this.#flush();
  }

  #finish(response: TurnResponse): TurnEvent[] {
    const found = this.#text?.calls ?? [];
    if (found.length > 0 && callsIn(response).length === 0) {
      const { finish } = response;
      const calls = found.map((one, at) => this.#judged(nativeCall(one), at === found.length - 1 ? finish : undefined));
      this.#waiting = withCalls(this.#waiting, response, { words: this.#text?.words() ?? '', calls });
      return this.#taken();
    }
    return this.#flush();
  }

  #judged(part: CallPart, finish: FinishReason | undefined): CallPart {
    const judged = mendCall(part, this.#toolbox, this.#options.policy, finish, this.#options.context);
    this.#options.onCall?.(judged);
    return judged.part;
  }

  #flush(): TurnEvent[] {
    return this.#taken().flatMap((event) => this.#pass(event));
  }

  #taken(): TurnEvent[] {
    const events = this.#waiting;
    this.#waiting = [];
    return events;
  }

  #pass(event: TurnEvent): TurnEvent[] {
    if (event.type === 'turn.finished') return this.#end(event.response);
    if (event.type === 'part.started' && event.part.type === 'call') {
      // Only the last call can be one that the limit cut off: those before it need not wait for the end.
      const settled = [...this.#open].flatMap((one) => this.#settled(one, one.settle(undefined)));
      const coming = new StreamingCall(event.index, event.part, this.#toolbox, this.#options);
      this.#coming.set(event.index, coming);
      this.#open.add(coming);
      this.#last = Math.max(this.#last, event.index);
      return [...settled, ...coming.begin()];
    }
    const coming = 'index' in event ? this.#coming.get(event.index) : undefined;
    if (coming && event.type === 'part.grew') return coming.grow(event.text);
    if (coming && event.type === 'part.finished' && event.part.type === 'call') {
      const said = coming.whole(event.part);
      return this.#settled(coming, event.index === this.#last ? said : [...said, ...coming.settle(undefined)]);
    }
    return [event];
  }

  /** The answer is over: calls that waited to hear how are settled, and stand mended in the whole too. */
  #end(response: TurnResponse): TurnEvent[] {
    const last = this.#last;
    const events = [...this.#coming].flatMap(([index, coming]) =>
      coming.settle(index === last ? response.finish : undefined, foundIn(response.message.parts[index])),
    );
    const parts = response.message.parts.map((part, index) => this.#coming.get(index)?.part ?? part);
    return [...events, { type: 'turn.finished', response: { ...response, message: { ...response.message, parts } } }];
  }

  /** What a call said, which needs no further look where it is settled. */
  #settled(coming: StreamingCall, said: TurnEvent[]): TurnEvent[] {
    if (coming.part) this.#open.delete(coming);
    return said;
  }
}

const foundIn = (part: AssistantPart | undefined): CallPart['found'] =>
  part?.type === 'call' ? part.found : undefined;
