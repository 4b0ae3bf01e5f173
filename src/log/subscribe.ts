import { ownCopy } from '../json/value.ts';
import type { ErrorType } from '../mend/outcome.ts';
import type { LiveEvent, RunEvent } from './events.ts';
import type { CallRecord, RunState } from './state.ts';
import type { Store } from './store.ts';

/** What to subscribe to: streamed text and progress, what needs a person, or all recorded events. */
export type Channel = 'progress' | 'control' | 'monitor';
/** Any event of a run, recorded or live. */
export type StreamedEvent = RunEvent | LiveEvent;

type EventType = StreamedEvent['type'];

/** Events of the channels except `monitor`, which has all recorded ones. */
const progress: ReadonlySet<EventType> = new Set<EventType>([
  ...(['text.delta', 'reasoning.delta', 'call.started', 'call.delta', 'tool.progressed'] as const),
  ...(['turn.completed', 'turn.failed', 'tool.started', 'tool.finished', 'call.refused', 'run.ended'] as const),
  'run.halted',
]);
const control: ReadonlySet<EventType> = new Set<EventType>([
  ...(['approval.requested', 'approval.decided', 'call.denied', 'run.ended', 'run.halted'] as const),
  ...(['result.requested', 'result.received'] as const),
]);

/** Whether an event belongs to one of these channels. */
export const isOn = (event: StreamedEvent, channels: readonly Channel[]): boolean =>
  channels.some((channel) => {
    if (channel === 'monitor') return 'seq' in event;
    return (channel === 'progress' ? progress : control).has(event.type);
  });

/** The listeners of a run. One that throws doesn't affect the others. */
export class Hub {
  readonly #listeners = new Set<(event: StreamedEvent) => void>();

  publish(event: StreamedEvent): void {
    // Listeners that change it must not change the run.
    if (this.isHeard) callListeners(this.#listeners, ownCopy(event));
  }

  get isHeard(): boolean {
    return this.#listeners.size > 0;
  }

  listen(listener: (event: StreamedEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves with the next recorded event, or when the log fails. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.listen((event) => {
        if (!('seq' in event) && event.type !== 'run.halted') return;
        stop();
        resolve();
      });
    });
  }

  /** Publishes a live event without secrets. One that can't be redacted is not published. */
  publishLive(event: LiveEvent, redact?: (event: RunEvent) => RunEvent): void {
    if (!this.isHeard) return;
    try {
      this.publish(redact ? (redact as unknown as (event: LiveEvent) => LiveEvent)(event) : event);
    } catch {
      // An event that can't be redacted may contain a secret.
    }
  }
}

/** Options of a subscription. */
export interface WatchOptions {
  readonly channels?: readonly Channel[];
  /**
   * Sequence number of the last event received; 0 replays all.
   * @default the last published event
   */
  readonly after?: number;
  /**
   * Events to buffer for a slow reader. Beyond it live events are lost, and recorded ones arrive later.
   * @default 1_000
   */
  readonly limit?: number;
}

/** The run to subscribe to. */
interface Watched {
  readonly run: string;
  readonly hub: Hub;
  readonly store: Store;
  /** Sequence number of the last published event. */
  readonly published: number;
}

/**
 * Streams the events of a run: recorded ones after the bookmark first, then new ones. A slow reader gets missed
 * recorded events from the store, so it only misses live events.
 */
export async function* watch(
  { run, hub, store, published }: Watched,
  options: WatchOptions = {},
): AsyncGenerator<StreamedEvent> {
  const { channels = ['progress', 'control', 'monitor'], after = published, limit = 1000 } = options;
  const queue: EventQueue<StreamedEvent> = new EventQueue<StreamedEvent>(limit, () => stop());
  const stop = hub.listen((event) => {
    // A failing log can't record its own end.
    if (isOn(event, channels)) queue.push(event, event.type === 'run.halted');
  });
  let seen = after;
  try {
    do {
      queue.catchUp();
      for await (const event of store.read(run, seen)) {
        seen = event.seq;
        if (isOn(event, channels)) yield event;
      }
      for await (const event of queue) {
        if ('seq' in event) {
          if (event.seq <= seen) continue;
          seen = event.seq;
        }
        yield event;
      }
    } while (queue.behind);
  } finally {
    await queue.return();
  }
}

/**
 * A queue for a reader with its own pace. When it is full, new items are dropped: iteration ends after the buffered
 * ones, and `behind` is set.
 */
class EventQueue<T> implements AsyncIterableIterator<T> {
  readonly #limit: number;
  readonly #close: () => void;
  #items: T[] = [];
  #head = 0;
  /** Items that must be delivered even after a gap. */
  #kept: T[] = [];
  #wake: (() => void) | undefined;
  #behind = false;
  #ended = false;

  /** @param close called when the reader stops */
  constructor(limit = Number.POSITIVE_INFINITY, close: () => void = () => {}) {
    this.#limit = limit;
    this.#close = close;
  }

  /** Whether items were dropped since the last `catchUp`. */
  get behind(): boolean {
    return this.#behind;
  }

  /** @param must whether to keep the item even if the queue is full */
  push(item: T, must = false): void {
    if (this.#ended) return;
    if (this.#items.length - this.#head >= this.#limit) this.#behind = true;
    if (!this.#behind) this.#items.push(item);
    else if (must) this.#kept.push(item);
    this.#wake?.();
  }

  /** Accepts items again. The caller loads what is missing. */
  catchUp(): void {
    if (!this.#behind) return;
    this.#behind = false;
    this.#items.push(...this.#kept.splice(0));
  }

  async next(): Promise<IteratorResult<T>> {
    while (this.#head >= this.#items.length) {
      if (this.#ended || this.#behind) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    const value = this.#items[this.#head] as T;
    this.#head += 1;
    // Removes read items in large batches, which keeps reading cheap.
    if (this.#head === this.#items.length || this.#head > 1024) {
      this.#items.splice(0, this.#head);
      this.#head = 0;
    }
    return { done: false, value };
  }

  async return(): Promise<IteratorResult<T>> {
    this.#ended = true;
    this.#behind = false;
    this.#items = [];
    this.#kept = [];
    this.#head = 0;
    this.#wake?.();
    this.#close();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

/** Calls every listener. One that throws doesn't affect the others or the caller. */
export function callListeners<T>(listeners: Iterable<(what: T) => void>, what: T): void {
  for (const listener of listeners) {
    try {
      const done: unknown = listener(what);
      // A listener may be an async function.
      if (done instanceof Promise) done.catch(warn);
    } catch (error) {
      warn(error);
    }
  }
}

/** Reports the failure of a listener as a warning, because an uncaught exception would end the process. */
function warn(error: unknown): void {
  try {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.emitWarning(`A listener failed: ${message}`, 'ToolmendWarning');
  } catch {
    // Even reading the error can fail.
  }
}

/** An error in a run. */
export interface RunError {
  /** Where it occurred: in a tool or its call, the model, the log, the loop itself, or on closing. */
  readonly phase: 'tool' | 'model' | 'storage' | 'loop' | 'close';
  readonly message: string;
  readonly detail: {
    readonly callId?: string;
    readonly tool?: string;
    readonly errorType?: ErrorType | string;
    readonly recommendations?: readonly string[];
    /** The thrown value, if there is one. */
    readonly cause?: unknown;
  };
}

/** Named listeners. */
export interface RunListeners {
  error: (error: RunError) => void;
  /** A call has a result, successful or not. */
  tool_executed: (call: CallRecord) => void;
  end: (end: Extract<RunEvent, { type: 'run.ended' }>) => void;
}

/** No listeners yet. */
export const newListeners = (): { [K in keyof RunListeners]: Set<RunListeners[K]> } => ({
  error: new Set(),
  tool_executed: new Set(),
  end: new Set(),
});

type Sets = { readonly [K in keyof RunListeners]: ReadonlySet<RunListeners[K]> };

/** Calls the named listeners of a recorded event. */
export function notifyListeners(event: RunEvent, state: RunState, listeners: Sets): void {
  const error = listeners.error.size > 0 && errorOf(event);
  if (error) callListeners(listeners.error, error);
  if ('result' in event && listeners.tool_executed.size > 0) {
    const record = state.calls.get(event.callId);
    if (record) callListeners(listeners.tool_executed, ownCopy(record));
  }
  if (event.type === 'run.ended') callListeners(listeners.end, ownCopy(event));
}

function errorOf(event: RunEvent): RunError | undefined {
  if (event.type === 'turn.failed') {
    return { phase: 'model', message: event.error.message, detail: { errorType: event.error.kind } };
  }
  if (event.type === 'call.refused' || (event.type === 'tool.finished' && !event.ok)) {
    const { callId, name: tool, errorType = 'runtime', recommendations = [] } = event;
    const message = event.result.content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
    return { phase: 'tool', message, detail: { callId, tool, errorType, recommendations: [...recommendations] } };
  }
  if (event.type === 'call.denied') {
    const { callId, name: tool, reason: message } = event;
    return { phase: 'tool', message, detail: { callId, tool, errorType: 'denied' } };
  }
  return undefined;
}
