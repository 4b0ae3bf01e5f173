/** Runs that several callers or processes have at once: each hears what holds, and no effect is repeated. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { permissions } from '../../src/execute/permission-rules.ts';
import { decideApproval } from '../../src/log/control/decide-approval.ts';
import type { Decision, RunEvent, RunFact } from '../../src/log/events.ts';
import { stateOf } from '../../src/log/fold.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import { sqliteStore } from '../../src/log/sqlite-store.ts';
import type { Store } from '../../src/log/store.ts';
import { type AgentOptions, agent } from '../../src/run/agent.ts';
import { agentTool } from '../../src/run/agent-tool.ts';
import { recordResult } from '../../src/run/results/record-result.ts';
import type { Run } from '../../src/run/run.ts';
import { tool } from '../../src/tools/tool.ts';
import { until } from '../until.ts';
import { calls, plays, says } from './plays.ts';
import { wordsOf } from './recorded.ts';

const newFile = (): string => join(mkdtempSync(join(tmpdir(), 'toolmend-shared-')), 'runs.db');

/** A store as two processes have it. */
const stores: [string, () => [Store, Store]][] = [
  [
    'in memory',
    () => {
      const store = memoryStore();
      return [store, { ...store }];
    },
  ],
  [
    'on SQLite',
    () => {
      const file = newFile();
      return [sqliteStore(file), sqliteStore(file)];
    },
  ],
];

const once = (...first: ReturnType<typeof calls>[]) =>
  plays(({ messages }) => (messages.some(({ role }) => role === 'assistant') ? [says('Done.')] : first));

const ask = tool({ name: 'ask', description: 'Asks the user' });

describe.each(stores)('a run %s', (_, open) => {
  /** A process with a tool that runs until it is released. */
  const slowAgent = (store: Store, options: Partial<AgentOptions> = {}) => {
    const seen = { ran: 0, aborted: 0, release: () => {} };
    const released = new Promise<void>((resolve) => {
      seen.release = resolve;
    });
    const slow = tool({
      name: 'slow',
      description: 'Takes long',
      async execute(_input, { signal }) {
        seen.ran += 1;
        signal.addEventListener('abort', () => {
          seen.aborted += 1;
        });
        await released;
      },
    });
    return { seen, helper: agent({ store, tools: [slow], model: once(calls('slow', '{}', 'a')), ...options }) };
  };

  it('is not started again under its id while it is active', async () => {
    const [store] = open();
    const { helper, seen } = slowAgent(store);
    const run = helper.run('Go', { id: 'r' });
    await until(() => seen.ran > 0);
    expect(() => helper.run('Go', { id: 'r' })).toThrow(expect.objectContaining({ code: 'run_active' }));
    expect(await helper.resume('r')).toBe(run);
    await store.remove('r');
    expect([seen.aborted, (await run.result).end]).toEqual([1, 'aborted']);
    seen.release();
    expect((await helper.run('Again', { id: 'r' }).result).end).toBe('done');
  });

  it('is resumed once by callers at the same time', async () => {
    const [store] = open();
    const options = { permissions: permissions({ mode: 'ask' }) };
    await slowAgent(store, options).helper.run('Go', { id: 'r' }).result;
    const { helper, seen } = slowAgent(store, options);
    const [first, second] = await Promise.all([helper.resume('r'), helper.resume('r')]);
    expect(second).toBe(first);
    await first.approve('a', { type: 'allow' });
    await until(() => seen.ran > 0);
    expect(await helper.resume('r')).toBe(first);
    seen.release();
    expect([(await first.result).end, seen.ran]).toEqual(['done', 1]);
  });

  it('is the same for all callers while it waits, until another process continues it', async () => {
    const [here, elsewhere] = open();
    const make = (store: Store) => agent({ store, tools: [ask], model: once(calls('ask', '{}', 'a')) });
    const helper = make(here);
    const run = helper.run('Go', { id: 'r' });
    await run.result;
    expect(await helper.resume('r')).toBe(run);
    const other = await make(elsewhere).resume('r');
    const again = await helper.resume('r');
    expect(again).not.toBe(run);
    await again.complete('a', 'Tea');
    expect((await again.result).end).toBe('done');
    await expect(other.complete('a', 'Milk')).rejects.toMatchObject({ code: 'not_waiting' });
  });

  it('guard: a failed resume does not keep others from it', async () => {
    const [store] = open();
    const { helper } = slowAgent(store, { permissions: permissions({ mode: 'ask' }) });
    await helper.run('Go', { id: 'r' }).result;
    const both = [helper.resume('other'), helper.resume('r', { policy: 'x' as never }), helper.resume('r')];
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  });

  it.each<[string, (run: Run, helper: ReturnType<typeof agent>) => Promise<void>]>([
    ['run.complete()', (run) => run.complete('a', 'Coffee')],
    ['agent.complete()', (run, helper) => helper.complete(run.id, 'a', 'Coffee')],
  ])('whose result another process has recorded refuses that of %s', async (_name, complete) => {
    const [here, elsewhere] = open();
    const make = (store: Store) => agent({ store, tools: [ask], model: once(calls('ask', '{}', 'a')) });
    const helper = make(here);
    const run = helper.run('Go', { id: 'r' });
    await run.result;
    await recordResult(elsewhere, 'r', 'a', 'Tea');
    await expect(complete(run, helper)).rejects.toMatchObject({ code: 'not_waiting' });
    const again = (await helper.resume('r')).continue();
    expect([(await again.result).end, ...wordsOf(again)]).toEqual(['done', 'Tea']);
  });

  it('takes the result of one call, though another process has recorded that of another', async () => {
    const [here, elsewhere] = open();
    const model = once(calls('ask', '{"at": 1}', 'a'), calls('ask', '{"at": 2}', 'b'));
    const helper = agent({ store: here, tools: [ask], model });
    await helper.run('Go', { id: 'r' }).result;
    await recordResult(elsewhere, 'r', 'a', 'Tea');
    await helper.complete('r', 'b', 'Milk');
    const run = await helper.resume('r');
    expect([(await run.result).end, ...wordsOf(run)]).toEqual(['done', 'Tea', 'Milk']);
  });

  it.each<Decision>([{ type: 'deny' }, { type: 'allow' }])(
    'that another process has decided refuses another decision: $type',
    async (decision) => {
      const [here, elsewhere] = open();
      const { helper, seen } = slowAgent(here, { permissions: permissions({ mode: 'ask' }) });
      const run = helper.run('Go', { id: 'r' });
      await run.result;
      await decideApproval(elsewhere, 'r', 'a', decision);
      await expect(run.approve('a', { type: 'allow' })).rejects.toMatchObject({ code: 'not_waiting' });
      expect(seen.ran).toBe(0);
      seen.release();
      await (await helper.resume('r')).continue().result;
      expect(seen.ran).toBe(decision.type === 'allow' ? 1 : 0);
    },
  );
});

describe.each(stores)('a child %s that is deleted', (name, open) => {
  const family = (store: Store, options: { readonly paid: string[]; readonly block?: Promise<void> }) => {
    const pay = tool({
      name: 'pay',
      description: 'Pays',
      async execute() {
        options.paid.push('pay');
        await options.block;
      },
    });
    const helper = agent({ name: 'helper', store, tools: [pay], model: once(calls('pay', '{}', 'w')) });
    const tools = [agentTool(helper, { name: 'ask', description: 'Asks' })];
    return agent({ name: 'boss', store, tools, model: once(calls('ask', '{"prompt": "Pay"}', 'a')) });
  };
  const childOf = async (store: Store): Promise<string> =>
    (await store.runs()).map(({ run }) => run).find((run) => run !== 'p') ?? '';

  it('is not started again by the next process of a parent that died', async () => {
    const [store, next] = open();
    const paid: string[] = [];
    const dying: Store = {
      ...store,
      async append(events) {
        if (events.some(({ run, type }) => run === 'p' && type === 'tool.finished')) throw new Error('died');
        await store.append(events);
      },
    };
    await family(dying, { paid }).run('Go', { id: 'p' }).result;
    await next.remove(await childOf(next));
    const run = (await family(next, { paid }).resume('p')).continue();
    expect([(await run.result).end, paid]).toEqual(['done', ['pay']]);
    expect(wordsOf(run)[0]).toMatch(/was deleted\. It is not known what it has done/);
  });

  it('is not started again if it is active', async () => {
    const [store, other] = open();
    const paid: string[] = [];
    let release = (): void => {};
    const block = new Promise<void>((resolve) => {
      release = resolve;
    });
    const run = family(store, { paid, block }).run('Go', { id: 'p' });
    await until(() => paid.length > 0);
    await other.remove(await childOf(other));
    release();
    expect((await run.result).end).toBe(name === 'on SQLite' ? 'storage' : 'done');
    const again = (await family(other, { paid }).resume('p')).continue();
    expect([(await again.result).end, paid]).toEqual(['done', ['pay']]);
  });
});

it('a parent whose waiting child is gone does not wait for it for ever', async () => {
  const store = memoryStore();
  const helper = agent({ name: 'helper', store, tools: [ask], model: once(calls('ask', '{}', 'w')) });
  const tools = [agentTool(helper, { name: 'delegate', description: 'Delegates' })];
  const make = (own: Store) =>
    agent({ name: 'boss', store: own, tools, model: once(calls('delegate', '{"prompt": "Go"}', 'a')) });
  await make(store).run('Go', { id: 'p' }).result;
  const partial = memoryStore();
  for await (const event of store.read('p')) await partial.append([event]);
  const run = (await make(partial).resume('p')).continue();
  expect((await run.result).end).toBe('done');
  expect(wordsOf(run)[0]).toContain('the run that it started was deleted');
});

it.each<[string, z.ZodType, unknown, string]>([
  ['a pattern', z.object({ token: z.string().regex(/^sk-/) }), { token: 'sk-abcdefghijklmnopqrstuv' }, 'token'],
  ['a type', z.object({ password: z.number() }), { password: 123_456 }, 'password'],
])('a result that does not match %s any more without its secret is used', async (_, outputSchema, value, field) => {
  const store = memoryStore();
  const tools = [tool({ name: 'ask', description: 'Asks', outputSchema })];
  const make = () => agent({ store, tools, model: once(calls('ask', '{}', 'a')) });
  await make().run('Go', { id: 'r' }).result;
  await expect(recordResult(store, 'r', 'a', { [field]: null })).rejects.toMatchObject({ code: 'invalid_result' });
  await recordResult(store, 'r', 'a', value);
  const run = (await make().resume('r')).continue();
  await run.result;
  expect(wordsOf(run)).toEqual([`{"${field}":"[redacted]"}`]);
});

it('a decision about a call of a dead run is refused, until the run continues', async () => {
  const store = memoryStore();
  const part = { type: 'call', id: 'a', name: 'ask', arguments: '{}' } as const;
  const response = { message: { role: 'assistant', parts: [part] }, finish: 'tool_calls' } as const;
  const facts: RunFact[] = [
    { type: 'run.started', model: { name: 'm', provider: 'p' }, tools: [], queued: true },
    { type: 'turn.completed', turn: 1, response },
    { type: 'approval.requested', callId: 'a', name: 'ask', input: {}, effect: 'write', reason: 'a rule asks' },
    { type: 'run.ended', end: 'dead', message: '' },
    { type: 'run.resumed' },
  ];
  const events = facts.map((fact, at): RunEvent => ({ ...fact, run: 'r', seq: at + 1, at }) as RunEvent);
  const decide = () => decideApproval(store, 'r', 'a', { type: 'allow' }, { isAbandoned: true });
  await store.append(events.slice(0, -1));
  await expect(decide()).rejects.toMatchObject({ code: 'not_waiting', message: expect.stringContaining("'dead'") });
  await store.append(events.slice(-1));
  await decide();
  expect((await stateOf(store, 'r')).calls.get('a')?.decision).toEqual({ type: 'allow' });
});

it.each([null, '', 5])('a key that is none is refused, because all runs with it would be one: %s', async (key) => {
  const helper = agent({ model: plays([says('Hi.')]) });
  await expect(helper.submit('Go', { key: key as never })).rejects.toMatchObject({ code: 'invalid_option' });
});

describe('a child that waits', () => {
  /** A boss that asks a helper, which asks a clerk, who asks for approval to pay. */
  const office = (store: Store) => {
    const paid: string[] = [];
    const pay = tool({ name: 'pay', description: 'Pays', execute: () => void paid.push('pay') });
    const ask = permissions({ ask: ['pay'] });
    const clerk = agent({ name: 'clerk', store, tools: [pay], permissions: ask, model: once(calls('pay', '{}', 'c')) });
    const asked = (id: string) => once(calls('ask', '{"prompt": "Pay"}', id));
    const via = (below: ReturnType<typeof agent>) => [agentTool(below, { name: 'ask', description: 'Asks' })];
    const helper = agent({ name: 'helper', store, tools: via(clerk), model: asked('b') });
    const boss = agent({ name: 'boss', store, tools: via(helper), model: asked('a') });
    return { boss, helper, clerk, paid };
  };
  const runsOf = async (store: Store): Promise<Record<string, string>> => {
    const named = (await store.runs()).map(async ({ run }) => [(await stateOf(store, run)).agent?.name, run]);
    return Object.fromEntries(await Promise.all(named));
  };
  const endOf = async (store: Store, run = ''): Promise<string | undefined> => (await stateOf(store, run)).ended?.end;

  it('continues all runs above it, though only itself was resumed for its decision', async () => {
    const store = memoryStore();
    await office(store).boss.run('Go').result;
    const ids = await runsOf(store);
    const { boss, clerk, paid } = office(store);
    const child = await clerk.resume(ids.clerk ?? '');
    await child.approve('c', { type: 'allow' });
    await child.result;
    const run = (await boss.resume(ids.boss ?? '')).continue();
    expect([(await run.result).end, paid]).toEqual(['done', ['pay']]);
    expect([await endOf(store, ids.helper), ...wordsOf(run)]).toEqual(['done', 'Done.']);
  });

  it.each<[string, (store: Store, boss: ReturnType<typeof agent>, run: Run) => Promise<void>]>([
    ['run.complete()', (_store, _boss, run) => run.complete('a', 'Paid.')],
    ['agent.complete()', (_store, boss, run) => boss.complete(run.id, 'a', 'Paid.')],
    ['recordResult()', (store, _boss, run) => recordResult(store, run.id, 'a', 'Paid.')],
    [
      'recordResult() by its key',
      async (store, _boss, run) => recordResult(store, run.id, (await runsOf(store)).helper ?? '', 'Paid.'),
    ],
  ])('is not replaced by a result from %s, after which it would still run', async (_, complete) => {
    const store = memoryStore();
    const { boss } = office(store);
    const run = boss.run('Go');
    await run.result;
    await expect(complete(store, boss, run)).rejects.toMatchObject({ code: 'not_waiting' });
    run.abort();
    expect((await run.result).end).toBe('aborted');
    for (const id of Object.values(await runsOf(store))) expect(await endOf(store, id)).toBe('aborted');
  });

  it.each([1, 2, 3])('is cancelled with its parent, though append %i for it fails', async (failing) => {
    const store = memoryStore();
    await office(store).boss.run('Go').result;
    const ids = await runsOf(store);
    let count = 0;
    const flaky: Store = {
      ...store,
      async append(events) {
        if (events[0]?.run === ids.helper) count += 1;
        if (events[0]?.run === ids.helper && count === failing) throw new Error('The log is away');
        await store.append(events);
      },
    };
    const run = await office(flaky).boss.resume(ids.boss ?? '');
    run.abort();
    expect((await run.result).end).toBe('aborted');
    for (const id of Object.values(ids)) expect(await endOf(store, id)).toBe('aborted');
  });
});
