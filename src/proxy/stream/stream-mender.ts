import { type CheckedCall, isBadCall, mendCall } from '../../mend/mend-call.ts';
import type { Before } from '../../mend/repeated-call.ts';
import type { AssistantPart, TurnError, TurnEvent, TurnResponse } from '../../model/index.ts';
import { type TextReplacement, withCalls } from '../../provider/text-calls/insert-calls.ts';
import { bareResponse, callsIn, nativeCall } from '../../provider/text-calls/text-calls.ts';
import { TextWatch } from '../../provider/text-calls/text-watch.ts';
import { eventsOf } from '../../provider/wire/events-of.ts';
import type { Provider, StreamReader, StreamWriter } from '../../provider/wire/types.ts';
import type { Policy } from '../../tools/tool.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import type { Replaced } from '../response/retry-invalid-calls.ts';
import { notePart, showsCall, truncated, withheldNote, withhold } from '../response/withheld-calls.ts';
import type { TextReads } from '../upstream/text-mode.ts';
import { type ChunkHead, headOf, isDelta, isNameless, spread, startsCall } from './call-events.ts';
import { type Ending, PendingCalls, type Waiting } from './pending-calls.ts';
import type { SseFrame } from './sse-frames.ts';

/** Wires that say a call's arguments again when it is whole, and when the answer is: they must be mended there too. */
const repeats: ReadonlySet<string> = new Set(['openai-responses']);

/** Wires that have pieces of arguments; the others tell a call when it is whole. */
const piecewise: ReadonlySet<string> = new Set(['openai-chat', 'openai-responses', 'anthropic']);

/**
 * Mends the calls of a stream as it passes. A frame goes out as it came, to the byte, unless it belongs to a call that is
 * changed. Frames wait while it is not known whether a call must be changed, and no longer.
 */
export class StreamMender {
  /** How the turn ended, once it has. */
  ending: Ending | undefined;
  readonly #options: StreamMenderOptions;
  readonly #reader: StreamReader;
  readonly #writer: StreamWriter;
  readonly #calls: PendingCalls;
  readonly #repeats: boolean;
  readonly #withholds: boolean;
  readonly #text: TextWatch | undefined;
  #same: boolean;
  #events: TurnEvent[] = [];
  #waiting: Waiting[] = [];
  #head: ChunkHead;
  #held = false;
  /** The answer in whose words calls were found, and what is left of these. */
  #found: (Omit<TextReplacement, 'calls'> & { readonly response: TurnResponse }) | undefined;
  /** A call that was named has not begun. */
  #named = false;
  /** A call that names nothing has begun, and is not over. */
  #nameless = false;

  constructor(options: StreamMenderOptions) {
    const { toolbox, policy, before, dryRun = false, client, streamArguments = false } = options;
    this.#options = options;
    this.#repeats = repeats.has(client.format);
    this.#same = options.upstream === client;
    this.#withholds = !dryRun || !this.#same;
    const streams = streamArguments && piecewise.has(client.format);
    const how = { toolbox, policy, before, dryRun, repeats: this.#repeats, client };
    this.#calls = new PendingCalls({ ...how, withholds: this.#withholds, streams });
    this.#writer = options.client.writeStream();
    this.#text = options.reads === undefined ? undefined : new TextWatch(toolbox, options.reads);
    const { undo = (event) => event } = options;
    this.#reader = options.upstream.readStream((event) => this.#events.push(...spread(undo(event))));
  }

  /** The calls of the answer, judged. */
  get calls(): CheckedCall[] {
    return this.#calls.judged;
  }

  /** The dialect of calls that were found in the words. */
  get dialect(): string | undefined {
    return this.#text?.calls.length ? this.#text.dialect : undefined;
  }

  /** Whether frames go out as they came, the end among them. */
  get passes(): boolean {
    return this.#same;
  }

  /** Whether something that came is buffered. */
  get buffers(): boolean {
    return this.#waiting.length > 0;
  }

  /** Whether the answer is over and all of it since its first call waits to be released, because a call is bad. */
  get held(): boolean {
    return this.#held;
  }

  /** Lets out what was held: as it would have gone, or with the calls of another answer. */
  release(replaced?: Replaced): Buffer[] {
    this.#held = false;
    if (!replaced) return this.#last();
    const { calls } = replaced;
    this.calls.splice(0, this.calls.length, ...calls);
    if (this.#found) {
      this.#found = { ...this.#found, response: replaced.response };
      return this.#last();
    }
    const response = withhold(replaced.response, calls, this.#options.client);
    return this.#instead(response, (events) => withReplaced(events, response));
  }

  /** Takes a frame; gives what can go out now. */
  take(frame: SseFrame): Buffer[] {
    const { data, bytes } = frame;
    // Behind its end an answer has no more calls, whatever is sent.
    if (this.ending && this.#withholds && data !== undefined && showsCall(data)) return [];
    if (data === '[DONE]') this.#reader.done();
    else if (data !== undefined) this.#read(data, frame.name);
    const lost = this.#events.some((event) => event.type === 'turn.failed' && event.error.kind === 'protocol');
    if (lost && this.#withholds && data !== undefined && showsCall(data)) this.#same = false;
    return this.#next(this.#same ? bytes : Buffer.alloc(0), data !== undefined);
  }

  /** The bytes ended, with an error where that was not meant to be. */
  end(error?: TurnError): Buffer[] {
    this.#reader.end(error);
    return this.#next(Buffer.alloc(0), false);
  }

  #read(data: string, name: string | undefined): void {
    try {
      const value = JSON.parse(data);
      this.#head = headOf(value);
      if (this.#withholds && this.#same && isNameless(value)) this.#nameless = true;
      this.#reader.frame(value, name);
    } catch {
      if (this.#same && this.#withholds) {
        // Among words it goes out as it came. Where there are calls, nobody knows what they lack.
        if (!this.#calls.any && !showsCall(data)) return;
        this.#same = false;
      }
      this.#reader.end({ kind: 'protocol', message: "A frame of the stream can't be read", retryable: false });
    }
  }

  #next(bytes: Buffer, said: boolean): Buffer[] {
    const events = this.#events;
    this.#events = [];
    this.#text?.take(events);
    for (const event of events) {
      if (event.type === 'turn.finished') this.ending = { response: event.response };
      else if (event.type === 'turn.failed') this.ending = { response: event.response, error: event.error };
      this.#calls.look(event);
    }
    const head = events.some(this.#head === 'name' ? startsCall : isDelta) ? undefined : this.#head;
    this.#head = undefined;
    if (this.#nameless && events.some(({ type }) => type === 'call.dropped')) {
      this.#nameless = false;
      this.#same = false;
    }
    if (head === 'name') this.#named = true;
    else if (this.#named && events.some(startsCall)) this.#named = false;
    this.#waiting.push({ bytes, events, said, head });
    const goesOn = events.some(({ type }) => type === 'part.delta' || type === 'part.started');
    if (this.ending && events.length > 0) this.#find(this.ending);
    if (
      this.#options.hold &&
      this.ending &&
      !this.ending.error &&
      this.calls.some((call) => isBadCall(call, this.#options.toolbox))
    )
      this.#held = true;
    if (this.#held) return [];
    if (this.ending) return this.#last();
    if (this.#options.dryRun && this.#same) return this.#flush();
    if (this.#options.hold && this.#calls.any) return [];
    return this.#text?.waits || head || this.#named || this.#nameless || this.#calls.mustWait(goesOn)
      ? []
      : this.#flush();
  }

  /** Looks for calls in the words of an answer that is over, and in what its server could not read. */
  #find({ response, error }: Ending): void {
    const { toolbox, policy, before, dryRun, rescue, mayCall = () => true } = this.#options;
    const text = this.#text;
    if (this.#calls.any || !text) return;
    const saved = rescue?.(error ?? response);
    const words = text.calls.length > 0 && mayCall() ? text.calls : [];
    const calls = saved ? callsIn(saved) : words.map(nativeCall);
    const judged = calls.map((part) => ({ ...mendCall(part, toolbox, policy, undefined, before), changed: true }));
    this.calls.push(...judged);
    if (dryRun || judged.length === 0) return;
    this.#found = saved ? { response: bareResponse(response), open: text.open } : { response, words: text.words() };
  }

  /** What waits at the end, with the calls that were found. */
  #last(): Buffer[] {
    const found = this.#found;
    if (!found) return this.#flush();
    this.#found = undefined;
    const calls = this.calls.map((one): AssistantPart => {
      const note = withheldNote(one, this.#options.client);
      return note === undefined ? one.part : notePart(note, true);
    });
    const cut = calls.some(({ type }) => type === 'text');
    const response = cut ? truncated(found.response) : found.response;
    return this.#instead(response, (events) => withCalls(events, response, { ...found, calls }));
  }

  /** Other events in place of those that wait; from here on nothing goes out as it came. */
  #instead(response: TurnResponse, change: (events: readonly TurnEvent[]) => TurnEvent[]): Buffer[] {
    const events = change(this.#waiting.flatMap((one) => one.events));
    this.#waiting = [];
    this.#same = false;
    this.ending = { response };
    return [this.#written(events)];
  }

  #flush(): Buffer[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#named = false;
    if (this.#calls.withheld) this.#same = false;
    if (this.#same && !this.#calls.changed) return waiting.map((one) => this.#passed(one));
    const stale = staleFrames(waiting, (event) => this.#calls.touches(event));
    // What a mended call lacked at its end stands in no frame that came.
    const missing = this.#written(this.#calls.missing(waiting.flatMap(({ events }) => events)));
    const sent = waiting.flatMap((one, at) => this.#sent(one, stale[at] === true));
    return missing.length > 0 ? [missing, ...sent] : sent;
  }

  /** A frame that goes out as it came; the writer is to know of it, should it have to go on from there. */
  #passed({ bytes, events }: Waiting): Buffer {
    for (const event of events) {
      this.#calls.passed(event);
      this.#writer.pass(event);
    }
    return bytes;
  }

  /** @param stale what it says will be said anew */
  #sent(frame: Waiting, stale: boolean): Buffer[] {
    const { events, said } = frame;
    if (!this.#same || (stale && said) || events.some((event) => this.#calls.touches(event)))
      return [this.#written(events.flatMap((event) => this.#calls.asSent(event)))];
    // Between the pieces of a call that was changed, it would say what the call was before.
    const repeated = said && events.length === 0 && this.#repeats && this.#calls.changing();
    return repeated ? [] : [this.#passed(frame)];
  }

  #written(events: readonly TurnEvent[]): Buffer {
    return Buffer.from(events.map((event) => this.#writer.write(event)).join(''));
  }
}

/** How a stream is mended. */
interface StreamMenderOptions {
  /** The wire of the answer, and the one the client reads. */
  readonly upstream: Provider;
  readonly client: Provider;
  readonly toolbox: Toolbox;
  readonly policy?: Policy | undefined;
  /** Arguments go out as they come, before it is known whether they will be complete. */
  readonly streamArguments?: boolean;
  /** Change nothing, and only report. */
  readonly dryRun?: boolean;
  /** Gives calls their own names and forms back where the request was fitted to the upstream. */
  readonly undo?: ((event: TurnEvent) => TurnEvent) | undefined;
  /** How calls in the words are read, where no native call comes. */
  readonly reads?: TextReads | undefined;
  /** Whether the client wants calls at all, asked when some were found in the words. */
  readonly mayCall?: () => boolean;
  /** The answer in one that ended because its server could not read it. */
  readonly rescue?: ((ended: TurnError | TurnResponse) => TurnResponse | undefined) | undefined;
  /** The conversation before the answer. */
  readonly before?: Before | undefined;
  /** Calls are held until all are judged, so that bad ones can be replaced. */
  readonly hold?: boolean;
}

/** Which frames must not go out as they came, because a call that is changed says anew what they say. */
function staleFrames(waiting: readonly Waiting[], isChanged: (event: TurnEvent) => boolean): boolean[] {
  // Looked at from the end, so that it costs no more than there is: what each frame's words belong to comes after it.
  let start: TurnEvent | undefined;
  let growth: TurnEvent | undefined;
  const own = waiting
    .toReversed()
    .map(({ head, events }) => {
      start = events.find(startsCall) ?? start;
      growth = events.find(isDelta) ?? growth;
      const next = head === 'name' ? start : head === 'piece' ? growth : undefined;
      return next !== undefined && isChanged(next);
    })
    .toReversed();
  // A reader may wait with a call until the end: what stands between its name and itself is said again after it.
  let named = false;
  return waiting.map(({ head, events }, at) => {
    named = (named || (own[at] === true && head === 'name')) && !events.some(startsCall);
    return own[at] === true || named;
  });
}

/**
 * The last events of a turn, those that nobody has heard yet, with its calls as another answer has them.
 *
 * @param response the turn with other calls in the places of those that came
 */
function withReplaced(events: readonly TurnEvent[], response: TurnResponse): TurnEvent[] {
  const replaced = new Set<number>();
  return events.flatMap((event): TurnEvent[] => {
    if (event.type === 'turn.finished') return [{ ...event, response }];
    if (!('index' in event)) return [event];
    const { index } = event;
    const part = response.message.parts[index];
    if (event.type !== 'part.started') return replaced.has(index) ? [] : [event];
    if (event.part.type !== 'call' || !part) return [event];
    replaced.add(index);
    const whole = eventsOf({ message: { role: 'assistant', parts: [part] }, finish: 'tool_calls' });
    return [...whole].flatMap((one) => ('index' in one ? [{ ...one, index }] : []));
  });
}
