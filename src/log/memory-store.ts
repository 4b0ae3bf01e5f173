import type { RunEvent } from './event.ts';
import { SequenceTaken } from './sequence-taken.ts';
import type { RunQuery, RunSummary, Store } from './store.ts';

/** A store that forgets everything with its process: the default, and what tests use. */
export function memoryStore(): Store {
  const kept = new Map<string, RunEvent[]>();
  return {
    async append(events) {
      for (const { run, seq } of events) {
        const last = kept.get(run)?.length ?? 0;
        if (seq <= last) throw new SequenceTaken(run, seq);
      }
      for (const event of events) {
        const list = kept.get(event.run);
        if (list) list.push(event);
        else kept.set(event.run, [event]);
      }
    },
    async *read(run, after = 0) {
      yield* (kept.get(run) ?? []).filter(({ seq }) => seq > after);
    },
    async runs({ limit = 100, before = Number.POSITIVE_INFINITY }: RunQuery = {}) {
      return [...kept]
        .map(([run, events]) => summary(run, events))
        .filter(({ updatedAt }) => updatedAt < before)
        .sort((a, b) => b.updatedAt - a.updatedAt)
        .slice(0, limit);
    },
    async remove(run) {
      kept.delete(run);
    },
    async close() {},
  };
}

function summary(run: string, events: readonly RunEvent[]): RunSummary {
  const last = events[events.length - 1] as RunEvent;
  return { run, startedAt: (events[0] as RunEvent).at, updatedAt: last.at, seq: last.seq };
}
