import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { postgresStore } from '../../src/log/postgres-store.ts';
import { control, dispatch } from '../../src/run/workers/dispatch.ts';
import { pgBossQueue } from '../../src/run/workers/pg-boss-queue.ts';
import { all } from '../log/store-suite.ts';
import { expectWhole } from '../run/crash-checks.ts';
import { crowdAgent, marksOf } from './crowd.ts';
import { closeAfterEach, usePostgres } from './use-postgres.ts';

const postgres = usePostgres();

const closing = closeAfterEach();

const crowd = join(import.meta.dirname, 'crowd.ts');

function worker(url: string, marks: string, ms: number): ChildProcess {
  const child = spawn(process.execPath, [crowd, url, marks, String(ms)], { stdio: ['ignore', 'ignore', 'inherit'] });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  closing.push(() => {
    child.kill('SIGKILL');
    return gone;
  });
  return child;
}

describe('a worker that is killed', { timeout: 180_000 }, () => {
  it('F17 F18 F20 another worker takes over: nothing runs twice, and each run ends', async () => {
    const url = await postgres.database();
    const marks = join(mkdtempSync(join(tmpdir(), 'toolmend-crowd-')), 'marks');
    const store = await postgresStore(url, { connections: 4 });
    const runs = await dispatch({ agent: crowdAgent(store, marks), store, url });
    closing.push(
      () => store.close(),
      () => runs.close(),
    );
    const ids = await Promise.all(Array.from({ length: 4 }, (_, index) => runs.submit(`Go ${index}`)));
    // The first holds every tool for longer than this test lasts: it is killed while all of them run.
    const first = worker(url, marks, 1_000_000);
    const begun = ids.flatMap((id) => [`look ${id}/a`, `send ${id}/b`]).sort();
    await vi.waitFor(() => expect(marksOf(marks).sort()).toEqual(begun), { timeout: 120_000, interval: 100 });
    first.kill('SIGKILL');
    worker(url, marks, 1);
    const ended = async (id: string) => (await all(store, id)).findLast((event) => event.type === 'run.ended')?.end;
    for (const id of ids)
      await vi.waitFor(async () => expect(await ended(id)).toBe('done'), { timeout: 150_000, interval: 200 });

    const done = marksOf(marks);
    for (const id of ids) {
      expect(done.filter((mark) => mark === `look ${id}/a`).length).toBe(2);
      expect(done.filter((mark) => mark === `send ${id}/b`).length).toBe(1);
      expect(done.filter((mark) => mark === `put ${id}/c`).length).toBe(1);
      const events = await all(store, id);
      expectWhole(events);
      expect(events.find((event) => event.type === 'call.settled')).toMatchObject({ callId: 'b', was: 'unknown' });
    }
  });
});

describe('a run whose worker was killed', { timeout: 180_000 }, () => {
  it('gets commands before the missing heartbeat is noticed, each message once', async () => {
    const url = await postgres.database();
    const marks = join(mkdtempSync(join(tmpdir(), 'toolmend-crowd-')), 'marks');
    const store = await postgresStore(url, { connections: 4 });
    const runs = await dispatch({ agent: crowdAgent(store, marks), store, url });
    const controls = await control({ store, url });
    closing.push(
      () => store.close(),
      () => controls.close(),
      () => runs.close(),
    );
    const id = await runs.submit('Go 0');
    const first = worker(url, marks, 1_000_000);
    await vi.waitFor(() => expect(marksOf(marks).length).toBe(2), { timeout: 120_000, interval: 100 });
    first.kill('SIGKILL');
    const began = performance.now();
    await controls.send(id, 'More');
    // Its heartbeat is missed after 10 seconds.
    expect(performance.now() - began).toBeLessThan(6000);
    worker(url, marks, 1);
    expect(await controls.wait(id)).toMatchObject({ end: 'done' });
    const texts = (await all(store, id)).flatMap((event) =>
      event.type === 'message.added'
        ? event.message.parts.flatMap((part) => (part.type === 'text' ? part.text : []))
        : [],
    );
    expect(texts).toEqual(['Go 0', 'More']);
  });

  it('is taken over although no process lives long', async () => {
    const url = await postgres.database();
    const open = () => pgBossQueue(url, { heartbeatTimeout: 4 });
    const first = await open();
    await first.add(['a']);
    expect(await first.take(1)).toMatchObject([{ run: 'a' }]);
    await first.close();
    const taken = async () => {
      const next = await open();
      const runs = await next.take(1, { suspects: true });
      await next.close();
      return runs;
    };
    await vi.waitFor(
      async () => expect(await taken()).toMatchObject([{ run: 'a', lost: { name: 'heartbeat_timeout' } }]),
      {
        timeout: 60_000,
        interval: 100,
      },
    );
  });
});
