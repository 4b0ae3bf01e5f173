import { ArgumentGate } from '../call/argument-gate.ts';
import { continueJson } from '../call/continue-json.ts';
import { type JudgedCall, judgeCall } from '../call/mended-call.ts';
import { bareAnswer, callsIn, nativeCall } from '../provider/text/calls-in-words.ts';
import { TextWatch } from '../provider/text/text-watch.ts';
import { withCalls } from '../provider/text/with-calls.ts';
import type { StreamReader, StreamWriter } from '../provider/wire.ts';
import { findTool } from '../tool/find-tool.ts';
import type { CallPart, TurnError, TurnEvent, TurnResponse } from '../turn/turn.ts';
import { type ChunkHead, grows, headOf, spread, startsCall } from './call-events.ts';
import type { Coming, Ending, Waiting } from './coming.ts';
import type { RawFrame } from './raw-frames.ts';
import type { Replaced } from './second-chance.ts';
import type { StreamMenderOptions } from './stream-mender-options.ts';
import { withReplaced } from './with-replaced.ts';

/** Wires that say a call's arguments again when it is whole, and when the answer is: they must be mended there too. */
const repeats: ReadonlySet<string> = new Set(['openai-responses']);

/**
 * Mends the calls of a stream as it passes. A frame goes out as it came, to the byte, unless it belongs to a call that is
 * changed. Frames wait while it is not known whether a call must be changed, and no longer.
 */
export class StreamMender {
  readonly calls: JudgedCall[] = [];
  /** How the turn ended, once it has. */
  ending: Ending | undefined;
  readonly #options: StreamMenderOptions;
  readonly #reader: StreamReader;
  readonly #writer: StreamWriter;
  readonly #coming = new Map<number, Coming>();
  readonly #text: TextWatch | undefined;
  #same: boolean;
  #events: TurnEvent[] = [];
  #waiting: Waiting[] = [];
  #head: ChunkHead;
  #held = false;
  /** A call that was named has not begun. */
  #named = false;

  constructor(options: StreamMenderOptions) {
    this.#options = options;
    this.#same = options.upstream === options.client;
    this.#writer = options.client.writeStream();
    this.#text = options.reads === undefined ? undefined : new TextWatch(options.toolbox, options.reads);
    const { undo = (event) => event } = options;
    this.#reader = options.upstream.readStream((event) => this.#events.push(...spread(undo(event))));
  }

  /** The dialect of calls that were found in the words. */
  get dialect(): string | undefined {
    return this.#text?.calls.length ? this.#text.dialect : undefined;
  }

  /** Whether the answer is over and all of it since its first call waits to be released, because a call is bad. */
  get held(): boolean {
    return this.#held;
  }

  /** Lets out what was held: as it would have gone, or with the calls of another answer. */
  release(replaced?: Replaced): Buffer[] {
    this.#held = false;
    if (!replaced) return this.#flush();
    this.calls.splice(0, this.calls.length, ...replaced.calls);
    return this.#instead(replaced.response, (events) => withReplaced(events, replaced.response));
  }

  /** Takes a frame; gives what can go out now. */
  take(frame: RawFrame): Buffer[] {
    if (frame.data === '[DONE]') this.#reader.done();
    else if (frame.data !== undefined) this.#read(frame.data, frame.name);
    return this.#next(this.#same ? frame.bytes : Buffer.alloc(0), frame.data !== undefined);
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
      this.#reader.frame(value, name);
    } catch {
      this.#reader.end({ kind: 'protocol', message: 'A frame of the stream is no JSON', retryable: false });
    }
  }

  #next(bytes: Buffer, said: boolean): Buffer[] {
    const events = this.#events;
    this.#events = [];
    this.#text?.take(events);
    for (const event of events) this.#look(event);
    const head = events.some(this.#head === 'name' ? startsCall : grows) ? undefined : this.#head;
    this.#head = undefined;
    if (head === 'name') this.#named = true;
    else if (this.#named && events.some(startsCall)) this.#named = false;
    this.#waiting.push({ bytes, events, said, head });
    const goesOn = events.some(({ type }) => type === 'part.grew' || type === 'part.started');
    if (this.#options.hold && this.ending && !this.ending.error && this.calls.some(isBad)) this.#held = true;
    if (this.#held) return [];
    if (this.ending) return (events.length > 0 && this.#found(this.ending)) || this.#flush();
    if (this.#options.live) return this.#flush();
    if (this.#options.hold && this.#coming.size > 0) return [];
    return this.#text?.waits || head || this.#named || this.#mustWait(goesOn) ? [] : this.#flush();
  }

  /** What waits at the end, with the calls that were found in the words or in what the server could not read. */
  #found({ response, error }: Ending): Buffer[] | undefined {
    const { toolbox, policy, live, rescue, mayCall = () => true } = this.#options;
    const text = this.#text;
    if (this.#coming.size > 0 || !text) return undefined;
    const saved = rescue?.(error ?? response);
    const words = text.calls.length > 0 && mayCall() ? text.calls : [];
    const calls = saved ? callsIn(saved) : words.map(nativeCall);
    const judged = calls.map((part) => ({ ...judgeCall(part, toolbox, policy), changed: true }));
    this.calls.push(...judged);
    if (live || judged.length === 0) return undefined;
    const found = { calls: judged.map(({ part }) => part), ...(saved ? { open: text.open } : { words: text.words() }) };
    return this.#instead(response, (events) => withCalls(events, saved ? bareAnswer(response) : response, found));
  }

  /** Other events in place of those that wait; from here on nothing goes out as it came. */
  #instead(response: TurnResponse, change: (events: readonly TurnEvent[]) => TurnEvent[]): Buffer[] {
    const events = change(this.#waiting.flatMap((one) => one.events));
    this.#waiting = [];
    this.#same = false;
    this.ending = { response };
    return [Buffer.from(events.map((event) => this.#writer.write(event)).join(''))];
  }

  /** Whether a call may still be changed by what comes: then nothing may overtake it, the end least of all. */
  #mustWait(goesOn: boolean): boolean {
    return [...this.#coming.values()].some(
      ({ state, judged, gate }) => !judged && (state !== 'clear' || !(goesOn || gate.ended)),
    );
  }

  /** Looks at what an event says of a call. */
  #look(event: TurnEvent): void {
    if (event.type === 'part.started' && event.part.type === 'call') this.#begin(event.index, event.part);
    else if (event.type === 'part.grew') {
      const coming = this.#coming.get(event.index);
      if (coming && coming.state !== 'shut') coming.state = coming.gate.feed(event.text);
    } else if (event.type === 'part.finished' && event.part.type === 'call') this.#finish(event.index, event.part);
    else if (event.type === 'turn.finished') this.#end(event.response);
    else if (event.type === 'turn.failed') this.ending = { response: event.response, error: event.error };
  }

  #begin(index: number, { name, arguments: given }: CallPart): void {
    const found = findTool(name, this.#options.toolbox);
    // Those before it are whole: nothing more of them comes.
    for (const before of this.#coming.values())
      if (before.gate.ended && before.state === 'open') before.state = 'clear';
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

  /** A call is whole. One that would be refused had the answer run into its limit waits until that is known. */
  #finish(index: number, part: CallPart): void {
    const coming = this.#coming.get(index);
    if (!coming) return;
    coming.whole = part;
    const { toolbox, policy } = this.#options;
    const judged = judgeCall(part, toolbox, policy);
    const sure = !judged.changed || judgeCall(part, toolbox, policy, 'length').changed;
    if (sure) this.#settle(coming, judged);
  }

  #end(response: TurnResponse): void {
    this.ending = { response };
    const { toolbox, policy } = this.#options;
    const last = Math.max(-1, ...this.#coming.keys());
    for (const [index, coming] of this.#coming) {
      if (coming.judged || !coming.whole) continue;
      this.#settle(coming, judgeCall(coming.whole, toolbox, policy, index === last ? response.finish : undefined));
    }
  }

  #settle(coming: Coming, judged: JudgedCall): void {
    const { whole = judged.part } = coming;
    const isText = judged.changed && typeof whole.arguments === 'string';
    const rest = isText ? restOf(coming.sent, judged) : undefined;
    // Where what went out says something else already, the call goes on as it came.
    const late = isText && rest === undefined && !this.#options.live;
    coming.judged = late ? { ...judged, part: whole, changed: false } : judged;
    if (rest !== undefined) coming.rest = rest;
    this.calls.push(coming.judged);
  }

  #flush(): Buffer[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#named = false;
    // Looked at from the end, so that it costs no more than there is: what each frame's words belong to comes after it.
    let start: TurnEvent | undefined;
    let growth: TurnEvent | undefined;
    const stale = waiting.toReversed().map(({ head, events }) => {
      start = events.find(startsCall) ?? start;
      growth = events.find(grows) ?? growth;
      const next = head === 'name' ? start : head === 'piece' ? growth : undefined;
      return next !== undefined && this.#touches(next);
    });
    const sent = waiting.flatMap((one, at) => this.#sent(one, stale[waiting.length - 1 - at] === true));
    return [...this.#missing(waiting), ...sent];
  }

  /** What a mended call lacked at its end stands in no frame that came. */
  #missing(waiting: readonly Waiting[]): Buffer[] {
    const lacking = [...this.#coming].filter(([, { rest }]) => rest);
    if (lacking.length === 0) return [];
    const grows = new Set(
      waiting.flatMap(({ events }) => events.map((event) => (event.type === 'part.grew' ? event.index : -1))),
    );
    return lacking.flatMap(([index, coming]) => {
      if (grows.has(index)) return [];
      const text = coming.rest as string;
      coming.rest = '';
      return [Buffer.from(this.#writer.write({ type: 'part.grew', index, text }))];
    });
  }

  /** @param stale it names a call that will be named anew */
  #sent({ bytes, events, said }: Waiting, stale: boolean): Buffer[] {
    const { live, client } = this.#options;
    const changed = !live && (!this.#same || stale || events.some((event) => this.#touches(event)));
    const written = events.flatMap((event) => this.#asSent(event, changed)).map((event) => this.#writer.write(event));
    if (changed) return [Buffer.from(written.join(''))];
    // Between the pieces of a call that was changed, it would say what the call was before.
    const repeated = said && events.length === 0 && repeats.has(client.format) && this.#changing();
    return repeated ? [] : [bytes];
  }

  /** Whether a changed call has begun, and its end is not yet written. */
  #changing(): boolean {
    return [...this.#coming.values()].some(({ judged, closed }) => judged?.changed && !closed);
  }

  #touches(event: TurnEvent): boolean {
    const again = repeats.has(this.#options.client.format);
    if (event.type === 'turn.finished') return again && this.calls.some(({ changed }) => changed);
    if (!('index' in event) || (event.type === 'part.finished' && !again)) return false;
    return this.#coming.get(event.index)?.judged?.changed === true;
  }

  /** An event as the client is to hear it. */
  #asSent(event: TurnEvent, changed: boolean): TurnEvent[] {
    if (event.type === 'turn.finished') return [{ ...event, response: this.#mended(event.response) }];
    if (!('index' in event)) return [event];
    const coming = this.#coming.get(event.index);
    if (event.type === 'part.grew') return this.#grown(event, coming, changed);
    if (event.part.type !== 'call' || !coming?.judged?.changed) return [event];
    const { part } = coming.judged;
    if (event.type === 'part.finished') {
      coming.closed = true;
      return [{ ...event, part }];
    }
    const begun = typeof part.arguments === 'string' ? '' : part.arguments;
    return [{ ...event, part: { ...event.part, name: part.name, arguments: begun } }];
  }

  #grown(event: TurnEvent & { type: 'part.grew' }, coming: Coming | undefined, changed: boolean): TurnEvent[] {
    if (!coming) return [event];
    if (!changed || !coming.judged?.changed) {
      coming.sent += event.text;
      return [event];
    }
    const { rest } = coming;
    // All of it takes the place of the first piece that was held.
    coming.rest = '';
    return rest ? [{ ...event, text: rest }] : [];
  }

  #mended(response: TurnResponse): TurnResponse {
    if (this.#options.live) return response;
    const parts = response.message.parts.map((part, index) => this.#coming.get(index)?.judged?.part ?? part);
    return { ...response, message: { ...response.message, parts } };
  }
}

/** What is still to be sent of a mended call; nothing where what went out is no beginning of it. */
const restOf = (sent: string, { part, outcome }: JudgedCall): string | undefined =>
  sent === '' ? String(part.arguments) : continueJson(sent, outcome.input);

const isBad = ({ outcome }: JudgedCall): boolean => outcome.status === 'invalid';
