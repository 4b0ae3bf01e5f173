import { describe, expect, it } from 'vitest';
import { all } from '../../test/log/store-suite.ts';
import { calls, plays, says } from '../../test/run/plays.ts';
import { type CallToDecide, permissions } from '../execute/permission-rules.ts';
import type { RunEvent } from '../log/events.ts';
import { memoryStore } from '../log/memory-store.ts';
import { type ToolContext, tool } from '../tools/tool.ts';
import { agent } from './agent.ts';

const schema = (type: string) => ({ type: 'object', properties: { n: { type } } }) as const;
const pay = (type = 'number', description = 'Pays') =>
  tool({ name: 'pay', description, inputSchema: schema(type), execute: () => 'paid' });
const keyed = (type: string) => pay(type, 'Pays. Send Authorization: Bearer abcdefghijklmnopqrstuvwxyz0123');
const model = () => plays(() => [says('Done.')]);

describe('F31 a run belongs to its agent', () => {
  it('F31 records the name and the fingerprint of its agent', async () => {
    const store = memoryStore();
    const started = async (options: object, id: string) => {
      await agent({ model: model(), store, ...options }).run('Go', { id }).result;
      return ((await all(store, id))[0] as Extract<RunEvent, { type: 'run.started' }>).agent;
    };
    const first = await started({ name: 'billing', tools: [pay()] }, 'a');
    expect(first).toEqual({ name: 'billing', fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(await started({ name: 'billing', tools: [pay()] }, 'b')).toEqual(first);
    for (const [at, changed] of [
      { tools: [pay('string')] },
      { tools: [pay('number', 'Pays more')] },
      { tools: [pay()], instructions: 'Hurry' },
    ].entries())
      expect(await started({ name: 'billing', ...changed }, `c${at}`)).not.toEqual(first);
    expect((await started({ tools: [pay()] }, 'd'))?.name).toBe('default');
    expect(() => agent({ model: model(), name: 'a b' })).toThrow(/Invalid name "a b": expected 1 to 64 letters/);
  });

  it('guard: F31 records the tools as they are now, also if a schema was changed in place', async () => {
    const store = memoryStore();
    const schema = { type: 'object', properties: { amount: { type: 'number' } } };
    const changing = tool({ name: 'pay', description: 'Pays', inputSchema: schema });
    const helper = agent({
      model: plays([says('a')], [says('b')], [says('c')], [says('d')]),
      tools: [changing],
      store,
    });
    const started = async (id: string): Promise<unknown> => {
      await helper.run('Go', { id }).result;
      return ((await all(store, id))[0] as Extract<RunEvent, { type: 'run.started' }>).agent;
    };
    const first = await started('a');
    expect(await started('b')).toEqual(first);
    (changing.schema.json as { properties: object }).properties = { amount: { type: 'string' } };
    expect(await started('c')).not.toEqual(first);
    (changing.schema.json as { properties: object }).properties = { amount: { type: 'number' } };
    expect(await started('d')).toEqual(first);
  });

  it.each([
    ['guard: ', 'same', true, 'the same tools', { tools: [pay()] }],
    ['', 'same', false, 'other instructions', { tools: [pay()], instructions: 'Hurry' }],
    ['', 'compatible', true, 'other words', { tools: [pay('number', 'Pays more')], instructions: 'Hurry' }],
    ['', 'compatible', true, 'one more tool', { tools: [pay(), tool({ name: 'more', description: 'More' })] }],
    ['', 'compatible', false, 'another schema', { tools: [pay('string')] }],
    ['', 'compatible', false, 'no tools', { tools: [] }],
    ['', 'any', true, 'no tools', { tools: [] }],
  ] as const)('%sF31 %s: continues: %s, with %s', async (_, policy, isAllowed, _what, changed) => {
    const store = memoryStore();
    await agent({ model: model(), store, name: 'billing', tools: [pay()] }).run('Go', { id: 'a' }).result;
    const later = agent({ model: model(), store, name: 'billing', ...changed });
    const before = (await all(store, 'a')).length;
    const resumed = later.resume('a', { policy });
    if (!isAllowed) {
      await expect(resumed).rejects.toMatchObject({ code: 'agent_mismatch' });
      expect((await all(store, 'a')).length).toBe(before);
      return;
    }
    const { state } = await resumed;
    const event = (await all(store, 'a')).at(-1);
    if (policy === 'same') expect(event).not.toHaveProperty('agent');
    else expect(event).toMatchObject({ type: 'run.resumed', policy, agent: state.agent });
  });

  it('F31 another agent never continues it, whatever its policy', async () => {
    const store = memoryStore();
    await agent({ model: model(), store, name: 'billing' }).run('Go', { id: 'a' }).result;
    for (const name of ['support', undefined])
      await expect(agent({ model: model(), store, ...(name && { name }) }).resume('a')).rejects.toThrow(
        /it belongs to the agent 'billing', and this one is '(?:support|default)'/,
      );
    // A fork belongs to the agent that makes it.
    const fork = await agent({ model: model(), store, name: 'support' }).fork('a');
    expect(fork.state.agent?.name).toBe('support');
  });
});

describe('the context of a run', () => {
  interface Tenancy {
    readonly tenant: string;
  }

  it('reaches tools, executors, hooks, permissions, approvers and redact, also in another process', async () => {
    const store = memoryStore();
    const heard: [string, unknown, unknown][] = [];
    const hear = (who: string, { run, context }: { run?: string | undefined; context?: Tenancy | undefined }): void =>
      void heard.push([who, run, context?.tenant]);
    const rules = permissions({ ask: ['*'] });
    const made = () =>
      agent<Tenancy>({
        model: plays(({ messages }) => (messages.length > 2 ? [says('Done.')] : [calls('look', '{}', 'a')])),
        store,
        guidance: false,
        tools: [
          tool({
            name: 'look',
            description: 'Looks',
            execute: (_, context: ToolContext<Tenancy>) => hear('tool', context),
          }),
        ],
        hooks: { before: (call) => hear('before', call), after: (call) => hear('after', call) },
        permissions: {
          decide: (call: CallToDecide<Tenancy>) => {
            hear('permissions', call);
            return rules.decide(call);
          },
        },
        redact: (event, run) => {
          if (event.type === 'turn.completed') hear('redact', run as never);
          return event;
        },
      });
    const context = { tenant: 'acme' };
    const first = made().run('Go', { id: 'r', context });
    expect((await first.result).end).toBe('awaiting_approval');
    context.tenant = 'changed';
    const later = await made().resume('r');
    await later.approve('a', { type: 'allow' });
    expect((await later.result).end).toBe('done');
    expect(new Set(heard.map(([who]) => who))).toEqual(new Set(['before', 'permissions', 'redact', 'tool', 'after']));
    expect(new Set(heard.map(([, run, tenant]) => `${run} ${tenant}`))).toEqual(new Set(['r acme']));
  });

  it.each([
    ['a secret', { key: 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH' }],
    ['a value that is not JSON', { at: new Date(0) }],
  ])('is refused with %s', async (_, context) => {
    const store = memoryStore();
    const helper = agent({ model: model(), store });
    expect(() => helper.run('Go', { context })).toThrow(/The context of the run contains a secret, or a value/);
    await expect(helper.submit('Go', { context })).rejects.toMatchObject({ code: 'unstorable_context' });
    expect(await store.runs()).toEqual([]);
  });
});

describe('submit with a key', () => {
  it('stores one run, however often it is called', async () => {
    const store = memoryStore();
    const billing = agent({ model: model(), store, name: 'billing' });
    const ids = await Promise.all([1, 2, 3].map(() => billing.submit('Go', { key: 'order 7' })));
    expect(new Set(ids).size).toBe(1);
    expect((await store.runs()).map(({ run }) => run)).toEqual([ids[0]]);
    expect(await billing.submit('Go', { key: 'order 8' })).not.toBe(ids[0]);
    expect(await agent({ model: model(), store }).submit('Go', { key: 'order 7' })).not.toBe(ids[0]);
    await expect(billing.submit('Go', { id: ids[0] as string })).rejects.toMatchObject({ code: 'sequence_taken' });
  });

  it.each([
    ['guard: ', 'number', true],
    ['', 'string', false],
  ] as const)(
    '%sF31 compares the arguments of a tool whose description was redacted: %s',
    async (_, type, isAllowed) => {
      const store = memoryStore();
      await agent({ model: model(), store, tools: [keyed('number')] }).run('Go', { id: 'a' }).result;
      expect(JSON.stringify(await all(store, 'a'))).not.toContain('abcdefghijklmnopqrstuvwxyz0123');
      const options = { model: model(), store, instructions: 'Hurry', tools: [keyed(type)] };
      const resumed = agent(options).resume('a', { policy: 'compatible' });
      if (isAllowed) expect((await resumed).id).toBe('a');
      else await expect(resumed).rejects.toMatchObject({ code: 'agent_mismatch' });
    },
  );
});
