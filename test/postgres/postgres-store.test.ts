import { afterAll, describe, expect, it } from 'vitest';
import type { RunEnd, RunEvent } from '../../src/log/events.ts';
import { inTransaction, openPool, type Pool } from '../../src/log/postgres-pool.ts';
import { postgresStore } from '../../src/log/postgres-store.ts';
import { SequenceTaken, type Store } from '../../src/log/store.ts';
import { sequenceSuite } from '../decisions/sequence-suite.ts';
import { all, event, storeSuite } from '../log/store-suite.ts';
import { until } from '../until.ts';
import { usePostgres } from './use-postgres.ts';

const postgres = usePostgres();

/** One store for all sequences: each is a run of its own, as in a service. */
let shared: Promise<Store> | undefined;
sequenceSuite(
  'postgres',
  () => {
    shared ??= postgres.database().then((address) => postgresStore(address, { connections: 2 }));
    return shared;
  },
  40,
);
afterAll(async () => (await shared)?.close());

storeSuite('postgres', async () => postgresStore(await postgres.database(), { connections: 4 }));

describe('postgres', () => {
  it('keeps its events after reopening, and can be open several times', async () => {
    const address = await postgres.database();
    const stores = await Promise.all([1, 2, 3].map(() => postgresStore(address, { connections: 2 })));
    await stores[0]?.append([event('a', 1)]);
    for (const store of stores) {
      expect(await all(store, 'a')).toEqual([event('a', 1)]);
      await store.close();
    }
  });

  it('F20 rejects the second writer of a run, and reports the sequence number', async () => {
    const address = await postgres.database();
    const [one, two] = await Promise.all([postgresStore(address), postgresStore(address)]);
    await one.append([event('a, b', 1)]);
    await two.append([event('a, b', 2)]);
    const error = await one.append([event('other', 1), event('a, b', 2)]).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SequenceTaken);
    expect(error).toMatchObject({ run: 'a, b', seq: 2 });
    expect(await all(one, 'other')).toEqual([]);
    await Promise.all([one.close(), two.close()]);
  });

  it('closing waits for pending operations', async () => {
    const address = await postgres.database();
    const store = await postgresStore(address, { connections: 1 });
    const first = store.append([event('a', 1)]);
    // The only connection is taken when the second asks for it.
    await new Promise((resolve) => setImmediate(resolve));
    const second = store.append([event('b', 1)]);
    await store.close();
    await Promise.all([first, second]);
    const again = await postgresStore(address, { connections: 1 });
    expect((await again.runs()).map(({ run }) => run).sort()).toEqual(['a', 'b']);
    await again.close();
  });

  it('F20 one refused event does not fail the others, in any language of the database', async () => {
    const pool = await openPool(await postgres.database(), { connections: 1 });
    const german: Pool = {
      connect: () => pool.connect(),
      end: () => pool.end(),
      query: (text, values) =>
        pool.query(text, values).catch((error) => {
          throw Object.assign(error, { severity: 'FEHLER' });
        }),
    };
    const store = await postgresStore(german);
    await store.append([event('a', 1)]);
    const [late, other] = await Promise.allSettled([store.append([event('a', 1)]), store.append([event('b', 1)])]);
    expect(late).toMatchObject({ status: 'rejected', reason: expect.any(SequenceTaken) });
    expect(other.status).toBe('fulfilled');
    await pool.end();
  });

  it('F19 keeps everything acknowledged through a restart, and continues', async () => {
    const store = await postgresStore(await postgres.database());
    await store.append([event('a', 1)]);
    await postgres.stop();
    await expect(store.append([event('a', 2)])).rejects.toThrow();
    await postgres.start();
    expect((await all(store, 'a')).map(({ seq }) => seq)).toEqual([1]);
    await store.append([event('a', 2)]);
    expect((await all(store, 'a')).length).toBe(2);
    await store.close();
  });

  it('lists exactly the runs that are queued and have work to do', async () => {
    const store = await postgresStore(await postgres.database());
    const started = (run: string, queued: boolean): RunEvent =>
      event(run, 1, { type: 'run.started', model: { name: 'm', provider: 'p' }, tools: [], ...(queued && { queued }) });
    const rests = (run: string, end: RunEnd): RunEvent => event(run, 2, { type: 'run.ended', end, message: '' });
    await store.append([started('of another process', false)]);
    await store.append([{ ...started('later', true), at: 3000 }]);
    await store.append([started('left', true), event('left', 2, { type: 'run.resumed' })]);
    await store.append([started('ended', true), rests('ended', 'done')]);
    await store.append([started('waits', true)]);
    await store.append([rests('waits', 'awaiting_approval')]);
    expect(await store.due?.(10)).toEqual(['left', 'later']);
    expect(await store.due?.(1)).toEqual(['left']);
    await store.append([event('waits', 3, { type: 'approval.decided', callId: 'a', decision: { type: 'allow' } })]);
    expect(await store.due?.(10)).toEqual(['left', 'waits', 'later']);
    await store.remove('left');
    expect(await store.due?.(10)).toEqual(['waits', 'later']);
    await store.close();
  });

  it.each([
    ['another process is deleting it', 'DELETE FROM toolmend.events; DELETE FROM toolmend.runs', 'append'],
    [
      'another process is writing it',
      'UPDATE toolmend.runs SET seq = 3; INSERT INTO toolmend.events SELECT run, 3, at, type, body FROM toolmend.events WHERE seq = 1',
      'remove',
    ],
  ] as const)('leaves nothing of a deleted run, though %s', async (_, meanwhile, action) => {
    const address = await postgres.database();
    const [store, pool] = await Promise.all([postgresStore(address), openPool(address)]);
    const ended = event('a', 2, { type: 'run.ended', end: 'done', message: '' });
    await store.append([event('a', 1), ended]);
    let done: Promise<unknown> = Promise.resolve();
    await inTransaction(pool, async ({ query }) => {
      await query(meanwhile);
      done = (action === 'append' ? store.append([event('a', 3)]) : store.remove('a')).catch((error: unknown) => error);
      const waits = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
      await until(async () => (await pool.query(waits)).rows.length > 0);
    });
    if (action === 'append') expect(await done).toMatchObject({ code: 'unknown_run' });
    else expect(await done).toBeUndefined();
    const { rows } = await pool.query('SELECT seq FROM toolmend.events');
    expect(rows).toEqual([]);
    expect(await store.runs()).toEqual([]);
    await store.append([event('b', 1)]);
    expect((await store.runs()).map(({ run }) => run)).toEqual(['b']);
    await Promise.all([store.close(), pool.end()]);
  });

  it('migrates tables of the first version, and keeps their runs', async () => {
    const address = await postgres.database();
    const pool = await openPool(address);
    await pool.query(`CREATE SCHEMA toolmend; CREATE TABLE toolmend.version (version integer NOT NULL);
      INSERT INTO toolmend.version VALUES (1);
      CREATE TABLE toolmend.events (run text NOT NULL, seq integer NOT NULL, at double precision NOT NULL,
        type text NOT NULL, body text NOT NULL, PRIMARY KEY (run, seq));
      CREATE TABLE toolmend.runs (run text PRIMARY KEY, started_at double precision NOT NULL,
        updated_at double precision NOT NULL, seq integer NOT NULL);
      CREATE INDEX runs_by_time ON toolmend.runs (updated_at DESC, run);
      INSERT INTO toolmend.runs VALUES ('old', 1001, 1001, 1)`);
    await pool.query('INSERT INTO toolmend.events VALUES ($1, 1, 1001, $2, $3)', [
      'old',
      'run.resumed',
      JSON.stringify(event('old', 1)),
    ]);
    await pool.end();
    const store = await postgresStore(address);
    await store.append([event('old', 2)]);
    expect(await all(store, 'old')).toEqual([event('old', 1), event('old', 2)]);
    expect(await store.runs()).toEqual([{ run: 'old', startedAt: 1001, updatedAt: 1002, seq: 2 }]);
    await store.close();
  });

  it('refuses tables of a later version', async () => {
    const address = await postgres.database();
    await (await postgresStore(address)).close();
    const pool = await openPool(address);
    await pool.query('UPDATE toolmend.version SET version = 99');
    await pool.end();
    await expect(postgresStore(address)).rejects.toThrow('Update toolmend');
  });

  it('reports what is wrong with an address', async () => {
    await expect(postgresStore('postgres://nobody:wrong@127.0.0.1:9/none')).rejects.toThrow(/ECONNREFUSED/);
  });
});
