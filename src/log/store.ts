import { hasCode, ToolmendError } from '../json/toolmend-error.ts';
import { checkArgument } from '../json/value.ts';
import type { RunEvent } from './events.ts';

/** A run in a list. */
export interface RunSummary {
  readonly run: string;
  /** Time of its first and its last event. */
  readonly startedAt: number;
  readonly updatedAt: number;
  /** Sequence number of its last event. */
  readonly seq: number;
}

/** Which runs to list, newest first. */
export interface RunQuery {
  readonly limit?: number;
  /** Only runs last updated before this time. */
  readonly before?: number;
  /** Only runs that follow this one in the list, for paging: the last run of the previous page. */
  readonly after?: Pick<RunSummary, 'run' | 'updatedAt'>;
}

/**
 * Stores the events of runs in order, and never changes one. Promises resolve when the operation is durable: `append`
 * stores all its events or none.
 */
export interface Store {
  /** Appends events. Throws `SequenceTaken` if another process has written one of these sequence numbers. */
  append(events: readonly RunEvent[]): Promise<void>;
  /** The events of a run after `after`, in order. */
  read(run: string, after?: number): AsyncIterable<RunEvent>;
  runs(query?: RunQuery): Promise<readonly RunSummary[]>;
  /**
   * Queued runs of an agent that have work, least recently updated first. For stores shared by several machines.
   *
   * @param agent name of the agent (default: `default`)
   */
  due?(limit: number, agent?: string): Promise<readonly string[]>;
  /** Deletes a run. One that is active or waits is cancelled first, and no process can write it afterwards. */
  remove(run: string): Promise<void>;
  close(): Promise<void>;
}

/** The error of an append to a run that was deleted. Its first event creates a run again. */
export const runDeleted = (run: string, seq: number): ToolmendError =>
  new ToolmendError('unknown_run', `Can't append event ${seq} of run ${run}: the run was deleted.`);

/** Thrown when another process has written this event. The caller must stop writing the run. */
export class SequenceTaken extends ToolmendError {
  override readonly name = 'SequenceTaken';
  readonly run: string;
  readonly seq: number;

  constructor(run: string, seq: number) {
    super(
      'sequence_taken',
      `Run ${run} already has an event ${seq}: another process writes it. Read the run again before you continue.`,
    );
    this.run = run;
    this.seq = seq;
  }

  /** True for such an error, also one that another copy of this package threw. */
  static override isInstance(error: unknown): error is SequenceTaken {
    return hasCode(error, 'sequence_taken');
  }
}

/** All events of a run. */
export async function eventsOfRun(store: Store, run: string): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of store.read(run)) events.push(event);
  return events;
}

/** The same. Throws if the store doesn't have the run. */
export async function existingEvents(store: Store, run: string): Promise<RunEvent[]> {
  checkArgument(typeof run === 'string', 'run', 'the id of a run', run);
  const events = await eventsOfRun(store, run);
  if (events.length > 0) return events;
  throw new ToolmendError('unknown_run', `There is no run ${run} in this store. List the runs to find its id.`);
}
