import type { Store } from './store.ts';

const day = 86_400_000;
const page = 500;

/** Removes runs that were not updated for this many days. Returns their number. */
export async function forgetOld(store: Store, days: number, now = Date.now()): Promise<number> {
  const before = now - days * day;
  let removed = 0;
  for (;;) {
    const runs = await store.runs({ before, limit: page });
    for (const { run } of runs) await store.remove(run);
    removed += runs.length;
    if (runs.length < page) return removed;
  }
}
