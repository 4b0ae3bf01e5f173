import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { permissions } from '../../src/exec/permissions.ts';
import type { RunEvent } from '../../src/log/event.ts';
import { postgresStore } from '../../src/log/postgres-store.ts';
import type { Store } from '../../src/log/store.ts';
import { agent } from '../../src/run/agent.ts';
import { type Dispatch, dispatch, type WorkerEvent } from '../../src/run/dispatch/dispatch.ts';
import { tool } from '../../src/tool/tool.ts';
import { all } from '../log/store-suite.ts';
import { calls, plays, says } from '../run/plays.ts';
import { type TestPostgres, testPostgres } from './postgres.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await testPostgres();
});
afterAll(() => postgres?.end());

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A model that goes by what it is told alone, so that any worker can ask it. */
const model = () =>
  plays(({ messages }) => {
    const told = messages.filter(({ role }) => role === 'assistant').length;
    return told === 0 ? [calls('count', '{n: "1",}', 'a'), calls('send', '{"n": 2}', 'b')] : [says('Done.')];
  });

const input = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const;

async function opened(
  url: string,
  effects: string[],
  asks: readonly string[] = [],
  written: (events: readonly RunEvent[], runs: Dispatch) => Promise<void> = async () => {},
): Promise<[Dispatch, Store]> {
  const inner = await postgresStore(url, { connections: 4 });
  const store: Store = {
    ...inner,
    append: async (events) => {
      await inner.append(events);
      await written(events, runs);
    },
  };
  const counting = (name: string, rest: object) =>
    tool({
      ...{ name, description: name, input, ...rest },
      run: (_, { key = '' }) => {
        effects.push(`${name} ${key}`);
        return 'ok';
      },
    });
  const worker = agent({
    ...{ model: model(), store, permissions: permissions({ ask: [...asks] }) },
    tools: [counting('count', { effect: 'read' }), counting('send', {})],
  });
  const runs: Dispatch = await dispatch({ agent: worker, store, url });
  closing.push(
    () => store.close(),
    () => runs.close(),
  );
  return [runs, store];
}

const ended = async (store: Store, run: string): Promise<string | undefined> =>
  (await all(store, run)).findLast((event) => event.type === 'run.ended')?.end;

describe('dispatch', { timeout: 120_000 }, () => {
  it('any worker takes a run that was submitted, and takes it to its end', async () => {
    const url = await postgres.database();
    const effects: string[] = [];
    const [submits] = await opened(url, effects);
    const run = await submits.submit('Go');
    const [works, store] = await opened(url, effects);
    works.work({ every: 50 });
    await vi.waitFor(async () => expect(await ended(store, run)).toBe('done'), { timeout: 60_000, interval: 100 });
    expect(effects.sort()).toEqual([`count ${run}/a`, `send ${run}/b`]);
  });

  it('F20 many runs, several workers: each run is worked on once', async () => {
    const url = await postgres.database();
    const effects: string[] = [];
    const [one, store] = await opened(url, effects);
    const [two] = await opened(url, effects);
    const runs = await Promise.all(Array.from({ length: 20 }, (_, index) => one.submit(`Go ${index}`)));
    one.work({ every: 50, atOnce: 3 });
    two.work({ every: 50, atOnce: 3 });
    for (const run of runs)
      await vi.waitFor(async () => expect(await ended(store, run)).toBe('done'), { timeout: 60_000, interval: 100 });
    expect(new Set(effects).size).toBe(40);
    expect(effects.length).toBe(40);
  });

  it('waiting for an approval holds no worker, and a decision puts the run in again', async () => {
    const url = await postgres.database();
    const effects: string[] = [];
    const [runs, store] = await opened(url, effects, ['send']);
    const heard: WorkerEvent[] = [];
    runs.work({ every: 50, atOnce: 1, on: (event) => heard.push(event) });
    const waiting = await runs.submit('Go');
    await vi.waitFor(() => expect(heard).toContainEqual({ type: 'ended', run: waiting, end: 'awaiting_approval' }), {
      timeout: 60_000,
    });
    const other = await runs.submit('Go');
    await vi.waitFor(() => expect(heard).toContainEqual({ type: 'ended', run: other, end: 'awaiting_approval' }), {
      timeout: 60_000,
    });
    await runs.decide(waiting, 'b', { type: 'allow' });
    await vi.waitFor(() => expect(heard).toContainEqual({ type: 'ended', run: waiting, end: 'done' }), {
      timeout: 60_000,
    });
    expect(await ended(store, other)).toBe('awaiting_approval');
    expect(effects.filter((effect) => effect.startsWith('send'))).toEqual([`send ${waiting}/b`]);
  });

  it('a decision in the moment before the run gives its place up is not lost', async () => {
    const url = await postgres.database();
    const effects: string[] = [];
    const [runs, store] = await opened(url, effects, ['send'], async (events, all) => {
      const rests = events.find((event) => event.type === 'run.ended' && event.end === 'awaiting_approval');
      if (rests) await all.decide(rests.run, 'b', { type: 'allow' });
    });
    runs.work({ every: 50 });
    const run = await runs.submit('Go');
    await vi.waitFor(async () => expect(await ended(store, run)).toBe('done'), { timeout: 20_000, interval: 100 });
    expect(effects.sort()).toEqual([`count ${run}/a`, `send ${run}/b`]);
  });

  it('F19 a database that is stopped and started again: no run is lost', async () => {
    const url = await postgres.database();
    const effects: string[] = [];
    const [runs, store] = await opened(url, effects);
    const heard: WorkerEvent[] = [];
    runs.work({ every: 50, on: (event) => heard.push(event) });
    await postgres.stop();
    await vi.waitFor(() => expect(heard.some(({ type }) => type === 'idle')).toBe(true), { timeout: 60_000 });
    await postgres.start();
    const run = await vi.waitFor(() => runs.submit('Go'), { timeout: 60_000, interval: 500 });
    await vi.waitFor(async () => expect(await ended(store, run)).toBe('done'), { timeout: 60_000, interval: 100 });
  });
});
