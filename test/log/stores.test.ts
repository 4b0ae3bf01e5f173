import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../src/log/memory-store.ts';
import { sqliteStore } from '../../src/log/sqlite-store.ts';
import { eventsOfRun, type RunSummary } from '../../src/log/store.ts';
import { all, event, storeSuite } from './store-suite.ts';

const file = (): string => join(mkdtempSync(join(tmpdir(), 'toolmend-store-')), 'runs.db');

storeSuite('memory', async () => memoryStore());
storeSuite('sqlite', async () => sqliteStore(file()));

describe('sqlite', () => {
  it('keeps its events when it is opened again, for its owner alone', async () => {
    const path = file();
    const first = sqliteStore(path);
    await first.append([event('a', 1)]);
    await first.close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const again = sqliteStore(path);
    expect(await all(again, 'a')).toEqual([event('a', 1)]);
    await again.close();
  });

  it('writes with two connections to one file, and fences the second writer of a run', async () => {
    const path = file();
    const [one, two] = [sqliteStore(path), sqliteStore(path)];
    await one.append([event('a', 1)]);
    await two.append([event('a', 2)]);
    await expect(one.append([event('a', 2)])).rejects.toThrow('another process writes it');
    await Promise.all([one.close(), two.close()]);
  });

  it('guard: never writes to another run that has the number of a removed one', async () => {
    const path = file();
    const [one, two] = [sqliteStore(path), sqliteStore(path)];
    await one.append([event('a', 1)]);
    await one.append([event('a', 2)]);
    await two.remove('a');
    await two.append([event('b', 1)]);
    await expect(one.append([event('a', 3)])).rejects.toMatchObject({ code: 'unknown_run' });
    expect(await all(one, 'b')).toEqual([event('b', 1)]);
    expect(await all(two, 'a')).toEqual([]);
    await Promise.all([one.close(), two.close()]);
  });

  it('F19 a locked file is an error after its wait, and the next append succeeds', async () => {
    const path = file();
    const store = sqliteStore(path, { busyTimeout: 50 });
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    await expect(store.append([event('a', 1)])).rejects.toThrow(/locked/);
    other.exec('ROLLBACK');
    await store.append([event('a', 1)]);
    expect((await all(store, 'a')).length).toBe(1);
    other.close();
    await store.close();
  });

  it('brings a file of the first version up to this one, and keeps its runs', async () => {
    const path = file();
    const db = new DatabaseSync(path);
    db.exec(`CREATE TABLE events (run TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, type TEXT NOT NULL,
        body TEXT NOT NULL, PRIMARY KEY (run, seq));
      CREATE TABLE runs (run TEXT PRIMARY KEY, started_at INTEGER NOT NULL) WITHOUT ROWID;
      PRAGMA user_version = 1;
      INSERT INTO runs VALUES ('old', 1001), ('older', 1001)`);
    const insert = db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?)');
    for (const { run, seq, at, type } of [event('old', 1), event('old', 2), event('older', 1)])
      insert.run(run, seq, at, type, JSON.stringify(event(run, seq)));
    db.close();
    const store = sqliteStore(path);
    expect(await all(store, 'old')).toEqual([event('old', 1), event('old', 2)]);
    expect(await store.runs()).toEqual([
      { run: 'old', startedAt: 1001, updatedAt: 1002, seq: 2 },
      { run: 'older', startedAt: 1001, updatedAt: 1001, seq: 1 },
    ]);
    await store.append([event('older', 2), event('older', 3)]);
    expect((await store.runs({ limit: 1 }))[0]).toEqual({ run: 'older', startedAt: 1001, updatedAt: 1003, seq: 3 });
    await store.close();
  });

  it('writes at most three pages per commit, on average, because each costs time in a durable commit', async () => {
    const path = file();
    const store = sqliteStore(path);
    for (let run = 0; run < 50; run += 1) await store.append([event(`r${run}`, 1)]);
    const before = statSync(`${path}-wal`).size;
    for (let seq = 2; seq <= 101; seq += 1) await store.append([event('r25', seq)]);
    const pages = (statSync(`${path}-wal`).size - before) / 4120;
    expect(pages / 100).toBeLessThan(3);
    expect((await store.runs({ limit: 1 }))[0]).toMatchObject({ run: 'r25', seq: 101 });
    await store.close();
  });

  it('lists runs in the order of their last events, within a few seconds and beyond', async () => {
    const store = sqliteStore(file());
    const times = [5, 9_999, 10_000, 10_001, 25_000, 3_600_000];
    for (const [index, at] of times.entries()) await store.append([{ ...event(`r${index}`, 1), at }]);
    await store.append([{ ...event('r0', 2), at: 10_002 }]);
    await store.append([{ ...event('r5', 2), at: 7 }]);
    const order = ['r4', 'r0', 'r3', 'r2', 'r1', 'r5'];
    expect((await store.runs()).map(({ run }) => run)).toEqual(order);
    const pages: string[] = [];
    for (let after: RunSummary | undefined; ; ) {
      const [one] = await store.runs({ limit: 1, ...(after && { after }) });
      if (!one) break;
      pages.push(one.run);
      after = one;
    }
    expect(pages).toEqual(order);
    expect((await store.runs({ before: 10_001 })).map(({ run }) => run)).toEqual(['r2', 'r1', 'r5']);
    await store.close();
  });

  it('lists a run by its last event, though another process wrote it and the clock was set back', async () => {
    const path = file();
    const [one, two] = [sqliteStore(path), sqliteStore(path)];
    await one.append([{ ...event('r', 1), at: 55_000 }]);
    await two.append([{ ...event('r', 2), at: 61_000 }]);
    await one.append([{ ...event('r', 3), at: 55_500 }]);
    await one.append([{ ...event('s', 1), at: 58_000 }]);
    await two.append([{ ...event('t', 1), at: 56_500 }]);
    const pages: string[] = [];
    for (let after: RunSummary | undefined; ; ) {
      const [next] = await two.runs({ limit: 1, ...(after && { after }) });
      if (!next) break;
      pages.push(next.run);
      after = next;
    }
    expect(pages).toEqual(['s', 't', 'r']);
    expect((await two.runs({ before: 56_000 })).map(({ run }) => run)).toEqual(['r']);
    await one.close();
    await two.close();
  });

  it('refuses a file of a later version', async () => {
    const path = file();
    await sqliteStore(path).close();
    const db = new DatabaseSync(path);
    db.exec('PRAGMA user_version = 99');
    db.close();
    expect(() => sqliteStore(path)).toThrow('Update toolmend');
  });
});

it('a SQLite store whose run can not be deleted keeps all of it, and goes on', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'toolmend-remove-')), 'runs.db');
  const store = sqliteStore(file);
  const ended = { type: 'run.ended', end: 'done', message: 'Done', run: 'r', at: 1 } as const;
  await store.append([{ ...ended, seq: 1 }]);
  const db = new DatabaseSync(file);
  db.exec("CREATE TRIGGER no BEFORE DELETE ON runs BEGIN SELECT RAISE(ABORT, 'refused'); END");
  await expect(store.remove('r')).rejects.toThrow('refused');
  await store.append([{ ...ended, seq: 2 }]);
  expect(await eventsOfRun(store, 'r')).toHaveLength(2);
  db.exec('DROP TRIGGER no');
  await store.remove('r');
  expect(await eventsOfRun(store, 'r')).toEqual([]);
  db.close();
  await store.close();
});
