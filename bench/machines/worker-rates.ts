import { join } from 'node:path';
import { openPool } from '../../src/log/postgres-pool.ts';
import { postgresStore } from '../../src/log/postgres-store.ts';
import { callsIn, crowdAgent } from '../../test/postgres/crowd.ts';
import { crew } from './crew.ts';
import { type DatabaseWork, workOf } from './database-work.ts';
import { familyCpu, parentOf } from './family-cpu.ts';

/** How quickly workers take runs of three calls to their ends, and what that asks of the database for each run. */
export interface WorkerRate {
  readonly workers: number;
  readonly runs: number;
  readonly runsPerSecond: number;
  readonly callsPerSecond: number;
  readonly work: DatabaseWork;
  /** Milliseconds of the processor's time for each run: of the workers, and of Postgres. */
  readonly cpu: { readonly workers: number; readonly postgres: number };
}

const atOnce = 10;

/** Runs whose model and tools answer at once, so that what is measured is ours: the log, the queue, the loop. */
export async function workerRates(
  database: () => Promise<string>,
  folder: string,
  { runs, crews }: { readonly runs: number; readonly crews: readonly number[] },
): Promise<WorkerRate[]> {
  const rates: WorkerRate[] = [];
  for (const workers of crews) rates.push(await workerRate(await database(), folder, workers, runs));
  return rates;
}

async function workerRate(url: string, folder: string, workers: number, runs: number): Promise<WorkerRate> {
  const marks = join(folder, `marks-${workers}`);
  const store = await postgresStore(url, { connections: 8 });
  const hands = crew({ url, marks, ms: 0, atOnce });
  try {
    await Promise.all(Array.from({ length: workers }, () => hands.hire()));
    const agent = crowdAgent(store, marks);
    let first = 0;
    let ended = 0;
    const seconds = new Promise<number>((resolve) => {
      hands.onEvent = ({ type }) => {
        if (type === 'taken') first ||= performance.now();
        if (type === 'ended') ended += 1;
        if (type === 'ended' && ended === runs) resolve((performance.now() - first) / 1000);
      };
    });
    // Recorded but not queued: workers detect them all at once, so that none waits for a submission.
    await Promise.all(Array.from({ length: runs }, (_, index) => agent.submit(`Go ${index}`)));
    const leader = await leaderOf(url);
    const used = (): [number, number] => [
      hands.pids().reduce((sum, pid) => sum + familyCpu(pid), 0),
      familyCpu(leader),
    ];
    const before = used();
    let after = before;
    const work = await workOf(url, runs, async () => {
      await seconds;
      after = used();
      await hands.end();
    });
    const cpu = { workers: (after[0] - before[0]) / runs, postgres: (after[1] - before[1]) / runs };
    const runsPerSecond = runs / (await seconds);
    return { workers, runs, runsPerSecond, callsPerSecond: runsPerSecond * callsIn('Go'), work, cpu };
  } finally {
    await hands.end();
    await store.close();
  }
}

/** The process that all others of a Postgres are children of. */
async function leaderOf(url: string): Promise<number> {
  const pool = await openPool(url, { connections: 1 });
  const { rows } = await pool.query('SELECT pg_backend_pid() AS pid');
  const leader = parentOf(Number(rows[0]?.pid)) ?? 0;
  await pool.end();
  return leader;
}
