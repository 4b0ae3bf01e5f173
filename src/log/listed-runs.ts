import type { RunEvent } from './events.ts';

/** What a list of runs is told of one by events that were written together. */
export interface ListedRun {
  readonly run: string;
  /** When the first and the last of them happened. */
  readonly startedAt: number;
  updatedAt: number;
  seq: number;
  /** Whether the run was left to workers, where they begin it. */
  readonly queued: boolean;
  /** Whether it has something to do after them; undefined where they change nothing about that. */
  open: boolean | undefined;
}

/** What gives a run something to do, and what takes it away. */
const opening: Partial<Record<RunEvent['type'], boolean>> = {
  ...{ 'run.started': true, 'run.resumed': true, 'message.added': true, 'approval.decided': true },
  'run.ended': false,
};

/** One row for each run of these events, in the order of their ids: two who write the same runs never wait for each other. */
export function listedRuns(events: readonly RunEvent[]): ListedRun[] {
  const rows = new Map<string, ListedRun>();
  for (const event of events) {
    const { run, seq, at: updatedAt, type } = event;
    const queued = type === 'run.started' && event.queued === true;
    const row = rows.get(run) ?? { run, startedAt: updatedAt, updatedAt, seq, queued, open: undefined };
    rows.set(run, Object.assign(row, { updatedAt, seq, open: opening[type] ?? row.open }));
  }
  return [...rows.values()].sort((a, b) => (a.run < b.run ? -1 : 1));
}
