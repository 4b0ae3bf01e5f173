import type { LiveEvent, RunEvent } from './events.ts';
import type { Store } from './store.ts';

/** What to listen to: words and progress as they come, what needs a person, or everything that is recorded. */
export type Channel = 'progress' | 'control' | 'monitor';
/** Anything a run says. */
export type StreamedEvent = RunEvent | LiveEvent;

type EventType = StreamedEvent['type'];

/** Which events a channel beside `monitor` carries; `monitor` has every recorded one. */
const progress: ReadonlySet<EventType> = new Set<EventType>([
  ...(['text.delta', 'reasoning.delta', 'call.started', 'call.delta', 'tool.progressed'] as const),
  ...(['turn.completed', 'turn.broken', 'tool.started', 'tool.finished', 'call.refused', 'run.ended'] as const),
  'run.halted',
]);
const control: ReadonlySet<EventType> = new Set<EventType>([
  ...(['approval.requested', 'approval.decided', 'call.denied', 'run.ended', 'run.halted'] as const),
]);

/** Whether an event is heard on one of these channels. */
export const isOn = (event: StreamedEvent, channels: readonly Channel[]): boolean =>
  channels.some((channel) => {
    if (channel === 'monitor') return 'seq' in event;
    return (channel === 'progress' ? progress : control).has(event.type);
  });

/** Everybody who listens to a run. A listener that throws harms nobody else. */
export class Hub {
  readonly #listeners = new Set<(event: StreamedEvent) => void>();

  publish(event: StreamedEvent): void {
    callListeners(this.#listeners, event);
  }

  listen(listener: (event: StreamedEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** What to listen to. */
export interface WatchOptions {
  readonly channels?: readonly Channel[];
  /** A bookmark: the number of the last event that was seen. 0 replays all; what was published last unless it is said. */
  readonly after?: number;
  /** How many events may wait for a slow reader; default 1,000. Past it live ones are lost, recorded ones come later. */
  readonly limit?: number;
}

/** Whom to listen to. */
interface Watched {
  readonly run: string;
  readonly hub: Hub;
  readonly store: Store;
  /** The number of the last event that was published. */
  readonly published: number;
}

/**
 * Listens to a run from a bookmark on: what is on record after it comes first, then what happens. A reader too slow for the
 * run is sent to the store again for what was recorded meanwhile, so that it misses live events only.
 */
export async function* watch(
  { run, hub, store, published }: Watched,
  options: WatchOptions = {},
): AsyncGenerator<StreamedEvent> {
  const { channels = ['progress', 'control', 'monitor'], after = published, limit = 1000 } = options;
  const queue: EventQueue<StreamedEvent> = new EventQueue<StreamedEvent>(limit, () => stop());
  const stop = hub.listen((event) => {
    // Nothing on record says that a log can't be written.
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
 * What came and was not yet taken, for one who reads at his own pace. Where more waits than there is room for, what comes
 * is left out: reading ends after what is there, and `behind` tells that something is missing.
 */
class EventQueue<T> implements AsyncIterableIterator<T> {
  readonly #limit: number;
  readonly #close: () => void;
  #items: T[] = [];
  #head = 0;
  /** What must be told though it came after the gap. */
  #kept: T[] = [];
  #wake: (() => void) | undefined;
  #behind = false;
  #ended = false;

  /** @param close called once nobody reads any more */
  constructor(limit = Number.POSITIVE_INFINITY, close: () => void = () => {}) {
    this.#limit = limit;
    this.#close = close;
  }

  /** Whether something was left out since the last `catchUp`. */
  get behind(): boolean {
    return this.#behind;
  }

  /** @param must it is kept, however much waits */
  push(item: T, must = false): void {
    if (this.#ended) return;
    if (this.#items.length - this.#head >= this.#limit) this.#behind = true;
    if (!this.#behind) this.#items.push(item);
    else if (must) this.#kept.push(item);
    this.#wake?.();
  }

  /** From now on what comes is kept again; whoever calls this fetches what is missing. */
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
    // What was read is let go when all is, or in large pieces, so that taking one stays cheap.
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

/** Tells every listener. One that throws harms nobody else, and not the one who tells. */
export function callListeners<T>(listeners: Iterable<(what: T) => void>, what: T): void {
  for (const listener of listeners) {
    try {
      listener(what);
    } catch (error) {
      // Thrown where nobody waits, as an event emitter would, so that it is seen and the run goes on.
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}
