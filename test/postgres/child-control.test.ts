/** Commands to child runs, which run in the worker of their parent and aren't in the queue themselves. */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { permissions } from '../../src/execute/permission-rules.ts';
import type { RunEvent } from '../../src/log/events.ts';
import { fold } from '../../src/log/fold.ts';
import { openPool } from '../../src/log/postgres-pool.ts';
import { postgresStore } from '../../src/log/postgres-store.ts';
import { type AgentOptions, agent } from '../../src/run/agent.ts';
import { agentTool } from '../../src/run/agent-tool.ts';
import { control, dispatch, type WorkerEvent } from '../../src/run/workers/dispatch.ts';
import { tool } from '../../src/tools/tool.ts';
import { all } from '../log/store-suite.ts';
import { calls, plays, says } from '../run/plays.ts';
import { until } from '../until.ts';
import { closeAfterEach, usePostgres } from './use-postgres.ts';

const postgres = usePostgres();
const closing = closeAfterEach();

/** A worker with a run that waits for its child, whose tool runs until it is released or aborted. */
async function scene(asks: readonly string[] = [], options: Partial<AgentOptions> = {}) {
  const url = await postgres.database();
  const store = await postgresStore(url, { connections: 4 });
  const gate = { isOpen: false, isRunning: false, isAborted: false };
  const work = tool({
    name: 'work',
    description: 'Works',
    execute: async (_, { signal }) => {
      gate.isRunning = true;
      while (!gate.isOpen && !signal.aborted) await pause(10);
      gate.isAborted = signal.aborted;
      return 'ok';
    },
  });
  const first = (name: string, id: string) =>
    plays(({ messages }) =>
      messages.some(({ role }) => role === 'assistant')
        ? [says(`${name}: ${messages.filter(({ role }) => role === 'user').length}`)]
        : [calls(name, name === 'ask' ? '{"prompt": "Look"}' : '{}', id)],
    );
  const helper = agent({
    name: 'helper',
    store,
    tools: [work],
    model: first('work', 'w'),
    permissions: permissions({ ask: [...asks] }),
    ...options,
  });
  const ask = agentTool(helper, { name: 'ask', description: 'Asks the helper' });
  const boss = agent({ name: 'boss', store, tools: [ask], model: first('ask', 'a') });
  const works = await dispatch({ agent: boss, store, url, heartbeatTimeout: 2 });
  const runs = await control({ store, url });
  closing.push(
    () => store.close(),
    () => runs.close(),
    () => works.close(),
  );
  const heard: WorkerEvent[] = [];
  works.work({ pollInterval: 20, sweepInterval: 100, on: (event) => void heard.push(event) });
  const parent = await works.submit('Go');
  const childOf = async (): Promise<string> => {
    const found = (await store.runs()).find(({ run }) => run !== parent);
    return found?.run ?? '';
  };
  const endOf = async (run: string): Promise<string | undefined> => fold(await all(store, run)).ended?.end;
  const resultOf = async (): Promise<unknown> => fold(await all(store, parent)).calls.get('a')?.result?.content;
  return { url, store, runs, works, heard, gate, parent, childOf, endOf, resultOf };
}

describe('a child run', { timeout: 120_000 }, () => {
  it('is cancelled by its id while it runs, and its parent continues', async () => {
    const { runs, gate, parent, childOf, endOf, resultOf } = await scene();
    await until(() => gate.isRunning);
    const child = await childOf();
    const began = performance.now();
    await runs.cancel(child, 'Enough');
    expect(performance.now() - began).toBeLessThan(1500);
    expect((await runs.wait(parent)).end).toBe('done');
    expect(gate.isAborted).toBe(true);
    expect(await endOf(child)).toBe('aborted');
    expect(JSON.stringify(await resultOf())).toContain('aborted');
  });

  it('gets a message by its id while it runs, once', async () => {
    const { store, runs, gate, parent, childOf, endOf, resultOf } = await scene();
    await until(() => gate.isRunning);
    const child = await childOf();
    await runs.send(child, 'More');
    gate.isOpen = true;
    expect((await runs.wait(parent)).end).toBe('done');
    expect(await endOf(child)).toBe('done');
    expect((await all(store, child)).filter(({ type }) => type === 'message.added')).toHaveLength(2);
    expect(JSON.stringify(await resultOf())).toContain('work: 3');
  });

  it('is approved by its id while no process has it, and its parent continues in the same worker', async () => {
    const { runs, gate, parent, childOf, endOf } = await scene(['work']);
    await until(async () => (await runs.result(parent))?.end === 'awaiting_result');
    gate.isOpen = true;
    const child = await childOf();
    await runs.approve(child, 'w', { type: 'allow' });
    await until(async () => (await runs.result(parent))?.end === 'done');
    expect(await endOf(child)).toBe('done');
  });

  it.each(['approve', 'decide'] as const)(
    "is decided with %s() of its parent's agent: with its own redact and tools, and the parent is queued",
    async (decision) => {
      const redact = (event: RunEvent) => JSON.parse(JSON.stringify(event).replaceAll('Acme', '<tenant>'));
      const { store, url, works, heard, gate, parent, childOf, endOf } = await scene(['work'], { redact });
      await until(async () => (await works.result(parent))?.end === 'awaiting_result');
      gate.isOpen = true;
      const child = await childOf();
      await works[decision](child, 'w', { type: 'allow', by: 'Acme' });
      await until(async () => (await works.result(parent))?.end === 'done');
      expect(await endOf(child)).toBe('done');
      expect(heard.filter(({ type }) => type === 'refused')).toEqual([]);
      expect(JSON.stringify(await all(store, child))).toContain('<tenant>');
      expect(JSON.stringify(await all(store, child))).not.toContain('Acme');
      const pool = await openPool(url, { connections: 1 });
      closing.push(() => pool.end());
      const { rows } = await pool.query('SELECT singleton_key AS run FROM toolmend_queue.job');
      expect(new Set(rows.map(({ run }) => run))).toEqual(new Set([parent]));
    },
  );
});

describe('a run of another agent on the same database', { timeout: 120_000 }, () => {
  it('is not queued for the agent of the dispatch that controls it', async () => {
    const url = await postgres.database();
    const store = await postgresStore(url, { connections: 4 });
    const of = (name: string) => agent({ name, store, tools: [], model: plays(() => [says(`By ${name}`)]) });
    const [ours, theirs] = [
      await dispatch({ agent: of('a'), store, url }),
      await dispatch({ agent: of('b'), store, url }),
    ];
    closing.push(
      () => store.close(),
      () => ours.close(),
      () => theirs.close(),
    );
    const heard: WorkerEvent[] = [];
    const run = await of('b').submit('Go');
    await ours.send(run, 'More');
    await ours.add(run);
    ours.work({ pollInterval: 20, sweepInterval: 50, on: (event) => void heard.push(event) });
    theirs.work({ pollInterval: 20, sweepInterval: 50 });
    expect(await ours.wait(run)).toMatchObject({ end: 'done', text: 'By b' });
    expect(heard).toEqual([]);
  });
});
