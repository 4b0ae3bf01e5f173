import type { RunEvent } from './events.ts';

/** Changes to a run's list entry from events that are written together. */
export interface ListedRun {
  readonly run: string;
  /** Time of the first and the last of them. */
  readonly startedAt: number;
  updatedAt: number;
  seq: number;
  /** Whether the run is queued for workers, if they start it. */
  readonly queued: boolean;
  /** Name of its agent, if they start it. */
  readonly agent: string | undefined;
  /** Whether the run has work after them; undefined if unchanged. */
  open: boolean | undefined;
  /** When a paused run has work again, if `open` changes to false. */
  wakeAt: number | null;
}

/** Events that add or remove work. */
const opening: Partial<Record<RunEvent['type'], boolean>> = {
  ...{ 'run.started': true, 'run.resumed': true, 'message.added': true, 'approval.decided': true },
  'result.received': true,
  'run.ended': false,
};

/** Workers retry a run that an error stopped. */
const opens = (event: RunEvent): boolean | undefined =>
  event.type === 'run.ended' && event.end === 'error' ? true : opening[event.type];

/** One entry per run, sorted by id so that concurrent writers can't deadlock. */
export function listedRuns(events: readonly RunEvent[]): ListedRun[] {
  const rows = new Map<string, ListedRun>();
  for (const event of events) {
    const { run, seq, at: updatedAt, type } = event;
    const queued = type === 'run.started' && event.queued === true;
    const agent = type === 'run.started' ? event.agent?.name : undefined;
    const begun = { run, startedAt: updatedAt, updatedAt, seq, queued, agent, open: undefined, wakeAt: null };
    const row: ListedRun = rows.get(run) ?? begun;
    const wakeAt = type === 'run.ended' ? (event.wakeAt ?? null) : row.wakeAt;
    rows.set(run, Object.assign(row, { updatedAt, seq, open: opens(event) ?? row.open, wakeAt }));
  }
  return [...rows.values()].sort((a, b) => (a.run < b.run ? -1 : 1));
}
