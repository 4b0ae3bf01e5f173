import type { CheckedCall } from '../../mend/mend-call.ts';
import type { CheckOptions } from '../../mend/streaming/streaming-call.ts';
import type { TurnError, TurnEvent, TurnResponse } from '../../model/index.ts';
import { type Delivery, type Ending, spread, TurnMender } from '../../provider/text-calls/turn-mender.ts';
import type { Provider, StreamReader, StreamWriter } from '../../provider/wire/types.ts';
import type { Replaced } from '../response/retry-invalid-calls.ts';
import { showsCall, withholdingFor } from '../response/withheld-calls.ts';
import type { TextReads } from '../upstream/text-mode.ts';
import { type ChunkHead, headOf, isDelta, isNameless, type SseFrame, startsCall } from './sse-frames.ts';

/** API formats that repeat a call's arguments when it is complete and when the response is: they must be mended there too. */
const repeats: ReadonlySet<string> = new Set(['openai-responses']);

/** API formats that stream arguments in pieces; the others send a call when it is complete. */
const piecewise: ReadonlySet<string> = new Set(['openai-chat', 'openai-responses', 'anthropic']);

/** A frame that waits, with what it said. */
interface Waiting {
  readonly bytes: Buffer;
  readonly events: readonly TurnEvent[];
  /** It has data, though perhaps nothing new; a comment has none. */
  readonly said: boolean;
  /** It names a call or holds a piece of one that the reader has not reported yet. */
  readonly head: ChunkHead;
}

/**
 * Mends the calls of a stream and keeps its bytes: a frame goes out as it came unless it belongs to a call that is changed.
 * What becomes of the calls, and how long frames wait for that, is the `TurnMender`'s to say.
 */
export class StreamMender {
  readonly #reader: StreamReader;
  readonly #writer: StreamWriter;
  readonly #mender: TurnMender;
  readonly #repeats: boolean;
  /** Calls that must not reach the client are withheld. */
  readonly #withholds: boolean;
  /** Frames go out as they came. */
  #same: boolean;
  #events: TurnEvent[] = [];
  #waiting: Waiting[] = [];
  #head: ChunkHead;
  /** A call that was named has not begun. */
  #named = false;
  /** A call that names nothing has begun, and is not over. */
  #nameless = false;

  constructor(options: StreamMenderOptions) {
    const { upstream, client, undo = (event) => event, dryRun = false } = options;
    this.#repeats = repeats.has(client.format);
    this.#same = upstream === client;
    this.#withholds = !dryRun || !this.#same;
    const { toolbox, policy, before, reads } = options;
    const { streamArguments = false, hold = false, mayCall = () => true, rescue = () => undefined } = options;
    const strict = {
      withholding: withholdingFor(client),
      dryRun: dryRun && (this.#withholds ? ('withhold' as const) : ('report' as const)),
      streamArguments: streamArguments && piecewise.has(client.format),
      ...{ hold, mayCall, rescue },
    };
    this.#mender = new TurnMender({ toolbox, policy, before, reads, strict });
    this.#writer = client.writeStream();
    this.#reader = upstream.readStream((event) => this.#events.push(...spread(undo(event))));
  }

  /** The calls of the response, checked. */
  get calls(): CheckedCall[] {
    return this.#mender.calls;
  }

  /** How the turn ended, once it has. */
  get ending(): Ending | undefined {
    return this.#mender.ending;
  }

  /** The dialect of calls that were detected in text. */
  get dialect(): string | undefined {
    return this.#mender.dialect;
  }

  /** Whether frames go out as they came, the end among them. */
  get passes(): boolean {
    return this.#same;
  }

  /** Whether frames wait. */
  get buffers(): boolean {
    return this.#waiting.length > 0;
  }

  /** Whether the response is over and all of it since its first call waits to be released, because a call is bad. */
  get held(): boolean {
    return this.#mender.held;
  }

  /** Lets out what was held: as it would have gone, or with the calls of another response. */
  release(replaced?: Replaced): Buffer[] {
    return this.#flush(this.#mender.release(replaced));
  }

  /** Takes a frame; returns what can go out now. */
  take(frame: SseFrame): Buffer[] {
    const { data, bytes } = frame;
    // After its end a response has no more calls, whatever is sent.
    if (this.ending && this.#withholds && data !== undefined && showsCall(data)) return [];
    if (data === '[DONE]') this.#reader.done();
    else if (data !== undefined) this.#read(data, frame.name);
    const lost = this.#events.some((event) => event.type === 'turn.failed' && event.error.kind === 'protocol');
    if (lost && this.#withholds && data !== undefined && showsCall(data)) this.#same = false;
    return this.#next(this.#same ? bytes : Buffer.alloc(0), data !== undefined);
  }

  /** The bytes ended, with an error where the connection broke. */
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
        // Amid text it goes out as it came. Where there are calls, it may hold what they lack.
        if (!this.#mender.any && !showsCall(data)) return;
        this.#same = false;
      }
      this.#reader.end({ kind: 'protocol', message: "A frame of the stream can't be read", retryable: false });
    }
  }

  #next(bytes: Buffer, said: boolean): Buffer[] {
    const events = this.#events;
    this.#events = [];
    const head = events.some(this.#head === 'name' ? startsCall : isDelta) ? undefined : this.#head;
    this.#head = undefined;
    if (this.#nameless && events.some(({ type }) => type === 'call.dropped')) {
      this.#nameless = false;
      this.#same = false;
    }
    if (head === 'name') this.#named = true;
    else if (this.#named && events.some(startsCall)) this.#named = false;
    this.#waiting.push({ bytes, events, said, head });
    const lags = this.#withholds && (head !== undefined || this.#named || this.#nameless);
    const deliveries = this.#mender.deliver(events, lags);
    return this.#mender.waits ? [] : this.#flush(deliveries);
  }

  #flush(deliveries: readonly Delivery[]): Buffer[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#named = false;
    const { changed, withheld, rewritten } = this.#mender;
    if (withheld || rewritten) this.#same = false;
    if (rewritten) return [this.#written(deliveries.flatMap(({ out }) => out))];
    if (this.#same && !changed) return waiting.map((one) => this.#passed(one));
    const outs = new Map(deliveries.map(({ event, out }) => [event, out]));
    const isChanged = (event: TurnEvent): boolean => outs.get(event)?.at(-1) !== event;
    const stale = staleFrames(waiting, isChanged);
    const ends = new Set([...outs.keys()].filter((event) => event.type === 'part.finished' && isChanged(event)));
    return waiting.flatMap((frame, at) => {
      const { events, said } = frame;
      const written = events.flatMap((event) => outs.get(event) ?? []);
      const isTouched = events.some((event) => isChanged(event) && this.#shows(event));
      if (!this.#same || (stale[at] && said) || isTouched) {
        for (const event of events) ends.delete(event);
        return [this.#written(written)];
      }
      // Between the pieces of a call that was changed, it would say what the call was before.
      if (said && events.length === 0 && this.#repeats && ends.size > 0) return [];
      // What a mended call lacked at its end stands in no frame that came.
      const lacking = this.#written(
        written.filter(({ type }) => type === 'part.delta').filter((one) => !events.includes(one)),
      );
      return lacking.length > 0 ? [lacking, this.#passed(frame)] : [this.#passed(frame)];
    });
  }

  /** Whether the client's format shows a mended call in such an event: ends do where they repeat what was sent before. */
  #shows({ type }: TurnEvent): boolean {
    if (type === 'turn.failed') return false;
    return this.#repeats || (type !== 'part.finished' && type !== 'turn.finished');
  }

  /** A frame that goes out as it came; the writer learns of it, since it may have to go on from there. */
  #passed({ bytes, events }: Waiting): Buffer {
    for (const event of events) this.#writer.pass(event);
    return bytes;
  }

  #written(events: readonly TurnEvent[]): Buffer {
    return Buffer.from(events.map((event) => this.#writer.write(event)).join(''));
  }
}

/** How a stream is mended. */
interface StreamMenderOptions extends CheckOptions {
  /** The API format of the response, and the one the client reads. */
  readonly upstream: Provider;
  readonly client: Provider;
  /** Arguments go out as they arrive, before it is known whether they will be complete. */
  readonly streamArguments?: boolean;
  /** Change nothing, and only report. */
  readonly dryRun?: boolean;
  /** Gives calls their own names and forms back where the request was fitted to the upstream. */
  readonly undo?: ((event: TurnEvent) => TurnEvent) | undefined;
  /** How calls in text are read, where no native call comes. */
  readonly reads?: TextReads | undefined;
  /** Whether the client wants calls at all, asked when some were detected in text. */
  readonly mayCall?: () => boolean;
  /** The response in one that ended because its server could not read it. */
  readonly rescue?: ((ended: TurnError | TurnResponse) => TurnResponse | undefined) | undefined;
  /** Calls wait until all are checked, so that bad ones can be replaced. */
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
