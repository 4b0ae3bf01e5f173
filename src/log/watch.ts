import { EventQueue } from './event-queue.ts';
import { type Channel, type Hub, isOn, type StreamedEvent } from './hub.ts';
import type { Store } from './store.ts';

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
