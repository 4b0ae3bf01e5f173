import type { RunQueue } from './run-queue.ts';

/** How long a worker may be silent before its runs are given to others, in seconds. pg-boss takes no less than 10. */
export const silence = 10;

const name = 'toolmend-runs';
const queue = {
  // A run waits or is worked on once at a time.
  policy: 'exclusive',
  ...{ heartbeatSeconds: silence, expireInSeconds: 24 * 3600 - 1, retryLimit: 1000, retryDelay: 1 },
  ...{ retentionSeconds: 14 * 86_400, deleteAfterSeconds: 3600 },
} as const;

/**
 * The queue in Postgres, by pg-boss: claims, heartbeats, retries and takeover are its job. It is asked for by name, because
 * most users need none.
 */
export async function bossQueue(url: string, onError: (error: Error) => void = () => {}): Promise<RunQueue> {
  const { PgBoss } = await import('pg-boss').catch(() => {
    throw new Error("Dispatching runs needs the packages 'pg-boss' and 'pg': npm install pg-boss pg");
  });
  const boss = new PgBoss({
    ...{ connectionString: url, schema: 'toolmend_queue', application_name: 'toolmend-dispatch', max: 4 },
    ...{ superviseIntervalSeconds: 5, monitorIntervalSeconds: 5, schedule: false },
  });
  boss.on('error', onError);
  await boss.start();
  await boss.createQueue(name, queue);
  return {
    async add(runs) {
      await boss.insert(
        name,
        runs.map((run) => ({ data: { run }, singletonKey: run })),
      );
    },
    async take(atMost) {
      const jobs = await boss.fetch<{ run: string }>(name, { batchSize: atMost });
      return jobs.map(({ id, data }) => ({ job: id, run: data.run }));
    },
    async touch({ job }) {
      await boss.touch(name, job);
    },
    async done({ job }) {
      await boss.complete(name, job);
    },
    async failed({ job }, reason) {
      await boss.fail(name, job, { reason });
    },
    close: () => boss.stop({ graceful: false, close: true }),
  };
}
