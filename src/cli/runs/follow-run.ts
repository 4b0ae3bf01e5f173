import { setTimeout as pause } from 'node:timers/promises';
import type { RunEvent } from '../../log/event.ts';
import type { Store } from '../../log/store.ts';

export interface FollowOptions {
  /** How often the store is looked into, in milliseconds. */
  readonly every?: number;
  readonly signal?: AbortSignal;
}

/** A run's events from the first on, and those that come, until its loop has ended or nobody wants more. */
export async function* followRun(
  store: Store,
  run: string,
  { every = 200, signal }: FollowOptions = {},
): AsyncGenerator<RunEvent> {
  let seen = 0;
  while (!signal?.aborted) {
    let last: RunEvent | undefined;
    for await (const event of store.read(run, seen)) {
      seen = event.seq;
      last = event;
      yield event;
    }
    // Only the newest event can end it: an ended run may have been taken up again.
    if (last?.type === 'run.ended') return;
    await pause(every, undefined, signal ? { signal } : {}).catch(() => {});
  }
}
