import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/log/event.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import { sqliteStore } from '../../src/log/sqlite-store.ts';
import type { Store } from '../../src/log/store.ts';
import type { Run, RunResult } from '../../src/run/run.ts';
import { type Failing, failingStore } from '../log/failing-store.ts';
import { all } from '../log/store-suite.ts';
import { expectSound, expectWhole } from './crash-checks.ts';
import { crashAgent, marksInMemory, toEnd } from './crash-plot.ts';

const file = (): string => join(mkdtempSync(join(tmpdir(), 'toolmend-storage-')), 'runs.db');

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

/** The end by its name, or `storage` where a person's decision could not be written and was refused. */
const endOf = (run: Run): Promise<RunResult['end']> =>
  toEnd(run).then(
    ({ end }) => end,
    (error) => {
      expect(String(error)).toMatch(/failed|full|locked/);
      return 'storage';
    },
  );

/** Takes up what is in the healthy store until it ends well. */
async function goesOn(store: Store, marks: ReturnType<typeof marksInMemory>): Promise<void> {
  const helper = crashAgent(store, marks);
  const stored = await all(store, 'run_x');
  const run = stored.length > 0 ? await helper.resume('run_x') : helper.run(undefined, { id: 'run_x' });
  expect((await toEnd(run.messages().length > 0 ? run.continue() : run.send('Go.'))).end).toBe('done');
  await expectSound(run, store, marks);
}

async function failsAt(healthy: Store, n: number, how: Failing): Promise<boolean> {
  const store = failingStore(healthy, n, how);
  const marks = marksInMemory();
  const run = crashAgent(store, marks).run(undefined, { id: 'run_x' });
  const told = listen(run);
  const end = await endOf(run.send('Go.'));
  if (!store.failed()) {
    expect(end).toBe('done');
    return false;
  }
  // A reader who can't read harms nobody else.
  expect(end).toBe(told.deaf ? 'done' : 'storage');
  const stored = await all(healthy, 'run_x');
  expectWhole(stored);
  // What was told is on disk, to the letter.
  expect(stored.slice(0, told.events.length)).toEqual(JSON.parse(JSON.stringify(told.events)));
  const answered = new Set(stored.flatMap((event) => ('result' in event ? event.callId : [])));
  for (const callId of told.executed) expect(answered).toContain(callId);
  await goesOn(healthy, marks);
  return true;
}

const stores: Record<string, () => Store> = { memory: () => memoryStore(), sqlite: () => sqliteStore(file()) };

describe.each(Object.entries(stores))('F19 a %s store that fails on its n-th operation', (_, open) => {
  it.each(['before', 'after'] as const)(
    'F19 %s it was done, for every n: the run ends as `storage`, tells no success from memory, and goes on when taken up',
    async (how) => {
      let n = 1;
      for (; ; n += 1) {
        const healthy = open();
        const failed = await failsAt(healthy, n, how);
        await healthy.close();
        if (!failed) break;
      }
      expect(n).toBeGreaterThan(8);
    },
  );

  it('F19 while a run is taken up, for every n: it is refused, and taken up by the next try', async () => {
    const whole = memoryStore();
    await toEnd(crashAgent(whole, marksInMemory()).run('Go.', { id: 'run_x' }));
    const events = await all(whole, 'run_x');
    const half = events.slice(
      0,
      events.findIndex(({ type }) => type === 'tool.finished'),
    );
    for (let n = 1; ; n += 1) {
      const healthy = open();
      const marks = marksInMemory();
      await healthy.append(half);
      const store = failingStore(healthy, n, n % 2 === 0 ? 'after' : 'before');
      const end = await crashAgent(store, marks)
        .resume('run_x')
        .then(
          (run) => endOf(run.continue()),
          () => 'refused',
        );
      const failed = store.failed();
      if (failed) expect(['refused', 'storage']).toContain(end);
      await goesOn(healthy, marks);
      await healthy.close();
      if (!failed) break;
    }
  });
});

describe('F19 sqlite', () => {
  it('F19 a full disk ends the run as `storage`; with room again it goes on', async () => {
    const ends: string[] = [];
    for (let maxBytes = 20_000; ends.at(-1) !== 'done'; maxBytes += 4096) {
      const path = file();
      const small = sqliteStore(path, { maxBytes });
      const marks = marksInMemory();
      const run = crashAgent(small, marks).run(undefined, { id: 'run_x' });
      ends.push(await endOf(run.send(`Go. ${'x'.repeat(5000)}`)));
      await small.close();
      const store = sqliteStore(path);
      expectWhole(await all(store, 'run_x'));
      await goesOn(store, marks);
      await store.close();
    }
    expect(ends.length).toBeGreaterThan(2);
    expect(new Set(ends.slice(0, -1))).toEqual(new Set(['storage']));
  });

  it('F19 a locked file ends the run as `storage`; when it is free the run goes on', async () => {
    const path = file();
    const store = sqliteStore(path, { busyTimeout: 20 });
    const marks = marksInMemory();
    const run = crashAgent(store, marks).run(undefined, { id: 'run_x' });
    const other = new DatabaseSync(path);
    run.on('tool_executed', () => {
      if (!other.isTransaction) other.exec('BEGIN IMMEDIATE');
    });
    const result = await run.send('Go.').done;
    expect(result).toMatchObject({ end: 'storage', message: expect.stringContaining('locked') });
    other.exec('ROLLBACK');
    await goesOn(store, marks);
    other.close();
    await store.close();
  });
});
