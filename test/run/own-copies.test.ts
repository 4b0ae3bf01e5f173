/** What code of the program gets is its own: changing it changes neither the run nor its log. */
import { describe, expect, it } from 'vitest';
import { permissions } from '../../src/execute/permission-rules.ts';
import { statefulTool } from '../../src/execute/stateful-tool.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import { eventsOfRun } from '../../src/log/store.ts';
import type { Message, Model } from '../../src/model/index.ts';
import { agent } from '../../src/run/agent.ts';
import { tool } from '../../src/tools/tool.ts';
import { calls, plays, says } from './plays.ts';

const inputSchema = {
  type: 'object',
  properties: { list: { type: 'array', items: { type: 'number' } } },
  required: ['list'],
} as const;
const model = (written: unknown) => plays([calls('sort', written, 'c1')], [says('Done.')]);

it.each([['text', '{"list": [2, 1]}'] as const, ['an object', { list: [2, 1] }] as const])(
  'a tool that changes its arguments changes nothing else: %s',
  async (_, written) => {
    const store = memoryStore();
    const sort = tool({
      name: 'sort',
      description: 'Sorts',
      inputSchema,
      execute: (input) => {
        const { list } = input as { list: number[] };
        list.sort();
        return list.join();
      },
    });
    const played = model(written);
    const run = agent({ model: played, tools: [sort], store }).run('Go', { id: 'r' });
    await run.result;
    expect(run.calls()[0]?.input).toEqual({ list: [2, 1] });
    expect(run.calls()[0]?.result?.content).toEqual([says('1,2')]);
    const resumed = await agent({ model: played, tools: [sort], store }).resume('r', { ended: 'keep' });
    expect(run.messages()).toEqual(resumed.messages());
    expect(JSON.stringify(played.asked[1])).not.toContain('1,2]');
  },
);

it('prepareStep that changes the calls of a step changes nothing else', async () => {
  const sort = tool({ name: 'sort', description: 'Sorts', inputSchema, execute: () => 'Sorted' });
  const store = memoryStore();
  const run = agent({
    model: model('{"list": [2, 1]}'),
    tools: [sort],
    store,
    prepareStep: ({ calls: seen }) => {
      for (const call of seen) Object.assign(call, { result: undefined, input: {}, state: 'pending' });
      return {};
    },
  }).run('Go', { id: 'r' });
  expect((await run.result).end).toBe('done');
  expect(run.calls()[0]).toMatchObject({ state: 'completed', input: { list: [2, 1] } });
});

it('a hook that returns no input keeps the arguments', async () => {
  const got: unknown[] = [];
  const find = tool({
    name: 'sort',
    description: 'S',
    inputSchema: { type: 'object', properties: { list: inputSchema.properties.list } },
    execute: (input) => void got.push(input),
  });
  const hooks = { before: () => ({ input: undefined }) };
  await agent({ model: model('{"list": [2, 1]}'), tools: [find], hooks }).run('Go').result;
  expect(got).toEqual([{ list: [2, 1] }]);
});

it.each([5, {}, { role: 'assistant', parts: [] }, { role: 'user' }, null])(
  'refuses a message that is none: %o',
  async (message) => {
    const store = memoryStore();
    const helper = agent({ model: plays([says('Yes.')]), store });
    const run = helper.run('Go', { id: 'r' });
    await run.result;
    expect(() => run.send(message as never)).toThrow(/Invalid message/);
    expect(() => run.interrupt(message as never)).toThrow(/Invalid message/);
    await expect(helper.submit(message as never)).rejects.toThrow(/Invalid message/);
    expect((await eventsOfRun(store, 'r')).filter(({ type }) => type === 'message.added')).toHaveLength(1);
  },
);

it.each([{ policy: 'sane' }, { ended: 'kep' }])(
  'refuses to resume with options that do not exist: %o',
  async (options) => {
    const helper = agent({ model: plays([says('Yes.')]) });
    const run = helper.run('Go');
    await run.result;
    await expect(helper.resume(run.id, options as never)).rejects.toMatchObject({ code: 'invalid_option' });
  },
);

describe('what runs is what was recorded', () => {
  const pay = (ran: unknown[], schema: unknown = inputSchema) =>
    tool({
      name: 'sort',
      description: 'S',
      effect: 'destructive',
      inputSchema: schema as typeof inputSchema,
      execute: (input) => void ran.push(structuredClone(input)),
    });
  const permit = permissions({ mode: 'ask' });

  it('if a hook changes the arguments that it returned, while the call waits for approval', async () => {
    const [ran, own]: [unknown[], { list: number[] }] = [[], { list: [1] }];
    const hooks = { before: () => ({ input: own }) };
    const options = { model: model('{"list": [2, 1]}'), tools: [pay(ran)], permissions: permit, hooks };
    const run = agent(options).run('Go');
    await run.result;
    own.list.push(666);
    await run.approve('c1', { type: 'allow' });
    await run.result;
    expect(ran).toEqual([{ list: [1] }]);
  });

  it('if a hook changes them while an approver decides', async () => {
    const [ran, own]: [unknown[], { list: number[] }] = [[], { list: [1] }];
    const hooks = { before: () => ({ input: own }) };
    const approve = async () => {
      own.list.push(666);
      return { type: 'allow' } as const;
    };
    const options = { model: model('{"list": [2, 1]}'), tools: [pay(ran)], permissions: permit, hooks, approve };
    await agent(options).run('Go').result;
    expect(ran).toEqual([{ list: [1] }]);
  });

  it('if a model client changes the arguments that it passed', async () => {
    const [ran, own]: [unknown[], { list: number[] }] = [[], { list: [1] }];
    const run = agent({ model: model(own), tools: [pay(ran)], permissions: permit }).run('Go');
    await run.result;
    own.list.push(666);
    await run.approve('c1', { type: 'allow' });
    await run.result;
    expect(ran).toEqual([{ list: [1] }]);
  });

  it('if an approver changes the arguments that it edited', async () => {
    const [ran, own]: [unknown[], { list: number[] }] = [[], { list: [1] }];
    const run = agent({ model: model('{"list": [2]}'), tools: [pay(ran)], permissions: permit }).run('Go');
    await run.result;
    const approved = run.approve('c1', { type: 'edit', input: own });
    own.list.push(666);
    await approved;
    await run.result;
    expect(ran).toEqual([{ list: [1] }]);
  });

  it('if a listener, a reader of the log or a model client changes what it got', async () => {
    const store = memoryStore();
    const played = plays([calls('sort', '{"list": [2, 1]}', 'c1')], ({ messages }) => {
      for (const { parts } of messages)
        for (const part of parts) if (part.type === 'call') Object.assign(part, { arguments: { list: [666] } });
      return [says('Done.')];
    });
    const run = agent({ model: played, tools: [pay([])], store }).run('Go', { id: 'r' });
    for await (const event of run.watch({ after: 0 })) {
      if ('input' in event) Object.assign(event.input as object, { list: [666] });
      if ('message' in event && typeof event.message === 'object') Object.assign(event.message, { parts: [] });
      if (event.type === 'run.ended') break;
    }
    for await (const event of store.read('r'))
      if ('input' in event) Object.assign(event.input as object, { list: [666] });
    for (const message of run.messages()) Object.assign(message, { parts: [] });
    expect(run.calls()[0]?.input).toEqual({ list: [2, 1] });
    expect(JSON.stringify([run.messages(), await eventsOfRun(store, 'r')])).not.toContain('666');
    expect(run.messages()[0]?.parts).toEqual([says('Go')]);
  });

  it('if an after hook changes the arguments', async () => {
    const hooks = { after: ({ input }: { input: unknown }) => void Object.assign(input as object, { list: [666] }) };
    const played = model('{list: [2, 1],}');
    const run = agent({ model: played, tools: [pay([])], hooks }).run('Go');
    await run.result;
    expect(run.calls()[0]?.input).toEqual({ list: [2, 1] });
    expect(JSON.stringify(played.asked[1])).not.toContain('666');
  });
});

it('a message belongs to the run: later changes of the object do not reach it', async () => {
  const store = memoryStore();
  const played = plays([says('Yes.')]);
  const run = agent({ model: played, store }).run(undefined, { id: 'r' });
  const message = { role: 'user' as const, parts: [{ type: 'text' as const, text: 'pay 10' }] };
  run.send(message);
  (message.parts[0] as { text: string }).text = 'pay 20';
  await run.result;
  (message.parts[0] as { text: string }).text = 'pay 30';
  await run.send('And?').result;
  expect(JSON.stringify(played.asked)).not.toMatch(/pay [23]0/);
  expect(JSON.stringify(await eventsOfRun(store, 'r'))).not.toMatch(/pay [23]0/);
});

it('tools, hooks and rules get the context that was recorded', async () => {
  const seen: unknown[] = [];
  const context = { tenant: 'acme', roles: ['user'] };
  const look = (call: { context?: unknown }) => {
    seen.push(structuredClone(call.context));
    Object.assign(call.context as object, { tenant: 'changed' });
  };
  const sort = tool({ name: 'sort', description: 'S', inputSchema, execute: (_, call) => look(call) });
  const permissions = {
    decide: (call: { context?: unknown }) => {
      look(call);
      return { type: 'allow' } as const;
    },
  };
  const options = {
    model: model('{"list": [2, 1]}'),
    tools: [sort],
    permissions,
    hooks: { before: look, after: look },
  };
  const run = agent(options).run('Go', { context });
  context.tenant = 'globex';
  context.roles.push('admin');
  await run.result;
  expect(seen).toEqual(Array(4).fill({ tenant: 'acme', roles: ['user'] }));
});

const cycle: Record<string, unknown> = {};
cycle.self = cycle;
const throwing = {
  get name() {
    throw new Error('No name');
  },
};
it.each([
  ['a set', { roles: new Set(['admin']) }],
  ['a map', { limits: new Map([['eur', 5]]) }],
  ['a regular expression', { pattern: /a/ }],
  ['an error', new Error('No')],
  ['a typed array', { bytes: new Uint8Array([1]) }],
  ['a big integer', { n: 10n }],
  ['a date', { at: new Date(0) }],
  ['a function', { now: Date.now }],
  ['not a number', { n: Number.NaN }],
  ['a cycle', cycle],
  ['a getter that throws', throwing],
])('refuses a context that JSON cannot express: %s', async (_, context) => {
  const helper = agent({ model: plays([says('Yes.')]) });
  const refused = expect.objectContaining({ name: 'ToolmendError', code: 'unstorable_context' });
  expect(() => helper.run('Go', { context })).toThrow(refused);
  await expect(helper.submit('Go', { context })).rejects.toThrow(refused);
});

it.each([
  ['threw', {}],
  ['timed out', { timeout: 20 }],
])('a tool with state is restored, or says that it was lost, after a first call that %s', async (how, own) => {
  for (const isHere of [true, false]) {
    const store = memoryStore();
    const log: string[] = [];
    const shell = statefulTool({
      name: 'shell',
      description: 'S',
      ...own,
      inputSchema: { type: 'object', properties: {} },
      create: () => ({ cwd: '/' }),
      snapshot: (state) => ({ ...state }),
      restore: (state: { cwd: string }) => ({ ...state }),
      execute: async (state) => {
        log.push(state.cwd);
        if (log.length > 1) return state.cwd;
        state.cwd = '/srv';
        if (how === 'timed out') await new Promise(() => {});
        throw new Error('exit 1');
      },
    });
    const played = plays([calls('shell', '{}', 'c1')], [says('Hm.')], [calls('shell', '{}', 'c2')], [says('Done.')]);
    const helper = agent({ model: played, tools: [shell], store });
    const run = helper.run('Go', { id: 'r' });
    await run.result;
    const next = isHere ? run : await agent({ model: played, tools: [shell], store }).resume('r', { ended: 'keep' });
    await next.send('Again').result;
    const told = JSON.stringify(next.calls()[1]?.result?.content);
    if (how === 'threw') expect(log).toEqual(['/', '/srv']);
    else expect(told).toContain('The earlier state of shell was lost');
  }
});

it('guard: a client that changes a request, also later, changes neither the run nor another request', async () => {
  const sort = tool({ name: 'sort', description: 'Sorts', inputSchema, execute: () => 'Sorted' });
  const played = plays([calls('sort', { list: [2, 1] }, 'c1')], [calls('sort', { list: [3] }, 'c2')], [says('Done.')]);
  const received: string[] = [];
  const requests: Message[][] = [];
  const spoil = (): void => {
    for (const messages of requests)
      for (const message of messages)
        for (const part of message.parts) Object.assign(part, { text: 'x', arguments: {} });
  };
  const model: Model = {
    ...played,
    async *stream(request, options) {
      received.push(JSON.stringify(request.messages));
      // A client may keep a request, and change it while another runs.
      requests.push(request.messages as Message[]);
      spoil();
      yield* played.stream({ ...request, messages: JSON.parse(received.at(-1) as string) }, options);
      spoil();
    },
  };
  const run = agent({ model, tools: [sort], store: memoryStore() }).run('Go', { id: 'r' });
  expect((await run.result).end).toBe('done');
  const [, ...last] = JSON.parse(received[2] as string) as Message[];
  expect(run.messages().slice(0, -1)).toEqual(last);
  expect(received[2]?.startsWith(received[1]?.slice(0, -1) as string)).toBe(true);
  expect(received.join()).not.toContain('"text":"x"');
});
