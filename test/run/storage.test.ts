import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../src/log/memory-store.ts';
import { sqliteStore } from '../../src/log/sqlite-store.ts';
import { crashAgent, marksInMemory } from './crash-plot.ts';
import { expectKept, goesOn, playedOn, storageSuite } from './storage-suite.ts';

const file = (): string => join(mkdtempSync(join(tmpdir(), 'toolmend-storage-')), 'runs.db');

storageSuite('memory', () => memoryStore());
storageSuite('sqlite', () => sqliteStore(file()));

describe('F19 sqlite', () => {
  it('F19 ends the run as `storage` if the disk is full, and continues it when there is space', async () => {
    const ends: string[] = [];
    for (let maxBytes = 20_000; ends.at(-1) !== 'done'; maxBytes += 4096) {
      const path = file();
      const small = sqliteStore(path, { maxBytes });
      const marks = marksInMemory();
      const told = await playedOn(small, marks, `Go. ${'x'.repeat(5000)}`);
      ends.push(told.end);
      await small.close();
      const store = sqliteStore(path);
      await expectKept(store, told);
      await goesOn(store, marks);
      await store.close();
    }
    expect(ends.length).toBeGreaterThan(2);
    expect(new Set(ends.slice(0, -1))).toEqual(new Set(['storage']));
  });

  it('F19 ends the run as `storage` if the file is locked, and continues it when the file is free', async () => {
    const path = file();
    const store = sqliteStore(path, { busyTimeout: 20 });
    const marks = marksInMemory();
    const run = crashAgent(store, marks).run(undefined, { id: 'run_x' });
    const other = new DatabaseSync(path);
    run.on('tool_executed', () => {
      if (!other.isTransaction) other.exec('BEGIN IMMEDIATE');
    });
    const result = await run.send('Go.').result;
    expect(result).toMatchObject({ end: 'storage', message: expect.stringContaining('locked') });
    other.exec('ROLLBACK');
    await goesOn(store, marks);
    other.close();
    await store.close();
  });
});
