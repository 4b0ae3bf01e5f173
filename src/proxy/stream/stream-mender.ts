import { isObject, type JsonObject, stringifyJson } from '../../json/value.ts';
import type { CheckedCall } from '../../mend/mend-call.ts';
import type { CheckOptions } from '../../mend/streaming/streaming-call.ts';
import type { TurnError, TurnEvent, TurnResponse } from '../../model/index.ts';
import {
  type Delivery,
  type Ending,
  type StrictDelivery,
  spread,
  TurnMender,
} from '../../provider/text-calls/turn-mender.ts';
import { parseBody } from '../../provider/wire/arguments.ts';
import { endedInError } from '../../provider/wire/errors.ts';
import type { Provider, StreamReader, StreamWriter } from '../../provider/wire/types.ts';
import type { Replaced } from '../response/retry-invalid-calls.ts';
import { showsCall, withholdingFor } from '../response/withheld-calls.ts';
import type { TextReads } from '../upstream/text-mode.ts';
import { CallForm } from './call-form.ts';
import {
  type ChunkHead,
  endingOf,
  hasFinish,
  headOf,
  isDelta,
  isNameless,
  mentionsCall,
  RepeatedFrames,
  type SseFrame,
  startsCall,
} from './sse-frames.ts';

/**
 * API formats that repeat a call's arguments at its end and at the end of the response, where they must be mended too.
 */
const repeats: ReadonlySet<string> = new Set(['openai-responses']);

/** API formats that stream arguments in pieces. Others send complete calls. */
const piecewise: ReadonlySet<string> = new Set(['openai-chat', 'openai-responses', 'anthropic']);

/** A buffered frame with its events. */
interface Waiting {
  readonly bytes: Buffer;
  readonly events: readonly TurnEvent[];
  /** Whether it has data, even if without events. A comment has none. */
  readonly said: boolean;
  /** Whether it names or continues a call that the reader hasn't emitted. */
  readonly head: ChunkHead;
  /** Its finish reason and usage, which no event of the frame has. */
  readonly ending: JsonObject | undefined;
  /** Its number, in API formats that number their events. */
  readonly sequence: number | undefined;
  /** Whether it is the error of a stream that broke, which no frame has. */
  readonly broken: boolean;
}

/**
 * Mends the calls of a stream and keeps its bytes: a frame is forwarded unchanged unless it belongs to a changed call.
 * The `TurnMender` decides about calls, and how long frames are buffered.
 */
export class StreamMender {
  /** Whether the model has written something. */
  begun = false;
  /** The error of a stream that broke. One without its last event did too, although its connection was closed properly. */
  broken: TurnError | undefined;
  readonly #reader: StreamReader;
  readonly #writer: StreamWriter;
  readonly #mender: TurnMender;
  readonly #repeats: boolean;
  readonly #dryRun: boolean;
  readonly #translates: boolean;
  /** Whether calls that must not reach the client are withheld. */
  readonly #withholds: boolean;
  /** Whether frames are forwarded unchanged. */
  #same: boolean;
  readonly #repeated: RepeatedFrames | undefined;
  #events: TurnEvent[] = [];
  #waiting: Waiting[] = [];
  #head: ChunkHead;
  #ending: JsonObject | undefined;
  /** The number of the next event, and whether events were added or dropped, so that later ones have another number. */
  #sequence: number | undefined;
  #renumbers = false;
  /** Finds frames that break the API format; undefined if nothing may change. */
  readonly #form: CallForm | undefined;
  #value: unknown;
  /** Whether a named call hasn't started yet. */
  #named = false;
  /** Whether a call without a usable name is open. */
  #nameless = false;

  constructor(options: StreamMenderOptions) {
    const { upstream, client, undo = (event) => event, dryRun = false } = options;
    this.#dryRun = dryRun;
    this.#repeats = repeats.has(client.format);
    // Numbered frames are never the same.
    this.#repeated = this.#repeats ? undefined : new RepeatedFrames();
    this.#same = upstream === client;
    this.#translates = upstream.format !== client.format;
    this.#withholds = !dryRun || !this.#same;
    this.#form = this.#same && !dryRun ? new CallForm(client.format) : undefined;
    const { toolbox, policy, before, reads } = options;
    const { streamArguments = false, hold = false, mayCall = () => true, rescue = () => undefined } = options;
    const strict = {
      withholding: withholdingFor(client),
      dryRun: dryRun && (this.#withholds ? ('withhold' as const) : ('report' as const)),
      streamArguments: streamArguments && piecewise.has(client.format),
      hold,
      mayCall,
      rescue,
    };
    this.#mender = new TurnMender({ toolbox, policy, before, reads, strict });
    this.#writer = client.writeStream();
    this.#reader = upstream.readStream((event) => this.#events.push(...spread(undo(event))));
  }

  /** The checked calls of the response. */
  get calls(): CheckedCall[] {
    return this.#mender.calls;
  }

  /** How the turn ended; undefined until then. */
  get ending(): Ending | undefined {
    return this.#mender.ending;
  }

  /** The dialect of calls detected in text. */
  get dialect(): string | undefined {
    return this.#mender.dialect;
  }

  /** Whether frames are buffered. */
  get buffers(): boolean {
    return this.#waiting.length > 0;
  }

  /** Whether the response is over and buffered since its first call until `release`, because a call is bad. */
  get held(): boolean {
    return this.#mender.held;
  }

  /** Sends the buffered frames, unchanged or with the calls of another response. */
  release(replaced?: Replaced): Buffer[] {
    return this.#flush(this.#mender.release(replaced));
  }

  /** Processes frames that arrived together, and returns the bytes to send now. */
  takeAll(frames: readonly SseFrame[]): Buffer[] {
    const sent: Buffer[] = [];
    for (let at = 0; at < frames.length; ) {
      const run = this.#same && !this.ending ? this.#repeated?.readRun(frames, at) : undefined;
      if (run) {
        const { name } = frames[at] as SseFrame;
        this.#reader.frame(run.value, name);
        sent.push(...this.#next(bytesOf(frames.slice(at, at + run.count)), true));
      } else sent.push(...this.take(frames[at] as SseFrame));
      at += run?.count ?? 1;
    }
    return sent;
  }

  /** Processes a frame, and returns the bytes to send now. */
  take(frame: SseFrame): Buffer[] {
    const { data, bytes } = frame;
    // Calls after the end of the response are dropped.
    if (this.ending && this.#withholds && data !== undefined && showsCall(data)) return [];
    if (data === '[DONE]') this.#reader.done();
    else if (data !== undefined) this.#read(frame, data);
    const lost = this.#events.some((event) => event.type === 'turn.failed' && event.error.kind === 'protocol');
    if (lost && this.#withholds && data !== undefined && showsCall(data)) this.#same = false;
    return this.#next(this.#same ? bytes : Buffer.alloc(0), data !== undefined);
  }

  /** Ends the stream, with an error if the connection broke. */
  end(error?: TurnError): Buffer[] {
    const isOpen = this.ending === undefined;
    this.#reader.end(error);
    const failed = this.#events.find(({ type }) => type === 'turn.failed');
    if (isOpen && failed?.type === 'turn.failed' && (error || !this.#dryRun)) this.broken = failed.error;
    return this.#next(Buffer.alloc(0), false, this.broken !== undefined);
  }

  #read(frame: SseFrame, data: string): void {
    try {
      const repeated = this.#repeated?.read(frame);
      if (repeated) {
        this.#head = repeated.head;
        if (repeated.mayCall) this.#value = repeated.value;
        this.#reader.frame(repeated.value, frame.name);
        return;
      }
      const value = frame.value ?? parseBody(data);
      // Most frames are text, and each check costs more than this.
      const mayCall = mentionsCall(data);
      this.#head = mayCall ? headOf(value) : undefined;
      this.#value = value;
      if (this.#same) this.#ending = endingOf(value);
      if (mayCall && this.#withholds && this.#same && isNameless(value)) this.#nameless = true;
      this.#reader.frame(value, frame.name);
      const last = this.#events.at(-1);
      if (last?.type === 'part.delta' && !this.#ending && !this.#nameless)
        this.#repeated?.learn(frame, last.text, this.#head);
    } catch {
      if (this.#same && this.#withholds) {
        // Within text, an unreadable frame is forwarded. With calls, it may contain part of one.
        if (!this.#mender.any && !showsCall(data)) return;
        this.#same = false;
      }
      this.#reader.end({ kind: 'protocol', message: "A frame of the stream can't be read", retryable: false });
    }
  }

  #next(bytes: Buffer, said: boolean, broken = false): Buffer[] {
    const events = this.#events;
    this.#events = [];
    this.begun ||= events.some(isOutput);
    const head = events.some(this.#head === 'name' ? startsCall : isDelta) ? undefined : this.#head;
    this.#head = undefined;
    const ending = this.#ending;
    this.#ending = undefined;
    const sequence = this.#repeats && isObject(this.#value) ? numberOf(this.#value.sequence_number) : undefined;
    if (this.#same) this.#form?.take(this.#value, events);
    this.#value = undefined;
    // The frames of a removed call were buffered, and are left out.
    if (
      this.#withholds &&
      events.some((event) => event.type === 'call.ignored' && (this.#nameless || event.call.repeated))
    ) {
      this.#nameless = false;
      this.#named = false;
      this.#same = false;
    }
    if (head === 'name') this.#named = true;
    else if (this.#named && events.some(startsCall)) this.#named = false;
    this.#waiting.push({ bytes, events, said, head, ending, sequence, broken });
    const lags = this.#withholds && (head !== undefined || this.#named || this.#nameless || this.#reader.pending);
    const deliveries = this.#mender.deliver(events, lags);
    return this.#mender.waits ? [] : this.#flush(deliveries);
  }

  #flush(deliveries: readonly Delivery[]): Buffer[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#named = false;
    const { changed, withheld, rewritten, rebuilt } = this.#mender;
    if (withheld || rewritten || rebuilt || this.#form?.differs) this.#same = false;
    if (rewritten) return [this.#written(deliveries.flatMap(({ out }) => out))];
    if (this.#same && !changed)
      return waiting.map((one) => (one.broken ? this.#written(one.events) : this.#passed(one)));
    const outs = new Map(deliveries.map(({ event, out }) => [event, out]));
    const isChanged = (event: TurnEvent): boolean => outs.get(event)?.at(-1) !== event;
    const stale = staleFrames(waiting, isChanged);
    const ends = new Set([...outs.keys()].filter((event) => event.type === 'part.finished' && isChanged(event)));
    // A frame that is written again may have reported the end of the response as well.
    let endings: JsonObject[] = [];
    const ended = (): Buffer[] => endings.splice(0).map((one) => Buffer.from(this.#frame(one)));
    const sent = waiting.flatMap((frame, at) => {
      const { events, said, ending, broken } = frame;
      const written = events.flatMap((event) => outs.get(event) ?? []);
      const isTouched = events.some((event) => isChanged(event) && this.#shows(event));
      if (!this.#same || (stale[at] && said) || isTouched || broken) {
        for (const event of events) ends.delete(event);
        if (ending && this.#same) endings = [...endings.filter(hasFinish), ending];
        if (written.some(({ type }) => type === 'turn.finished')) endings = [];
        return [this.#written(written)];
      }
      // Between the pieces of a changed call, it would repeat the original arguments.
      if (said && events.length === 0 && this.#repeats && ends.size > 0) {
        this.#renumbers = true;
        return [];
      }
      // Text that mending added at the end of a call isn't in any received frame.
      const lacking = this.#written(
        written.filter(({ type }) => type === 'part.delta').filter((one) => !events.includes(one)),
      );
      return [...(lacking.length > 0 ? [lacking] : []), ...(said ? ended() : []), this.#passed(frame)];
    });
    return [...sent, ...ended()];
  }

  /** A frame in the client's API format. Only used for server-sent events. */
  #frame(value: JsonObject): string {
    return `data: ${stringifyJson(value)}\n\n`;
  }

  /** Whether an event shows a mended call in the client's API format. End events do if they repeat earlier content. */
  #shows({ type }: TurnEvent): boolean {
    if (type === 'turn.failed') return false;
    return this.#repeats || (type !== 'part.finished' && type !== 'turn.finished');
  }

  /** Forwards a frame unchanged, and informs the writer, which may have to continue from there. */
  #passed({ bytes, events, sequence }: Waiting): Buffer {
    for (const event of events) this.#writer.pass(event);
    if (sequence === undefined) return bytes;
    const number = this.#renumbers ? (this.#sequence ?? sequence) : sequence;
    this.#sequence = number + 1;
    if (number === sequence) return bytes;
    const own = new RegExp(`("sequence_number"\\s*:\\s*)${sequence}\\b`);
    return Buffer.from(bytes.toString('utf8').replace(own, `$1${number}`));
  }

  #number(): number {
    const number = this.#sequence ?? 0;
    this.#sequence = number + 1;
    return number;
  }

  #written(events: readonly TurnEvent[]): Buffer {
    const text = events.map((event) => this.#writer.write(this.#translates ? asFailure(event) : event)).join('');
    if (!this.#repeats || this.#sequence === undefined) return Buffer.from(text);
    this.#renumbers = true;
    // The writer only knows the events that it would have written itself.
    return Buffer.from(text.replace(written, (_, before: string) => `${before}${this.#number()}`));
  }
}

/** The end of a response as an error, if it ended with one. In most API formats, it would look complete. */
const asFailure = (event: TurnEvent): TurnEvent =>
  event.type === 'turn.finished' && event.response.finish === 'error'
    ? { type: 'turn.failed', error: endedInError, response: event.response }
    : event;

/** The bytes of frames that follow one another, without a copy if they arrived together. */
function bytesOf(frames: readonly SseFrame[]): Buffer {
  const [{ buffer, byteOffset }, last] = [frames[0]?.bytes, frames.at(-1)?.bytes] as [Buffer, Buffer];
  const size = frames.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const isOne = last.buffer === buffer && last.byteOffset + last.length - byteOffset === size;
  return isOne ? Buffer.from(buffer, byteOffset, size) : Buffer.concat(frames.map(({ bytes }) => bytes));
}

const isOutput = ({ type }: TurnEvent): boolean => type === 'part.started' || type === 'part.delta';

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** An event as our writer writes it, up to its number. */
const written = /^(data: \{"type":"[^"]*","sequence_number":)\d+/gm;

/** Options of a stream mender. */
interface StreamMenderOptions extends CheckOptions {
  /** API formats of the upstream and the client. */
  readonly upstream: Provider;
  readonly client: Provider;
  /** Send arguments as they arrive, before they are known to be complete. */
  readonly streamArguments?: boolean;
  /** Change nothing, and only report. */
  readonly dryRun?: boolean;
  /** Restores the original names and shapes of calls if the request was adapted to the upstream. */
  readonly undo?: ((event: TurnEvent) => TurnEvent) | undefined;
  /** How to read calls in text if there are no native calls. */
  readonly reads?: TextReads | undefined;
  /** Whether the client allows calls; checked when calls are detected in text. */
  readonly mayCall?: StrictDelivery['mayCall'] | undefined;
  /** Recovers the response from one that ended because its server couldn't parse it. */
  readonly rescue?: ((ended: TurnError | TurnResponse) => TurnResponse | undefined) | undefined;
  /** Buffer calls until all are checked, so that bad ones can be replaced. */
  readonly hold?: boolean;
}

/** Which frames must not be forwarded unchanged, because their content is written again with a changed call. */
function staleFrames(waiting: readonly Waiting[], isChanged: (event: TurnEvent) => boolean): boolean[] {
  // Iterates backwards to stay linear: the event that a frame belongs to comes after it.
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
  // A reader may emit a call only at its end, so frames between its name and its start are written again too.
  let named = false;
  return waiting.map(({ head, events }, at) => {
    named = (named || (own[at] === true && head === 'name')) && !events.some(startsCall);
    return own[at] === true || named;
  });
}
