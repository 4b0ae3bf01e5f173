import type { RunEvent } from './event.ts';

/** An append that waits to be written, with its events as they stand in the log. */
export interface Append {
  readonly events: readonly WrittenEvent[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** An event, and its text. */
export interface WrittenEvent {
  readonly event: RunEvent;
  readonly body: string;
}

/** Gathers what is asked for in one moment, so that it is written together; `now` writes what waits. */
export function gather(write: (appends: readonly Append[]) => void): {
  readonly append: (events: readonly RunEvent[]) => Promise<void>;
  readonly now: () => void;
} {
  let waiting: Append[] = [];
  const now = (): void => {
    const appends = waiting;
    waiting = [];
    if (appends.length > 0) write(appends);
  };
  return {
    now,
    async append(events) {
      // What has no text fails here, alone.
      const written = events.map((event) => ({ event, body: JSON.stringify(event) }));
      if (waiting.length === 0) setImmediate(now);
      await new Promise<void>((resolve, reject) => waiting.push({ events: written, resolve, reject }));
    },
  };
}
