/** A parent and its child in one process: each is used by everything that reaches it by its id. */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { permissions } from '../../src/execute/permission-rules.ts';
import { statefulTool } from '../../src/execute/stateful-tool.ts';
import type { Commands } from '../../src/log/control/commands.ts';
import { decideApproval } from '../../src/log/control/decide-approval.ts';
import { stateOf } from '../../src/log/fold.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import type { Store } from '../../src/log/store.ts';
import { type AgentOptions, agent } from '../../src/run/agent.ts';
import { agentTool } from '../../src/run/agent-tool.ts';
import { recordAttempt } from '../../src/run/workers/attempts.ts';
import { controlWith } from '../../src/run/workers/control.ts';
import { tool } from '../../src/tools/tool.ts';
import { until } from '../until.ts';
import { noUnhandledRejections } from './odd-moments.ts';
import { calls, plays, says } from './plays.ts';

noUnhandledRejections();

const isNew = ({ messages }: { readonly messages: readonly { readonly role: string }[] }): boolean =>
  !messages.some(({ role }) => role === 'assistant');

/** A boss whose helper calls these tools, and says what it read last. */
function family(store: Store, work: () => unknown, { tools = [], ...more }: Partial<AgentOptions> = {}) {
  const effects: string[] = [];
  const book = tool({
    name: 'book',
    description: 'Books',
    execute: async () => {
      effects.push('began');
      await work();
      effects.push('booked');
      return 'booked';
    },
  });
  const order = [...[...tools].map(({ name }) => name), 'book'];
  const helper = agent({
    name: 'helper',
    store,
    tools: [...tools, book],
    permissions: permissions({ ask: ['book'] }),
    model: plays(({ messages }) => {
      const name = order[messages.filter(({ role }) => role === 'assistant').length];
      return name === undefined ? [says(JSON.stringify(messages.at(-1)?.parts))] : [calls(name, '{}', name)];
    }),
    ...more,
  });
  const boss = agent({
    name: 'boss',
    store,
    tools: [agentTool(helper, { name: 'ask', description: 'Asks the helper' })],
    model: plays((asked) =>
      isNew(asked) ? [calls('ask', '{"prompt": "Book"}', 'a')] : [says(JSON.stringify(asked.messages.at(-1)?.parts))],
    ),
  });
  return { helper, boss, effects };
}

const childOf = async (store: Store): Promise<string> => (await store.runs()).find(({ run }) => run !== 'p')?.run ?? '';
const endOf = async (store: Store, run: string): Promise<string | undefined> => (await stateOf(store, run)).ended?.end;

/** A family whose child waits for approval. */
async function waiting(more?: Partial<AgentOptions>) {
  const store = memoryStore();
  const make = () => family(store, () => pause(50), more);
  const first = make();
  const parent = first.boss.run('Go', { id: 'p' });
  expect((await parent.result).end).toBe('awaiting_result');
  return { store, make, first, parent, child: await childOf(store) };
}

describe('a child that runs in this process', () => {
  it.each(['the first', 'a new'])('is used by its parent: %s process', async (which) => {
    const { store, make, first, child } = await waiting();
    const { helper, boss, effects } = which === 'a new' ? make() : first;
    await (await helper.resume(child)).approve('book', { type: 'allow' });
    const { end, text } = await (await boss.resume('p')).continue().result;
    expect({ end, effects }).toEqual({ end: 'done', effects: ['began', 'booked'] });
    expect(text).toContain('booked');
    expect((await stateOf(store, child)).calls.get('book')?.state).toBe('completed');
  });

  it('is the same run when it is resumed while it is active', async () => {
    const { helper, effects } = family(memoryStore(), () => pause(50));
    const run = helper.run('Go');
    await run.result;
    await run.approve('book', { type: 'allow' });
    await until(() => effects.length > 0);
    expect(await helper.resume(run.id)).toBe(run);
    expect((await run.result).text).toContain('booked');
  });
});

describe('a parent that is loaded and waits', () => {
  it('gets a failure if its child is deleted', async () => {
    const { store, parent, child } = await waiting();
    await store.remove(child);
    expect(await parent.continue().result).toMatchObject({ end: 'done', text: expect.stringContaining('deleted') });
  });

  it('learns of a decision that another part of the program records', async () => {
    const { store, parent, child } = await waiting();
    await decideApproval(store, child, 'book', { type: 'allow' });
    expect(await parent.continue().result).toMatchObject({ end: 'done', text: expect.stringContaining('booked') });
  });

  it('learns that it was cancelled itself', async () => {
    const { store, parent, child } = await waiting();
    await idle(store).cancel('p');
    expect((await parent.result).end).toBe('aborted');
    expect(await endOf(store, child)).toBe('aborted');
    parent.send('Again');
    expect((await parent.result).end).toBe('done');
  });
});

const idle = (store: Store) => {
  const commands = { newId: async () => '1' } as Partial<Commands> as Commands;
  return controlWith(store, { commands, queries: { query: async () => ({ rows: [] }) } });
};

describe('a parent that ends', () => {
  it('waits until its child has ended, which closes its tools first', async () => {
    const store = memoryStore();
    const shell = statefulTool({
      name: 'shell',
      description: 'Shell',
      create: () => ({}),
      dispose: () => pause(200),
      execute: (_, __, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    });
    const { boss } = family(store, () => {}, { tools: [shell] });
    const run = boss.run('Go', { id: 'p' });
    const child = await until(() => childOf(store));
    await until(async () => (await stateOf(store, child)).calls.get('shell')?.state === 'executing');
    run.abort('Enough');
    await run.result;
    expect(await endOf(store, child)).toBe('aborted');
    expect(run.calls()[0]).toMatchObject({ state: 'failed', errorType: 'aborted' });
  });

  it.each(['remove', 'cancel'] as const)('does not leave its child waiting, though it was dead: %s', async (how) => {
    const { store, child } = await waiting();
    const { seq } = await stateOf(store, 'p');
    await store.append([{ type: 'run.resumed', run: 'p', seq: seq + 1, at: Date.now() }]);
    for (let at = 0; at < 5; at += 1)
      await recordAttempt(store, 'p', { name: 'lost', message: 'Lost' }, { maxAttempts: 5 });
    expect(await endOf(store, 'p')).toBe('dead');
    await (how === 'remove' ? store.remove('p') : idle(store).cancel('p'));
    expect(await endOf(store, child)).toBe('aborted');
  });
});

it('ends a parent as `storage` if the log of its child fails, and continues both', async () => {
  const inner = memoryStore();
  let fails = true;
  const store: Store = {
    ...inner,
    append: async (events) => {
      if (fails && events.some(({ type, run }) => type === 'tool.finished' && run !== 'p')) {
        fails = false;
        throw new Error('database is locked');
      }
      await inner.append(events);
    },
  };
  const make = () => family(store, () => {}, { permissions: permissions({ allow: ['book'] }) });
  const first = make();
  const result = await first.boss.run('Go', { id: 'p' }).result;
  expect(result).toMatchObject({ end: 'storage', message: expect.stringContaining('database is locked') });
  expect(await endOf(store, 'p')).toBeUndefined();
  const again = make();
  const { end, text } = await (await again.boss.resume('p')).continue().result;
  expect({ end, effects: [...first.effects, ...again.effects] }).toEqual({ end: 'done', effects: ['began', 'booked'] });
  expect(text).toContain('not known');
});

describe('what the tools of a waiting child hold open', () => {
  const shelf = () => {
    const count = { made: 0, disposed: 0 };
    const shell = statefulTool({
      name: 'shell',
      description: 'Shell',
      create: () => {
        count.made += 1;
      },
      dispose: () => {
        count.disposed += 1;
      },
      execute: () => 'done',
    });
    return { count, shell };
  };

  it('is closed when its parent pauses on a worker', async () => {
    const { count, shell } = shelf();
    const { parent } = await waiting({ tools: [shell] });
    expect(count).toEqual({ made: 1, disposed: 0 });
    await parent.release();
    expect(count).toEqual({ made: 1, disposed: 1 });
  });

  it('is closed when it is resumed in the same process', async () => {
    const { count, shell } = shelf();
    const { first, child } = await waiting({ tools: [shell] });
    await (await first.helper.resume(child)).approve('book', { type: 'deny' });
    await until(() => count.disposed === count.made);
  });
});

it.each(['send', 'interrupt'] as const)('refuses to %s a child that has ended', async (command) => {
  const { store, child, parent } = await waiting();
  await decideApproval(store, child, 'book', { type: 'allow' });
  await parent.continue().result;
  const { seq } = await stateOf(store, child);
  await expect(idle(store)[command](child, 'More')).rejects.toMatchObject({ code: 'not_waiting' });
  expect((await stateOf(store, child)).seq).toBe(seq);
});
