import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { RunEvent } from '../../src/log/events.ts';
import { openPool, type Pool } from '../../src/log/postgres-pool.ts';
import { postgresStore } from '../../src/log/postgres-store.ts';
import { dispatch } from '../../src/run/workers/dispatch.ts';
import { pgBossQueue } from '../../src/run/workers/pg-boss-queue.ts';
import { all } from '../log/store-suite.ts';
import { expectWhole } from '../run/crash-checks.ts';
import { rivalSuite } from '../run/rival-suite.ts';
import { until } from '../until.ts';
import { crowdAgent, marksOf } from './crowd.ts';
import { heldWorker } from './held-worker.ts';
import { usePostgres } from './use-postgres.ts';

const postgres = usePostgres();
const folder = mkdtempSync(join(tmpdir(), 'toolmend-rivals-'));
const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
  rmSync(folder, { recursive: true, force: true });
});

rivalSuite('postgres', () => postgres.database());

/** What the queue says of its jobs. */
const jobs = async (pool: Pool) =>
  (await pool.query('SELECT state, retry_count AS claim, heartbeat_on::text AS beat FROM toolmend_queue.job')).rows;

describe('F20 a worker without a heartbeat for too long', { timeout: 180_000 }, () => {
  it("F20 can't change the entry of its successor in the queue", async () => {
    const url = await postgres.database();
    const [late, next, pool] = [await pgBossQueue(url), await pgBossQueue(url), await openPool(url)];
    closing.push(() => pool.end(), next.close, late.close);
    await late.add(['run_a']);
    const [lost] = await late.take(1);
    if (!lost) throw new Error('nothing to take');
    expect(await late.touch([lost])).toEqual([lost]);
    await pool.query("UPDATE toolmend_queue.job SET heartbeat_on = now() - interval '1 hour'");
    const [own] = await until(async () => {
      const taken = await next.take(1, { suspects: true });
      return taken.length > 0 && taken;
    });
    if (!own) throw new Error('nothing to take');
    expect(own).toMatchObject({ job: lost.job, lost: { name: 'heartbeat_timeout' } });
    expect(await next.take(1)).toEqual([]);

    const before = await jobs(pool);
    expect(before).toMatchObject([{ state: 'active', claim: own.claim }]);
    expect(await late.touch([lost])).toEqual([]);
    expect(await late.retry(lost, 0)).toBe(false);
    expect(await late.done(lost)).toBe(false);
    expect(await jobs(pool)).toEqual(before);

    expect(await next.touch([lost, own])).toEqual([own]);
    expect(await next.retry(own, 1)).toBe(true);
    const [again] = await until(async () => {
      const taken = await next.take(1);
      return taken.length > 0 && taken;
    });
    if (!again) throw new Error('nothing to take');
    expect(await next.retry(own, 0)).toBe(false);
    expect(await next.done(again)).toBe(true);
    expect(await jobs(pool)).toMatchObject([{ state: 'completed' }]);
  });

  it('F17 F20 cannot write after a pause past its timeout, and its successor continues', async () => {
    const url = await postgres.database();
    const marks = join(folder, 'marks');
    const store = await postgresStore(url, { connections: 2 });
    const runs = await dispatch({ agent: crowdAgent(store, marks), store, url });
    const pool = await openPool(url, { connections: 1 });
    closing.push(
      () => store.close(),
      () => runs.close(),
      () => pool.end(),
    );
    const id = await runs.submit('Go');
    const events = (): Promise<RunEvent[]> => all(store, id);
    const resumed = async () => (await events()).filter(({ type }) => type === 'run.resumed').length;

    const first = heldWorker(url, marks, join(folder, 'first'));
    closing.push(first.end);
    await until(() => marksOf(marks).length === 2);
    first.signal('SIGSTOP');
    const second = heldWorker(url, marks, join(folder, 'second'));
    closing.push(second.end);
    await vi.waitFor(async () => expect(await resumed()).toBe(2), { timeout: 150_000, interval: 100 });
    // The second is in the middle of its work when the first wakes up, with results to tell.
    await until(() => marksOf(marks).length === 3);
    first.open();
    first.signal('SIGCONT');
    await until(() => first.heard().some(({ type }) => type === 'lost'));
    expect(await jobs(pool)).toMatchObject([{ state: 'active', claim: 1 }]);
    second.open();
    await until(() => second.heard().some(({ type }) => type === 'ended'));

    // Each may find afterwards that nothing is left to do.
    expect(first.heard().slice(0, 2)).toEqual([
      { type: 'taken', run: id },
      { type: 'lost', run: id },
    ]);
    expect(second.heard().slice(0, 2)).toEqual([
      { type: 'taken', run: id },
      { type: 'ended', run: id, end: 'done' },
    ]);
    expectWhole(await events());
    expect(await resumed()).toBe(2);
    expect(marksOf(marks).sort()).toEqual([`look ${id}/a`, `look ${id}/a`, `put ${id}/c`, `send ${id}/b`]);
    expect((await events()).filter(({ type }) => type === 'call.settled')).toMatchObject([
      { callId: 'b', was: 'unknown' },
    ]);
  });
});
