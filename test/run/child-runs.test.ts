/** An agent as a tool: its runs are children of the run that calls it. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { permissions } from '../../src/execute/permission-rules.ts';
import type { Commands } from '../../src/log/control/commands.ts';
import { decideApproval } from '../../src/log/control/decide-approval.ts';
import type { RunEvent } from '../../src/log/events.ts';
import { fold } from '../../src/log/fold.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import { sqliteStore } from '../../src/log/sqlite-store.ts';
import type { Store } from '../../src/log/store.ts';
import type { Usage } from '../../src/model/index.ts';
import { type AgentOptions, agent } from '../../src/run/agent.ts';
import { agentTool } from '../../src/run/agent-tool.ts';
import type { Run } from '../../src/run/run.ts';
import { controlWith } from '../../src/run/workers/control.ts';
import { tool } from '../../src/tools/tool.ts';
import { until } from '../until.ts';
import { calls, plays, says } from './plays.ts';

const usage = (input: number, output: number): Usage => ({ input, output });
const turn = (parts: Parameters<typeof says>[0] | ReturnType<typeof calls>, used: Usage) => ({
  message: { role: 'assistant' as const, parts: [typeof parts === 'string' ? says(parts) : parts] },
  usage: used,
});

interface Scene {
  readonly tool?: Partial<Parameters<typeof agentTool>[1]>;
  readonly child?: Partial<AgentOptions>;
  readonly parent?: Partial<AgentOptions>;
}

/** A parent that asks a child once, and a child that calls `work` once. */
function scene(
  store: Store,
  work: (run: string | undefined, context: unknown) => unknown,
  { child, parent, tool: more }: Scene = {},
) {
  const isNew = ({ messages }: { messages: readonly { role: string }[] }) =>
    !messages.some(({ role }) => role === 'assistant');
  const worker = tool({
    name: 'work',
    description: 'Works',
    effect: 'write',
    repeat: 'idempotent',
    execute: (_, ctx) => work(ctx.run, ctx.context),
  });
  const helper = agent({
    name: 'helper',
    store,
    tools: [worker],
    model: plays((asked) =>
      isNew(asked) ? turn(calls('work', '{}', 'w'), usage(10, 1)) : turn('Found.', usage(20, 2)),
    ),
    ...child,
  });
  const ask = agentTool(helper, { name: 'ask', description: 'Asks the helper', ...(more as object) });
  const boss = agent({
    name: 'boss',
    store,
    tools: [ask],
    model: plays((asked) =>
      isNew(asked) ? turn(calls('ask', '{"prompt": "Look"}', 'a'), usage(100, 10)) : turn('Done.', usage(200, 20)),
    ),
    ...parent,
  });
  return { helper, boss };
}

async function logOf(store: Store, run: string): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of store.read(run)) events.push(event);
  return events;
}

/** The only run besides these. */
async function childOf(store: Store, ...others: string[]): Promise<string> {
  const ids = (await store.runs()).map(({ run }) => run).filter((run) => !others.includes(run));
  expect(ids).toHaveLength(1);
  return ids[0] as string;
}

describe('an agent as a tool', () => {
  it('runs as a child with a link to its parent and its context, and its usage counts for the parent', async () => {
    const store = memoryStore();
    const seen: unknown[] = [];
    const prices = { played: { input: 1e6, output: 0 } };
    const { boss } = scene(store, (run, context) => seen.push([run, context]), {
      child: { prices },
      parent: { prices },
    });
    const run = boss.run('Go', { id: 'p', context: { tenant: 't1' } });
    const result = await run.result;
    const child = await childOf(store, 'p');
    expect(seen).toEqual([[child, { tenant: 't1' }]]);
    expect(fold(await logOf(store, child)).started).toMatchObject({
      parent: { run: 'p', callId: 'a', depth: 1 },
      agent: { name: 'helper' },
    });
    expect(run.calls()).toMatchObject([{ name: 'ask', result: { content: [{ text: 'Found.' }] } }]);
    expect(result).toMatchObject({ end: 'done', usage: { input: 330, output: 33 }, cost: 330 });
    expect(fold(await logOf(store, 'p')).usage).toEqual({ input: 330, output: 33 });
  });

  it("counts a child's tokens in the parent's budget, also after the parent was resumed", async () => {
    const store = memoryStore();
    const { boss } = scene(store, () => 'ok', { parent: { budgets: { tokens: 130 } } });
    expect((await boss.run('Go', { id: 'p' }).result).end).toBe('tokens');
    const events = await logOf(store, 'p');
    const at = events.findIndex(({ type }) => type === 'tool.finished');
    const cut = memoryStore();
    await cut.append(events.slice(0, at + 1));
    const { boss: other } = scene(cut, () => 'ok', { parent: { budgets: { tokens: 130 } } });
    expect((await (await other.resume('p')).continue().result).end).toBe('tokens');
  });

  it('is cancelled with its parent, while a tool of the child runs', async () => {
    const store = memoryStore();
    let isRunning = false;
    const { boss } = scene(store, async () => {
      isRunning = true;
      await pause(60_000);
    });
    const run = boss.run('Go', { id: 'p' });
    await until(() => isRunning);
    run.abort('Enough');
    expect((await run.result).end).toBe('aborted');
    const child = await childOf(store, 'p');
    await until(async () => fold(await logOf(store, child)).ended?.end === 'aborted');
    expect((await logOf(store, 'p')).some(({ type }) => type === 'tool.orphaned')).toBe(false);
  });

  it('is cancelled with its parent, while the child waits for approval', async () => {
    const store = memoryStore();
    const { boss } = scene(store, () => 'ok', { child: { permissions: permissions({ ask: ['work'] }) } });
    const run = boss.run('Go', { id: 'p' });
    expect((await run.result).end).toBe('awaiting_result');
    const child = await childOf(store, 'p');
    run.abort('Enough');
    expect((await run.result).end).toBe('aborted');
    await until(async () => fold(await logOf(store, child)).ended?.end === 'aborted');
  });

  it('waits for approval without its process: another one continues parent and child after the decision', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'toolmend-child-')), 'runs.db');
    const ask = { child: { permissions: permissions({ ask: ['work'] }) } };
    const first = sqliteStore(file);
    let times = 0;
    const work = () => {
      times += 1;
      return 'ok';
    };
    expect((await scene(first, work, ask).boss.run('Go', { id: 'p' }).result).end).toBe('awaiting_result');
    const child = await childOf(first, 'p');
    await first.close();
    const second = sqliteStore(file);
    await decideApproval(second, child, 'w', { type: 'allow' });
    const run = await scene(second, work, ask).boss.resume('p');
    expect(await run.continue().result).toMatchObject({ end: 'done', text: 'Done.', usage: { input: 330 } });
    expect(times).toBe(1);
    expect(fold(await logOf(second, child)).ended?.end).toBe('done');
    await second.close();
  });

  it('continues after a decision of another process, though its own process still knows the child', async () => {
    const store = sqliteStore(join(mkdtempSync(join(tmpdir(), 'toolmend-child-')), 'runs.db'));
    const { boss } = scene(store, () => 'ok', { child: { permissions: permissions({ ask: ['work'] }) } });
    const first = boss.run('Go', { id: 'p' });
    expect((await first.result).end).toBe('awaiting_result');
    const child = await childOf(store, 'p');
    await decideApproval(store, child, 'w', { type: 'allow' });
    const run = await boss.resume('p');
    expect(await run.continue().result).toMatchObject({ end: 'done', text: 'Done.' });
    expect(run.calls()).toMatchObject([{ state: 'completed', result: { content: [{ text: 'Found.' }] } }]);
    expect(fold(await logOf(store, child)).ended?.end).toBe('done');
    await store.close();
  });

  it('stays cancelled if it is cancelled by its id, and its parent continues', async () => {
    const store = memoryStore();
    let times = 0;
    const ask = { child: { permissions: permissions({ ask: ['work'] }) } };
    const work = () => {
      times += 1;
    };
    expect((await scene(store, work, ask).boss.run('Go', { id: 'p' }).result).end).toBe('awaiting_result');
    const child = await childOf(store, 'p');
    const commands = { newId: async () => '1' } as Partial<Commands> as Commands;
    await controlWith(store, { commands, queries: { query: async () => ({ rows: [] }) } }).cancel(child, 'Enough');
    const before = await logOf(store, child);
    const run = await scene(store, work, ask).boss.resume('p');
    expect((await run.continue().result).end).toBe('done');
    expect(run.calls()).toMatchObject([{ state: 'failed', error: 'aborted: Enough' }]);
    expect(await logOf(store, child)).toEqual(before);
    expect(times).toBe(0);
  });

  it('continues its parent in the same process when the child has been approved', async () => {
    const store = memoryStore();
    const { boss, helper } = scene(store, () => 'ok', { child: { permissions: permissions({ ask: ['work'] }) } });
    const started: string[] = [];
    const { run: begin } = helper;
    const children: ReturnType<typeof begin>[] = [];
    helper.run = (...args: Parameters<typeof begin>) => {
      const child = begin(...args);
      children.push(child);
      started.push(child.id);
      return child;
    };
    const run = boss.run('Go', { id: 'p' });
    await run.result;
    await children[0]?.approve('w', { type: 'allow' });
    await until(() => run.state.ended?.end === 'done');
    expect((await run.result).text).toBe('Done.');
    expect(started).toHaveLength(1);
  });

  it('continues the same child after a crash of the parent, and runs its tools once', async () => {
    const store = memoryStore();
    let times = 0;
    const { boss } = scene(store, () => {
      times += 1;
      return 'ok';
    });
    await boss.run('Go', { id: 'p' }).result;
    const child = await childOf(store, 'p');
    const parentLog = await logOf(store, 'p');
    const started = parentLog.findIndex(({ type }) => type === 'tool.started');
    const crashed = memoryStore();
    await crashed.append(parentLog.slice(0, started + 1));
    const childLog = await logOf(store, child);
    await crashed.append(childLog.slice(0, childLog.findIndex(({ type }) => type === 'tool.finished') + 1));
    const run = await scene(crashed, () => {
      times += 1;
    }).boss.resume('p');
    expect((await run.continue().result).end).toBe('done');
    expect(await childOf(crashed, 'p')).toBe(child);
    expect(times).toBe(1);
  });

  it('a child that does not end well is a failed call', async () => {
    const store = memoryStore();
    const { boss } = scene(store, () => 'ok', { child: { budgets: { steps: 1 } } });
    const run = boss.run('Go', { id: 'p' });
    expect((await run.result).end).toBe('done');
    expect(run.calls()).toMatchObject([{ state: 'failed', error: 'steps: The run used all its turns' }]);
  });

  it.each<[string, Partial<Parameters<typeof agentTool>[1]>, (run: Run) => void]>([
    ['an interruption', {}, (run) => run.interrupt('Something else')],
    ['a timeout', { timeout: 200 }, () => {}],
  ])("counts what a child has used until %s, which doesn't end the parent", async (_, more, stop) => {
    const store = memoryStore();
    let isRunning = false;
    const work = async () => {
      isRunning = true;
      await pause(60_000);
    };
    const run = scene(store, work, { tool: more }).boss.run('Go', { id: 'p' });
    await until(() => isRunning);
    stop(run);
    expect(await run.result).toMatchObject({ end: 'done', usage: { input: 310, output: 31 } });
    const child = await childOf(store, 'p');
    await until(async () => fold(await logOf(store, child)).ended?.end === 'aborted');
  });

  it('belongs to the original run, so a fork of a run that waits for it does not wait', async () => {
    const store = memoryStore();
    const { boss } = scene(store, () => 'ok', { child: { permissions: permissions({ ask: ['work'] }) } });
    expect((await boss.run('Go', { id: 'p' }).result).end).toBe('awaiting_result');
    const fork = await boss.fork('p');
    expect(await fork.continue().result).toMatchObject({ end: 'done', text: 'Done.' });
    expect(fork.calls()).toMatchObject([{ state: 'settled', result: { isError: true } }]);
    const child = await childOf(store, 'p', fork.id);
    expect(fold(await logOf(store, child)).ended?.end).toBe('awaiting_approval');
  });

  it('can start children of its own, but not without end', async () => {
    const store = memoryStore();
    const asked: string[] = [];
    const self = agent({
      name: 'self',
      store,
      tools: [],
      model: plays(({ messages }) => {
        const last = messages.at(-1)?.parts[0];
        if (last?.type !== 'result') return [calls('self', '{"prompt": "Again"}', 'a')];
        asked.push(JSON.stringify(last.content));
        return [says('Done.')];
      }),
    });
    self.toolbox.add(agentTool(self, { name: 'self', description: 'Calls itself' }));
    expect((await self.run('Go', { id: 'p' }).result).end).toBe('done');
    expect(asked[0]).toContain('at most 5 levels deep');
    expect(asked).toHaveLength(6);
    expect(await store.runs()).toHaveLength(6);
  });
});
