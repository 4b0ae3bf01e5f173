import { type CheckedCall, mendCall } from '../mend/mend-call.ts';
import { ArgumentGate, type GateState } from '../mend/streaming/argument-gate.ts';
import { jsonSuffix } from '../mend/streaming/json-suffix.ts';
import type { AssistantPart, CallPart, FinishReason, TurnEvent, TurnResponse } from '../model/index.ts';
import { withCalls } from '../provider/text-calls/insert-calls.ts';
import { callsIn, nativeCall } from '../provider/text-calls/text-calls.ts';
import { TextWatch } from '../provider/text-calls/text-watch.ts';
import { findTool } from '../tools/find-tool.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import { type ResponseOptions, readsOf } from './mend-options.ts';

/**
 * Mends the calls of an answer as it streams: events in, events out. Words pass at once unless a call may have begun in
 * them; arguments pass while they are strict JSON that fits, and wait from their first fault until the call is whole.
 * What passed of arguments is a preview: right before its `part.finished` a call is judged, and `onCall` says that it is invalid.
 */
export class TurnMender {
  readonly #toolbox: Toolbox;
  readonly #options: ResponseOptions;
  readonly #text: TextWatch | undefined;
  readonly #coming = new Map<number, StreamingCall>();
  /** Those of them that are not settled. */
  readonly #open = new Set<StreamingCall>();
  /** The place of the last call that has begun. */
  #last = -1;
  #waiting: TurnEvent[] = [];

  constructor(toolbox: Toolbox, options: ResponseOptions = {}) {
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
    if (coming && event.type === 'part.delta') return coming.grow(event.text);
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

/** A call that is coming: what of it was passed on, and what waits. */
class StreamingCall {
  readonly #index: number;
  readonly #begun: CallPart;
  readonly #toolbox: Toolbox;
  readonly #options: ResponseOptions;
  readonly #gate: ArgumentGate;
  #state: GateState;
  #sent = '';
  #held = '';
  #whole: CallPart | undefined;
  #settled: CallPart | undefined;

  constructor(index: number, part: CallPart, toolbox: Toolbox, options: ResponseOptions) {
    const { tool } = findTool(part.name, toolbox);
    this.#index = index;
    this.#begun = tool ? { ...part, name: tool.name } : part;
    this.#toolbox = toolbox;
    this.#options = options;
    this.#gate = new ArgumentGate(tool?.schema.json);
    this.#state = tool ? 'clear' : 'shut';
  }

  /** The call as it goes out, once that is known. */
  get part(): CallPart | undefined {
    return this.#settled;
  }

  /** Its name is told at once, as the tool has it. */
  begin(): TurnEvent[] {
    const { arguments: given } = this.#begun;
    const text = typeof given === 'string' ? given : '';
    return [
      { type: 'part.started', index: this.#index, part: { ...this.#begun, arguments: '' } },
      ...(text ? this.grow(text) : []),
    ];
  }

  grow(text: string): TurnEvent[] {
    this.#held += text;
    if (this.#state !== 'shut') this.#state = this.#gate.feed(text);
    if (this.#state !== 'clear') return [];
    const out = this.#held;
    this.#sent += out;
    this.#held = '';
    return this.#grown(out);
  }

  /**
   * All of it came. A call that would be refused had the answer run into its limit waits until that is known, and one that is
   * refused in any case does too, since it is told why.
   */
  whole(part: CallPart): TurnEvent[] {
    this.#whole = part;
    // A value may be the beginning of one, where the answer ended by length right behind it.
    if (typeof part.arguments !== 'string') return [];
    const judged = this.#judge(part, undefined);
    const { status } = judged.outcome;
    const sure = status === 'ok' || this.#judge(part, 'length').changed;
    return sure ? this.#settle(judged) : [];
  }

  /** @param found what the end of the answer showed of it */
  settle(finish: FinishReason | undefined, found?: CallPart['found']): TurnEvent[] {
    if (!this.#whole || this.#settled) return [];
    return this.#settle(this.#judge(found ? { ...this.#whole, found } : this.#whole, finish));
  }

  #judge(part: CallPart, finish: FinishReason | undefined): CheckedCall {
    return mendCall(part, this.#toolbox, this.#options.policy, finish, this.#options.context);
  }

  #settle(judged: CheckedCall): TurnEvent[] {
    this.#options.onCall?.(judged);
    this.#settled = judged.part;
    const { arguments: given } = judged.part;
    const text = typeof given === 'string' ? given : JSON.stringify(given);
    const rest = judged.changed ? (jsonSuffix(this.#sent, judged.outcome.input) ?? this.#held) : this.#held;
    const missing = this.#sent === '' ? text : rest;
    return [...this.#grown(missing), { type: 'part.finished', index: this.#index, part: judged.part }];
  }

  #grown(text: string): TurnEvent[] {
    return text === '' ? [] : [{ type: 'part.delta', index: this.#index, text }];
  }
}
