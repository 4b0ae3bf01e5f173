/** Commands to child runs, which run in the worker of their parent and aren't in the queue themselves. */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { permissions } from '../../src/execute/permission-rules.ts';
import { fold } from '../../src/log/fold.ts';
import { postgresStore } from '../../src/log/postgres-store.ts';
import { agent } from '../../src/run/agent.ts';
import { agentTool } from '../../src/run/agent-tool.ts';
import { control, dispatch } from '../../src/run/workers/dispatch.ts';
import { tool } from '../../src/tools/tool.ts';
import { all } from '../log/store-suite.ts';
import { calls, plays, says } from '../run/plays.ts';
import { until } from '../until.ts';
import { closeAfterEach, usePostgres } from './use-postgres.ts';

const postgres = usePostgres();
const closing = closeAfterEach();

/** A worker with a run that waits for its child, whose tool runs until it is released or aborted. */
async function scene(asks: readonly string[] = []) {
  const url = await postgres.database();
  const store = await postgresStore(url, { connections: 4 });
  const gate = { isOpen: false, isRunning: false, isAborted: false };
  const work = tool({
    ...{ name: 'work', description: 'Works' },
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
    ...{ name: 'helper', store, tools: [work], model: first('work', 'w') },
    permissions: permissions({ ask: [...asks] }),
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
  works.work({ pollInterval: 20, sweepInterval: 100 });
  const parent = await works.submit('Go');
  const childOf = async (): Promise<string> => {
    const found = (await store.runs()).find(({ run }) => run !== parent);
    return found?.run ?? '';
  };
  const endOf = async (run: string): Promise<string | undefined> => fold(await all(store, run)).ended?.end;
  const resultOf = async (): Promise<unknown> => fold(await all(store, parent)).calls.get('a')?.result?.content;
  return { store, runs, gate, parent, childOf, endOf, resultOf };
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
});
