import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/log/events.ts';
import { fold } from '../../src/log/fold.ts';
import { openPool } from '../../src/log/postgres-pool.ts';
import { postgresStore } from '../../src/log/postgres-store.ts';
import type { Store } from '../../src/log/store.ts';
import { agent } from '../../src/run/agent.ts';
import { dispatch, type WorkerEvent } from '../../src/run/workers/dispatch.ts';
import { tool } from '../../src/tools/tool.ts';
import { all } from '../log/store-suite.ts';
import { expectWhole } from '../run/crash-checks.ts';
import { calls, plays, says } from '../run/plays.ts';
import { until } from '../until.ts';
import { crowdAgent, marksOf } from './crowd.ts';
import { closeAfterEach, usePostgres } from './use-postgres.ts';

const postgres = usePostgres();
const folder = mkdtempSync(join(tmpdir(), 'toolmend-poison-'));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

const closing = closeAfterEach();

const crowd = join(import.meta.dirname, 'crowd.ts');

/** A worker process that is started again whenever it dies. */
function restarted(url: string, marks: string): { deaths(): number } {
  let deaths = 0;
  let over = false;
  const begin = (): void => {
    const child = spawn(process.execPath, [crowd, url, marks, '20', '4', '1', '3'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const gone = new Promise((resolve) => child.once('exit', resolve));
    closing.push(() => {
      over = true;
      child.kill('SIGKILL');
      return gone;
    });
    child.once('exit', () => {
      if (over) return;
      deaths += 1;
      begin();
    });
  };
  begin();
  return { deaths: () => deaths };
}

async function opened(url: string, marks: string) {
  const store = await postgresStore(url, { connections: 4 });
  const runs = await dispatch({ agent: crowdAgent(store, marks), store, url });
  closing.push(
    () => store.close(),
    () => runs.close(),
  );
  return { store, runs };
}

const endOf = async (store: Store, run: string): Promise<string | undefined> => fold(await all(store, run)).ended?.end;

describe('F31 a run that kills its worker', { timeout: 120_000 }, () => {
  it('F31 is dead after its attempts, with its errors, and takes no other run with it', async () => {
    const url = await postgres.database();
    const marks = join(folder, 'marks');
    const { store, runs } = await opened(url, marks);
    const others = await Promise.all(Array.from({ length: 12 }, (_, index) => runs.submit(`Go ${index}`)));
    const poison = await runs.submit('Die');
    others.push(...(await Promise.all(Array.from({ length: 12 }, (_, index) => runs.submit(`Look ${index}`)))));
    const worker = restarted(url, marks);
    await until(async () => (await endOf(store, poison)) === 'dead');
    for (const id of others) await until(async () => (await endOf(store, id)) === 'done');

    const events = await all(store, poison);
    expectWhole(events);
    const failed = events.filter((event) => event.type === 'attempt.failed');
    expect(failed.map(({ attempt, error }) => [attempt, error.name])).toEqual([
      [1, 'heartbeat_timeout'],
      [2, 'heartbeat_timeout'],
      [3, 'heartbeat_timeout'],
    ]);
    expect(events.at(-1)).toMatchObject({ end: 'dead', errors: failed.map(({ error }) => error) });
    expect(marksOf(marks).filter((mark) => mark === `die ${poison}/b`).length).toBe(3);
    expect(worker.deaths()).toBe(3);
    // Only those that ran beside it the first time lost their worker, and once.
    for (const id of others) {
      const lost = (await all(store, id)).filter(({ type }) => type === 'attempt.failed').length;
      expect(lost).toBeLessThanOrEqual(1);
    }
    expect(await store.due?.(100)).toEqual([]);
  });

  it('F31 does not end a run whose attempts make progress', async () => {
    const url = await postgres.database();
    const store = await postgresStore(url, { connections: 4 });
    closing.push(() => store.close());
    const { recordAttempt } = await import('../../src/run/workers/attempts.ts');
    const helper = crowdAgent(store, join(folder, 'progress'));
    const id = await helper.submit('Much');
    const error = { name: 'heartbeat_timeout', message: 'gone' };
    const append = async (fact: object): Promise<void> => {
      const seq = (await all(store, id)).length + 1;
      await store.append([{ ...fact, run: id, seq, at: 0 } as RunEvent]);
    };
    const result = { type: 'result', callId: 'x', name: 'x', content: [] };
    for (let attempt = 1; attempt < 12; attempt += 1) {
      expect(await recordAttempt(store, id, error, { maxAttempts: 3 })).toEqual({ failed: attempt, isDead: false });
      await append({ type: 'tool.finished', callId: 'x', name: 'x', ok: true, result, ms: 1 });
    }
    // But not forever.
    expect(await recordAttempt(store, id, error, { maxAttempts: 3 })).toEqual({ failed: 12, isDead: true });
  });
});

describe('F31 an error inside the loop', { timeout: 120_000 }, () => {
  it('F31 keeps its name, is retried later each time, and ends the run as dead; the run can be queued again', async () => {
    const url = await postgres.database();
    const store = await postgresStore(url, { connections: 4 });
    let requests = 0;
    let isBroken = true;
    const model = plays(() => {
      requests += 1;
      return [says('Done.')];
    });
    const redact = (event: RunEvent): RunEvent => {
      if (isBroken && event.type === 'turn.completed') throw new RangeError('the redactor is broken');
      return event;
    };
    const runs = await dispatch({ agent: agent({ model, store, redact }), store, url });
    closing.push(
      () => store.close(),
      () => runs.close(),
    );
    const heard: WorkerEvent[] = [];
    runs.work({ pollInterval: 20, maxAttempts: 2, on: (event) => heard.push(event) });
    const id = await runs.submit('Go');
    await until(() => heard.find((event) => event.type === 'ended'));
    const events = await all(store, id);
    expect(events.filter(({ type }) => type === 'run.ended')).toMatchObject([
      { end: 'error', message: 'RangeError: the redactor is broken' },
      { end: 'error', errors: [{ name: 'RangeError', message: 'the redactor is broken' }] },
      { end: 'dead', errors: [{ name: 'RangeError' }, { name: 'RangeError' }] },
    ]);
    const [first, second] = events.filter(({ type }) => type === 'run.resumed');
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(700);
    expect(requests).toBe(2);

    isBroken = false;
    await runs.add(id);
    await until(async () => (await endOf(store, id)) === 'done');
    expect(fold(await all(store, id)).attempts).toEqual({ failed: 0, withoutProgress: 0, errors: [] });
    expect(requests).toBe(3);
  });
});

describe('F31 a long run', { timeout: 120_000 }, () => {
  it('is renewed before the queue would end it', async () => {
    const url = await postgres.database();
    const store = await postgresStore(url, { connections: 4 });
    const pool = await openPool(url, { connections: 1 });
    let done = false;
    const slow = tool({
      name: 'slow',
      description: 'Slow',
      effect: 'read',
      execute: async () => {
        while (!done) await pause(20);
        return 'ok';
      },
    });
    const model = plays(({ messages }) => (messages.length > 2 ? [says('Done.')] : [calls('slow', '{}', 'a')]));
    const helper = agent({ model, tools: [slow], store, guidance: false });
    const runs = await dispatch({ agent: helper, store, url, heartbeatTimeout: 2 });
    closing.push(
      () => store.close(),
      () => runs.close(),
      () => pool.end(),
    );
    const id = await runs.submit('Go');
    await pool.query('UPDATE toolmend_queue.job SET expire_seconds = 2');
    const heard: WorkerEvent[] = [];
    runs.work({ pollInterval: 20, on: (event) => heard.push(event) });
    await pause(6000);
    done = true;
    await until(() => heard.find(({ type }) => type === 'ended' || type === 'lost'));
    expect(heard.map(({ type }) => type)).toEqual(['taken', 'ended']);
    expect(await endOf(store, id)).toBe('done');
  });
});
