import { ToolmendError } from '../../json/toolmend-error.ts';
import { openPool, type Queries, withErrorMessages } from '../../log/postgres-pool.ts';
import { callListeners } from '../../log/subscribe.ts';
import { defaultAgentName } from '../binding.ts';
import type { RunQueue, TakenRun } from './queue.ts';

/** Options of the queue. */
export interface QueueOptions {
  /**
   * Name of the agent. Each agent has a queue, so that a worker only takes the runs of its own.
   * @default 'default'
   */
  readonly agent?: string;
  /**
   * Seconds without a heartbeat before runs go to other workers, at least 1.
   * @default 10
   */
  readonly heartbeatTimeout?: number;
  /** Number of this process, which claims have. */
  readonly worker?: number;
  readonly onError?: ((error: Error) => void) | undefined;
}

const schema = 'toolmend_queue';

const queue = {
  // A run is queued or running only once.
  policy: 'exclusive',
  // Each claim sets its own heartbeat timeout; pg-boss requires at least 10 seconds here.
  heartbeatSeconds: 10,
  expireInSeconds: 24 * 3600 - 1,
  // The log counts attempts. The queue only delays them, longer each time.
  retryLimit: 1_000_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  retentionSeconds: 14 * 86_400,
  deleteAfterSeconds: 3600,
} as const;

/** Interval between looks for runs whose worker died, in milliseconds. */
const expireEvery = 1000;

/**
 * Puts runs back whose worker sent no heartbeat, as pg-boss does. It looks for them only every few seconds, and not at all while no
 * process lives that long. Its delay also grows with each claim that ended without a fault of the run.
 */
const expire = `
  UPDATE ${schema}.job SET state = 'retry', heartbeat_on = NULL, output = '{"value": {"message": "job heartbeat timeout"}}',
    data = data || jsonb_build_object('losses', coalesce((data ->> 'losses')::integer, 0) + 1),
    start_after = now() + least(60, power(2, least(coalesce((data ->> 'losses')::integer, 0), 6))) * (0.75 + random() / 4) * interval '1 s'
  WHERE name = $1 AND policy = 'exclusive' AND state = 'active' AND heartbeat_on < now() - heartbeat_seconds * interval '1 s'`;

/** pg-boss gives its own reason to a job whose worker sent no heartbeat, and runs none of our code then. */
const take = `
  WITH next AS (
    SELECT id FROM ${schema}.job
    WHERE name = $1 AND state < 'active' AND NOT blocked AND start_after < now() AND coalesce(output ? 'value', false) = $3
    ORDER BY priority DESC, created_on, id LIMIT $2 FOR UPDATE SKIP LOCKED
  )
  UPDATE ${schema}.job SET state = 'active', started_on = now(), heartbeat_on = now(), heartbeat_seconds = $4,
    retry_count = CASE WHEN started_on IS NULL THEN retry_count ELSE retry_count + 1 END,
    data = data || jsonb_build_object('worker', $5::integer)
  FROM next WHERE name = $1 AND job.id = next.id
  RETURNING job.id AS job, retry_count AS claim, data ->> 'run' AS run, output -> 'value' ->> 'message' AS reason`;

/**
 * Changes the jobs that are still ours. pg-boss identifies a job by its id, whoever owns it; the retry count
 * distinguishes claims.
 */
const change = (assignments: string): string => `
  UPDATE ${schema}.job SET ${assignments} WHERE name = $1 AND state = 'active'
    AND (id, retry_count) IN (SELECT * FROM unnest($2::uuid[], $3::integer[]))
  RETURNING id AS job, retry_count AS claim`;

// A later start also postpones the time at which the queue would end a run that is still active.
const touch = change('heartbeat_on = now(), started_on = now()');
const complete = change("state = 'completed', completed_on = now(), output = NULL");
const putBack = change(
  "state = 'retry', start_after = now() + $4 * interval '1 ms', heartbeat_on = NULL, output = NULL",
);

/**
 * A queue in Postgres, based on pg-boss for its tables, heartbeats and takeover. Imported at run time, because most users
 * don't need it.
 */
export async function pgBossQueue(url: string, options: QueueOptions = {}): Promise<RunQueue> {
  const { agent = defaultAgentName, heartbeatTimeout = 10, worker = 0, onError = () => {} } = options;
  const name = agent === defaultAgentName ? 'toolmend-runs' : `toolmend-runs.${agent}`;
  const { PgBoss } = await loadPgBoss();
  const pool = await openPool(url, { connections: 4 });
  const { query } = withErrorMessages(pool);
  const watchEvery = Math.max(1, Math.min(5, Math.floor(heartbeatTimeout / 2)));
  const boss = new PgBoss({
    db: asDatabase({ query }),
    schema,
    schedule: false,
    superviseIntervalSeconds: watchEvery,
    monitorIntervalSeconds: watchEvery,
  });
  boss.on('error', (error: Error) => callListeners([onError], error));
  try {
    await boss.start();
    await boss.createQueue(name, queue);
    // A queue of an earlier version may have other settings.
    const { policy: _, ...settings } = queue;
    await boss.updateQueue(name, settings);
  } catch (error) {
    await pool.end();
    throw error;
  }

  /** Changes jobs, and returns those that are still ours. */
  const ifOurs = async (text: string, taken: readonly TakenRun[], ...more: unknown[]): Promise<readonly TakenRun[]> => {
    const claims = [taken.map(({ job }) => job), taken.map(({ claim }) => claim)];
    const { rows } = await query(text, [name, ...claims, ...more]);
    const ours = new Map(rows.map(({ job, claim }) => [job as string, claim]));
    // A worker may have lost a run and taken it again, so only the later claim is ours.
    return taken.filter(({ job, claim }) => ours.get(job) === claim);
  };
  let expired = Number.NEGATIVE_INFINITY;
  return {
    async add(runs) {
      await boss.insert(
        name,
        runs.map((run) => ({ data: { run }, singletonKey: run })),
      );
    },
    async take(atMost, { suspects = false } = {}) {
      if (suspects && performance.now() - expired >= expireEvery) {
        expired = performance.now();
        await query(expire, [name]);
      }
      const { rows } = await query(take, [name, atMost, suspects, Math.ceil(heartbeatTimeout), worker]);
      return rows.map(({ job, claim, run, reason }) => ({
        job: job as string,
        claim: claim as number,
        run: run as string,
        ...(typeof reason === 'string' && { lost: lostBecause(reason) }),
      }));
    },
    touch: (taken) => ifOurs(touch, taken),
    done: async (taken) => (await ifOurs(complete, [taken])).length > 0,
    retry: async (taken, delay) => (await ifOurs(putBack, [taken], delay)).length > 0,
    async close() {
      await boss.stop({ graceful: false });
      await pool.end();
    },
  };
}

/** Loads the package. Rejects with what to install if it is missing. */
export const loadPgBoss = (): Promise<typeof import('pg-boss')> =>
  import('pg-boss').catch(() => {
    throw new ToolmendError(
      'missing_package',
      "Dispatching runs needs the packages 'pg-boss' and 'pg'. Run: npm install pg-boss pg",
    );
  });

const lostBecause = (reason: string): NonNullable<TakenRun['lost']> =>
  reason.includes('heartbeat')
    ? { name: 'heartbeat_timeout', message: 'The worker of the run stopped sending heartbeats' }
    : { name: 'queue_timeout', message: `The queue ended the attempt: ${reason}` };

/** The database interface of pg-boss. */
interface Database {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

const asDatabase = (queries: Queries): Database => ({
  executeSql: (text, values) => queries.query(text, values) as ReturnType<Database['executeSql']>,
});
