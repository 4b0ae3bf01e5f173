import { pausedEnds } from './events.ts';
import { openCalls, stateOf } from './fold.ts';
import type { RunState } from './state.ts';
import type { RunSummary, Store } from './store.ts';

const day = 86_400_000;
const page = 500;

/**
 * Removes the records of the proxy and the gateway that were not updated for this many days, and returns their number.
 * Runs of agents in the same store belong to other programs, and what waits for a person or a result is still needed.
 */
export async function forgetOld(store: Store, days: number, now = Date.now()): Promise<number> {
  const before = now - days * day;
  let removed = 0;
  for (let after: RunSummary | undefined; ; ) {
    const runs = await store.runs({ before, limit: page, ...(after && { after }) });
    for (const { run } of runs) {
      if (isNeeded(await stateOf(store, run))) continue;
      await store.remove(run);
      removed += 1;
    }
    after = runs.at(-1);
    if (runs.length < page) return removed;
  }
}

const isNeeded = (state: RunState): boolean =>
  state.started?.agent !== undefined ||
  state.started?.queued === true ||
  pausedEnds.has(state.ended?.end) ||
  openCalls(state).some((call) => call.state === 'approval_required' || call.state === 'result_required');

const hour = 3_600_000;

/** Deletes runs older than `days`, now and every hour. Returns a function that stops it. */
export function startRetention(store: Store, days: number, complain: (line: string) => unknown): () => void {
  const forget = (): void => {
    forgetOld(store, days).catch((error: unknown) => complain(String(error)));
  };
  forget();
  const timer = setInterval(forget, hour).unref();
  return () => clearInterval(timer);
}
