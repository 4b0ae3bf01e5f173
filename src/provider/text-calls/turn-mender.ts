import { callParts } from '../../dialect/call/call-part.ts';
import { callsOutsideText } from '../../dialect/call/calls-outside-text.ts';
import { areMentioned } from '../../dialect/call/check-call.ts';
import type { ReadCallsOptions } from '../../dialect/call-reader.ts';
import type { JsonValue } from '../../json/value.ts';
import { type CheckedCall, isBadCall, mendCall, mergedCalls } from '../../mend/mend-call.ts';
import type { Outcome } from '../../mend/outcome.ts';
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
import { finishWith, type TextReplacement, withCalls, withReplaced } from './insert-calls.ts';
import { bareResponse, callsIn } from './text-calls.ts';
import { TextWatch } from './text-watch.ts';
import type { Note, Withholding } from './withholding.ts';

/** An event, and the events sent for it. An unchanged event is sent as it is. */
export interface Delivery {
  readonly event: TurnEvent;
  readonly out: readonly TurnEvent[];
}

/** How a turn ended. */
export interface Ending {
  readonly response: TurnResponse;
  readonly error?: TurnError;
}

/** Delivery to a receiver that can't retract events, so they are buffered while a call may still change. */
export interface StrictDelivery {
  readonly withholding: Withholding;
  /** Check the calls but don't change them. `report` also buffers and withholds nothing. */
  readonly dryRun: false | 'withhold' | 'report';
  /** Send arguments as they arrive, before they are known to be complete. */
  readonly streamArguments: boolean;
  /** Buffer everything from the first call to the end, so that bad calls can be replaced (`release`). */
  readonly hold: boolean;
  /** Whether calls are allowed; checked when calls are detected in text. */
  readonly mayCall: (calls: readonly Outcome[]) => boolean;
  /** Recovers the response from one that ended because its server couldn't parse it. */
  readonly rescue: (ended: TurnError | TurnResponse) => TurnResponse | undefined;
}

/** A response with calls detected in its text, and the remaining text. */
interface Found extends Omit<TextReplacement, 'calls'> {
  readonly response: TurnResponse;
  /** Whether there is text before the remaining text. */
  readonly isSpoken?: boolean;
}

/** How the calls of a turn are mended. */
export interface TurnMenderOptions extends CheckOptions {
  /**
   * How to read calls in text if there are no native calls.
   * @default text is not read
   */
  readonly reads?: ReadCallsOptions | undefined;
  /** Called for each checked call. */
  readonly onCall?: ((call: CheckedCall) => void) | undefined;
  /** Without it, deltas are a preview: each call is sent on its own, and only its finished part counts. */
  readonly strict?: StrictDelivery | undefined;
}

/**
 * Mends the calls of a turn as it streams. Text passes immediately unless a call may have started in it. Arguments pass
 * while they are strict JSON that fits the schema; from the first fault on they are buffered until the call is settled.
 */
export class TurnMender {
  /** Settled calls, in order of settlement. */
  readonly calls: CheckedCall[] = [];
  /** How the turn ended; undefined until then. */
  ending: Ending | undefined;
  /** Whether events are buffered. */
  waits = false;
  /** Whether the turn is over and buffered until `release`, because a call is bad. */
  held = false;
  /** Whether a call was changed. */
  changed = false;
  /** Whether a note replaced a call, or a call must not run although its start was sent. */
  withheld = false;
  /** Whether one of those calls was truncated. */
  #isCut = false;
  /** Whether calls are added at the end of the turn. */
  rebuilt = false;
  /** Whether the end of the turn was rebuilt as one delivery for all buffered events. */
  rewritten = false;
  readonly #options: TurnMenderOptions;
  readonly #strict: StrictDelivery | undefined;
  readonly #text: TextWatch | undefined;
  readonly #calls = new Map<number, StreamingCall | OpaqueCall>();
  /** Calls that are not settled, in order of their start. */
  readonly #open = new Set<StreamingCall | OpaqueCall>();
  /** Calls that received text since the last part started. */
  readonly #fed = new Set<StreamingCall>();
  /** Finished calls that the start of another part settles. */
  readonly #complete = new Set<StreamingCall | OpaqueCall>();
  /** Index of the last call that has started. */
  #last = -1;
  #waiting: TurnEvent[] = [];
  /** Whether the events that arrived together end the turn. */
  #ends = false;
  /** Calls that were merged into others. */
  readonly #split: CheckedCall[] = [];
  /** The end events of calls that were settled after they finished. */
  #late: TurnEvent[] = [];
  /** Whether text or a note was sent. */
  #spoken = false;
  /** The response with calls detected in its text, and the remaining text. */
  #found: Found | undefined;
  /** The same for calls that the text only mentions. It then stays as it is, unless the model replaces them. */
  #mentioned: Found | undefined;

  constructor(options: TurnMenderOptions) {
    const { reads, toolbox, strict } = options;
    this.#options = options;
    this.#strict = strict;
    this.#text = reads === undefined ? undefined : new TextWatch(toolbox, reads);
  }

  /** Whether a call has started. */
  get any(): boolean {
    return this.#calls.size > 0;
  }

  /** The dialect of calls detected in text. */
  get dialect(): string | undefined {
    return this.#text?.calls.length ? this.#text.dialect : undefined;
  }

  /** Processes an event and returns the events to send now. */
  take(event: TurnEvent): TurnEvent[] {
    return this.deliver(spread(event)).flatMap(({ out }) => out);
  }

  /**
   * Processes events that arrived together. Returns what to send now for them and for buffered ones.
   *
   * @param lags whether a call is known to have started although its events follow later
   */
  deliver(events: readonly TurnEvent[], lags = false): Delivery[] {
    this.#text?.take(events);
    this.#ends = events.length > 1 && events.some(({ type }) => type === 'turn.finished');
    for (const event of events) {
      this.#look(event);
      this.#waiting.push(event);
    }
    if (this.ending && events.length > 0) this.#end(this.ending);
    this.waits = this.held || (!this.ending && (lags || this.#mustWait(events)));
    return this.waits ? [] : this.#flush();
  }

  /** Sends the buffered turn, unchanged or with the calls of another response. */
  release(replaced?: { readonly response: TurnResponse; readonly calls: readonly CheckedCall[] }): Delivery[] {
    this.held = false;
    this.waits = false;
    if (!replaced) return this.#flush();
    this.calls.splice(0, this.calls.length, ...replaced.calls);
    if (!areMentioned(this.calls.map(({ outcome }) => outcome))) this.#found ??= this.#mentioned;
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
      // Only the last call can be truncated by the token limit.
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
    if (this.#splits(call, part)) return;
    if (this.#strict && this.#ends && typeof part.arguments === 'string') {
      // Its finish reason has arrived too, so that one check is enough.
      call.complete = part;
      return;
    }
    const checked = call.finish(part, (now, limited) =>
      // A preview ends with the reason of a refusal, which is only known at the end.
      this.#strict
        ? now.changed === limited.changed && this.#noteOf(now)?.text === this.#noteOf(limited)?.text
        : limited.changed,
    );
    const settled = checked ?? (!this.#strict && index < this.#last ? call.check(part) : undefined);
    if (settled) this.#settle(call, settled);
    // Strict delivery waits until the end for arguments written as text: if the stream breaks later, incomplete text is
    // suspect. Arguments received as a value can't change anymore.
    else if (!this.#strict || typeof part.arguments !== 'string') this.#complete.add(call);
  }

  /** Splits a call that the server merged with others, which follow at the end of the response. */
  #splits(call: StreamingCall, part: CallPart): boolean {
    const { toolbox, policy, before, onCall } = this.#options;
    const isFixed = this.#strict?.dryRun !== false || call.begun;
    const parts = isFixed ? undefined : mergedCalls(part, toolbox, policy);
    const [first, ...others] = parts?.map((one) => mendCall(one, toolbox, policy, undefined, before)) ?? [];
    if (!first) return false;
    call.complete = part;
    this.#settle(call, { ...first, changed: true });
    this.#split.push(...others.map((one) => ({ ...one, changed: true })));
    this.rebuilt = true;
    for (const one of others) {
      this.calls.push(one);
      onCall?.(one);
    }
    return true;
  }

  /** Settles the calls that waited for the end of the turn. */
  #settleAll({ message: { parts }, finish }: TurnResponse): void {
    for (const [index, call] of this.#calls) {
      if (call instanceof OpaqueCall) {
        if (this.#open.has(call)) this.#settleOpaque(call, index === parts.length - 1 ? finish : undefined);
        continue;
      }
      const { complete, checked } = call;
      // A refusal is final, but its reason may turn out to be a truncated call.
      if (!complete || (checked && checked.outcome.status !== 'invalid')) continue;
      const part = parts[index];
      const found = part?.type === 'call' ? part.found : undefined;
      const last = call.check(found ? { ...complete, found } : complete, index === this.#last ? finish : undefined);
      if (checked) this.calls.splice(this.calls.indexOf(checked), 1, last);
      else this.#settleLate(call, last);
    }
  }

  /** Settles incomplete calls when the turn breaks off. */
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
    const note = this.#noteOf(checked, broken);
    // What has been sent can't be replaced, but the finish reason can say that the call must not run.
    if (!call.begun) call.note = note && this.#notePart(note);
    else if (note && !broken) this.#isCut = this.withheld = true;
    const settled = call.settle(checked);
    this.#open.delete(call);
    this.#complete.delete(call);
    this.changed ||= call.changed;
    this.calls.push(settled);
    this.#options.onCall?.(settled);
  }

  /** Settles a finished call. In a preview it sends the end of the call, which has been delayed until now. */
  #settleLate(call: StreamingCall, checked: CheckedCall): void {
    this.#settle(call, checked);
    const { complete: part, index } = call;
    if (!this.#strict && part) this.#late.push(...call.write({ type: 'part.finished', index, part }));
  }

  #settleOpaque(call: OpaqueCall, finish: FinishReason | undefined, broken = false): void {
    this.#open.delete(call);
    this.#complete.delete(call);
    const note = this.#strict?.withholding.opaqueNote(call.complete ?? call.part, finish, broken);
    call.note = note && this.#notePart(note);
  }

  #noteOf(call: CheckedCall, broken = false): Note | undefined {
    const strict = this.#strict;
    return strict && strict.dryRun !== 'report' ? strict.withholding.note(call, broken) : undefined;
  }

  #notePart({ text, isCut }: Note): TextPart {
    const note = notePart(text, this.#spoken);
    this.#spoken = true;
    this.#isCut ||= isCut;
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

  /** Looks for calls in the text of a finished turn, and in output that its server couldn't parse. */
  #end({ response, error }: Ending): void {
    const { toolbox, policy, before, onCall } = this.#options;
    const strict = this.#strict;
    const text = this.#text;
    if (text && !this.any) {
      const saved = strict?.rescue(error ?? response);
      const isEmpty = !saved && !error && text.calls.length === 0;
      const outside = isEmpty ? callsOutsideText(response, toolbox, this.#options.reads ?? {}) : undefined;
      const found = outside?.calls ?? text.calls;
      const isWanted = found.length > 0 && (!strict || strict.mayCall(found));
      const parts = saved ? callsIn(saved) : isWanted ? callParts(found) : [];
      const isMentioned = !!strict && !saved && areMentioned(found);
      for (const [at, part] of parts.entries()) {
        const finish = at === parts.length - 1 && !saved ? response.finish : undefined;
        const checked = mendCall(part, toolbox, policy, finish, before);
        const call = strict && !isMentioned ? { ...checked, changed: true } : checked;
        this.calls.push(call);
        onCall?.(call);
      }
      if (this.calls.length > 0 && !strict?.dryRun) {
        const all = saved
          ? { response: bareResponse(response), open: text.open, isSpoken: this.#spoken }
          : { response, words: text.words(), isSpoken: text.spoke };
        if (isMentioned) this.#mentioned = all;
        else this.#found = all;
      }
    }
    // A stream that ended without a finish reason is complete, except for its last call.
    const isOver = error ? error.kind === 'protocol' && error.retryable : response.finish !== 'error';
    this.held = strict?.hold === true && isOver && this.calls.some((call) => isBadCall(call, toolbox));
  }

  #flush(): Delivery[] {
    const found = this.#found;
    if (found) {
      this.#found = undefined;
      const calls: AssistantPart[] = [];
      let { words, isSpoken = false } = found;
      isSpoken ||= /\S/.test(words ?? '');
      for (const call of this.calls) {
        const note = this.#noteOf(call);
        this.#isCut ||= note?.isCut === true;
        if (!note) calls.push(call.part);
        else if (words === undefined) calls.push(notePart(note.text, isSpoken));
        else words += notePart(note.text, isSpoken).text;
        isSpoken ||= note !== undefined;
      }
      const response = this.#isCut ? truncated(found.response) : found.response;
      return this.#rewrite(response, (events) =>
        withCalls(events, response, { ...found, ...(words !== undefined && { words }), calls }),
      );
    }
    const events = this.#waiting;
    this.#waiting = [];
    return events.map((event) => ({ event, out: this.#withLate(this.#write(event)) }));
  }

  #withLate(out: TurnEvent[]): TurnEvent[] {
    return this.#late.length === 0 ? out : [...this.#late.splice(0), ...out];
  }

  /** Replaces the buffered events. */
  #rewrite(response: TurnResponse, change: (events: readonly TurnEvent[]) => TurnEvent[]): Delivery[] {
    const events = this.#waiting;
    this.#waiting = [];
    this.rewritten = true;
    this.ending = { response };
    return events.slice(-1).map((event) => ({ event, out: change(events) }));
  }

  /** The events to send for an event. */
  #write(event: TurnEvent): TurnEvent[] {
    if (event.type === 'turn.finished' || event.type === 'turn.failed') {
      const response = this.#mended(event.response);
      const added = event.type === 'turn.finished' ? this.#added(event.response.message.parts.length) : [];
      if (event.type === 'turn.finished' && this.withheld) {
        const finish = finishWith(response.finish, response.message.parts);
        return [...added, { ...event, response: this.#isCut ? truncated(response) : { ...response, finish } }];
      }
      return [...added, response === event.response ? event : { ...event, response }];
    }
    if (event.type === 'provider.unknown') return this.#isOfWithheld(event.value) ? [] : [event];
    return ('index' in event && this.#calls.get(event.index)?.write(event)) || [event];
  }

  /** The events of calls that were merged into others. */
  #added(from: number): TurnEvent[] {
    return this.#split.flatMap(({ part }, at): TurnEvent[] => {
      const index = from + at;
      return [
        { type: 'part.started', index, part: { ...part, arguments: '' } },
        { type: 'part.delta', index, text: part.arguments as string },
        { type: 'part.finished', index, part },
      ];
    });
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
    const all = [...parts, ...this.#split.map(({ part }) => part)];
    return { ...response, message: { ...response.message, parts: all } };
  }
}

/** Splits argument text from the start of a call into a delta. */
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

/** A note as a text part. After other text it starts a new paragraph. */
export const notePart = (text: string, spoken: boolean): TextPart => ({
  type: 'text',
  text: spoken ? `\n\n${text}` : text,
});

/** Whether a stored response isn't over yet, so that its client asks again. */
const isRunning = ({ passthrough }: TurnResponse): boolean =>
  ['in_progress', 'queued'].includes(String(passthrough?.fields.status));

/** Marks a response as truncated, unless it has another reason for that. */
export const truncated = (response: TurnResponse): TurnResponse =>
  response.finish === 'error' || response.finish === 'filter' || isRunning(response)
    ? response
    : { ...response, finish: 'length' };
