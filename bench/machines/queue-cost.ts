import { pgBossQueue } from '../../src/run/workers/pg-boss-queue.ts';
import { type DatabaseWork, workOf } from './database-work.ts';

/** The cost of the queue per run: adding, taking and finishing it. */
export interface QueueCost {
  /** Runs a second, where one process does nothing else: put in one by one, taken ten at a time, done one by one. */
  readonly runsPerSecond: number;
  readonly work: DatabaseWork;
}

const atOnce = 10;

/** Passes runs through the queue without running them. */
export async function queueCost(url: string, runs: number): Promise<QueueCost> {
  const queue = await pgBossQueue(url);
  let seconds = 0;
  const work = await workOf(url, runs, async () => {
    const began = performance.now();
    for (let from = 0; from < runs; from += atOnce) {
      await Promise.all(Array.from({ length: atOnce }, (_, index) => queue.add([`run_${from + index}`])));
      const taken = await queue.take(atOnce);
      await Promise.all(taken.map((one) => queue.done(one)));
    }
    seconds = (performance.now() - began) / 1000;
    await queue.close();
  });
  return { runsPerSecond: runs / seconds, work };
}
