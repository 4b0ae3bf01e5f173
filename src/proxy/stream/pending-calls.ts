import { isObject } from '../../json/value.ts';
import { type CheckedCall, mendCall } from '../../mend/mend-call.ts';
import type { Before } from '../../mend/repeated-call.ts';
import { ArgumentGate, type GateState } from '../../mend/streaming/argument-gate.ts';
import { jsonSuffix } from '../../mend/streaming/json-suffix.ts';
import type {
  CallPart,
  FinishReason,
  OpaquePart,
  TextPart,
  TurnError,
  TurnEvent,
  TurnResponse,
} from '../../model/index.ts';
import type { Provider } from '../../provider/wire/types.ts';
import { findTool } from '../../tools/find-tool.ts';
import type { Policy } from '../../tools/tool.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import { notePart, opaqueCallName, opaqueNote, truncated, withheldNote } from '../response/withheld-calls.ts';
import type { ChunkHead } from './call-events.ts';

/** A call that is coming. */
interface PendingCall {
  readonly gate: ArgumentGate;
  state: GateState;
  /** What the client has of its argument text. */
  sent: string;
  /** The call as it came, once it is whole. */
  whole?: CallPart;
  judged?: CheckedCall;
  /** What is still to be sent of a mended call's text. */
  rest?: string;
  /** Its end is written. */
  closed?: boolean;
  /** Its beginning went out. */
  begun?: boolean;
  /** It is no function call: its text has no end of its own. */
  opaque?: OpaquePart;
  /** Nothing that comes can change it. */
  settled?: boolean;
  /** The text that goes out in its place. */
  note?: TextPart;
}

/** A frame that waits, with what it said. */
export interface Waiting {
  readonly bytes: Buffer;
  readonly events: readonly TurnEvent[];
  /** It said something, though perhaps nothing new; a comment says nothing. */
  readonly said: boolean;
  /** It names a call or holds a piece of one, and nobody has said so yet. */
  readonly head: ChunkHead;
}

/** How a turn ended. */
export interface Ending {
  readonly response: TurnResponse;
  readonly error?: TurnError;
}

/** How the calls of a stream are judged, and how they are written. */
interface PendingCallsOptions {
  readonly toolbox: Toolbox;
  readonly policy?: Policy | undefined;
  /** The conversation before the answer. */
  readonly before?: Before | undefined;
  /** Judge, and change nothing. */
  readonly dryRun: boolean;
  /** The wire says a call's arguments again when it is whole, and when the answer is: they must be mended there too. */
  readonly repeats: boolean;
  readonly client: Provider;
  /** Calls that must not reach the client are withheld. */
  readonly withholds: boolean;
  /** Arguments go out as they come, before it is known whether they will be complete. */
  readonly streams: boolean;
}

/** The calls of a stream as they come: how far each may pass, what becomes of it, and how the client is to hear of it. */
export class PendingCalls {
  /** Those that are whole, as they were judged. */
  readonly judged: CheckedCall[] = [];
  readonly #options: PendingCallsOptions;
  readonly #coming = new Map<number, PendingCall>();
  #changed = false;
  /** Words came, or a note. */
  #spoken = false;
  #withheld = false;

  constructor(options: PendingCallsOptions) {
    this.#options = options;
  }

  /** Whether any has begun. */
  get any(): boolean {
    return this.#coming.size > 0;
  }

  /** Whether one goes out other than it came. */
  get changed(): boolean {
    return this.#changed;
  }

  /** Whether one does not go out at all: a text stands in its place. */
  get withheld(): boolean {
    return this.#withheld;
  }

  /** Looks at what an event says of a call. */
  look(event: TurnEvent): void {
    if (event.type === 'part.started') this.#before();
    if (event.type === 'part.started' && event.part.type === 'call') this.#begin(event.index, event.part);
    else if (event.type === 'part.started' && event.part.type === 'opaque') this.#beginOpaque(event.index, event.part);
    else if (event.type === 'part.delta') {
      const coming = this.#coming.get(event.index);
      if (!coming) this.#spoken = true;
      else if (coming.state !== 'shut') coming.state = coming.gate.feed(event.text);
    } else if (event.type === 'turn.failed') this.#fail(event.response);
    else if (event.type === 'part.finished' && event.part.type === 'call') this.#finish(event.index, event.part);
    else if (event.type === 'part.finished' && event.part.type === 'opaque') {
      const coming = this.#coming.get(event.index);
      if (coming) coming.opaque = event.part;
      if (coming) coming.closed = true;
    } else if (event.type === 'turn.finished') this.#end(event.response);
  }

  /**
   * Whether a call may still be changed by what comes: then nothing may overtake it, the end least of all.
   *
   * @param goesOn more of the answer came
   */
  mustWait(goesOn: boolean): boolean {
    const { streams } = this.#options;
    for (const { state, judged, gate, settled } of this.#coming.values())
      if (!judged && !settled && (state !== 'clear' || !((goesOn && streams) || gate.ended))) return true;
    return false;
  }

  /** Whether a changed call has begun, and its end is not yet written. */
  changing(): boolean {
    return this.#changed && [...this.#coming.values()].some(({ judged, closed }) => judged?.changed && !closed);
  }

  /** Whether an event says something of a call that is changed. */
  touches(event: TurnEvent): boolean {
    if (!this.#changed) return false;
    const { repeats } = this.#options;
    if (event.type === 'turn.finished') return repeats;
    if (!('index' in event) || (event.type === 'part.finished' && !repeats)) return false;
    return this.#coming.get(event.index)?.judged?.changed === true;
  }

  /** Notes that an event goes out as it came. */
  passed(event: TurnEvent): void {
    const coming = 'index' in event ? this.#coming.get(event.index) : undefined;
    if (coming) coming.begun = true;
    if (coming && event.type === 'part.delta') coming.sent += event.text;
  }

  /** An event as the client is to hear it. */
  asSent(event: TurnEvent): TurnEvent[] {
    if (event.type === 'wire.unknown' && this.#withheld && this.#isOfWithheld(event.value)) return [];
    if (event.type === 'turn.failed') return [{ ...event, response: this.#mended(event.response) }];
    if (event.type === 'turn.finished') {
      const response = this.#mended(event.response);
      return [{ ...event, response: this.#withheld ? truncated(response) : response }];
    }
    const coming = 'index' in event ? this.#coming.get(event.index) : undefined;
    if (coming?.note && 'index' in event) return event.type === 'part.started' ? told(event.index, coming.note) : [];
    if (!coming || !('index' in event) || !this.#changed || !coming.judged?.changed) {
      this.passed(event);
      return [event];
    }
    if (event.type === 'part.delta') return this.#lacking(event.index, coming);
    if (event.part.type !== 'call') return [event];
    const { part } = coming.judged;
    if (event.type === 'part.finished') {
      coming.closed = true;
      return [{ ...event, part }];
    }
    const begun = typeof part.arguments === 'string' ? '' : part.arguments;
    const start: TurnEvent = { ...event, part: { ...event.part, name: part.name, arguments: begun } };
    return [start, ...this.#lacking(event.index, coming)];
  }

  /** What changed calls lack at their end and none of these events stands for. */
  missing(events: readonly TurnEvent[]): TurnEvent[] {
    if (!this.#changed) return [];
    const lacking = [...this.#coming].filter(([, { rest }]) => rest);
    if (lacking.length === 0) return [];
    // Where a call waits from its beginning or with its pieces, the first of these brings it.
    const comes = events.filter(({ type }) => type === 'part.started' || type === 'part.delta');
    const brought = new Set(comes.map((event) => ('index' in event ? event.index : -1)));
    return lacking.flatMap(([index, coming]) => (brought.has(index) ? [] : this.#lacking(index, coming)));
  }

  /** All that is missing of a text follows the call's beginning, or takes the place of the first piece that was held. */
  #lacking(index: number, coming: PendingCall): TurnEvent[] {
    const { rest } = coming;
    coming.rest = '';
    return rest ? [{ type: 'part.delta', index, text: rest }] : [];
  }

  /** Another part begins: calls before it whose text is complete are whole, and those that came whole are not the last. */
  #before(): void {
    for (const before of this.#coming.values()) {
      if (before.opaque && before.closed) this.#settleOpaque(before, undefined);
      if (before.gate.ended && before.state === 'open') before.state = 'clear';
      if (before.whole && !before.judged && typeof before.whole.arguments !== 'string')
        this.#settle(before, this.#judge(before.whole));
    }
  }

  #begin(index: number, { name, arguments: given }: CallPart): void {
    const found = findTool(name, this.#options.toolbox);
    const gate = new ArgumentGate(found.tool?.schema.json);
    // A name that will be mended must not go out before.
    const state =
      found.tool?.name !== name || (typeof given !== 'string' && given !== undefined)
        ? 'shut'
        : given
          ? gate.feed(given)
          : 'clear';
    this.#coming.set(index, { gate, state, sent: '' });
  }

  /** A call in free text waits to its end, and until it is known whether the answer ended there by length. */
  #beginOpaque(index: number, part: OpaquePart): void {
    const { withholds, streams } = this.#options;
    if (opaqueCallName(part) === undefined) return;
    const settled = !withholds || streams;
    this.#coming.set(index, { gate: new ArgumentGate(undefined), state: 'shut', sent: '', opaque: part, settled });
  }

  #settleOpaque(coming: PendingCall, finish: FinishReason | undefined, broken = false): void {
    if (coming.settled || !coming.opaque) return;
    coming.settled = true;
    const text = opaqueNote(coming.opaque, finish, broken);
    if (text === undefined) return;
    coming.note = notePart(text, this.#spoken);
    this.#spoken = true;
    this.#withheld = true;
  }

  /** Whether an event that is passed on brings a piece of a call that is not. */
  #isOfWithheld(value: unknown): boolean {
    if (!isObject(value) || typeof value.type !== 'string' || !/_call[_.]/.test(value.type)) return false;
    const notes = [...this.#coming.values()].filter(({ note, opaque }) => note && opaque);
    return notes.some(({ opaque }) => {
      const id = isObject(opaque?.value) ? opaque.value.id : undefined;
      return id === undefined || value.item_id === undefined || id === value.item_id;
    });
  }

  /** A call is whole. One that would be refused had the answer run into its limit waits until that is known. */
  #finish(index: number, part: CallPart): void {
    const coming = this.#coming.get(index);
    if (!coming) return;
    coming.whole = part;
    const judged = this.#judge(part);
    // An object that came at once may be the beginning of one, where the answer ended by length behind it.
    if (typeof part.arguments !== 'string') return;
    const limited = judged.outcome.status === 'ok' ? judged : this.#judge(part, 'length');
    const sure = judged.changed === limited.changed && this.#noteOf(judged) === this.#noteOf(limited);
    if (sure) this.#settle(coming, judged);
  }

  #judge(part: CallPart, finish?: FinishReason): CheckedCall {
    const { toolbox, policy, before } = this.#options;
    return mendCall(part, toolbox, policy, finish, before);
  }

  #noteOf(judged: CheckedCall, broken = false): string | undefined {
    return this.#options.withholds ? withheldNote(judged, this.#options.client, broken) : undefined;
  }

  /** The answer broke off: calls that are not whole never will be. */
  #fail(response: TurnResponse): void {
    for (const [index, coming] of this.#coming) {
      this.#settleOpaque(coming, undefined, !coming.closed);
      if (coming.judged || coming.opaque) continue;
      const part = coming.whole ?? response.message.parts[index];
      if (part?.type !== 'call') continue;
      const judged = this.#judge(part, coming.gate.ended ? undefined : 'error');
      this.#settle(coming, coming.whole ? judged : { ...judged, part, changed: false }, !coming.whole);
    }
  }

  #end(response: TurnResponse): void {
    const last = Math.max(-1, ...this.#coming.keys());
    for (const [index, coming] of this.#coming) {
      const { whole, judged } = coming;
      this.#settleOpaque(coming, index === response.message.parts.length - 1 ? response.finish : undefined);
      // A bad call goes out as it came whatever the end; what is wrong with it may be that it was cut off.
      if (!whole || (judged && judged.outcome.status !== 'invalid')) continue;
      const { found } = response.message.parts[index] as CallPart;
      const finish = index === last ? response.finish : undefined;
      const anew = this.#judge({ ...whole, ...(found && { found }) }, finish);
      if (judged) this.judged.splice(this.judged.indexOf(judged), 1, anew);
      else this.#settle(coming, anew);
    }
  }

  #settle(coming: PendingCall, judged: CheckedCall, broken = false): void {
    const { dryRun } = this.#options;
    const text = coming.begun ? undefined : this.#noteOf(judged, broken);
    if (text !== undefined) {
      coming.note = notePart(text, this.#spoken);
      coming.judged = judged;
      this.judged.push(judged);
      this.#spoken = true;
      this.#withheld = true;
      return;
    }
    const { whole = judged.part } = coming;
    const isText = judged.changed && typeof whole.arguments === 'string';
    const rest = isText ? restOf(coming.sent, judged) : undefined;
    // Where what went out says something else already, the call goes on as it came.
    const late = isText && rest === undefined && !dryRun;
    coming.judged = late ? { ...judged, part: whole, changed: false } : judged;
    if (rest !== undefined) coming.rest = rest;
    this.judged.push(coming.judged);
    if (coming.judged.changed && !dryRun) this.#changed = true;
  }

  #mended(response: TurnResponse): TurnResponse {
    if (!this.#changed && !this.#withheld) return response;
    const parts = response.message.parts.map((part, index) => {
      const { note, judged } = this.#coming.get(index) ?? {};
      return note ?? (this.#changed ? judged?.part : undefined) ?? part;
    });
    return { ...response, message: { ...response.message, parts } };
  }
}

/** A text in the place of a call. */
const told = (index: number, part: TextPart): TurnEvent[] => [
  { type: 'part.started', index, part: { ...part, text: '' } },
  { type: 'part.delta', index, text: part.text },
  { type: 'part.finished', index, part },
];

/** What is still to be sent of a mended call; nothing where what went out is no beginning of it. */
const restOf = (sent: string, { part, outcome }: CheckedCall): string | undefined =>
  sent === '' ? String(part.arguments) : jsonSuffix(sent, outcome.input);
