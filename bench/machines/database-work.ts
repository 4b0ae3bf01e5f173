import { setTimeout as pause } from 'node:timers/promises';
import { openPool } from '../../src/log/postgres-pool.ts';

/** The work of a database per item. */
export interface DatabaseWork {
  readonly commits: number;
  /** Bytes of its write-ahead log: what has to reach the disk, and every replica. */
  readonly walBytes: number;
}

const counters = `
  SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS wal, xact_commit::float8 AS commits
  FROM pg_stat_database WHERE datname = current_database()`;

/** A connection reports its last counts when it ends, and they are read a moment later. */
const settling = 500;

/** Counts what a database does while something is done in it, over connections that are ended with it, and shares that out. */
export async function workOf(url: string, times: number, doing: () => Promise<unknown>): Promise<DatabaseWork> {
  const pool = await openPool(url, { connections: 1 });
  const read = async (): Promise<{ wal: number; commits: number }> => {
    const { rows } = await pool.query(counters);
    return rows[0] as { wal: number; commits: number };
  };
  const before = await read();
  await doing();
  await pause(settling);
  const after = await read();
  await pool.end();
  return { commits: (after.commits - before.commits) / times, walBytes: (after.wal - before.wal) / times };
}
