import { DatabaseSync } from 'node:sqlite';
import type { RunEvent } from '../src/log/event.ts';
import { memoryStore } from '../src/log/memory-store.ts';
import { openPool } from '../src/log/postgres-pool.ts';
import { postgresStore } from '../src/log/postgres-store.ts';
import { sqliteStore } from '../src/log/sqlite-store.ts';
import type { Store } from '../src/log/store.ts';

const writers = 16;
const appends = 100;
const body = 'x'.repeat(400);

const event = (run: string, seq: number): RunEvent => ({
  ...{ type: 'message.added', message: { role: 'user', parts: [{ type: 'text', text: body }] } },
  ...{ run, seq, at: Date.now() },
});

/** How many appends a second each store takes from so many runs at once, one event each, beside the bare insert. */
export async function storeRates(url: string, file: string): Promise<string[]> {
  const postgres = await postgresStore(url, { connections: writers });
  const sqlite = sqliteStore(file);
  const lines = [
    `appends a second, ${writers} runs at once, one event each (a durable commit for each moment):`,
    `  memory    ${await rate(memoryStore())}`,
    `  sqlite    ${await rate(sqlite)}  (bare inserts, a commit each: ${bareSqlite(`${file}.bare`)})`,
    `  postgres  ${await rate(postgres)}  (bare inserts, a commit each: ${await barePostgres(url)})`,
  ];
  await postgres.close();
  await sqlite.close();
  return lines;
}

async function rate(store: Store): Promise<string> {
  const began = performance.now();
  const write = async (index: number): Promise<void> => {
    for (let seq = 1; seq <= appends; seq += 1) await store.append([event(`rate_${index}`, seq)]);
  };
  await Promise.all(Array.from({ length: writers }, (_, index) => write(index)));
  return perSecond(began);
}

function bareSqlite(file: string): string {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE bare (run TEXT, seq INTEGER, body TEXT)');
  const insert = db.prepare('INSERT INTO bare VALUES (?, ?, ?)');
  const began = performance.now();
  for (let at = 0; at < writers * appends; at += 1) insert.run('bare', at, JSON.stringify(event('bare', at)));
  const said = perSecond(began);
  db.close();
  return said;
}

async function barePostgres(url: string): Promise<string> {
  const pool = await openPool(url, { connections: writers });
  await pool.query('CREATE TABLE bare (run text, seq integer, body text)');
  const began = performance.now();
  const write = async (run: number): Promise<void> => {
    for (let seq = 0; seq < appends; seq += 1)
      await pool.query('INSERT INTO bare VALUES ($1, $2, $3)', [run, seq, JSON.stringify(event('bare', seq))]);
  };
  await Promise.all(Array.from({ length: writers }, (_, index) => write(index)));
  const said = perSecond(began);
  await pool.end();
  return said;
}

const perSecond = (began: number): string =>
  Math.round((writers * appends) / ((performance.now() - began) / 1000))
    .toLocaleString('en')
    .padStart(8);
