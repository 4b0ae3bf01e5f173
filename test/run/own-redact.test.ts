/** Runs of agents with a `redact` of their own, which need not write `[redacted]`. */
import { describe, expect, it } from 'vitest';
import { permissions } from '../../src/execute/permission-rules.ts';
import { statefulTool } from '../../src/execute/stateful-tool.ts';
import { decideApproval } from '../../src/log/control/decide-approval.ts';
import type { Decision, RunEvent } from '../../src/log/events.ts';
import type { RedactRun } from '../../src/log/journal.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import { redactor } from '../../src/log/redact/redact.ts';
import { eventsOfRun, type Store } from '../../src/log/store.ts';
import { agent } from '../../src/run/agent.ts';
import { tool } from '../../src/tools/tool.ts';
import { calls, plays, says } from './plays.ts';

const redacts: [string, RedactRun][] = [
  ['stars', (event) => JSON.parse(JSON.stringify(event).replaceAll('hunter2', '***'))],
  ['nothing at all', (event) => JSON.parse(JSON.stringify(event).replaceAll('hunter2', ''))],
  ['stars in a copy with no secret', (event) => JSON.parse(JSON.stringify(event))],
];
const hides = redacts.slice(0, 2);

interface Note {
  readonly text: string;
}

const written = (pw: string) => JSON.stringify({ pw });

/** An agent whose tool `login` needs approval, and its store until the event `last`. */
async function cutAt(last: RunEvent['type'], redact: RedactRun, pw = 'hunter2', mode: 'ask' | 'auto' = 'ask') {
  const ran: unknown[] = [];
  const make = (store: Store) => {
    const inputSchema = { type: 'object', properties: { pw: { type: 'string' } }, required: ['pw'] } as const;
    const login = tool({
      name: 'login',
      description: 'Logs in',
      inputSchema,
      execute: (input) => void ran.push(input),
    });
    const model = plays(({ messages }) => [
      messages.some(({ role }) => role === 'assistant') ? says('Done.') : calls('login', written(pw), 'c1'),
    ]);
    return agent({ store, redact, tools: [login], model, permissions: permissions({ mode }) });
  };
  const store = memoryStore();
  const cut = memoryStore();
  await make(store).run('Go', { id: 'r' }).result;
  ran.length = 0;
  for (const event of await eventsOfRun(store, 'r')) {
    await cut.append([event]);
    if (event.type === last) break;
  }
  return { helper: make(cut), store: cut, ran };
}

const incomplete = 'its arguments contained a secret';

it.each(hides)('never runs a call with other arguments than were approved: %s', async (_, redact) => {
  const { helper, store, ran } = await cutAt('run.ended', redact);
  await decideApproval(store, 'r', 'c1', { type: 'allow' }, { redact });
  const run = (await helper.resume('r')).continue();
  expect((await run.result).end).toBe('done');
  expect(JSON.stringify(run.calls()[0]?.result)).toContain(incomplete);
  expect(ran).toEqual([]);
});

it.each(hides)('never runs a call whose process died before it started: %s', async (_, redact) => {
  for (const last of ['turn.completed', 'call.accepted'] as const) {
    const { helper, ran } = await cutAt(last, redact, 'hunter2', 'auto');
    const run = (await helper.resume('r')).continue();
    await run.result;
    expect(JSON.stringify(run.calls()[0]?.result)).toContain(incomplete);
    expect(ran).toEqual([]);
  }
});

it.each(redacts)('runs what was approved or edited, if it has no secret: %s', async (_, redact) => {
  const decisions: [Decision, string][] = [
    [{ type: 'allow' }, 'open'],
    [{ type: 'edit', input: { pw: 'edited' } }, 'edited'],
  ];
  for (const [decision, pw] of decisions) {
    const { helper, store, ran } = await cutAt('run.ended', redact, 'open');
    await decideApproval(store, 'r', 'c1', decision, { redact });
    await (await helper.resume('r')).continue().result;
    expect(ran).toEqual([{ pw }]);
  }
});

it.each(hides)('runs an edit without a secret, though the call had one: %s', async (_, redact) => {
  const { helper, store, ran } = await cutAt('run.ended', redact);
  await decideApproval(store, 'r', 'c1', { type: 'edit', input: { pw: 'edited' } }, { redact });
  await (await helper.resume('r')).continue().result;
  expect(ran).toEqual([{ pw: 'edited' }]);
});

it.each(hides)('does not restore a snapshot that is not what it was: %s', async (_, redact) => {
  const store = memoryStore();
  const restored: unknown[] = [];
  const make = () =>
    agent({
      store,
      redact,
      model: plays(({ messages }) => [
        messages.at(-1)?.parts.some(({ type }) => type === 'text') ? calls('note', '{}') : says('Done.'),
      ]),
      tools: [
        statefulTool<undefined, Note, number>({
          name: 'note',
          description: 'Notes',
          create: () => ({ text: 'hunter2' }),
          execute: ({ text }) => text.length,
          snapshot: ({ text }) => text,
          restore: (text: string) => {
            restored.push(text);
            return { text };
          },
        }),
      ],
    });
  const run = make().run('Go', { id: 'r' });
  expect((await run.result).end).toBe('done');
  const again = await make().resume('r');
  expect((await again.send('Go').result).end).toBe('done');
  expect(restored).toEqual([]);
});

describe('ids and hashes', () => {
  /** Takes long ids and hashes for secrets. */
  const hexes: RedactRun = (event) => JSON.parse(JSON.stringify(event).replace(/[0-9a-f]{32,}/g, '***'));
  const takers: [string, RedactRun][] = [
    ['a function of the program', hexes],
    ['names of fields', redactor({ fields: ['key', 'id', 'callId', 'run', 'fingerprint', 'child'] })],
  ];

  it.each(takers)('of a run stay as they are, so that it continues under every policy: %s', async (_, redact) => {
    const store = memoryStore();
    const make = () =>
      agent({ store, redact, model: plays([says('Done.')]), tools: [tool({ name: 'a', description: 'A' })] });
    const { id, result } = make().run('Go');
    await result;
    expect((await store.runs()).map(({ run }) => run)).toEqual([id]);
    for (const policy of ['same', 'compatible', 'any'] as const)
      expect((await make().resume(id, { policy })).messages()).toHaveLength(2);
  });

  it.each(takers)('of an approval stay as they are, so that it counts in another process: %s', async (_, redact) => {
    const { helper, store, ran } = await cutAt('run.ended', redact, 'open');
    await decideApproval(store, 'r', 'c1', { type: 'allow' }, { redact });
    const run = (await helper.resume('r')).continue();
    expect(await run.result).toMatchObject({ end: 'done' });
    expect(ran).toEqual([{ pw: 'open' }]);
  });

  it('of calls belong to the same calls, though redact drops one of them', async () => {
    const redact: RedactRun = (event) => {
      if (event.type !== 'turn.completed') return event;
      const { message } = event.response;
      const parts = message.parts.filter((part) => part.type !== 'call' || part.name !== 'login');
      return { ...event, response: { ...event.response, message: { ...message, parts } } };
    };
    const store = memoryStore();
    const tools = ['login', 'look'].map((name) => tool({ name, description: name, execute: () => name }));
    const model = plays([calls('login', '{}', 'a'), calls('look', '{}', 'b')], [says('Done.')]);
    await agent({ store, redact, tools, model }).run('Go', { id: 'r' }).result;
    const turn = (await eventsOfRun(store, 'r')).find(({ type }) => type === 'turn.completed');
    expect(turn).toMatchObject({ response: { message: { parts: [{ name: 'look', id: 'b' }] } } });
  });

  it.each(takers)('of an idempotent call stay as they are, so that it runs again: %s', async (_, redact) => {
    const keys: unknown[] = [];
    const make = (store: Store) =>
      agent({
        store,
        redact,
        tools: [
          tool({
            name: 'look',
            description: 'Looks',
            repeat: 'idempotent',
            execute: (_, { key }) => void keys.push(key),
          }),
        ],
        model: plays(({ messages }) => [
          messages.some(({ role }) => role === 'assistant') ? says('Done.') : calls('look', '{}', 'a'.repeat(32)),
        ]),
      });
    const [store, cut] = [memoryStore(), memoryStore()];
    const { id, result } = make(store).run('Go');
    await result;
    for (const event of await eventsOfRun(store, id)) {
      await cut.append([event]);
      if (event.type === 'tool.started') break;
    }
    const run = (await make(cut).resume(id)).continue();
    expect(await run.result).toMatchObject({ end: 'done' });
    expect(run.calls()[0]).toMatchObject({ state: 'completed', callId: 'a'.repeat(32) });
    expect(keys).toEqual([`${id}/${'a'.repeat(32)}`, `${id}/${'a'.repeat(32)}`]);
  });
});

describe('a tool whose schema has a secret', () => {
  const token = 'hunter2-sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
  const make = (store: Store, redact: RedactRun, maximum: number) => {
    const properties = { token: { type: 'string', default: token }, n: { type: 'integer', maximum } } as const;
    const pay = tool({
      name: 'pay',
      description: 'Pays',
      inputSchema: { type: 'object', properties },
      execute: () => 1,
    });
    return agent({ store, redact, tools: [pay], model: plays([says('Done.')]) });
  };

  it.each([...hides, ['the common forms', redactor()] as [string, RedactRun]])(
    'is compatible if it has not changed, and only then: %s',
    async (_, redact) => {
      const store = memoryStore();
      await make(store, redact, 5).run('Go', { id: 'r' }).result;
      expect(JSON.stringify(await eventsOfRun(store, 'r'))).not.toContain(token);
      // Other instructions change the agent, too.
      const settings = { policy: 'compatible' } as const;
      const changed = make(store, redact, 5);
      changed.toolbox.add(tool({ name: 'more', description: 'More' }));
      await expect(changed.resume('r', settings)).resolves.toBeDefined();
      await expect(make(store, redact, 6).resume('r', settings)).rejects.toMatchObject({ code: 'agent_mismatch' });
    },
  );
});

it.each(hides)('does not count calls as identical that differ in a secret: %s', async (_, redact) => {
  const made = (differs: 'arguments' | 'results') => {
    let count = 0;
    return (store: Store) =>
      agent({
        store,
        redact,
        budgets: { identicalCalls: 3 },
        tools: [
          tool({
            name: 'login',
            description: 'Logs in',
            inputSchema: { type: 'object', properties: { pw: { type: 'string' } } },
            execute: () => (differs === 'results' ? hidden(count) : 'wrong'),
          }),
        ],
        model: plays(({ messages }) => {
          count += 1;
          const pw = differs === 'arguments' ? hidden(count) : 'same';
          return messages.length < 8 ? [calls('login', { pw })] : [says('Done.')];
        }),
      });
  };
  const hidden = (count: number): string => 'hunter2'.repeat(count);
  const plain: RedactRun = (event) =>
    JSON.parse(JSON.stringify(redact(event, { run: '' })).replace(/(?:\*{3})+/g, '***'));
  for (const differs of ['arguments', 'results'] as const) {
    const make = made(differs);
    const [store, cut] = [memoryStore(), memoryStore()];
    expect((await make(store).run('Go', { id: 'r' }).result).end).toBe('done');
    const events = await eventsOfRun(store, 'r');
    for (const event of events.slice(0, events.findLastIndex(({ type }) => type === 'tool.finished') + 1))
      await cut.append([plain(event, { run: 'r' })]);
    expect((await (await make(cut).resume('r')).continue().result).end).toBe('done');
  }
});
