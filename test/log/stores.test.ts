import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../src/log/memory-store.ts';
import { sqliteStore } from '../../src/log/sqlite-store.ts';
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

  it('refuses a file of a later version', async () => {
    const path = file();
    await sqliteStore(path).close();
    const db = new DatabaseSync(path);
    db.exec('PRAGMA user_version = 99');
    db.close();
    expect(() => sqliteStore(path)).toThrow('Update toolmend');
  });
});
