import type { RunEvent } from './events.ts';

/** A run as a list shows it. */
export interface RunSummary {
  readonly run: string;
  /** When its first and its last event happened. */
  readonly startedAt: number;
  readonly updatedAt: number;
  /** The number of its last event. */
  readonly seq: number;
}

/** Which runs to list: the newest first. */
export interface RunQuery {
  readonly limit?: number;
  /** Only runs last written before this time, to page on. */
  readonly before?: number;
}

/**
 * Keeps the events of runs, in their order, and never changes one. Every promise settles only when what it says is so:
 * `append` after its events are on disk, all of them or none.
 */
export interface Store {
  /** Throws `SequenceTaken` where one of these numbers is there already: somebody else writes this run. */
  append(events: readonly RunEvent[]): Promise<void>;
  /** A run's events after number `after`, in order. */
  read(run: string, after?: number): AsyncIterable<RunEvent>;
  runs(query?: RunQuery): Promise<readonly RunSummary[]>;
  /**
   * Runs that were left to workers and have something to do, up to so many, those first that were written longest ago. For
   * stores that several machines share.
   */
  due?(limit: number): Promise<readonly string[]>;
  /** Forgets a run. */
  remove(run: string): Promise<void>;
  close(): Promise<void>;
}

/** Another writer has written this event of the run: whoever gets this must stop writing it. */
export class SequenceTaken extends Error {
  override readonly name = 'SequenceTaken';
  readonly run: string;
  readonly seq: number;

  constructor(run: string, seq: number) {
    super(`Run ${run} already has an event ${seq}: another process writes it. Read the run again before going on.`);
    this.run = run;
    this.seq = seq;
  }
}
