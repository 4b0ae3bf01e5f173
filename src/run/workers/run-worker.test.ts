import { afterEach, describe, expect, it, vi } from 'vitest';
import { failingStore } from '../../../test/log/failing-store.ts';
import { all } from '../../../test/log/store-suite.ts';
import { plays, says } from '../../../test/run/plays.ts';
import { until } from '../../../test/until.ts';
import { fold } from '../../log/fold.ts';
import { memoryStore } from '../../log/memory-store.ts';
import type { Store } from '../../log/store.ts';
import { agent } from '../agent.ts';
import type { RunQueue, TakenRun } from './queue.ts';
import { startWorker, type WorkerEvent } from './worker.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** What a worker says of some runs, where its store is made into another and the queue knows it, or does not. */
async function worksOn(
  ids: readonly string[],
  made: (kept: Store) => Store,
  isOurs = true,
): Promise<{ heard: WorkerEvent[]; told: string[] }> {
  const kept = memoryStore();
  const of = (store: Store) => agent({ model: plays(() => [says('Done.')]), store });
  const waiting: TakenRun[] = [];
  for (const id of ids) waiting.push({ job: id, claim: 0, run: await of(kept).submit('Go', { id }) });
  const told: string[] = [];
  const telling = (name: string) => async () => {
    told.push(name);
    return isOurs;
  };
  const queue: RunQueue = {
    ...{ done: telling('done'), retry: telling('retry') },
    touch: async (taken) => (isOurs ? taken : []),
    add: async () => {},
    take: async (atMost, { suspects = false } = {}) => (suspects ? [] : waiting.splice(0, atMost)),
    close: async () => {},
  };
  const stateOf = async (run: string) => fold(await all(kept, run));
  const heard: WorkerEvent[] = [];
  const settings = {
    pollInterval: 5,
    store: kept,
    stateOf,
    sweep: async () => {},
    on: (event: WorkerEvent) => void heard.push(event),
  };
  const worker = startWorker(of(made(kept)), queue, { ...settings, concurrency: 2 });
  await until(() => heard.length === 2 * ids.length);
  await worker.stop();
  return { heard, told };
}

const failing = (n: number) => (kept: Store) => failingStore(kept, n, 'before');

/** A store where somebody else writes the run in the moment it is taken up. */
const rivalled = (kept: Store): Store => ({
  ...kept,
  append: async (events) => {
    const [first] = events;
    if (first?.type === 'run.resumed') await kept.append([first]);
    await kept.append(events);
  },
});

describe('a worker', () => {
  it.each<[string, (kept: Store) => Store, boolean, string[], object]>([
    ['ends a run that is its own', failing(1000), true, ['done'], { type: 'ended', end: 'done' }],
    ['F20 loses a run that ended after another had taken it', failing(1000), false, ['done'], { type: 'lost' }],
    ['F19 says that a run is to be tried again', failing(3), true, ['retry'], { type: 'failed' }],
    ['F20 loses a run that failed after another had taken it', failing(3), false, [], { type: 'lost' }],
    ['F20 loses a run that another has taken up', rivalled, false, ['retry'], { type: 'lost' }],
    [
      'F20 tries a run again that is its own, though another wrote in it',
      rivalled,
      true,
      ['retry'],
      { type: 'failed' },
    ],
  ])('%s', async (_, made, isOurs, tells, last) => {
    const { heard, told } = await worksOn(['a'], made, isOurs);
    expect(heard).toMatchObject([
      { type: 'taken', run: 'a' },
      { run: 'a', ...last },
    ]);
    expect(told).toEqual(tells);
  });

  it('keeps no listeners of ended runs, only those of active runs', async () => {
    const listening = new Map<EventTarget, number>();
    let most = 0;
    const { addEventListener, removeEventListener } = EventTarget.prototype;
    const count = (target: EventTarget, by: number): void => {
      listening.set(target, (listening.get(target) ?? 0) + by);
      most = Math.max(most, listening.get(target) ?? 0);
    };
    vi.spyOn(EventTarget.prototype, 'addEventListener').mockImplementation(function (this: EventTarget, ...args) {
      count(this, 1);
      return addEventListener.apply(this, args);
    });
    vi.spyOn(EventTarget.prototype, 'removeEventListener').mockImplementation(function (this: EventTarget, ...args) {
      count(this, -1);
      return removeEventListener.apply(this, args);
    });
    await worksOn(
      Array.from({ length: 40 }, (_, index) => `run_${index}`),
      (kept) => kept,
    );
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(10);
  });
});
