import { openPool } from '../../src/log/postgres-pool.ts';
import { postgresStore } from '../../src/log/postgres-store.ts';
import { pgBossQueue } from '../../src/run/workers/pg-boss-queue.ts';
import { sweep } from '../../src/run/workers/queue.ts';
import { median } from '../measure.ts';

/** Milliseconds for which a worker looks for runs that are not in the queue, with so many ended runs on record. */
export async function sweepTime(url: string, endedRuns: number, openRuns: number): Promise<number> {
  const store = await postgresStore(url, { connections: 1 });
  const pool = await openPool(url, { connections: 1 });
  const fill = `INSERT INTO toolmend.runs SELECT $1 || i, i, i, 20, true, $2 FROM generate_series(1, $3::integer) AS i`;
  await pool.query(fill, ['ended_', false, endedRuns]);
  await pool.query(fill, ['open_', true, openRuns]);
  const queue = await pgBossQueue(url);
  const times: number[] = [];
  for (let round = 0; round < 21; round += 1) {
    const began = performance.now();
    await sweep(store, queue, 'default');
    times.push(performance.now() - began);
  }
  await queue.close();
  await pool.end();
  await store.close();
  return median(times);
}
