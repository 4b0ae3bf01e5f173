import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/log/events.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import type { Store } from '../../src/log/store.ts';
import type { RunResult } from '../../src/run/loop.ts';
import type { Run } from '../../src/run/run.ts';
import { type Failing, failingStore } from '../log/failing-store.ts';
import { all } from '../log/store-suite.ts';
import { until } from '../until.ts';
import { expectSound, expectWhole } from './crash-checks.ts';
import { crashAgent, type Marks, marksInMemory, toEnd } from './crash-plot.ts';

/** Everything a run told anybody. */
interface Told {
  readonly events: RunEvent[];
  readonly executed: string[];
  /** The reader could not read. */
  deaf: boolean;
}

function listen(run: Run): Told {
  const told: Told = { events: [], executed: [], deaf: false };
  run.on('tool_executed', ({ callId }) => told.executed.push(callId));
  (async () => {
    for await (const event of run.watch({ channels: ['monitor'] })) if ('seq' in event) told.events.push(event);
  })().catch(() => {
    told.deaf = true;
  });
  return told;
}

const words = /failed|full|locked|too large/;

/** The end by its name, or `storage` where a person's decision could not be written and was refused. */
const endOf = (run: Run): Promise<RunResult['end']> =>
  toEnd(run).then(
    ({ end, message }) => {
      if (end === 'storage') expect(message).toMatch(/^The log could not be written: ./);
      if (end === 'storage') expect(message).toMatch(words);
      return end;
    },
    (error) => {
      expect(String(error)).toMatch(words);
      return 'storage';
    },
  );

/** Plays the plot on a store; gives how it ended, and what was told of it. */
export async function playedOn(store: Store, marks: Marks, said = 'Go.'): Promise<Told & { end: RunResult['end'] }> {
  const run = crashAgent(store, marks).run(undefined, { id: 'run_x' });
  const told = listen(run);
  const end = await endOf(run.send(said));
  // The same object: a reader may fail after the run has ended.
  return Object.assign(told, { end });
}

/** What was told is on disk, to the letter. */
export async function expectKept(store: Store, { events, executed }: Told): Promise<void> {
  const stored = await all(store, 'run_x');
  expectWhole(stored);
  expect(stored.slice(0, events.length)).toEqual(JSON.parse(JSON.stringify(events)));
  const answered = new Set(stored.flatMap((event) => ('result' in event ? event.callId : [])));
  for (const callId of executed) expect(answered).toContain(callId);
}

/** Takes up what is in the healthy store until it ends well. */
export async function goesOn(store: Store, marks: Marks): Promise<void> {
  const helper = crashAgent(store, marks);
  const stored = await all(store, 'run_x');
  const run = stored.length > 0 ? await helper.resume('run_x') : helper.run(undefined, { id: 'run_x' });
  expect((await toEnd(run.messages().length > 0 ? run.continue() : run.send('Go.'))).end).toBe('done');
  await expectSound(run, store, marks);
}

async function failsAt(healthy: Store, n: number, how: Failing): Promise<boolean> {
  const store = failingStore(healthy, n, how);
  const marks = marksInMemory();
  const told = await playedOn(store, marks);
  if (!store.failed()) {
    expect(told.end).toBe('done');
    return false;
  }
  // A reader who can't read harms nobody else.
  if (told.end === 'done') await until(() => told.deaf);
  else expect([told.end, told.deaf]).toEqual(['storage', false]);
  await expectKept(healthy, told);
  await goesOn(healthy, marks);
  return true;
}

const hows: readonly Failing[] = ['before', 'after'];

/** What every store must keep when any one of its operations fails. Each store that is opened holds no run. */
export function storageSuite(name: string, open: () => Store | Promise<Store>): void {
  describe(`F19 a ${name} store that fails on its n-th operation`, () => {
    it.each(hows)(
      'F19 %s it was done, for every n: the run ends as `storage`, reports no success from memory, and can be resumed',
      async (how) => {
        let n = 1;
        for (; ; n += 1) {
          const healthy = await open();
          const failed = await failsAt(healthy, n, how);
          await healthy.close();
          if (!failed) break;
        }
        expect(n).toBeGreaterThan(8);
      },
    );

    it.each(hows)(
      'F19 %s it was done, while a run is resumed: it is refused, and the next attempt resumes it',
      async (how) => {
        const whole = memoryStore();
        await toEnd(crashAgent(whole, marksInMemory()).run('Go.', { id: 'run_x' }));
        const events = await all(whole, 'run_x');
        const half = events.slice(
          0,
          events.findIndex(({ type }) => type === 'tool.finished'),
        );
        for (let n = 1; ; n += 1) {
          const healthy = await open();
          const marks = marksInMemory();
          await healthy.append(half);
          const store = failingStore(healthy, n, how);
          const end = await crashAgent(store, marks)
            .resume('run_x')
            .then(
              (run) => endOf(run.continue()),
              (error) => {
                expect(String(error)).toContain(`operation ${n} failed`);
                return 'refused';
              },
            );
          const failed = store.failed();
          if (failed) expect(['refused', 'storage']).toContain(end);
          await goesOn(healthy, marks);
          await healthy.close();
          if (!failed) break;
        }
      },
    );
  });
}
