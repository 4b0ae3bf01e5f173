import { openPool } from '../../src/log/postgres-pool.ts';

/** When each run was claimed by a worker, as the queue has it: a worker that dies can't report it. */
export interface Claims {
  readonly times: ReadonlyMap<string, readonly number[]>;
  close(): Promise<void>;
}

const every = 200;
const active = `SELECT data ->> 'run' AS run, retry_count AS claim FROM toolmend_queue.job WHERE state = 'active'`;

/** Watches the queue. A run whose worker died stays active for some seconds, so no claim is missed. */
export async function watchClaims(url: string): Promise<Claims> {
  const pool = await openPool(url, { connections: 1 });
  const times = new Map<string, number[]>();
  const known = new Set<string>();
  let looking: Promise<void> | undefined;
  const look = async (): Promise<void> => {
    const { rows } = await pool.query(active);
    for (const { run, claim } of rows as { run: string; claim: number }[]) {
      if (known.has(`${run} ${claim}`)) continue;
      known.add(`${run} ${claim}`);
      times.set(run, [...(times.get(run) ?? []), Date.now()]);
    }
  };
  const timer = setInterval(() => {
    // The database is restarted now and then.
    looking ??= look()
      .catch(() => {})
      .finally(() => {
        looking = undefined;
      });
  }, every);
  return {
    times,
    async close() {
      clearInterval(timer);
      await looking;
      await pool.end();
    },
  };
}
