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

  it('refuses a file of a later version', async () => {
    const path = file();
    await sqliteStore(path).close();
    const db = new DatabaseSync(path);
    db.exec('PRAGMA user_version = 99');
    db.close();
    expect(() => sqliteStore(path)).toThrow('Update toolmend');
  });
});
