import { callParts } from '../../dialect/call/call-part.ts';
import type { ReadCallsOptions } from '../../dialect/call-reader.ts';
import type { JsonValue } from '../../json/value.ts';
import { type CheckedCall, isBadCall, mendCall } from '../../mend/mend-call.ts';
import { type CheckOptions, OpaqueCall, StreamingCall } from '../../mend/streaming/streaming-call.ts';
import type {
  AssistantPart,
  CallPart,
  FinishReason,
  OpaquePart,
  PartFinished,
  PartStarted,
  TextPart,
  TurnError,
  TurnEvent,
  TurnResponse,
} from '../../model/index.ts';
import { type TextReplacement, withCalls, withReplaced } from './insert-calls.ts';
import { bareResponse, callsIn } from './text-calls.ts';
import { TextWatch } from './text-watch.ts';

/** An event, and what goes out in its place: the same event where nothing is changed. */
export interface Delivery {
  readonly event: TurnEvent;
  readonly out: readonly TurnEvent[];
}

/** How a turn ended. */
export interface Ending {
  readonly response: TurnResponse;
  readonly error?: TurnError;
}

/** Which calls must not reach the receiver, and the note each of them is replaced by. */
export interface Withholding {
  /** @param broken the stream broke off before the call was complete */
  note(call: CheckedCall, broken: boolean): string | undefined;
  /** Whether a part that is no function call is still one for the receiver to run. */
  isCall(part: OpaquePart): boolean;
  /** @param finish how the response ended, where this is its last part */
  opaqueNote(part: OpaquePart, finish: FinishReason | undefined, broken: boolean): string | undefined;
  /** Whether something that the middle shape has no word for is a piece of the part. */
  isPiece(value: JsonValue, part: OpaquePart): boolean;
  /** A complete response without such calls. */
  response(response: TurnResponse, calls: readonly CheckedCall[]): TurnResponse;
}

/** Delivery to a receiver from which nothing can be taken back, so that events wait while a call may still change. */
export interface StrictDelivery {
  readonly withholding: Withholding;
  /** Check the calls and leave them as they are. `report` delays and withholds nothing either. */
  readonly dryRun: false | 'withhold' | 'report';
  /** Arguments go out as they arrive, before it is known whether they will be complete. */
  readonly streamArguments: boolean;
  /** All from the first call on waits for the end, so that bad calls can be replaced (`release`). */
  readonly hold: boolean;
  /** Whether calls are wanted at all; asked when some were detected in text. */
  readonly mayCall: () => boolean;
  /** The response in one that ended because its server could not read it. */
  readonly rescue: (ended: TurnError | TurnResponse) => TurnResponse | undefined;
}

/** How the calls of a turn are mended. */
export interface TurnMenderOptions extends CheckOptions {
  /** How calls in text are read, where no native call comes; text is left alone without it. */
  readonly reads?: ReadCallsOptions | undefined;
  /** Called for every call that was checked. */
  readonly onCall?: ((call: CheckedCall) => void) | undefined;
  /** Without it deltas are a preview: each call flows by itself, and its finished part counts. */
  readonly strict?: StrictDelivery | undefined;
}

/**
 * Mends the calls of a turn as it streams, events in and events out. Text passes at once unless a call may have begun in it;
 * arguments pass while they are strict JSON that fits the schema, and wait from their first fault until the call is settled.
 */
export class TurnMender {
  /** The calls that are settled, in the order in which they were. */
  readonly calls: CheckedCall[] = [];
  /** How the turn ended, once it has. */
  ending: Ending | undefined;
  /** Events wait. */
  waits = false;
  /** The turn is over and waits to be released, because a call is bad. */
  held = false;
  /** A call goes out other than it came. */
  changed = false;
  /** A note stands in the place of a call. */
  withheld = false;
  /** The end of the turn was put together anew, as one delivery for all events that waited. */
  rewritten = false;
  readonly #options: TurnMenderOptions;
  readonly #strict: StrictDelivery | undefined;
  readonly #text: TextWatch | undefined;
  readonly #calls = new Map<number, StreamingCall | OpaqueCall>();
  /** Those of them that are not settled, in the order in which they began. */
  readonly #open = new Set<StreamingCall | OpaqueCall>();
  /** Calls whose text went on since the last part began. */
  readonly #fed = new Set<StreamingCall>();
  /** Those whose end came, and which the beginning of another part settles. */
  readonly #complete = new Set<StreamingCall | OpaqueCall>();
  /** The place of the last call that has begun. */
  #last = -1;
  #waiting: TurnEvent[] = [];
  /** The ends of calls that were settled after their end had come. */
  #late: TurnEvent[] = [];
  /** Text came, or a note. */
  #spoken = false;
  /** The response in whose text calls were detected, and what is left of the text. */
  #found: (Omit<TextReplacement, 'calls'> & { readonly response: TurnResponse }) | undefined;

  constructor(options: TurnMenderOptions) {
    const { reads, toolbox, strict } = options;
    this.#options = options;
    this.#strict = strict;
    this.#text = reads === undefined ? undefined : new TextWatch(toolbox, reads);
  }

  /** Whether any call has begun. */
  get any(): boolean {
    return this.#calls.size > 0;
  }

  /** The dialect of calls that were detected in text. */
  get dialect(): string | undefined {
    return this.#text?.calls.length ? this.#text.dialect : undefined;
  }

  /** Takes an event; returns those that go out now. */
  take(event: TurnEvent): TurnEvent[] {
    return this.deliver(spread(event)).flatMap(({ out }) => out);
  }

  /**
   * Takes events that arrived together; returns what goes out now for them and for those that waited.
   *
   * @param lags a call is known to have begun, and its events follow
   */
  deliver(events: readonly TurnEvent[], lags = false): Delivery[] {
    this.#text?.take(events);
    for (const event of events) {
      this.#look(event);
      this.#waiting.push(event);
    }
    if (this.ending && events.length > 0) this.#end(this.ending);
    this.waits = this.held || (!this.ending && (lags || this.#mustWait(events)));
    return this.waits ? [] : this.#flush();
  }

  /** Lets out what was held: as it would have gone, or with the calls of another response. */
  release(replaced?: { readonly response: TurnResponse; readonly calls: readonly CheckedCall[] }): Delivery[] {
    this.held = false;
    this.waits = false;
    if (!replaced) return this.#flush();
    this.calls.splice(0, this.calls.length, ...replaced.calls);
    if (this.#found) {
      this.#found = { ...this.#found, response: replaced.response };
      return this.#flush();
    }
    const response = this.#strict?.withholding.response(replaced.response, replaced.calls) ?? replaced.response;
    return this.#rewrite(response, (events) => withReplaced(events, response));
  }

  #look(event: TurnEvent): void {
    if (event.type === 'part.started') this.#start(event);
    else if (event.type === 'part.delta') {
      const call = this.#calls.get(event.index);
      if (!call) this.#spoken = true;
      else if (call instanceof StreamingCall) {
        call.feed(event.text);
        this.#fed.add(call);
      }
    } else if (event.type === 'part.finished') this.#finish(event);
    else if (event.type === 'turn.finished') {
      this.ending = { response: event.response };
      this.#settleAll(event.response);
    } else if (event.type === 'turn.failed') {
      this.ending = { response: event.response, error: event.error };
      if (this.#strict) this.#fail(event.response);
    }
  }

  #start({ index, part }: PartStarted): void {
    const strict = this.#strict;
    const isCall = part.type === 'call' || (part.type === 'opaque' && strict?.withholding.isCall(part));
    for (const call of this.#fed) call.closeText();
    this.#fed.clear();
    for (const call of this.#complete) {
      if (call instanceof OpaqueCall) this.#settleOpaque(call, undefined);
      // Only the last call can be one that the token limit cut off.
      else if (strict || isCall) this.#settleLate(call, call.check(call.complete as CallPart));
    }
    if (!isCall) return;
    const delivery = { preview: !strict, dryRun: Boolean(strict?.dryRun) };
    const call =
      part.type === 'call'
        ? new StreamingCall(index, part, { ...this.#options, ...delivery })
        : new OpaqueCall(index, part as OpaquePart);
    this.#last = Math.max(this.#last, index);
    this.#calls.set(index, call);
    const isSettled = call instanceof OpaqueCall && (strict?.dryRun === 'report' || strict?.streamArguments);
    if (!isSettled) this.#open.add(call);
  }

  #finish({ index, part }: PartFinished): void {
    const call = this.#calls.get(index);
    if (call instanceof OpaqueCall && part.type === 'opaque') {
      call.complete = part;
      if (this.#open.has(call)) this.#complete.add(call);
    }
    if (!(call instanceof StreamingCall) || part.type !== 'call') return;
    const checked = call.finish(part, (now, limited) =>
      // A preview ends with the reason of a refusal, which is known at the end.
      this.#strict ? now.changed === limited.changed && this.#noteOf(now) === this.#noteOf(limited) : limited.changed,
    );
    const settled = checked ?? (!this.#strict && index < this.#last ? call.check(part) : undefined);
    if (settled) this.#settle(call, settled);
    // Strict delivery waits for the end with text, since a stream that breaks later makes incomplete text suspect; a value
    // is as complete as it will be.
    else if (!this.#strict || typeof part.arguments !== 'string') this.#complete.add(call);
  }

  /** The turn is over: calls that waited to learn how are settled. */
  #settleAll({ message: { parts }, finish }: TurnResponse): void {
    for (const [index, call] of this.#calls) {
      if (call instanceof OpaqueCall) {
        if (this.#open.has(call)) this.#settleOpaque(call, index === parts.length - 1 ? finish : undefined);
        continue;
      }
      const { complete, checked } = call;
      // A refusal stays one whatever the end; the reason may be that the call was truncated.
      if (!complete || (checked && checked.outcome.status !== 'invalid')) continue;
      const part = parts[index];
      const found = part?.type === 'call' ? part.found : undefined;
      const last = call.check(found ? { ...complete, found } : complete, index === this.#last ? finish : undefined);
      if (checked) this.calls.splice(this.calls.indexOf(checked), 1, last);
      else this.#settleLate(call, last);
    }
  }

  /** The turn broke off: calls that are not complete never will be. */
  #fail({ message: { parts } }: TurnResponse): void {
    for (const call of this.#open) {
      const { complete, index } = call;
      if (call instanceof OpaqueCall) {
        this.#settleOpaque(call, undefined, !complete);
        continue;
      }
      const part = call.complete ?? parts[index];
      if (part?.type !== 'call') continue;
      const checked = call.check(part, call.ended ? undefined : 'error');
      this.#settle(call, complete ? checked : { ...checked, part, changed: false }, !complete);
    }
  }

  #settle(call: StreamingCall, checked: CheckedCall, broken = false): void {
    const note = call.begun ? undefined : this.#noteOf(checked, broken);
    if (note !== undefined) call.note = this.#notePart(note);
    const settled = call.settle(checked);
    this.#open.delete(call);
    this.#complete.delete(call);
    this.changed ||= call.changed;
    this.calls.push(settled);
    this.#options.onCall?.(settled);
  }

  /** Settles a call whose end has come. In a preview nothing else waits for it, so that it went nowhere until now. */
  #settleLate(call: StreamingCall, checked: CheckedCall): void {
    this.#settle(call, checked);
    const { complete: part, index } = call;
    if (!this.#strict && part) this.#late.push(...call.write({ type: 'part.finished', index, part }));
  }

  #settleOpaque(call: OpaqueCall, finish: FinishReason | undefined, broken = false): void {
    this.#open.delete(call);
    this.#complete.delete(call);
    const note = this.#strict?.withholding.opaqueNote(call.complete ?? call.part, finish, broken);
    if (note !== undefined) call.note = this.#notePart(note);
  }

  #noteOf(call: CheckedCall, broken = false): string | undefined {
    const strict = this.#strict;
    return strict && strict.dryRun !== 'report' ? strict.withholding.note(call, broken) : undefined;
  }

  #notePart(text: string): TextPart {
    const note = notePart(text, this.#spoken);
    this.#spoken = true;
    this.withheld = true;
    return note;
  }

  #mustWait(events: readonly TurnEvent[]): boolean {
    if (!this.#strict) return this.#text?.waits === true;
    const { dryRun, hold, streamArguments } = this.#strict;
    if (dryRun === 'report') return false;
    if ((hold && this.any) || this.#text?.waits) return true;
    const goesOn = streamArguments && events.some(({ type }) => type === 'part.delta' || type === 'part.started');
    for (const call of this.#open)
      if (call instanceof OpaqueCall || !call.clear || !(goesOn || call.ended)) return true;
    return false;
  }

  /** Looks for calls in the text of a turn that is over, and in what its server could not read. */
  #end({ response, error }: Ending): void {
    const { toolbox, policy, before, onCall } = this.#options;
    const strict = this.#strict;
    const text = this.#text;
    if (text && !this.any) {
      const saved = strict?.rescue(error ?? response);
      const isWanted = text.calls.length > 0 && (!strict || strict.mayCall());
      const parts = saved ? callsIn(saved) : isWanted ? callParts(text.calls) : [];
      for (const [at, part] of parts.entries()) {
        const finish = at === parts.length - 1 && !saved ? response.finish : undefined;
        const checked = mendCall(part, toolbox, policy, finish, before);
        const call = strict ? { ...checked, changed: true } : checked;
        this.calls.push(call);
        onCall?.(call);
      }
      if (this.calls.length > 0 && !strict?.dryRun)
        this.#found = saved ? { response: bareResponse(response), open: text.open } : { response, words: text.words() };
    }
    this.held = strict?.hold === true && !error && this.calls.some((call) => isBadCall(call, toolbox));
  }

  #flush(): Delivery[] {
    const found = this.#found;
    if (found) {
      this.#found = undefined;
      const calls = this.calls.map((call): AssistantPart => {
        const note = this.#noteOf(call);
        return note === undefined ? call.part : notePart(note, true);
      });
      const response = calls.some(({ type }) => type === 'text') ? truncated(found.response) : found.response;
      return this.#rewrite(response, (events) => withCalls(events, response, { ...found, calls }));
    }
    const events = this.#waiting;
    this.#waiting = [];
    return events.map((event) => ({ event, out: this.#withLate(this.#write(event)) }));
  }

  #withLate(out: TurnEvent[]): TurnEvent[] {
    return this.#late.length === 0 ? out : [...this.#late.splice(0), ...out];
  }

  /** Other events in place of those that wait. */
  #rewrite(response: TurnResponse, change: (events: readonly TurnEvent[]) => TurnEvent[]): Delivery[] {
    const events = this.#waiting;
    this.#waiting = [];
    this.rewritten = true;
    this.ending = { response };
    return events.slice(-1).map((event) => ({ event, out: change(events) }));
  }

  /** What goes out for an event. */
  #write(event: TurnEvent): TurnEvent[] {
    if (event.type === 'turn.finished' || event.type === 'turn.failed') {
      const response = this.#mended(event.response);
      if (event.type === 'turn.finished' && this.withheld) return [{ ...event, response: truncated(response) }];
      return [response === event.response ? event : { ...event, response }];
    }
    if (event.type === 'wire.unknown') return this.#isOfWithheld(event.value) ? [] : [event];
    return ('index' in event && this.#calls.get(event.index)?.write(event)) || [event];
  }

  #isOfWithheld(value: JsonValue): boolean {
    if (!this.withheld) return false;
    for (const call of this.#calls.values())
      if (call instanceof OpaqueCall && call.note && this.#strict?.withholding.isPiece(value, call.part)) return true;
    return false;
  }

  #mended(response: TurnResponse): TurnResponse {
    if (!this.changed && !this.withheld) return response;
    const parts = response.message.parts.map((part, index) => {
      const call = this.#calls.get(index);
      const mended = this.changed && call instanceof StreamingCall ? call.checked?.part : undefined;
      return call?.note ?? mended ?? part;
    });
    return { ...response, message: { ...response.message, parts } };
  }
}

/** Argument text that came with a call's beginning, as what it is: the first piece of it. */
export function spread(event: TurnEvent): TurnEvent[] {
  if (event.type !== 'part.started' || event.part.type !== 'call') return [event];
  const { index, part } = event;
  const { arguments: text } = part;
  if (typeof text !== 'string' || text === '') return [event];
  return [
    { ...event, part: { ...part, arguments: '' } },
    { type: 'part.delta', index, text },
  ];
}

/** A note as a part of the response; text before it ends its line. */
export const notePart = (text: string, spoken: boolean): TextPart => ({
  type: 'text',
  text: spoken ? `\n\n${text}` : text,
});

/** A response that ends as a truncated one does. */
export const truncated = (response: TurnResponse): TurnResponse => ({ ...response, finish: 'length' });
