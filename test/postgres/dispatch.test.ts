import { describe, expect, it, vi } from 'vitest';
import { permissions } from '../../src/execute/permission-rules.ts';
import type { RunEvent } from '../../src/log/events.ts';
import { postgresStore } from '../../src/log/postgres-store.ts';
import type { Store } from '../../src/log/store.ts';
import { agent } from '../../src/run/agent.ts';
import { type Dispatch, dispatch, type WorkerEvent } from '../../src/run/workers/dispatch.ts';
import { pgBossQueue } from '../../src/run/workers/pg-boss-queue.ts';
import { tool } from '../../src/tools/tool.ts';
import { all } from '../log/store-suite.ts';
import { calls, plays, says } from '../run/plays.ts';
import { until } from '../until.ts';
import { closeAfterEach, usePostgres } from './use-postgres.ts';

const postgres = usePostgres();

const closing = closeAfterEach();

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
      name,
      description: name,
      inputSchema: input,
      ...rest,
      execute: (_, { key = '' }) => {
        effects.push(`${name} ${key}`);
        return 'ok';
      },
    });
  const worker = agent({
    model: model(),
    store,
    permissions: permissions({ ask: [...asks] }),
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
  it('any worker completes a submitted run', async () => {
    const url = await postgres.database();
    const effects: string[] = [];
    const [submits] = await opened(url, effects);
    const run = await submits.submit('Go');
    const [works, store] = await opened(url, effects);
    works.work({ pollInterval: 50 });
    await vi.waitFor(async () => expect(await ended(store, run)).toBe('done'), { timeout: 60_000, interval: 100 });
    expect(effects.sort()).toEqual([`count ${run}/a`, `send ${run}/b`]);
  });

  it('F19 an error listener that throws is reported, and the queue continues', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const onError = () => {
      throw new Error('The listener is broken');
    };
    const queue = await pgBossQueue(await postgres.database(), { heartbeatTimeout: 1, onError });
    closing.push(
      () => warn.mockRestore(),
      () => queue.close(),
    );
    await postgres.stop();
    await until(() => warn.mock.calls.some(([text]) => String(text).includes('The listener is broken')));
    await postgres.start();
    expect(await queue.take(1)).toEqual([]);
  });

  it('F20 several workers process each of many runs once', async () => {
    const url = await postgres.database();
    const effects: string[] = [];
    const [one, store] = await opened(url, effects);
    const [two] = await opened(url, effects);
    const runs = await Promise.all(Array.from({ length: 20 }, (_, index) => one.submit(`Go ${index}`)));
    one.work({ pollInterval: 50, concurrency: 3 });
    two.work({ pollInterval: 50, concurrency: 3 });
    for (const run of runs)
      await vi.waitFor(async () => expect(await ended(store, run)).toBe('done'), { timeout: 60_000, interval: 100 });
    expect(new Set(effects).size).toBe(40);
    expect(effects.length).toBe(40);
  });

  it('a run that waits for approval occupies no worker, and a decision queues it again', async () => {
    const url = await postgres.database();
    const effects: string[] = [];
    const [runs, store] = await opened(url, effects, ['send']);
    const heard: WorkerEvent[] = [];
    runs.work({ pollInterval: 50, concurrency: 1, on: (event) => heard.push(event) });
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

  it('keeps a decision made just before the run is released', async () => {
    const url = await postgres.database();
    const effects: string[] = [];
    const [runs, store] = await opened(url, effects, ['send'], async (events, all) => {
      const rests = events.find((event) => event.type === 'run.ended' && event.end === 'awaiting_approval');
      if (rests) await all.decide(rests.run, 'b', { type: 'allow' });
    });
    runs.work({ pollInterval: 50 });
    const run = await runs.submit('Go');
    await vi.waitFor(async () => expect(await ended(store, run)).toBe('done'), { timeout: 20_000, interval: 100 });
    expect(effects.sort()).toEqual([`count ${run}/a`, `send ${run}/b`]);
  });

  it('F18 queues a run that was recorded but never queued, and leaves active runs alone', async () => {
    const url = await postgres.database();
    const effects: string[] = [];
    const [runs, store] = await opened(url, effects);
    const heard: WorkerEvent[] = [];
    const recorded = agent({ model: model(), store });
    // As if the process had ended here, before the queue was told.
    const lost = await recorded.submit('Go');
    const begun = recorded.run(undefined, { id: 'of-another-process' });
    await begun.journal.commit();
    runs.work({ pollInterval: 50, sweepInterval: 50, on: (event) => heard.push(event) });
    await until(() => heard.find((event) => event.type === 'ended' && event.run === lost));
    const next = await recorded.submit('Go');
    await until(() => heard.find((event) => event.type === 'ended' && event.run === next));
    expect(effects.length).toBe(4);
    expect((await all(store, 'of-another-process')).length).toBe(1);
    // One that ends while it is looked for may be put in once more, and has nothing to do then.
    const taken = heard.flatMap((event) => (event.type === 'taken' ? event.run : []));
    expect(new Set(taken)).toEqual(new Set([lost, next]));
  });

  it('several workers queue the same run once', async () => {
    const url = await postgres.database();
    const effects: string[] = [];
    const [one, store] = await opened(url, effects);
    const [two] = await opened(url, effects);
    const recorded = agent({ model: model(), store });
    const lost = await Promise.all(Array.from({ length: 10 }, () => recorded.submit('Go')));
    one.work({ pollInterval: 50, sweepInterval: 1, concurrency: 2 });
    two.work({ pollInterval: 50, sweepInterval: 1, concurrency: 2 });
    for (const run of lost) await until(async () => (await ended(store, run)) === 'done');
    expect(new Set(effects).size).toBe(20);
    expect(effects.length).toBe(20);
  });

  it('F18 does not restart a run that ended before its worker died, unless requested', async () => {
    const url = await postgres.database();
    const [runs, store] = await opened(url, []);
    const run = await runs.submit('Go');
    const heard: WorkerEvent[] = [];
    // Its worker recorded the end, and died before it told the queue.
    const { seq } = (await all(store, run)).at(-1) as RunEvent;
    await store.append([{ type: 'run.ended', end: 'steps', message: 'Over', run, seq: seq + 1, at: Date.now() }]);
    runs.work({ pollInterval: 50, on: (event) => heard.push(event) });
    await until(() => heard.find((event) => event.type === 'ended' && event.end === 'steps'));
    expect((await all(store, run)).at(-1)).toMatchObject({ type: 'run.ended', end: 'steps' });
    await runs.add(run);
    await until(async () => (await ended(store, run)) === 'done');
    await expect(runs.add('none')).rejects.toThrow('no run none');
  });

  it('removes a deleted run from the queue', async () => {
    const url = await postgres.database();
    const [runs, store] = await opened(url, []);
    const run = await runs.submit('Go');
    await store.remove(run);
    const heard: WorkerEvent[] = [];
    runs.work({ pollInterval: 50, on: (event) => heard.push(event) });
    await until(() => heard.find((event) => event.type === 'ended' && event.end === 'forgotten'));
    expect(await all(store, run)).toEqual([]);
  });

  it('F19 reports an unavailable database instead of an empty queue', async () => {
    const queue = await pgBossQueue(await postgres.database());
    await queue.add(['run_a']);
    await postgres.stop();
    await expect(queue.take(1)).rejects.toThrow(/The database does not respond|terminating connection/);
    await postgres.start();
    expect(await queue.take(1)).toMatchObject([{ run: 'run_a' }]);
    await queue.close();
  });

  it('F19 loses no run when the database restarts', async () => {
    const url = await postgres.database();
    const effects: string[] = [];
    const [runs, store] = await opened(url, effects);
    const heard: WorkerEvent[] = [];
    runs.work({ pollInterval: 50, on: (event) => heard.push(event) });
    await postgres.stop();
    await vi.waitFor(() => expect(heard.some(({ type }) => type === 'idle')).toBe(true), { timeout: 60_000 });
    await postgres.start();
    const run = await vi.waitFor(() => runs.submit('Go'), { timeout: 60_000, interval: 500 });
    await vi.waitFor(async () => expect(await ended(store, run)).toBe('done'), { timeout: 60_000, interval: 100 });
  });
});
