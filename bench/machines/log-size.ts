import { openPool } from '../../src/log/postgres-pool.ts';

/** The size of the log. */
export interface LogSize {
  readonly events: number;
  /** Of an event as it is written, and as it lies on disk with its row and its indexes. */
  readonly bodyBytes: number;
  readonly diskBytes: number;
}

const sizes = `
  SELECT count(*)::float8 AS events, avg(octet_length(body))::float8 AS body,
    (pg_total_relation_size('toolmend.events') + pg_total_relation_size('toolmend.runs'))::float8 AS disk
  FROM toolmend.events`;

/** Measures the log of a database. */
export async function logSize(url: string): Promise<LogSize> {
  const pool = await openPool(url, { connections: 1 });
  const { rows } = await pool.query(sizes);
  await pool.end();
  const { events, body, disk } = rows[0] as { events: number; body: number; disk: number };
  return { events, bodyBytes: body, diskBytes: disk / events };
}
