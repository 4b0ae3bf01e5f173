import type { Store } from '../../log/store.ts';
import type { RunQueue } from './queue.ts';

const most = 1000;

/**
 * Puts in every run that the log says somebody has to work on. Where a process ended between the log and the queue, or a
 * person decided where nothing is known of a queue, it is not in; those that are stay as they are.
 */
export async function sweep(store: Store, queue: RunQueue): Promise<void> {
  const runs = (await store.due?.(most)) ?? [];
  if (runs.length > 0) await queue.add(runs);
}
