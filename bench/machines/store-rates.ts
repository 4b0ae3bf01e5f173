import { DatabaseSync } from 'node:sqlite';
import type { RunEvent } from '../../src/log/events.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import { openPool } from '../../src/log/postgres-pool.ts';
import { postgresStore } from '../../src/log/postgres-store.ts';
import { sqliteStore } from '../../src/log/sqlite-store.ts';
import type { Store } from '../../src/log/store.ts';
import { median } from '../measure.ts';

/** Events a second: of our store, and of inserts into a table without keys, a commit each and a commit for all who write. */
export interface StoreRate {
  readonly store: 'memory' | 'sqlite' | 'postgres';
  /** The number of runs that write in parallel. */
  readonly writers: number;
  readonly ours: number;
  readonly bare?: number;
  readonly batched?: number;
}

const rounds = 7;
const appends = 60;
const crowd = 16;
const body = 'x'.repeat(400);

const event = (run: string, seq: number): RunEvent => ({
  type: 'message.added',
  message: { role: 'user', parts: [{ type: 'text', text: body }] },
  run,
  seq,
  at: Date.now(),
});

/** Writes so many events of each run, one after the other, the runs side by side. */
type Contestant = (round: number, writers: number) => Promise<unknown>;

/** Events per second of each store and of plain inserts with the same durability, in turns, as medians. */
export async function storeRates(url: string, file: string): Promise<StoreRate[]> {
  const sqlite = sqliteStore(file);
  const postgres = await postgresStore(url, { connections: crowd });
  const [bareFile, bareTable] = [bareSqlite(`${file}.bare`), await barePostgres(url)];
  const contestants: Readonly<Record<string, Contestant>> = {
    'memory ours': through(memoryStore()),
    'sqlite ours': through(sqlite),
    'sqlite bare': bareFile.each,
    'sqlite batched': bareFile.batched,
    'postgres ours': through(postgres),
    'postgres bare': bareTable.each,
    'postgres batched': bareTable.batched,
  };
  const samples = new Map<string, number[]>();
  for (let round = 0; round < rounds; round += 1)
    for (const writers of [1, crowd])
      for (const [name, contestant] of turned(Object.entries(contestants), round)) {
        const began = performance.now();
        await contestant(round, writers);
        const rate = (writers * appends) / ((performance.now() - began) / 1000);
        const key = `${name} ${writers}`;
        samples.set(key, [...(samples.get(key) ?? []), rate]);
      }
  await Promise.all([postgres.close(), sqlite.close(), bareTable.close()]);
  bareFile.close();

  const rate = (name: string, writers: number) => Math.round(median(samples.get(`${name} ${writers}`) ?? []));
  return (['memory', 'sqlite', 'postgres'] as const).flatMap((store) =>
    [1, crowd].map((writers) => ({
      store,
      writers,
      ours: rate(`${store} ours`, writers),
      ...(store !== 'memory' && { bare: rate(`${store} bare`, writers), batched: rate(`${store} batched`, writers) }),
    })),
  );
}

/** Whoever comes after another may find the disk busy with what that one left: each goes first once in a while. */
const turned = <T>(list: readonly T[], by: number): T[] => {
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
};

const sideBySide = (writers: number, write: (writer: number) => Promise<void>): Promise<unknown> =>
  Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));

const through =
  (store: Store): Contestant =>
  (round, writers) =>
    sideBySide(writers, async (writer) => {
      const run = `rate_${round}_${writers}_${writer}`;
      for (let seq = 1; seq <= appends; seq += 1) await store.append([event(run, seq)]);
    });

interface Bare {
  readonly each: Contestant;
  readonly batched: Contestant;
}

function bareSqlite(file: string): Bare & { close(): void } {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE bare (run TEXT, seq INTEGER, body TEXT)');
  const insert = db.prepare('INSERT INTO bare VALUES (?, ?, ?)');
  const put = (seq: number): unknown => insert.run('bare', seq, JSON.stringify(event('bare', seq)));
  return {
    async each(_, writers) {
      for (let seq = 0; seq < writers * appends; seq += 1) put(seq);
    },
    async batched(_, writers) {
      for (let seq = 0; seq < appends; seq += 1) {
        db.exec('BEGIN IMMEDIATE');
        for (let writer = 0; writer < writers; writer += 1) put(seq);
        db.exec('COMMIT');
      }
    },
    close: () => db.close(),
  };
}

async function barePostgres(url: string): Promise<Bare & { close(): Promise<void> }> {
  const pool = await openPool(url, { connections: crowd });
  await pool.query('CREATE TABLE bare (run text, seq integer, body text)');
  const text = (seq: number): string => JSON.stringify(event('bare', seq));
  return {
    each: (_, writers) =>
      sideBySide(writers, async (writer) => {
        for (let seq = 0; seq < appends; seq += 1)
          await pool.query('INSERT INTO bare VALUES ($1, $2, $3)', [`bare_${writer}`, seq, text(seq)]);
      }),
    async batched(_, writers) {
      for (let seq = 0; seq < appends; seq += 1) {
        const all = Array.from({ length: writers }, (_, writer) => writer);
        await pool.query('INSERT INTO bare SELECT * FROM unnest($1::text[], $2::integer[], $3::text[])', [
          all.map((writer) => `bare_${writer}`),
          all.map(() => seq),
          all.map(() => text(seq)),
        ]);
      }
    },
    close: () => pool.end(),
  };
}
