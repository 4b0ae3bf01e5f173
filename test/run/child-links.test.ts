/** Child runs and their parents, when a process ends between two of its steps or another process was faster. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { permissions } from '../../src/execute/permission-rules.ts';
import type { Commands } from '../../src/log/control/commands.ts';
import { decideApproval } from '../../src/log/control/decide-approval.ts';
import type { RunEvent } from '../../src/log/events.ts';
import { stateOf } from '../../src/log/fold.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import { redactor } from '../../src/log/redact/redact.ts';
import { sqliteStore } from '../../src/log/sqlite-store.ts';
import { eventsOfRun, type Store } from '../../src/log/store.ts';
import { agent } from '../../src/run/agent.ts';
import { agentTool } from '../../src/run/agent-tool.ts';
import { recordResult } from '../../src/run/results/record-result.ts';
import { controlWith } from '../../src/run/workers/control.ts';
import { type Tool, tool } from '../../src/tools/tool.ts';
import { until } from '../until.ts';
import { calls, plays, says } from './plays.ts';

const usage = { input: 10, output: 1 };

/** A parent that asks a child, and runs `slow` beside it; the child calls `pay` or `hear`. */
function scene(store: Store, { slow = async () => {}, childCalls = 'pay', asks = ['pay'] }: SceneOptions = {}) {
  const replies = (name: string, first: ReturnType<typeof calls>[]) =>
    plays(({ messages }) => ({
      message: {
        role: 'assistant',
        parts: messages.some(({ role }) => role === 'assistant') ? [says(`${name} is done.`)] : first,
      },
      usage,
    }));
  const paid: string[] = [];
  const pay = tool({
    name: 'pay',
    description: 'Pays',
    repeat: 'idempotent',
    execute: async (_, { signal }) => {
      paid.push('pay');
      if (asks.length === 0) await pause(60_000, undefined, { signal }).catch(() => {});
    },
  });
  const hear = tool({ name: 'hear', description: 'Hears the result' });
  const helper = agent({
    name: 'helper',
    store,
    tools: [pay, hear],
    permissions: permissions({ ask: asks }),
    model: replies('helper', [calls(childCalls, '{}', 'w')]),
    prices: { played: { input: 1e6, output: 0 } },
  });
  const ask = agentTool(helper, { name: 'ask', description: 'Asks the helper' });
  const boss = agent({
    name: 'boss',
    store,
    tools: [ask, tool({ name: 'slow', description: 'Takes long', execute: slow })],
    model: replies('boss', [calls('ask', '{"prompt": "Pay"}', 'a'), calls('slow', '{}', 's')]),
    prices: { played: { input: 1e6, output: 0 } },
  });
  return { boss, helper, paid };
}

interface SceneOptions {
  readonly slow?: () => Promise<void>;
  readonly childCalls?: string;
  readonly asks?: string[];
}

const childOf = async (store: Store): Promise<string> => (await store.runs()).find(({ run }) => run !== 'p')?.run ?? '';

const endOf = async (store: Store, run: string): Promise<string | undefined> => (await stateOf(store, run)).ended?.end;

/** The store of a process that dies after its next append. */
function dying(store: Store): Store {
  let appends = 0;
  return {
    ...store,
    append: async (events) => {
      appends += 1;
      if (appends > 1) throw new Error('The process has died');
      await store.append(events);
    },
  };
}

const idle = (store: Store) => {
  const commands = { newId: async () => '1' } as Partial<Commands> as Commands;
  return controlWith(store, { commands, queries: { query: async () => ({ rows: [] }) } });
};

type Continue = (store: Store, child: string) => Promise<unknown>;
const continues: [string, SceneOptions, Continue][] = [
  ['approves it', {}, (store, child) => decideApproval(store, child, 'w', { type: 'allow' })],
  ['denies it', {}, (store, child) => decideApproval(store, child, 'w', { type: 'deny' })],
  ['completes its call', { childCalls: 'hear' }, (store, child) => recordResult(store, child, 'w', 'Heard')],
  ['cancels it', {}, (store, child) => idle(store).cancel(child)],
  ['sends it a message', {}, (store, child) => idle(store).interrupt(child, 'Stop')],
];

describe('the parent of a child that waits', () => {
  it.each(continues)('continues, though the process dies after one append that %s', async (_, options, command) => {
    const store = memoryStore();
    expect((await scene(store, options).boss.run('Go', { id: 'p' }).result).end).toBe('awaiting_result');
    await command(dying(store), await childOf(store)).catch(() => {});
    const run = await scene(store, options).boss.resume('p');
    expect(await run.continue().result).toMatchObject({ end: 'done', text: 'boss is done.' });
  });

  it.each(continues)('continues once it pauses itself, if a process %s before', async (_, options, command) => {
    const store = memoryStore();
    const gate = Promise.withResolvers<void>();
    const { boss } = scene(store, { ...options, slow: () => gate.promise });
    const run = boss.run('Go', { id: 'p' });
    const child = await until(() => childOf(store));
    await until(async () => (await endOf(store, child)) && run.calls()[0]?.state === 'result_required');
    await command(store, child);
    gate.resolve();
    await until(() => run.state.ended?.end === 'done');
    expect(run.calls().every(({ result }) => result)).toBe(true);
  });

  it('counts what the child has used while it waits, after it is cancelled, and once at its end', async () => {
    const store = memoryStore();
    const waits = await scene(store).boss.run('Go', { id: 'p' }).result;
    expect(waits).toMatchObject({ end: 'awaiting_result', usage: { input: 20, output: 2 }, cost: 20 });
    const cut = memoryStore();
    for (const { run } of await store.runs()) for await (const event of store.read(run)) await cut.append([event]);
    await decideApproval(store, await childOf(store), 'w', { type: 'allow' });
    const ended = (await scene(store).boss.resume('p')).continue();
    expect(await ended.result).toMatchObject({ end: 'done', usage: { input: 40, output: 4 }, cost: 40 });
    const stopped = await scene(cut).boss.resume('p');
    stopped.abort('Enough');
    expect(await stopped.result).toMatchObject({ end: 'aborted', usage: { input: 20, output: 2 }, cost: 20 });
  });
});

describe('what a child has used', () => {
  const cancels: [string, (store: Store) => Promise<unknown>][] = [
    [
      'its parent is aborted',
      async (store) => {
        const run = await scene(store).boss.resume('p');
        run.abort('Enough');
        await run.result;
      },
    ],
    ['its parent is cancelled by its id', (store) => idle(store).cancel('p')],
  ];
  it.each(cancels)('counts if its process ended while it ran, and %s', async (_, cancel) => {
    const store = memoryStore();
    const { boss, paid } = scene(store, { asks: [] });
    boss.run('Go', { id: 'p' });
    await until(() => paid.length > 0);
    const copy = memoryStore();
    for (const { run } of await store.runs()) for await (const event of store.read(run)) await copy.append([event]);
    await cancel(copy);
    expect(await stateOf(copy, 'p')).toMatchObject({
      ended: { end: 'aborted' },
      usage: { input: 20, output: 2 },
      cost: 20,
    });
  });
});

describe('a child whose parent stops waiting', () => {
  it('is cancelled before the parent is: its process may end then', async () => {
    const store = memoryStore();
    const run = scene(store).boss.run('Go', { id: 'p' });
    await run.result;
    run.abort('Enough');
    await run.result;
    expect(await endOf(store, await childOf(store))).toBe('aborted');
  });

  it('is cancelled before the parent continues with another message', async () => {
    const store = memoryStore();
    const run = scene(store).boss.run('Go', { id: 'p' });
    await run.result;
    run.interrupt('Something else');
    expect((await run.result).end).toBe('done');
    expect(await endOf(store, await childOf(store))).toBe('aborted');
  });

  it.each(['cancel', 'interrupt'] as const)(
    'is cancelled with the parent, though the process dies after one append: %s by id',
    async (command) => {
      const store = memoryStore();
      await scene(store).boss.run('Go', { id: 'p' }).result;
      await idle(dying(store))
        [command]('p', 'Enough')
        .catch(() => {});
      const child = await stateOf(store, await childOf(store));
      expect(child.ended?.end).toBe('aborted');
      expect([...child.calls.values()].every(({ result }) => result)).toBe(true);
    },
  );

  it.each<[string, (store: Store) => Promise<unknown>]>([
    [
      'by the process that resumes the parent',
      async (store) => {
        const run = await scene(store).boss.resume('p');
        run.abort('Enough');
        await run.result;
      },
    ],
    ['by id', (store) => idle(store).cancel('p', 'Enough')],
  ])('is cancelled if the process of both died while the child ran: %s', async (_, stop) => {
    const store = memoryStore();
    const { boss, paid } = scene(store, { asks: [] });
    const run = boss.run('Go', { id: 'p' });
    await until(() => paid.length > 0);
    const crashed = memoryStore();
    for (const { run: id } of await store.runs())
      for await (const event of store.read(id)) await crashed.append([event]);
    run.abort();
    await stop(crashed);
    expect(await endOf(crashed, await childOf(crashed))).toBe('aborted');
    expect(await endOf(crashed, 'p')).toBe('aborted');
  });
});

describe('a call with a secret that started a child, after its process has ended', () => {
  const secret = '{"prompt": "Pay. The password is \\"hunter2-Z9x\\"", "pin": 4711}';
  /** A boss whose call has a secret. `denies` are rules of the boss, and `helps` is the name of the helper. */
  const secretScene = (store: Store, { denies = [], helps = 'helper', args = secret, mode }: SecretScene = {}) => {
    const paid: string[] = [];
    const reply = (name: string, first: ReturnType<typeof calls>) =>
      plays(({ messages }) => [messages.some(({ role }) => role === 'assistant') ? says(`${name} is done.`) : first]);
    const pay = tool({ name: 'pay', description: 'Pays', execute: () => void paid.push('pay') });
    const helper = agent({
      name: helps,
      store,
      tools: [pay],
      permissions: permissions({ ask: ['pay'] }),
      model: reply('helper', calls('pay', '{}', 'w')),
    });
    const inputSchema = {
      type: 'object',
      properties: { prompt: { type: 'string' }, pin: { type: 'integer' } },
      required: ['prompt'],
    } as const;
    const ask = agentTool(helper, { name: 'ask', description: 'Asks the helper', inputSchema });
    const rules = permissions({ mode: mode ?? 'auto', deny: denies });
    const redact = redactor({ fields: ['pin'] });
    const boss = agent({
      name: 'boss',
      store,
      redact,
      permissions: rules,
      tools: [ask],
      model: reply('boss', calls('ask', args, 'a')),
    });
    return { boss, paid };
  };
  interface SecretScene {
    readonly denies?: string[];
    readonly helps?: string;
    /** The arguments of the call. */
    readonly args?: string;
    readonly mode?: 'ask';
  }
  /** The log until `isLast`, as a process leaves it that dies then. */
  const logUntil = async (isLast: (event: RunEvent) => boolean): Promise<Store> => {
    const cut = memoryStore();
    const store = memoryStore();
    let isDead = false;
    const append: Store['append'] = async (events) => {
      await store.append(events);
      for (const event of events) {
        if (!isDead) await cut.append([event]);
        isDead ||= isLast(event);
      }
    };
    await secretScene({ ...store, append }).boss.run('Go', { id: 'p' }).result;
    return cut;
  };
  const waits = () => logUntil(({ run, type }) => run === 'p' && type === 'run.ended');

  it('continues with the decision that the child waited for', async () => {
    const store = await waits();
    expect(JSON.stringify(await eventsOfRun(store, 'p'))).not.toMatch(/hunter2|4711/);
    await decideApproval(store, await childOf(store), 'w', { type: 'allow' });
    const { boss, paid } = secretScene(store);
    const run = (await boss.resume('p')).continue();
    expect(await run.result).toMatchObject({ end: 'done' });
    expect(run.calls()[0]).toMatchObject({ state: 'completed', result: { content: [says('helper is done.')] } });
    expect(paid).toEqual(['pay']);
  });

  it('continues the child that was running', async () => {
    const store = await logUntil(({ run, type }) => run !== 'p' && type === 'turn.requested');
    const { boss } = secretScene(store);
    const run = (await boss.resume('p')).continue();
    expect(await run.result).toMatchObject({ end: 'awaiting_result' });
    expect(await endOf(store, await childOf(store))).toBe('awaiting_approval');
  });

  it('did not run if the child had not started', async () => {
    const store = await logUntil(({ run, type }) => run === 'p' && type === 'tool.started');
    const run = (await secretScene(store).boss.resume('p')).continue();
    expect(await run.result).toMatchObject({ end: 'done' });
    expect(JSON.stringify(run.calls()[0]?.result)).toContain('The call did not run: its arguments contained a secret');
    expect(await store.runs()).toHaveLength(1);
  });

  it.each([
    ['the call had a secret, too', secret],
    ['only the edit has a secret', '{"prompt": "Pay"}'],
  ])('continues the child of an edited call at any point, and asks nothing again: %s', async (_, args) => {
    const appends: (readonly RunEvent[])[] = [];
    const inner = memoryStore();
    const append: Store['append'] = async (events) => {
      await inner.append(events);
      appends.push(events);
    };
    const run = secretScene({ ...inner, append }, { args, mode: 'ask' }).boss.run('Go', { id: 'p' });
    await run.result;
    await run.approve('a', { type: 'edit', input: JSON.parse(secret) });
    await run.result;
    const from = appends.findIndex(([event]) => event?.run !== 'p');
    expect(from).toBeGreaterThan(0);
    for (let length = from + 1; length <= appends.length; length += 1) {
      const cut = memoryStore();
      for (const events of appends.slice(0, length)) await cut.append(events);
      const { boss, paid } = secretScene(cut, { args, mode: 'ask' });
      expect(await (await boss.resume('p')).continue().result).toMatchObject({ end: 'awaiting_result' });
      await decideApproval(cut, await childOf(cut), 'w', { type: 'allow' });
      const again = (await boss.resume('p')).continue();
      expect(await again.result).toMatchObject({ end: 'done' });
      expect(again.calls()[0]).toMatchObject({ state: 'completed', result: { content: [says('helper is done.')] } });
      expect(paid).toEqual(['pay']);
    }
  });

  it.each<[string, Parameters<typeof secretScene>[1], string]>([
    ['a rule denies it now', { denies: ['ask'] }, 'denied'],
    ['its tool leads to another agent now', { helps: 'other' }, 'settled'],
  ])('ends the child if %s', async (_, options, state) => {
    const store = await waits();
    const child = await childOf(store);
    await decideApproval(store, child, 'w', { type: 'allow' });
    const { boss, paid } = secretScene(store, options);
    const run = (await boss.resume('p')).continue();
    expect(await run.result).toMatchObject({ end: 'done' });
    expect(run.calls()[0]).toMatchObject({ state });
    expect(await endOf(store, child)).toBe('aborted');
    expect(await store.runs()).toHaveLength(2);
    expect(paid).toEqual([]);
  });
});

/** The commits of a parent that continues with an approved child, at which it is stopped. */
const restarts = ['call.accepted', 'tool.started', 'run.started', 'result.received', 'run.resumed'] as const;

describe('a child whose parent is stopped while it continues it', () => {
  it.each((['abort', 'interrupt'] as const).flatMap((stop) => restarts.map((type) => [stop, type] as const)))(
    'has ended with it: %s at %s',
    async (stop, type) => {
      const inner = memoryStore();
      let strike = (): void => {};
      const append: Store['append'] = async (events) => {
        if (events.some((event) => event.type === type)) strike();
        await inner.append(events);
      };
      const store = { ...inner, append };
      const { boss, paid } = scene(store);
      const run = boss.run('Go', { id: 'p' });
      await run.result;
      const child = await childOf(store);
      await decideApproval(inner, child, 'w', { type: 'allow' });
      const again = await scene(store).boss.resume('p');
      strike = () => {
        strike = () => {};
        if (stop === 'abort') again.abort('Enough');
        else again.interrupt('Something else');
      };
      await again.continue().result;
      const { ended, calls: open } = await stateOf(inner, child);
      expect(['aborted', 'done']).toContain(ended?.end);
      expect([...open.values()].every(({ result }) => result)).toBe(true);
      expect(paid).toEqual([]);
    },
  );
});

describe('a policy for changed agents', () => {
  const family = (store: Store, instructions: string, tools: Tool[]) => {
    const reply = (name: string, first: ReturnType<typeof calls>) =>
      plays(({ messages }) => [messages.some(({ role }) => role === 'assistant') ? says(`${name} is done.`) : first]);
    const pay = tool({ name: 'pay', description: 'Pays' });
    const helper = agent({
      name: 'helper',
      store,
      instructions,
      tools: [pay, ...tools],
      model: reply('helper', calls('pay', '{}', 'w')),
    });
    const middle = agent({
      name: 'middle',
      store,
      tools: [agentTool(helper, { name: 'ask', description: 'Asks' })],
      model: reply('middle', calls('ask', '{"prompt": "Pay"}', 'm')),
    });
    return agent({
      name: 'boss',
      store,
      tools: [agentTool(middle, { name: 'ask', description: 'Asks' })],
      model: reply('boss', calls('ask', '{"prompt": "Pay"}', 'a')),
    });
  };
  const more = tool({ name: 'more', description: 'More' });

  it('covers the agents of child runs, and is recorded for them', async () => {
    const store = memoryStore();
    await family(store, 'Old', []).run('Go', { id: 'p' }).result;
    const before = (await eventsOfRun(store, 'p')).length;
    await expect(family(store, 'New', []).resume('p', { policy: 'same' })).rejects.toMatchObject({
      code: 'agent_mismatch',
    });
    expect(await eventsOfRun(store, 'p')).toHaveLength(before);
    const helper = (await Promise.all((await store.runs()).map(({ run }) => stateOf(store, run)))).find(
      ({ agent }) => agent?.name === 'helper',
    );
    await recordResult(store, helper?.run ?? '', 'w', 'Paid');
    const run = (await family(store, 'New', [more]).resume('p', { policy: 'compatible' })).continue();
    expect((await run.result).end).toBe('done');
    const resumed = (await eventsOfRun(store, helper?.run ?? '')).findLast(({ type }) => type === 'run.resumed');
    expect(resumed).toMatchObject({ policy: 'compatible' });
  });

  it('lets an agent continue that has not changed', async () => {
    const store = memoryStore();
    await family(store, 'Old', []).run('Go', { id: 'p' }).result;
    const run = await family(store, 'Old', []).resume('p', { policy: 'same' });
    expect((await run.continue().result).end).toBe('awaiting_result');
  });
});

const stores: [string, () => Store][] = [
  ['in memory', () => memoryStore()],
  ['on SQLite', () => sqliteStore(join(mkdtempSync(join(tmpdir(), 'toolmend-links-')), 'runs.db'))],
];

describe.each(stores)('a run that is deleted %s', (_, open) => {
  it('is cancelled first if it is active, with its child, and nothing of it comes back', async () => {
    const store = open();
    const { boss, paid } = scene(store, { asks: [] });
    const run = boss.run('Go', { id: 'p' });
    await until(() => paid.length > 0);
    const child = await childOf(store);
    await store.remove('p');
    expect(await run.result).toMatchObject({ end: 'aborted', message: 'The run was stopped' });
    await until(async () => (await endOf(store, child)) === 'aborted');
    expect((await stateOf(store, 'p')).seq).toBe(0);
    expect((await store.runs()).map((one) => one.run)).toEqual([child]);
    await store.close();
  });

  it('takes its waiting child with it', async () => {
    const store = open();
    await scene(store).boss.run('Go', { id: 'p' }).result;
    await store.remove('p');
    expect(await endOf(store, await childOf(store))).toBe('aborted');
    await store.close();
  });

  it('is a failure for the parent that waits for it, which does not start it again', async () => {
    const store = open();
    await scene(store).boss.run('Go', { id: 'p' }).result;
    const child = await childOf(store);
    await store.remove(child);
    const run = (await scene(store).boss.resume('p')).continue();
    expect(await run.result).toMatchObject({ end: 'done' });
    expect(run.calls()[0]).toMatchObject({ state: 'failed', error: `The run ${child} was deleted` });
    expect((await store.runs()).map((one) => one.run)).toEqual(['p']);
    await store.close();
  });

  it('is a failure for the parent while it runs', async () => {
    const store = open();
    const { boss, paid } = scene(store, { asks: [] });
    const run = boss.run('Go', { id: 'p' });
    await until(() => paid.length > 0);
    await store.remove(await childOf(store));
    expect(await run.result).toMatchObject({ end: 'done' });
    expect(run.calls()[0]).toMatchObject({ state: 'failed', error: 'aborted: The run was stopped' });
    await store.close();
  });

  it('cannot be written by a process that still has it', async () => {
    const store = open();
    const { boss } = scene(store, { asks: [] });
    const run = boss.run('Go', { id: 'p' });
    await until(async () => (await stateOf(store, 'p')).seq > 1);
    run.abort();
    await run.result;
    const { seq } = await stateOf(store, 'p');
    await store.remove('p');
    const late = { type: 'run.resumed', run: 'p', seq: seq + 1, at: 1 } as const;
    await expect(store.append([late])).rejects.toMatchObject({ code: 'unknown_run' });
    expect((await stateOf(store, 'p')).seq).toBe(0);
    await store.append([
      { type: 'run.started', model: { name: 'm', provider: 'p' }, tools: [], run: 'p', seq: 1, at: 1 },
    ]);
    expect((await stateOf(store, 'p')).seq).toBe(1);
    await store.close();
  });
});

it('a call whose child could not be written gets no result, instead of none for ever', async () => {
  const inner = memoryStore();
  const append = async () => {
    throw new Error('disk full');
  };
  const helper = agent({ name: 'helper', store: { ...inner, append }, model: plays([says('Done.')]) });
  const ask = agentTool(helper, { name: 'ask', description: 'Asks' });
  const run = agent({ tools: [ask], model: plays([calls('ask', '{"prompt": "Pay"}', 'a')]) }).run('Go');
  expect((await run.result).end).toBe('storage');
  await expect(run.complete('a', 'Tea')).rejects.toMatchObject({ code: 'not_waiting' });
});
