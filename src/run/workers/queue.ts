import type { RunFailure } from '../../log/events.ts';
import type { Store } from '../../log/store.ts';

/** A run taken from the queue. */
export interface TakenRun {
  readonly job: string;
  /** Number of the claim. A worker that missed its heartbeats finds a newer one. */
  readonly claim: number;
  readonly run: string;
  /** Why the previous worker lost it, if it did. */
  readonly lost?: RunFailure;
}

/**
 * The queue of runs. Methods resolve when the database has confirmed. Operations on a run that now belongs to another
 * worker have no effect and return false.
 */
export interface RunQueue {
  /** Adds runs. A run that is queued or running is not added again. */
  add(runs: readonly string[]): Promise<void>;
  /** Takes up to `atMost` runs: those that a worker lost (`suspects`), or the others. */
  take(atMost: number, options?: { readonly suspects?: boolean }): Promise<readonly TakenRun[]>;
  /**
   * Sends a heartbeat for these runs, and returns those that still belong to the worker. Without heartbeats, runs go to
   * other workers.
   */
  touch(taken: readonly TakenRun[]): Promise<readonly TakenRun[]>;
  /** Removes a run that has no work left. */
  done(taken: TakenRun): Promise<boolean>;
  /** Puts a run back for a retry after `delay` milliseconds. */
  retry(taken: TakenRun, delay: number): Promise<boolean>;
  close(): Promise<void>;
}

const most = 1000;

/**
 * Queues every run of an agent that has work according to the log. A run can be missing from the queue if a process ended between
 * the two, or if a decision was made without access to the queue.
 */
export async function sweep(store: Store, queue: RunQueue, agent: string): Promise<void> {
  const runs = (await store.due?.(most, agent)) ?? [];
  if (runs.length > 0) await queue.add(runs);
}
