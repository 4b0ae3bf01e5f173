import { chmodSync, existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { ToolmendError } from '../json/toolmend-error.ts';
import { checkArgument } from '../json/value.ts';
import type { RunEvent } from './events.ts';
import { type Append, gather } from './journal.ts';
import { listedRuns } from './listed-runs.ts';
import { migrate } from './migrations/sqlite.ts';
import { type RunQuery, type RunSummary, SequenceTaken, type Store } from './store.ts';

/** Options of a SQLite store. */
export interface SqliteOptions {
  /**
   * Time to wait for another process that is writing, in milliseconds.
   * @default 5_000
   */
  readonly busyTimeout?: number;
  /**
   * Maximum file size. Beyond it appends fail as on a full disk.
   * @default no limit
   */
  readonly maxBytes?: number;
}

const page = 1000;

/**
 * Creates a store in one file. `append` resolves when its events are on disk; appends of the same moment share one
 * commit.
 *
 * @param file path of the file; `:memory:` keeps it in memory
 */
export function sqliteStore(file: string, { busyTimeout = 5000, maxBytes }: SqliteOptions = {}): Store {
  checkArgument(typeof file === 'string', 'file', 'a path, or :memory:', file);
  const isNew = file !== ':memory:' && !existsSync(file);
  const db = new DatabaseSync(file);
  // Other users of the machine must not read it.
  if (isNew) chmodSync(file, 0o600);
  db.exec(`PRAGMA busy_timeout = ${Math.trunc(busyTimeout)}`);
  db.exec('PRAGMA journal_mode = WAL');
  db.exec('PRAGMA synchronous = FULL');
  migrate(db);
  if (maxBytes !== undefined) capSize(db, maxBytes);
  const statements = prepare(db);
  const { append, now } = gather((appends) => {
    if (commit(db, statements, appends)) return;
    // One failed append must not fail the others.
    for (const one of appends) commit(db, statements, [one], one.reject);
  });

  let isClosed = false;
  return {
    async append(events) {
      if (isClosed) throw storeClosed();
      await append(events);
    },
    async *read(run, after = 0) {
      if (isClosed) throw storeClosed();
      for (let from = after; ; ) {
        const rows = statements.read.all(run, from, page) as { seq: number; body: string }[];
        for (const { body } of rows) yield JSON.parse(body) as RunEvent;
        const last = rows.at(-1);
        if (!last || rows.length < page) return;
        from = last.seq;
      }
    },
    async runs({ limit = 100, before = Number.MAX_SAFE_INTEGER, after }: RunQuery = {}) {
      const { run, updatedAt } = after ?? { run: '', updatedAt: Number.MAX_SAFE_INTEGER };
      const rows = statements.runs.all(before, updatedAt, updatedAt, run, limit);
      return rows.map((row) => ({ ...row })) as unknown as RunSummary[];
    },
    async remove(run) {
      db.exec('BEGIN IMMEDIATE');
      statements.removeEvents.run(run);
      statements.removeRun.run(run);
      db.exec('COMMIT');
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      now();
      db.close();
    },
  };
}

const storeClosed = (): ToolmendError =>
  new ToolmendError('closed', 'The store is closed. Open it again to write or read runs.');

function capSize(db: DatabaseSync, maxBytes: number): void {
  const { page_size: size } = db.prepare('PRAGMA page_size').get() as { page_size: number };
  db.exec(`PRAGMA max_page_count = ${Math.max(1, Math.trunc(maxBytes / size))}`);
}

type Statements = ReturnType<typeof prepare>;

const prepare = (db: DatabaseSync) => ({
  begin: db.prepare('BEGIN IMMEDIATE'),
  commit: db.prepare('COMMIT'),
  insert: db.prepare('INSERT INTO events (run, seq, at, type, body) VALUES (?, ?, ?, ?, ?)'),
  list: db.prepare(
    `INSERT INTO runs (run, started_at, updated_at, seq) VALUES (?, ?, ?, ?)
     ON CONFLICT (run) DO UPDATE SET updated_at = excluded.updated_at, seq = excluded.seq`,
  ),
  read: db.prepare('SELECT seq, body FROM events WHERE run = ? AND seq > ? ORDER BY seq LIMIT ?'),
  runs: db.prepare(
    `SELECT run, started_at AS startedAt, updated_at AS updatedAt, seq FROM runs
     WHERE updated_at < ? AND updated_at <= ? AND (updated_at < ? OR run > ?) ORDER BY updated_at DESC, run LIMIT ?`,
  ),
  removeEvents: db.prepare('DELETE FROM events WHERE run = ?'),
  removeRun: db.prepare('DELETE FROM runs WHERE run = ?'),
});

/** Writes appends in one transaction. Returns false if it fails, and writes nothing then. */
function commit(
  db: DatabaseSync,
  statements: Statements,
  appends: readonly Append[],
  reject?: (error: unknown) => void,
): boolean {
  let at: RunEvent | undefined;
  try {
    statements.begin.run();
    const written = appends.flatMap(({ events }) => events);
    for (const { event, body } of written) {
      at = event;
      statements.insert.run(event.run, event.seq, event.at, event.type, body);
    }
    for (const { run, startedAt, updatedAt, seq } of listedRuns(written.map(({ event }) => event)))
      statements.list.run(run, startedAt, updatedAt, seq);
    statements.commit.run();
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    reject?.(at && isTaken(error) ? new SequenceTaken(at.run, at.seq) : error);
    return false;
  }
  for (const { resolve } of appends) resolve();
  return true;
}

/** SQLite error code for a primary key that exists. */
const isTaken = (error: unknown): boolean => (error as { errcode?: number })?.errcode === 1555;
