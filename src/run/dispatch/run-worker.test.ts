import { describe, expect, it } from 'vitest';
import { failingStore } from '../../../test/log/failing-store.ts';
import { all } from '../../../test/log/store-suite.ts';
import { plays, says } from '../../../test/run/plays.ts';
import { until } from '../../../test/until.ts';
import { fold } from '../../log/fold.ts';
import { memoryStore } from '../../log/memory-store.ts';
import { agent } from '../agent.ts';
import type { RunQueue, TakenRun } from './run-queue.ts';
import { startWorker, type WorkerEvent } from './run-worker.ts';

/** What a worker says of one run, where its store fails on the n-th operation and the queue knows it, or does not. */
async function worksOn(n: number, isOurs: boolean): Promise<{ heard: WorkerEvent[]; told: string[] }> {
  const kept = memoryStore();
  const of = (store: typeof kept) => agent({ model: plays(() => [says('Done.')]), store });
  const waiting: TakenRun[] = [{ job: 'job', claim: 0, run: await of(kept).submit('Go', { id: 'a' }) }];
  const told: string[] = [];
  const telling = (name: string) => async () => {
    told.push(name);
    return isOurs;
  };
  const queue: RunQueue = {
    ...{ done: telling('done'), failed: telling('failed') },
    touch: async (taken) => taken,
    add: async () => {},
    take: async () => waiting.splice(0),
    close: async () => {},
  };
  const stateOf = async (run: string) => fold(await all(kept, run));
  const heard: WorkerEvent[] = [];
  const settings = { every: 5, stateOf, sweep: async () => {}, on: (event: WorkerEvent) => void heard.push(event) };
  const worker = startWorker(of(failingStore(kept, n, 'before')), queue, settings);
  await until(() => heard.length === 2);
  await worker.stop();
  return { heard, told };
}

describe('a worker', () => {
  it.each([
    ['ends a run that is its own', 1000, true, ['done'], { type: 'ended', run: 'a', end: 'done' }],
    ['F20 loses a run that ended after another had taken it', 1000, false, ['done'], { type: 'lost', run: 'a' }],
    ['F19 says that a run is to be tried again', 3, true, ['failed'], { type: 'failed', run: 'a' }],
    ['F20 loses a run that failed after another had taken it', 3, false, ['failed'], { type: 'lost', run: 'a' }],
  ])('%s', async (_, n, isOurs, tells, last) => {
    const { heard, told } = await worksOn(n, isOurs);
    expect(heard).toMatchObject([{ type: 'taken', run: 'a' }, last]);
    expect(told).toEqual(tells);
  });
});
