import type { RunFilter, RunRow } from '../../src/inspect/api.ts';
import { fits } from './fits.ts';

/** A list with what came live in it. */
export interface Merged {
  readonly rows: readonly RunRow[];
  /** How many are new to it. */
  readonly added: number;
}

/**
 * Puts rows that are new or have changed into a list that has the newest first. What changed stays in its place, so
 * that nothing moves under the reader's eyes; what is new and fits stands on top.
 */
export function mergeRows(rows: readonly RunRow[], came: readonly RunRow[], filter: RunFilter): Merged {
  const latest = new Map(came.map((row) => [row.run, row]));
  const kept = rows.map((row) => {
    const now = latest.get(row.run);
    latest.delete(row.run);
    return now && now.seq >= row.seq ? now : row;
  });
  const newest = rows[0]?.startedAt ?? Number.NEGATIVE_INFINITY;
  // What is older than the first row belongs further down, and comes with its page.
  const fresh = [...latest.values()].filter((row) => row.startedAt >= newest && fits(row, filter));
  fresh.sort((a, b) => b.startedAt - a.startedAt);
  return { rows: [...fresh, ...kept], added: fresh.length };
}
