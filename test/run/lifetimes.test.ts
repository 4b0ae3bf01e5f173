/** How long what a run uses lives: instances of tools, listeners, the store. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { permissions } from '../../src/execute/permission-rules.ts';
import { statefulTool } from '../../src/execute/stateful-tool.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import { sqliteStore } from '../../src/log/sqlite-store.ts';
import { type AgentOptions, agent } from '../../src/run/agent.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { until } from '../until.ts';
import { uncaughtDuring } from './odd-moments.ts';
import { calls, plays, says } from './plays.ts';
import { wordsOf } from './recorded.ts';

interface Count {
  sum: number;
  readonly id: number;
}

/** A counter, with the ids of the instances that were created and disposed. */
function counter(more: Partial<Parameters<typeof statefulTool<undefined, Count, unknown>>[0]> = {}) {
  const created: number[] = [];
  const disposed: number[] = [];
  const count = statefulTool<undefined, Count, unknown>({
    name: 'count',
    description: 'Counts',
    create: () => {
      created.push(created.length);
      return { sum: 0, id: created.length - 1 };
    },
    execute: (state) => {
      state.sum += 1;
      return state.sum;
    },
    dispose: ({ id }) => void disposed.push(id),
    ...more,
  });
  return { count, created, disposed };
}
const model = () =>
  plays([calls('count', '')], [calls('count', '')], [says('Done.')], [calls('count', '')], [says('Ok.')]);
const snapshots = { snapshot: ({ sum }: Count) => ({ sum }), restore: ({ sum }: Count) => ({ sum, id: 100 }) };

describe('instances of a stateful tool', () => {
  it('are disposed once, and a new one is announced to the model', async () => {
    const { count, created, disposed } = counter();
    const run = agent({ model: model(), tools: [count] }).run('Go');
    await run.result;
    expect([created, disposed]).toEqual([[0], [0]]);
    await run.send('More').result;
    expect([created, disposed]).toEqual([
      [0, 1],
      [0, 1],
    ]);
    expect(wordsOf(run)).toEqual(['1', '2', '1Note: The earlier state of count was lost, so it starts from scratch.']);
  });

  it('are restored from the snapshot of the last call, also in another process', async () => {
    const store = memoryStore();
    const options = (): AgentOptions => ({
      store,
      tools: [counter(snapshots).count],
      model: plays(({ messages }) =>
        messages.at(-1)?.parts.some(({ type }) => type === 'text') ? [calls('count', '')] : [says('Ok.')],
      ),
    });
    const first = agent(options()).run('Go');
    await first.result;
    const second = await agent(options()).resume(first.id);
    await second.send('More').result;
    expect(wordsOf(second)).toEqual(['1', '2']);
  });

  it('start anew if a secret was redacted from the snapshot', async () => {
    const store = memoryStore();
    const secretive = () => counter({ ...snapshots, snapshot: () => ({ token: 'sk-abcdefghijklmnopqrstuv' }) }).count;
    const turns = () =>
      plays(({ messages }) =>
        messages.at(-1)?.parts.some(({ type }) => type === 'text') ? [calls('count', '')] : [says('Ok.')],
      );
    const first = agent({ model: turns(), store, tools: [secretive()] }).run('Go');
    await first.result;
    const second = await agent({ model: turns(), store, tools: [secretive()] }).resume(first.id);
    await second.send('More').result;
    expect(wordsOf(second)[1]).toContain('starts from scratch');
  });

  it.each<[string, Partial<typeof snapshots>]>([
    ['is not JSON', { snapshot: ({ sum }) => ({ sum: sum > 1 ? Number.NaN : sum }) }],
    [
      'throws',
      {
        snapshot: ({ sum }) => {
          if (sum > 1) throw new Error('too large');
          return { sum };
        },
      },
    ],
  ])('start anew if the last snapshot %s, and not from an earlier one', async (_, last) => {
    const store = memoryStore();
    const turns = () =>
      plays(({ messages }) =>
        messages.filter(({ role }) => role === 'assistant').length % 3 === 2 ? [says('Ok.')] : [calls('count', '')],
      );
    const make = () => agent({ model: turns(), store, tools: [counter({ ...snapshots, ...last }).count] });
    const first = make().run('Go');
    await first.result;
    const second = await make().resume(first.id);
    await second.send('More').result;
    expect(wordsOf(second)[2]).toContain('starts from scratch');
  });

  it('are kept while a loaded run waits, and released on request', async () => {
    const { count, disposed } = counter();
    const ask = tool({ name: 'ask', description: 'A', execute: () => 'asked' });
    const turns = () => plays([calls('count', '')], [calls('ask', '', 'a')], [calls('count', '')], [says('Done.')]);
    const options = { tools: [count, ask], permissions: permissions({ ask: ['ask'] }) };
    const kept = agent({ ...options, model: turns() }).run('Go');
    expect((await kept.result).end).toBe('awaiting_approval');
    expect(disposed).toEqual([]);
    await kept.approve('a', { type: 'allow' });
    await kept.result;
    expect([wordsOf(kept).at(-1), disposed]).toEqual(['2', [0]]);

    const released = agent({ ...options, model: turns() }).run('Go');
    await released.result;
    await released.release();
    await released.release();
    expect(disposed).toEqual([0, 1]);
    await released.approve('a', { type: 'allow' });
    await released.result;
    expect(wordsOf(released).at(-1)).toContain('starts from scratch');
    expect(disposed).toEqual([0, 1, 2]);
  });

  it('of the process are shared by its runs, and disposed once before it exits', async () => {
    const { count, created, disposed } = counter({ lifetime: 'process' });
    const before = new Set(process.listeners('beforeExit'));
    const helper = agent({
      model: plays([calls('count', '')], [says('Ok.')], [calls('count', '')], [says('Ok.')]),
      tools: [count],
    });
    await helper.run('Go').result;
    const second = helper.run('Go');
    await second.result;
    expect(wordsOf(second)).toEqual(['2']);
    const own = process.listeners('beforeExit').filter((listener) => !before.has(listener));
    expect([created, disposed, own.length]).toEqual([[0], [], 1]);
    for (const listener of own) process.off('beforeExit', listener);
    await own[0]?.(0);
    await own[0]?.(0);
    await until(() => disposed.length > 0);
    expect(disposed).toEqual([0]);
  });

  it('have settings that are checked', () => {
    expect(() => new Toolbox([counter({ lifetime: 'day' as never }).count])).toThrow('lifetime is "day"');
    expect(() => new Toolbox([counter({ snapshot: 5 as never }).count])).toThrow('snapshot is not a function');
  });
});

it('listeners that throw or reject reach neither the run nor the process', async () => {
  const warnings: string[] = [];
  const heard = ({ message }: Error) => warnings.push(message);
  process.on('warning', heard);
  const uncaught = await uncaughtDuring(async () => {
    const run = agent({ model: plays([says('Ok.')]) }).run('Go');
    run.on('end', () => {
      throw new Error('thrown');
    });
    run.on('end', (async () => {
      throw new Error('rejected');
    }) as () => void);
    expect((await run.result).end).toBe('done');
  });
  await until(() => warnings.length >= 2);
  process.off('warning', heard);
  expect(uncaught).toEqual([]);
  expect(warnings.map((message) => /A listener failed: Error: (\w+)/.exec(message)?.[1])).toEqual([
    'thrown',
    'rejected',
  ]);
});

it('closing a store under a run ends it, and the process goes on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'closed-'));
  const store = sqliteStore(join(folder, 'runs.db'));
  const uncaught = await uncaughtDuring(async () => {
    const shut = tool({ name: 'shut', description: 'S', execute: () => store.close() });
    const run = agent({ model: plays([calls('shut', '')], [says('Ok.')]), tools: [shut], store }).run('Go');
    const { end, message } = await run.result;
    expect([end, message]).toEqual(['storage', expect.stringContaining('The store is closed')]);
  });
  expect(uncaught).toEqual([]);
  await store.close();
  await expect(store.append([])).rejects.toMatchObject({ code: 'closed' });
  rmSync(folder, { recursive: true });
});
