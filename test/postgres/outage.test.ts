import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { openPool, type Pool } from '../../src/log/postgres-pool.ts';
import { postgresStore } from '../../src/log/postgres-store.ts';
import type { Store } from '../../src/log/store.ts';
import { dispatch } from '../../src/run/workers/dispatch.ts';
import { all } from '../log/store-suite.ts';
import { expectWhole } from '../run/crash-checks.ts';
import { crashAgent, marksInMemory, toEnd } from '../run/crash-plot.ts';
import { expectKept, goesOn, playedOn } from '../run/storage-suite.ts';
import { until } from '../until.ts';
import { crowdAgent, marksOf } from './crowd.ts';
import { heldWorker } from './held-worker.ts';
import { closeAfterEach, usePostgres } from './use-postgres.ts';

const postgres = usePostgres();
const folder = mkdtempSync(join(tmpdir(), 'toolmend-outage-'));
const closing = closeAfterEach();
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

const long = { timeout: 120_000, interval: 100 };

/** Runs that wait for workers, a worker whose tools are held, and what its tools did. */
async function working(name: string, count: number) {
  const url = await postgres.database();
  const marks = join(folder, `${name}-marks`);
  const store = await postgresStore(url, { connections: 2 });
  const runs = await dispatch({ agent: crowdAgent(store, marks), store, url });
  const pool = await openPool(url, { connections: 1 });
  const worker = heldWorker(url, marks, join(folder, `${name}-gate`));
  closing.push(
    () => store.close(),
    () => runs.close(),
    () => pool.end(),
    worker.end,
  );
  const ids = await Promise.all(Array.from({ length: count }, (_, index) => runs.submit(`Go ${index}`)));
  const begun = ids.flatMap((id) => [`look ${id}/a`, `send ${id}/b`]).sort();
  await vi.waitFor(() => expect(marksOf(marks).sort()).toEqual(begun), long);
  return { ids, store, runs, pool, worker, marks: () => marksOf(marks) };
}

const isDone = async (store: Store, id: string): Promise<void> =>
  expect((await all(store, id)).at(-1)).toMatchObject({ type: 'run.ended', end: 'done' });

/** Each run came to its end by itself, and the effect whose end could not be written happened once. */
async function expectGoneOn({ ids, store, marks }: Awaited<ReturnType<typeof working>>): Promise<void> {
  for (const id of ids) {
    await vi.waitFor(() => isDone(store, id), long);
    const events = await all(store, id);
    expectWhole(events);
    expect(events.filter(({ type }) => type === 'call.settled')).toMatchObject([{ callId: 'b', was: 'unknown' }]);
    const times = (mark: string): number => marks().filter((one) => one === mark).length;
    expect(times(`send ${id}/b`)).toBe(1);
    expect(times(`look ${id}/a`)).toBeGreaterThan(1);
    expect(times(`put ${id}/c`)).toBeGreaterThan(0);
  }
}

describe('F19 a database that crashes during runs', { timeout: 300_000 }, () => {
  it('F17 F19 resumes the runs after a restart, and does not repeat an effect whose end was not stored', async () => {
    const scene = await working('crash', 4);
    const { worker, ids, runs, store, marks } = scene;
    await postgres.crash();
    worker.open();
    const failed = () => worker.heard().flatMap((event) => (event.type === 'failed' ? event.run : []));
    await until(() => new Set(failed()).size === ids.length);
    const words = worker.heard().flatMap((event) => (event.type === 'failed' ? event.message : []));
    for (const one of words) expect(one).toMatch(/^The log could not be written: .*(database|connection)/);
    expect(worker.heard().filter(({ type }) => type === 'ended')).toEqual([]);
    await postgres.start();

    // And again, at moments that nobody chose.
    const others = await Promise.all(Array.from({ length: 40 }, (_, index) => runs.submit(`Go ${index}`)));
    for (const more of [10, 30]) {
      const many = marks().length + more;
      await until(() => marks().length >= many);
      await postgres.crash();
      await postgres.start();
    }
    await expectGoneOn(scene);
    for (const id of others) await vi.waitFor(() => isDone(store, id), long);
    for (const id of others) expectWhole(await all(store, id));
    const once = marks().filter((mark) => mark.startsWith('send '));
    expect(new Set(once).size).toBe(once.length);
    expect(worker.isAlive()).toBe(true);
  });
});

describe('F19 a database that does not respond', { timeout: 120_000 }, () => {
  it('F19 ends the run as `storage` after a timeout, and resumes when the database responds', async () => {
    const url = await postgres.database();
    const store = await postgresStore(url, { connections: 1, answerTimeout: 4000 });
    const pool = await openPool(url, { connections: 1 });
    closing.push(
      () => store.close(),
      () => pool.end(),
    );
    const others = 'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
    const mute = (await pool.query(others)).rows.map(({ pid }) => Number(pid));
    expect(mute.length).toBe(1);
    const marks = marksInMemory();
    for (const pid of mute) process.kill(pid, 'SIGSTOP');
    const { end, message } = await toEnd(crashAgent(store, marks).run('Go.', { id: 'run_x' }));
    // One that stays stopped would keep its server from ending.
    for (const pid of mute) process.kill(pid, 'SIGCONT');
    expect([end, message]).toEqual(['storage', expect.stringContaining('The database does not respond')]);
    expect(marks.all()).toEqual([]);
    // What it was asked it does now, though nobody waits for it any more.
    await until(async () => (await pool.query(others)).rows.every(({ pid }) => !mute.includes(Number(pid))));
    await goesOn(store, marks);
  });
});

/** How many pages a file of the database may have where the disk is full. */
const most = 256;
const page = 8192;

/** Fills the table of events until there is room for so many more, and lets it grow no more than that. */
async function fill(pool: Pool, left: number): Promise<void> {
  // Each event takes a page of its own from here on, so that none finds a place between others.
  const ballast = `ballast text STORAGE PLAIN DEFAULT repeat('x', 7000)`;
  await pool.query(`ALTER TABLE toolmend.events ADD COLUMN IF NOT EXISTS ${ballast}`);
  for (;;) {
    const { rows } = await pool.query(`SELECT pg_relation_size('toolmend.events') / ${page} AS pages`);
    const pages = Number(rows[0]?.pages);
    if (pages >= most - left) break;
    const more = `INSERT INTO toolmend.events (run, seq, at, type, body)
      SELECT 'fill', $1::integer + n, 0, 'fill', '' FROM generate_series(1, $2::integer) AS n`;
    await pool.query(more, [pages * 1000, most - left - pages]);
  }
  await postgres.room(most * page);
}

describe('F19 a full disk', { timeout: 300_000 }, () => {
  afterEach(() => postgres.room());

  it('F19 ends the run as `storage` at any point, loses no stored event, and resumes with free space', async () => {
    const url = await postgres.database();
    const pool = await openPool(url, { connections: 2 });
    const store = await postgresStore(pool);
    closing.push(() => pool.end());
    const ends: string[] = [];
    for (let left = 0; ends.at(-1) !== 'done'; left += 4) {
      await pool.query('TRUNCATE toolmend.events, toolmend.runs');
      await fill(pool, left);
      const marks = marksInMemory();
      const told = await playedOn(store, marks);
      ends.push(told.end);
      await expectKept(store, told);
      await postgres.room();
      if (told.end !== 'done') await goesOn(store, marks);
    }
    expect(ends.length).toBeGreaterThan(4);
    expect(new Set(ends.slice(0, -1))).toEqual(new Set(['storage']));
  });

  it('F17 F19 makes a worker report it and retry until there is space', async () => {
    const scene = await working('full', 2);
    const { worker, ids, pool } = scene;
    await fill(pool, 0);
    worker.open();
    const complaints = (id: string) =>
      worker.heard().flatMap((event) => (event.type === 'failed' && event.run === id ? event.message : []));
    for (const id of ids) await until(() => complaints(id).length >= 2);
    for (const words of ids.flatMap(complaints)) expect(words).toMatch(/could not extend file .*too large/);
    expect(worker.heard().filter(({ type }) => type === 'ended')).toEqual([]);
    await postgres.room();
    await expectGoneOn(scene);
  });
});
