import { describe, expect, it } from 'vitest';
import { fold } from '../../src/log/fold.ts';
import { postgresStore } from '../../src/log/postgres-store.ts';
import { agent } from '../../src/run/agent.ts';
import { dispatch, type WorkerEvent, type WorkerOptions } from '../../src/run/workers/dispatch.ts';
import { tool } from '../../src/tools/tool.ts';
import { all } from '../log/store-suite.ts';
import { calls, plays, says } from '../run/plays.ts';
import { until } from '../until.ts';
import { closeAfterEach, usePostgres } from './use-postgres.ts';

const postgres = usePostgres();

const closing = closeAfterEach();

/** An agent with one tool, on its own connections. */
async function opened(url: string, options: { name?: string; tool?: string; type?: string } = {}) {
  const { name, tool: own = 'act', type = 'number' } = options;
  const store = await postgresStore(url, { connections: 2 });
  const effects: string[] = [];
  const helper = agent({
    store,
    guidance: false,
    ...(name && { name }),
    model: plays(({ messages }) => (messages.length > 2 ? [says('Done.')] : [calls(own, '{"n": 1}', 'a')])),
    tools: [
      tool({
        name: own,
        description: own,
        inputSchema: { type: 'object', properties: { n: { type } } },
        execute: (_, { key = '' }) => effects.push(key),
      }),
    ],
  });
  const runs = await dispatch({ agent: helper, store, url });
  closing.push(
    () => store.close(),
    () => runs.close(),
  );
  const heard: WorkerEvent[] = [];
  const work = (more: WorkerOptions = {}) =>
    runs.work({ pollInterval: 20, sweepInterval: 50, on: (event) => heard.push(event), ...more });
  return { store, runs, effects, heard, work };
}

describe('F31 a worker', { timeout: 120_000 }, () => {
  it('F31 takes only the runs of its agent, also those that are missing from the queue', async () => {
    const url = await postgres.database();
    const billing = await opened(url, { name: 'billing', tool: 'pay' });
    const support = await opened(url, { name: 'support', tool: 'wipe' });
    const paid = [await billing.runs.submit('Go'), await billing.runs.submit('Go')];
    support.work();
    const wiped = await support.runs.submit('Go');
    await until(() => support.heard.find(({ type }) => type === 'ended'));
    expect(await billing.store.due?.(10, 'billing')).toEqual(paid);
    expect(await billing.store.due?.(10, 'support')).toEqual([]);
    billing.work();
    for (const run of paid) await until(() => billing.heard.find((one) => one.type === 'ended' && one.run === run));
    expect(support.effects).toEqual([`${wiped}/a`]);
    expect(billing.effects.sort()).toEqual(paid.map((run) => `${run}/a`).sort());
  });

  it('F31 leaves a run to workers that can continue it, and records the policy that allowed it', async () => {
    const url = await postgres.database();
    const old = await opened(url);
    const changed = await opened(url, { type: 'string' });
    const run = await old.runs.submit('Go');
    const worker = changed.work();
    const refused = await until(() => changed.heard.find(({ type }) => type === 'refused'));
    expect(refused).toMatchObject({
      run,
      message: expect.stringContaining("its tool 'act' is missing or takes other"),
    });
    expect(changed.effects).toEqual([]);
    expect(fold(await all(old.store, run)).attempts.failed).toBe(0);
    await worker.stop();
    changed.work({ resumePolicy: 'any' });
    await until(() => changed.heard.find(({ type }) => type === 'ended'));
    const resumed = (await all(old.store, run)).find(({ type }) => type === 'run.resumed');
    expect(resumed).toMatchObject({ policy: 'any', agent: { name: 'default' } });
  });
});
