import type { Store } from '../../log/store.ts';
import type { RunQueue } from './queue.ts';

const most = 1000;

/**
 * Queues every run that has work according to the log. A run can be missing from the queue if a process ended between
 * the two, or if a decision was made without access to the queue.
 */
export async function sweep(store: Store, queue: RunQueue): Promise<void> {
  const runs = (await store.due?.(most)) ?? [];
  if (runs.length > 0) await queue.add(runs);
}
