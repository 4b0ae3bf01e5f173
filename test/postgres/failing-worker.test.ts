import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { postgresStore } from '../../src/log/postgres-store.ts';
import type { Store } from '../../src/log/store.ts';
import { dispatch, type WorkerEvent } from '../../src/run/workers/dispatch.ts';
import { type Failing, failingStore } from '../log/failing-store.ts';
import { all } from '../log/store-suite.ts';
import { expectWhole } from '../run/crash-checks.ts';
import { until } from '../until.ts';
import { crowdAgent, marksOf } from './crowd.ts';
import { usePostgres } from './use-postgres.ts';

const postgres = usePostgres();
const folder = mkdtempSync(join(tmpdir(), 'toolmend-failing-'));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

/** More than a run of the crowd asks of its store. */
const most = 16;

/** A store that fails each run once: the run `run_n` on its n-th operation. */
function failingEach(store: Store, how: Failing): Store & { readonly failed: (run: string) => boolean } {
  const runs = new Map<string, ReturnType<typeof failingStore>>();
  const of = (run: string) => {
    const failing = runs.get(run) ?? failingStore(store, Number(run.split('_')[1]), how);
    runs.set(run, failing);
    return failing;
  };
  return {
    ...store,
    append: (events) => of(events[0]?.run ?? '').append(events),
    read: (run, after) => of(run).read(run, after),
    failed: (run) => of(run).failed(),
  };
}

describe('F19 a worker whose store fails on the n-th operation of a run', { timeout: 120_000 }, () => {
  it.each(['before', 'after'] as const)('F19 %s it was done, for every n: resumes the run by itself', async (how) => {
    const url = await postgres.database();
    const marks = join(folder, how);
    const healthy = await postgresStore(url, { connections: 4 });
    const submits = await dispatch({ agent: crowdAgent(healthy, marks), store: healthy, url });
    const ids = Array.from({ length: most }, (_, index) => `run_${index + 1}`);
    for (const id of ids) await submits.submit('Go', { id });

    const store = failingEach(healthy, how);
    const works = await dispatch({ agent: crowdAgent(store, marks), store, url });
    const heard: WorkerEvent[] = [];
    works.work({ concurrency: most, pollInterval: 50, on: (event) => heard.push(event) });
    const isEnded = (id: string) =>
      heard.some(({ type, ...rest }) => type === 'ended' && 'run' in rest && rest.run === id);
    await until(() => ids.every(isEnded));
    await works.close();

    const failing = ids.filter((id) => store.failed(id));
    expect(failing.length).toBeGreaterThan(5);
    expect(failing).toEqual(ids.slice(0, failing.length));
    expect(failing.length).toBeLessThan(most);
    const done = marksOf(marks);
    for (const id of ids) {
      const events = await all(healthy, id);
      expectWhole(events);
      expect(events.at(-1)).toMatchObject({ type: 'run.ended', end: 'done' });
      expect(done.filter((mark) => mark === `send ${id}/b`).length).toBeLessThanOrEqual(1);
      const words = heard.flatMap((event) => (event.type === 'failed' && event.run === id ? event.message : []));
      const n = Number(id.split('_')[1]);
      expect(words).toEqual(store.failed(id) ? [expect.stringContaining(`operation ${n} failed`)] : []);
    }
    await submits.close();
    await healthy.close();
  });
});
