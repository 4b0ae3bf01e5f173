import { ToolmendError } from '../../json/toolmend-error.ts';
import { inTransaction, openPool, type Queries, withErrorMessages } from '../../log/postgres-pool.ts';
import type { RunQueue, TakenRun } from './queue.ts';

/** Seconds without a heartbeat before runs go to other workers. pg-boss requires at least 10. */
export const heartbeatTimeout = 10;

const name = 'toolmend-runs';
const schema = 'toolmend_queue';

/** pg-boss identifies a job by its id, whoever owns it. The retry count distinguishes claims. */
const ours = `
  SELECT id, retry_count AS claim FROM ${schema}.job WHERE name = $1 AND state = 'active'
    AND (id, retry_count) IN (SELECT * FROM unnest($2::uuid[], $3::integer[])) ORDER BY id FOR UPDATE`;

/** Postgres error code for a unique violation. */
const claimedTwice = '23505';

const queue = {
  // A run is queued or running only once.
  policy: 'exclusive',
  ...{ heartbeatSeconds: heartbeatTimeout, expireInSeconds: 24 * 3600 - 1, retryLimit: 1000, retryDelay: 1 },
  ...{ retentionSeconds: 14 * 86_400, deleteAfterSeconds: 3600 },
} as const;

/**
 * A queue in Postgres, based on pg-boss for claims, heartbeats, retries and takeover. Imported at run time, because
 * most users don't need it.
 */
export async function pgBossQueue(url: string, onError: (error: Error) => void = () => {}): Promise<RunQueue> {
  const { PgBoss } = await import('pg-boss').catch(() => {
    throw new ToolmendError(
      'missing_package',
      "Dispatching runs needs the packages 'pg-boss' and 'pg'. Run: npm install pg-boss pg",
    );
  });
  const pool = await openPool(url, { connections: 4 });
  const asked = withErrorMessages(pool);
  const boss = new PgBoss({
    ...{ db: asDatabase(asked), schema },
    ...{ superviseIntervalSeconds: 5, monitorIntervalSeconds: 5, schedule: false },
  });
  boss.on('error', onError);
  try {
    await boss.start();
    await boss.createQueue(name, queue);
  } catch (error) {
    await pool.end();
    throw error;
  }

  /** Runs an operation on the jobs that are still ours, and returns them. */
  const ifOurs = (
    taken: readonly TakenRun[],
    tell: (jobs: string[], options: { db: Database }) => Promise<unknown>,
  ): Promise<readonly TakenRun[]> =>
    inTransaction(pool, async (queries) => {
      const claims = [name, taken.map(({ job }) => job), taken.map(({ claim }) => claim)];
      const { rows } = await queries.query(ours, claims);
      const held = new Map(rows.map(({ id, claim }) => [id as string, claim]));
      if (held.size > 0) await tell([...held.keys()], { db: asDatabase(queries) });
      // A worker may have lost a run and taken it again, so only the later claim is ours.
      return taken.filter(({ job, claim }) => held.get(job) === claim);
    });
  const isOurs = async (taken: TakenRun, tell: Parameters<typeof ifOurs>[1]): Promise<boolean> =>
    (await ifOurs([taken], tell)).length > 0;
  return {
    async add(runs) {
      await boss.insert(
        name,
        runs.map((run) => ({ data: { run }, singletonKey: run })),
      );
    },
    async take(atMost) {
      // pg-boss treats every failure here as a conflict and returns no jobs.
      let failure: { code?: string } | undefined;
      const query: Queries['query'] = (text, values) =>
        asked.query(text, values).catch((error) => {
          failure = error;
          throw error;
        });
      const options = { batchSize: atMost, includeMetadata: true, db: asDatabase({ query }) } as const;
      const jobs = await boss.fetch<{ run: string }>(name, options);
      if (failure && failure.code !== claimedTwice) throw failure;
      return jobs.map(({ id, data, retryCount }) => ({ job: id, run: data.run, claim: retryCount }));
    },
    touch: (taken) => ifOurs(taken, (jobs, options) => boss.touch(name, jobs, options)),
    done: (taken) => isOurs(taken, (jobs, options) => boss.complete(name, jobs, undefined, options)),
    failed: (taken, reason) => isOurs(taken, (jobs, options) => boss.fail(name, jobs, { reason }, options)),
    async close() {
      await boss.stop({ graceful: false });
      await pool.end();
    },
  };
}

/** The database interface of pg-boss. */
interface Database {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

const asDatabase = (queries: Queries): Database => ({
  executeSql: (text, values) => queries.query(text, values) as ReturnType<Database['executeSql']>,
});
