import { ToolmendError } from '../json/toolmend-error.ts';
import { checkArgument, isObject, ownCopy } from '../json/value.ts';
import { endBeforeRemoval } from './control/remove-run.ts';
import { pausedEnds, type RunEvent } from './events.ts';
import { type RunQuery, type RunSummary, SequenceTaken, type Store } from './store.ts';

/** Options of an in-memory store. */
export interface MemoryOptions {
  /**
   * Number of ended runs to keep; the oldest is removed first.
   * @default all
   */
  readonly keep?: number;
}

/** Creates a store in memory, used by default and in tests. */
export function memoryStore(options: MemoryOptions = {}): Store {
  checkArgument(isObject(options), 'options', '{ keep }', options);
  const { keep = Number.POSITIVE_INFINITY } = options;
  const kept = new Map<string, RunEvent[]>();
  const ended = new Set<string>();

  const forget = (run: string): void => {
    kept.delete(run);
    ended.delete(run);
  };
  /** Whether the parent of a run is still there to read its result. */
  const isNeeded = (run: string): boolean => {
    const [start] = kept.get(run) ?? [];
    const parent = start?.type === 'run.started' ? start.parent?.run : undefined;
    return parent !== undefined && kept.has(parent) && !ended.has(parent);
  };
  /** A run that waits for approval or a result hasn't ended. */
  const settle = (run: string, last: RunEvent | undefined): void => {
    ended.delete(run);
    if (last?.type === 'run.ended' && !pausedEnds.has(last.end)) ended.add(run);
    if (ended.size > keep)
      for (const first of [...ended].slice(0, ended.size - keep)) if (!isNeeded(first)) forget(first);
  };

  const store: Store = {
    async append(events) {
      const lasts = new Map<string, number>();
      for (const { run, seq } of events) {
        const last = lasts.get(run) ?? kept.get(run)?.length ?? 0;
        if (seq <= last) throw new SequenceTaken(run, seq);
        if (seq > last + 1)
          throw new ToolmendError(
            'unknown_run',
            `Can't append event ${seq} of run ${run}: the store has its events up to ${last}. It drops the oldest runs; raise its limit, or use a store on disk.`,
          );
        lasts.set(run, seq);
      }
      for (const event of events) {
        const list = kept.get(event.run);
        if (list) list.push(event);
        else kept.set(event.run, [event]);
      }
      for (const run of lasts.keys()) settle(run, kept.get(run)?.at(-1));
    },
    async *read(run, after = 0) {
      // Reading from a disk makes copies too: what a reader changes isn't the log, nor the run that wrote it.
      for (const event of (kept.get(run) ?? []).slice(after)) yield ownCopy(event);
    },
    async runs({ limit = 100, before = Number.POSITIVE_INFINITY, after }: RunQuery = {}) {
      return [...kept]
        .map(([run, events]) => summary(run, events))
        .filter((one) => one.updatedAt < before && (!after || newestFirst(after, one) < 0))
        .sort(newestFirst)
        .slice(0, limit);
    },
    async remove(run) {
      await endBeforeRemoval(store, run);
      forget(run);
    },
    async close() {},
  };
  return store;
}

type Listed = Pick<RunSummary, 'run' | 'updatedAt'>;

const newestFirst = (a: Listed, b: Listed): number =>
  b.updatedAt - a.updatedAt || (a.run < b.run ? -1 : a.run > b.run ? 1 : 0);

function summary(run: string, events: readonly RunEvent[]): RunSummary {
  const last = events[events.length - 1] as RunEvent;
  return { run, startedAt: (events[0] as RunEvent).at, updatedAt: last.at, seq: last.seq };
}
