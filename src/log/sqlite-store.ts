import { chmodSync, existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { ToolmendError } from '../json/toolmend-error.ts';
import { checkArgument } from '../json/value.ts';
import { endBeforeRemoval } from './control/remove-run.ts';
import type { RunEvent } from './events.ts';
import { type Append, gather, type WrittenEvent } from './journal.ts';
import { listSpan, migrate, seqBits } from './migrations/sqlite.ts';
import { type RunQuery, type RunSummary, runDeleted, SequenceTaken, type Store } from './store.ts';

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
  }, true);

  let isClosed = false;
  const store: Store = {
    async append(events) {
      if (isClosed) throw storeClosed();
      return append(events);
    },
    async *read(run, after = 0) {
      if (isClosed) throw storeClosed();
      for (let from = after; ; ) {
        const rows = statements.read.all(from, run, page) as { seq: number; body: string }[];
        for (const { body } of rows) yield JSON.parse(body) as RunEvent;
        const last = rows.at(-1);
        if (!last || rows.length < page) return;
        from = last.seq;
      }
    },
    async runs({ limit = 100, before = Number.MAX_SAFE_INTEGER, after }: RunQuery = {}) {
      if (isClosed) throw storeClosed();
      const { run, updatedAt } = after ?? { run: '', updatedAt: Number.MAX_SAFE_INTEGER };
      const newest = Math.min(before, updatedAt);
      const rows = statements.runs.all(spanOf(newest), before, updatedAt, updatedAt, run, limit);
      return rows.map((row) => ({ ...row })) as unknown as RunSummary[];
    },
    async remove(run) {
      await endBeforeRemoval(store, run);
      db.exec('BEGIN IMMEDIATE');
      try {
        const { id } = (statements.find.get(run) ?? {}) as Partial<FoundRun>;
        if (id !== undefined) {
          statements.removeEvents.run(rowOf(id, 0), rowOf(id, mostEvents));
          statements.removeRun.run(id);
        }
        db.exec('COMMIT');
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK');
        throw error;
      }
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      now();
      db.close();
    },
  };
  return store;
}

const storeClosed = (): ToolmendError =>
  new ToolmendError('closed', 'The store is closed. Open it again to write or read runs.');

function capSize(db: DatabaseSync, maxBytes: number): void {
  const { page_size: size } = db.prepare('PRAGMA page_size').get() as { page_size: number };
  db.exec(`PRAGMA max_page_count = ${Math.max(1, Math.trunc(maxBytes / size))}`);
}

type Statements = ReturnType<typeof prepare>;

/** The most events of a run. */
const mostEvents = 2 ** seqBits - 1;

const spanOf = (at: number): number => Math.floor(at / listSpan);

const prepare = (db: DatabaseSync) => ({
  /** The numbers of runs that were written last. Another process may have removed a run since. */
  known: new Map<string, FoundRun>(),
  begin: db.prepare('BEGIN IMMEDIATE'),
  commit: db.prepare('COMMIT'),
  has: db.prepare('SELECT 1 FROM log WHERE id = ?'),
  find: db.prepare('SELECT id, listed FROM runs WHERE run = ?'),
  add: db.prepare('INSERT INTO runs (run, started_at, listed) VALUES (?, ?, ?)'),
  list: db.prepare('UPDATE runs SET listed = ? WHERE id = ?'),
  insert: db.prepare('INSERT INTO log (id, at, body) VALUES (?, ?, ?)'),
  insertIf: db.prepare(
    `INSERT INTO log (id, at, body) SELECT ?, ?, ? FROM runs
     WHERE id = ? AND run = ? AND listed = ? AND EXISTS (SELECT 1 FROM log WHERE id = ?)`,
  ),
  read: db.prepare(
    `SELECT log.id & ${mostEvents} AS seq, body
     FROM runs JOIN log ON log.id > (runs.id << ${seqBits}) + ? AND log.id < (runs.id + 1) << ${seqBits}
     WHERE run = ? ORDER BY log.id LIMIT ?`,
  ),
  // The time of the last event is in the log, and not in the list, where every commit would have to update it.
  runs: db.prepare(
    `WITH listed AS (
       SELECT run, started_at, listed,
         (SELECT max(id) FROM log WHERE id BETWEEN runs.id << ${seqBits} AND (runs.id << ${seqBits}) + ${mostEvents}) AS last
       FROM runs WHERE listed <= ?)
     SELECT run, started_at AS startedAt, at AS updatedAt, last & ${mostEvents} AS seq
     FROM listed JOIN log ON log.id = last
     WHERE at < ? AND at <= ? AND (at < ? OR run > ?) ORDER BY listed DESC, at DESC, run LIMIT ?`,
  ),
  removeEvents: db.prepare('DELETE FROM log WHERE id BETWEEN ? AND ?'),
  removeRun: db.prepare('DELETE FROM runs WHERE id = ?'),
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
    for (const { events } of appends) {
      let run: FoundRun | undefined;
      for (const written of events) {
        at = written.event;
        run = insert(statements, written, run?.run === at.run ? run : undefined, events);
      }
    }
    statements.commit.run();
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    reject?.(at && isTaken(error) ? new SequenceTaken(at.run, at.seq) : error);
    return false;
  }
  for (const { resolve } of appends) resolve();
  return true;
}

interface FoundRun {
  readonly run: string;
  readonly id: number;
  readonly listed: number;
}

/** The most runs whose numbers are remembered. */
const mostKnown = 1000;

/** Inserts an event, and returns its run. */
function insert(
  statements: Statements,
  { event, body }: WrittenEvent,
  before: FoundRun | undefined,
  events: readonly WrittenEvent[],
): FoundRun {
  const { run, seq, at } = event;
  const known = statements.known.get(run);
  if (!before && known && known.listed === spanOf(lastAt(events, run))) {
    // A run that was removed has no row of this number, or another run has it. Another process may have moved it.
    const row = rowOf(known.id, seq);
    const { changes } = statements.insertIf.run(row, at, body, known.id, run, known.listed, row - 1);
    if (changes === 1) return known;
  }
  const found = before ?? list(statements, event, events);
  statements.insert.run(rowOf(found.id, seq), at, body);
  return found;
}

/** The time of the last of the events of a run. */
const lastAt = (events: readonly WrittenEvent[], run: string): number =>
  events.findLast(({ event }) => event.run === run)?.event.at ?? 0;

/** The row of an event. */
function rowOf(id: number, seq: number): number {
  if (seq <= mostEvents) return id * 2 ** seqBits + seq;
  throw new ToolmendError(
    'too_large',
    `A run can have at most ${mostEvents} events in a SQLite store. Fork it to continue.`,
  );
}

/** Adds a run to the list, or moves it to the time of its last event. */
function list(statements: Statements, { run, at, seq }: RunEvent, events: readonly WrittenEvent[]): FoundRun {
  const found = statements.find.get(run) as Omit<FoundRun, 'run'> | undefined;
  // Its events may be those of a new run with the id of one that was deleted.
  if (seq > 1 && !(found && statements.has.get(rowOf(found.id, seq - 1)))) throw runDeleted(run, seq);
  const listed = spanOf(lastAt(events, run));
  if (found && found.listed !== listed) statements.list.run(listed, found.id);
  const id = found?.id ?? Number(statements.add.run(run, at, listed).lastInsertRowid);
  if (statements.known.size >= mostKnown) statements.known.clear();
  const row = { run, id, listed };
  statements.known.set(run, row);
  return row;
}

/** SQLite error code for a primary key that exists. */
const isTaken = (error: unknown): boolean => (error as { errcode?: number })?.errcode === 1555;
