import type { RunFilter, RunRow } from '../../src/inspect/api.ts';
import { fits } from './fits.ts';

/** A list with live rows merged in. */
export interface Merged {
  readonly rows: readonly RunRow[];
  /** Number of new rows. */
  readonly added: number;
}

/**
 * Merges new and changed rows into a list sorted from newest to oldest. Changed rows keep their place, so that nothing
 * moves while it is read; new ones that match go to the top.
 */
export function mergeRows(rows: readonly RunRow[], came: readonly RunRow[], filter: RunFilter): Merged {
  const latest = new Map(came.map((row) => [row.run, row]));
  const kept = rows.map((row) => {
    const now = latest.get(row.run);
    latest.delete(row.run);
    return now && now.seq >= row.seq ? now : row;
  });
  const newest = rows[0]?.startedAt ?? Number.NEGATIVE_INFINITY;
  // Rows older than the first one belong to a later page.
  const fresh = [...latest.values()].filter((row) => row.startedAt >= newest && fits(row, filter));
  fresh.sort((a, b) => b.startedAt - a.startedAt);
  return { rows: [...fresh, ...kept], added: fresh.length };
}
