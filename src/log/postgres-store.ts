import { setTimeout as pause } from 'node:timers/promises';
import { checkArgument } from '../json/value.ts';
import { postgresCommands } from './control/commands.ts';
import { cancelTime, deleted, endBeforeRemoval } from './control/remove-run.ts';
import { rootOf } from './control/wake-parents.ts';
import type { RunEvent } from './events.ts';
import { stateOf } from './fold.ts';
import { type Append, gather, type WrittenEvent } from './journal.ts';
import { migrate } from './migrations/postgres.ts';
import { inTransaction, openPool, type Pool, type PoolOptions, withErrorMessages } from './postgres-pool.ts';
import { type RunQuery, type RunSummary, runDeleted, SequenceTaken, type Store } from './store.ts';

export type { Pool, PoolOptions } from './postgres-pool.ts';

const page = 1000;

/**
 * One statement, hence one transaction: events and the list of runs change together. A run that was deleted has no list
 * entry, and without a time of its start it gets none. The entries are locked, in order, because another process may be
 * deleting a run that this statement still finds.
 */
const append = `
  WITH listed AS (
    SELECT run FROM toolmend.runs WHERE run = ANY($6) ORDER BY run FOR NO KEY UPDATE
  ), added AS (
    INSERT INTO toolmend.events (run, seq, at, type, body)
    SELECT * FROM unnest($1::text[], $2::integer[], $3::double precision[], $4::text[], $5::text[])
  )
  INSERT INTO toolmend.runs AS known (run, started_at, updated_at, seq, queued, open, wake_at, agent)
  SELECT run, CASE WHEN first = 1 OR run IN (SELECT run FROM listed) THEN started_at END,
    updated_at, seq, queued, open, wake_at, agent
  FROM unnest($6::text[], $7::double precision[], $8::double precision[], $9::integer[], $10::boolean[], $11::boolean[],
    $12::double precision[], $13::text[], $14::integer[])
    AS one (run, started_at, updated_at, seq, queued, open, wake_at, agent, first)
  ON CONFLICT (run) DO UPDATE
  SET updated_at = excluded.updated_at, seq = excluded.seq, open = coalesce(excluded.open, known.open),
    wake_at = CASE WHEN excluded.open IS NULL THEN known.wake_at ELSE excluded.wake_at END`;

const read = 'SELECT seq, body FROM toolmend.events WHERE run = $1 AND seq > $2 ORDER BY seq LIMIT $3';

const list = `
  SELECT run, started_at AS "startedAt", updated_at AS "updatedAt", seq FROM toolmend.runs
  WHERE updated_at < $1 AND updated_at <= $3 AND (updated_at < $3 OR run > $4)
  ORDER BY updated_at DESC, run LIMIT $2`;

const due = `
  SELECT run FROM (
    (SELECT run, updated_at AS since FROM toolmend.runs WHERE queued AND open AND agent = $3 ORDER BY updated_at LIMIT $1)
    UNION ALL
    (SELECT run, wake_at FROM toolmend.runs WHERE queued AND wake_at <= $2 AND agent = $3 ORDER BY wake_at LIMIT $1)
  ) AS work GROUP BY run ORDER BY min(since) LIMIT $1`;

const open = 'SELECT 1 FROM toolmend.runs WHERE run = $1 AND queued AND open';

/** Two statements: the second also finds the events of a process that was writing the run when the first one began. */
const remove = ['DELETE FROM toolmend.runs WHERE run = $1', 'DELETE FROM toolmend.events WHERE run = $1'] as const;

/**
 * Creates a store in Postgres, for runs shared by several machines. `append` resolves when committed. Bodies are stored
 * as text, because Postgres' JSON types reject some valid JSON.
 *
 * @param address a URL, or a pool of the `pg` package, which you close yourself
 * @example
 * const store = await postgresStore('postgres://user:password@127.0.0.1/agents');
 */
export async function postgresStore(address: string | Pool, options: PoolOptions = {}): Promise<Store> {
  const own = typeof address === 'string';
  checkArgument(own || typeof address?.connect === 'function', 'address', 'a URL or a pool', address);
  const pool = own ? await openPool(address, options) : address;
  try {
    await inTransaction(pool, migrate);
  } catch (error) {
    if (own) await pool.end();
    throw error;
  }
  const { query } = withErrorMessages(pool);
  const write = async (appends: readonly Append[]): Promise<void> => {
    try {
      await query(append, columns(appends.flatMap(({ events }) => events)));
      for (const { resolve } of appends) resolve();
    } catch (error) {
      // One rejected append must not fail the others. If the database didn't respond, the state is unknown and all
      // fail.
      if (appends.length > 1 && isRefused(error)) for (const one of appends) await write([one]);
      else for (const { events, reject } of appends) reject(asKnown(error, events));
    }
  };
  const writing = new Set<Promise<void>>();
  const moment = gather((appends) => {
    const one: Promise<void> = write(appends).finally(() => writing.delete(one));
    writing.add(one);
  });
  const commands = postgresCommands(pool);
  /** Cancels a run that a worker may have, and waits until it has stopped. */
  const cancelFirst = async (run: string): Promise<void> => {
    const state = await stateOf(store, run);
    // A child runs in the worker of the first of its parents.
    const root = (await rootOf(store, state)).run;
    const isOpen = async (): Promise<boolean> => (await query(open, [root])).rows.length > 0;
    const isStopped = async (): Promise<boolean> => {
      const { seq, ended } = await stateOf(store, run);
      return seq === 0 || (ended !== undefined && ended.end !== 'error');
    };
    if (!(await isOpen()) || (await isStopped())) return;
    const id = await commands.newId();
    await commands.send(id, run, { type: 'cancel', reason: deleted });
    for (const began = performance.now(); performance.now() - began < cancelTime && !(await isStopped()); )
      await pause(50);
    await commands.takeBack(id);
  };
  const store: Store = {
    append: async (events) => {
      if (events.length > 0) await moment.append(events);
    },
    async *read(run, after = 0) {
      // Postgres has no text with NUL, so there is no such run.
      if (run.includes('\0')) return;
      for (let from = after; ; ) {
        const { rows } = await query(read, [run, from, page]);
        for (const { body } of rows) yield JSON.parse(body as string) as RunEvent;
        const last = rows.at(-1);
        if (!last || rows.length < page) return;
        from = last.seq as number;
      }
    },
    async runs({ limit = 100, before = Number.MAX_SAFE_INTEGER, after }: RunQuery = {}) {
      const { run, updatedAt } = after ?? { run: '', updatedAt: Number.MAX_SAFE_INTEGER };
      const { rows } = await query(list, [before, limit, updatedAt, run]);
      return rows as unknown as RunSummary[];
    },
    async due(limit, agent = 'default') {
      const { rows } = await query(due, [limit, Date.now(), agent]);
      return rows.map(({ run }) => run as string);
    },
    async remove(run) {
      await cancelFirst(run);
      await endBeforeRemoval(store, run);
      await inTransaction(pool, async (connection) => {
        for (const statement of remove) await connection.query(statement, [run]);
      });
    },
    async close() {
      moment.now();
      // A pool that ends drops waiting requests without an error.
      await Promise.all(writing);
      if (own) await pool.end();
    },
  };
  return store;
}

function columns(written: readonly WrittenEvent[]): unknown[] {
  const events = written.map(({ event }) => event);
  const rows = listedRuns(events);
  return [
    events.map(({ run }) => run),
    events.map(({ seq }) => seq),
    events.map(({ at }) => at),
    events.map(({ type }) => type),
    // JSON escapes what Postgres text can't contain: NUL and lone surrogates.
    written.map(({ body }) => body),
    rows.map(({ run }) => run),
    rows.map(({ startedAt }) => startedAt),
    rows.map(({ updatedAt }) => updatedAt),
    rows.map(({ seq }) => seq),
    rows.map(({ queued }) => queued),
    rows.map(({ open }) => open),
    rows.map(({ wakeAt }) => wakeAt),
    rows.map(({ agent }) => agent ?? 'default'),
    rows.map(({ first }) => first),
  ];
}

/** The error of an append, as all stores throw it. */
function asKnown(error: unknown, events: readonly WrittenEvent[]): unknown {
  if (isTaken(error)) return taken(events, error);
  const [{ event }] = events as readonly [WrittenEvent];
  return (error as { code?: string })?.code === '23502' ? runDeleted(event.run, event.seq) : error;
}

/** Postgres error code for a unique violation. */
const isTaken = (error: unknown): boolean => (error as { code?: string })?.code === '23505';

/** Error codes of a database that is unavailable. The severity isn't usable, because it is localized. */
const isAway = /^(?:08|28|57P)/;

/** Whether the database rejected the statement, as opposed to being unavailable. */
function isRefused(error: unknown): boolean {
  const { severity, code = '' } = (error ?? {}) as { severity?: string; code?: string };
  return severity !== undefined && !isAway.test(code);
}

/** Only the error detail contains the sequence number. */
function taken(events: readonly WrittenEvent[], error: unknown): SequenceTaken {
  const [, run, seq] = /\(run, seq\)=\((.*), (\d+)\)/.exec((error as { detail?: string }).detail ?? '') ?? [];
  const [{ event: first }] = events as readonly [WrittenEvent];
  return new SequenceTaken(run ?? first.run, seq === undefined ? first.seq : Number(seq));
}

/** Changes to a run's list entry from events that are written together. */
interface ListedRun {
  readonly run: string;
  /** Sequence number of the first of them. */
  readonly first: number;
  /** Time of the first and the last of them. */
  readonly startedAt: number;
  updatedAt: number;
  seq: number;
  /** Whether the run is queued for workers, if they start it. */
  readonly queued: boolean;
  /** Name of its agent, if they start it. */
  readonly agent: string | undefined;
  /** Whether the run has work after them; undefined if unchanged. */
  open: boolean | undefined;
  /** When a paused run has work again, if `open` changes to false. */
  wakeAt: number | null;
}

/** Events that add or remove work. */
const opening: Partial<Record<RunEvent['type'], boolean>> = {
  'run.started': true,
  'run.resumed': true,
  'message.added': true,
  'approval.decided': true,
  'result.received': true,
  'run.ended': false,
};

/** Workers retry a run that an error stopped. */
const opens = (event: RunEvent): boolean | undefined =>
  event.type === 'run.ended' && event.end === 'error' ? true : opening[event.type];

/** One entry per run, sorted by id so that concurrent writers can't deadlock. */
function listedRuns(events: readonly RunEvent[]): ListedRun[] {
  const rows = new Map<string, ListedRun>();
  for (const event of events) {
    const { run, seq, at: updatedAt, type } = event;
    const queued = type === 'run.started' && event.queued === true;
    const agent = type === 'run.started' ? event.agent?.name : undefined;
    const begun = {
      run,
      first: seq,
      startedAt: updatedAt,
      updatedAt,
      seq,
      queued,
      agent,
      open: undefined,
      wakeAt: null,
    };
    const row: ListedRun = rows.get(run) ?? begun;
    const wakeAt = type === 'run.ended' ? (event.wakeAt ?? null) : row.wakeAt;
    rows.set(run, Object.assign(row, { updatedAt, seq, open: opens(event) ?? row.open, wakeAt }));
  }
  return [...rows.values()].sort((a, b) => (a.run < b.run ? -1 : 1));
}
