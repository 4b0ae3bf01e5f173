/** F27 An `always` belongs to the run, or the client, that said it, and to the definition it was said about. */
import { type Client, Client as SdkClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { type PermissionOptions, type Permissions, permissions } from '../../src/execute/permission-rules.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import type { Decision } from '../../src/log/events.ts';
import type { Store } from '../../src/log/store.ts';
import { agent } from '../../src/run/agent.ts';
import { invoke } from '../../src/run/invoke/invoke.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { call, closeAll, everything, later } from '../gateway/around.ts';
import { calls, plays, says } from '../run/plays.ts';
import { eventsOf, stores } from './scene.ts';

afterEach(closeAll);

const put = (description = 'Puts') => tool({ name: 'put', description, execute: () => 'put' });
const twice = () =>
  plays(({ messages }) => {
    const answers =
      messages.length - messages.findLastIndex(({ parts }) => parts.some(({ type }) => type === 'text')) - 1;
    return answers < 4 ? [calls('put', '{}')] : [says('Done.')];
  });
const shared = permissions({ mode: 'ask' });

describe.each(stores)('in a %s store', (_, open) => {
  const helper = (store: Store, approve?: () => Decision, description?: string) =>
    agent({ model: twice(), tools: [put(description)], store, permissions: shared, ...(approve && { approve }) });
  const counting = (decision: Decision) => {
    const approve = Object.assign(
      () => {
        approve.asked += 1;
        return decision;
      },
      { asked: 0 },
    );
    return approve;
  };

  it('guard: it holds for the later calls of its run', async () => {
    const approve = counting({ type: 'allow', always: true });
    const run = helper(open(), approve).run('x');
    expect([(await run.result).end, approve.asked]).toEqual(['done', 1]);
  });

  it('it does not hold for another run of the same agent, or of the same rules', async () => {
    const store = open();
    const first = counting({ type: 'allow', always: true });
    await helper(store, first).run('x').result;
    const one = agent({ model: twice(), tools: [put()], store, permissions: shared, approve: first });
    await one.run('x').result;
    await one.run('y').result;
    expect(first.asked).toBe(3);
    const second = counting({ type: 'deny' });
    const run = helper(store, second).run('x');
    await run.result;
    expect([second.asked, run.calls().map(({ state }) => state)]).toEqual([2, ['denied', 'denied']]);
  });

  it('it holds for its run in another process, until the tool is redefined', async () => {
    for (const [description, asked] of [
      ['Puts', 'done'],
      ['Puts and tells', 'awaiting_approval'],
    ] as const) {
      const store = open();
      const run = helper(store).run('x');
      await run.result;
      const resumed = await helper(store).resume(run.id);
      const waiting = resumed.calls()[0]?.callId ?? '';
      await resumed.approve(waiting, { type: 'allow', always: true });
      // The model calls the tool twice more, unasked.
      expect((await resumed.result).end).toBe('done');
      const next = await helper(store, undefined, description).resume(run.id);
      expect((await next.send('Again').result).end).toBe(asked);
    }
  });

  it('it does not hold for a fork, and neither does an approval that has not run', async () => {
    const store = open();
    const run = helper(store, () => ({ type: 'allow', always: true })).run('x');
    await run.result;
    const events = await eventsOf(store, run.id);
    const given = events.find(({ type }) => type === 'approval.decided')?.seq ?? 0;
    const fork = await helper(store).fork(run.id, given);
    expect((await fork.continue().result).end).toBe('awaiting_approval');
    expect(fork.calls().map(({ state }) => state)).toEqual(['approval_required']);
    const finished = events.find(({ type }) => type === 'tool.finished')?.seq ?? 0;
    const after = await helper(store).fork(run.id, finished);
    expect((await after.continue().result).end).toBe('awaiting_approval');
  });

  it('a no holds for its call though `always` was said to another of the same answer', async () => {
    const model = plays([calls('put', '{}', 'a'), calls('put', '{}', 'b')], [says('Done.')]);
    const run = agent({ model, tools: [put()], store: open(), permissions: shared }).run('x');
    await run.result;
    await Promise.all([
      run.approve('b', { type: 'allow', always: true }),
      run.approve('a', { type: 'deny', reason: 'no' }),
    ]);
    await run.result;
    expect(run.calls().map(({ state }) => state)).toEqual(['denied', 'completed']);
  });
});

/** Rules that ask, the calls the model makes one after the other, and the rule that each is asked about, if any. */
const silenced: readonly (readonly [string, PermissionOptions, readonly [object, string | undefined][]])[] = [
  [
    'another rule still asks, in either order of the list',
    { ask: ['w(path=src/*)', 'w(content=*secret*)'] },
    [
      [{ path: 'src/a', content: 'x' }, 'w(path=src/*)'],
      [{ path: 'src/b', content: 'y' }, undefined],
      [{ path: 'src/b', content: 'my secret' }, 'w(content=*secret*)'],
      [{ path: 'src/c', content: 'my secret' }, undefined],
      [{ path: 'lib/c', content: 'my secret' }, undefined],
    ],
  ],
  [
    'guard: the other order of the list',
    { ask: ['w(content=*secret*)', 'w(path=src/*)'] },
    [
      [{ path: 'src/a', content: 'x' }, 'w(path=src/*)'],
      [{ path: 'src/b', content: 'my secret' }, 'w(content=*secret*)'],
      [{ path: 'src/c', content: 'my secret' }, undefined],
    ],
  ],
  [
    'a narrow rule still asks after the general one',
    { ask: ['w', 'w(path=/etc/*)'] },
    [
      [{ path: 'a' }, 'w'],
      [{ path: 'b' }, undefined],
      [{ path: '/etc/passwd' }, 'w(path=/etc/*)'],
      [{ path: '/etc/hosts' }, undefined],
    ],
  ],
  [
    'a call that two rules match is asked about once, and its decision covers the first rule',
    { ask: ['w(path=/etc/*)', 'w'] },
    [
      [{ path: '/etc/passwd' }, 'w(path=/etc/*)'],
      [{ path: '/etc/hosts' }, 'w'],
      [{ path: '/etc/group' }, undefined],
      [{ path: 'a' }, undefined],
    ],
  ],
  [
    'three rules, one by one',
    { ask: ['*', 'w*', 'w(path=a)'] },
    [
      [{ path: 'a' }, '*'],
      [{ path: 'a' }, 'w*'],
      [{ path: 'b' }, undefined],
      [{ path: 'a' }, 'w(path=a)'],
      [{ path: 'a' }, undefined],
    ],
  ],
  [
    'a rule for several values',
    { ask: ['w(paths.*=src/*)', 'w(paths.*=/etc/*)'] },
    [
      [{ paths: ['src/a', 'b'] }, 'w(paths.*=src/*)'],
      [{ paths: ['src/a', '/etc/b'] }, 'w(paths.*=/etc/*)'],
      [{ paths: ['/etc/b', 'src/a'] }, undefined],
    ],
  ],
  [
    'the mode is not a rule, but a rule still asks after the mode did',
    { mode: 'ask', ask: ['w(path=/etc/*)'] },
    [
      [{ path: 'a' }, 'w'],
      [{ path: 'b' }, undefined],
      [{ path: '/etc/passwd' }, 'w(path=/etc/*)'],
      [{ path: '/etc/hosts' }, undefined],
    ],
  ],
  [
    'an allow rule stays below every rule that asks',
    { ask: ['w(path=src/*)', 'w(content=*secret*)'], allow: ['w'] },
    [
      [{ path: 'src/a' }, 'w(path=src/*)'],
      [{ path: 'src/b', content: 'a secret' }, 'w(content=*secret*)'],
      [{ path: 'lib/b' }, undefined],
    ],
  ],
  [
    'guard: one rule',
    { ask: ['w(path=src/*)'] },
    [
      [{ path: 'src/a' }, 'w(path=src/*)'],
      [{ path: 'src/b' }, undefined],
      [{ path: 'lib' }, undefined],
    ],
  ],
];

const write = () => tool({ name: 'w', description: 'Writes', execute: () => 'written' });
/** Makes these calls, one per response. */
const inTurn = (inputs: readonly object[]) =>
  plays(({ messages }) => {
    const done = messages.filter(({ role }) => role === 'assistant').length;
    const next = inputs[done];
    return next ? [calls('w', JSON.stringify(next), `c${done}`)] : [says('Done.')];
  });

describe.each(stores)('`always` covers the rule that asked, and no other, in a %s store', (_, open) => {
  it.each(silenced)('%s', async (_, rules, rows) => {
    const requested: (string | undefined)[] = [];
    const rounds = rows.map(([, rule]) => rule);
    const approve = ({ callId, rule }: { callId: string; rule: string }): Decision => {
      requested[Number(callId.slice(1))] = rule;
      return { type: 'allow', always: true };
    };
    const model = inTurn(rows.map(([input]) => input));
    const run = agent({ model, tools: [write()], store: open(), permissions: permissions(rules), approve }).run('x');
    expect((await run.result).end).toBe('done');
    expect(rows.map((_, at) => requested[at])).toEqual(rounds);
  });

  it.each(silenced)('in another process for each call: %s', async (_, rules, rows) => {
    const store = open();
    const helper = () =>
      agent({ model: inTurn(rows.map(([input]) => input)), tools: [write()], store, permissions: permissions(rules) });
    const first = helper().run('x');
    await first.result;
    for (;;) {
      const run = await helper().resume(first.id);
      const pending = run.calls().find(({ state }) => state === 'approval_required');
      if (!pending) break;
      await run.approve(pending.callId, { type: 'allow', always: true });
      await run.result;
    }
    const events = await eventsOf(store, first.id);
    const asked = events.flatMap((event) => (event.type === 'approval.requested' ? [[event.callId, event.rule]] : []));
    expect(asked).toEqual(rows.flatMap(([, rule], at) => (rule === undefined ? [] : [[`c${at}`, rule]])));
  });

  it.each([
    ['a rule that is new', { ask: ['w(path=a*)', 'w(path=*b)'] }, 'ab', 'awaiting_approval'],
    ['a rule that is new, in front', { ask: ['w(path=*b)', 'w(path=a*)'] }, 'ab', 'awaiting_approval'],
    ['a wider rule instead', { ask: ['w'] }, 'ab', 'awaiting_approval'],
    ['a rule that denies', { ask: ['w(path=a*)'], deny: ['w(path=*b)'] }, 'ab', 'denied'],
    ['guard: the same rule', { ask: ['w(path=a*)'] }, 'ab', 'completed'],
    ['guard: no rule', {}, 'ab', 'completed'],
  ] as const)('after the rules changed: %s', async (_, changed, path, end) => {
    const store = open();
    const model = () => inTurn([{ path: 'a' }, { path }]);
    const options = { tools: [write()], store };
    const before = permissions({ ask: ['w(path=a*)'] });
    const run = agent({ ...options, model: model(), permissions: before }).run('x');
    await run.result;
    const next = await agent({ ...options, model: model(), permissions: permissions(changed) }).resume(run.id);
    await next.approve('c0', { type: 'allow', always: true });
    await next.result;
    const { state } = next.calls()[1] ?? {};
    expect(state === 'approval_required' ? 'awaiting_approval' : state).toBe(end);
  });
});

it.each(silenced)('of a set that is passed to `invoke`: %s', async (_, rules, rows) => {
  const always = new Set<string>();
  const toolbox = new Toolbox([write()]);
  for (const [input, expected] of rows) {
    let requested: string | undefined;
    const approve = ({ rule }: { rule: string }): Decision => {
      requested = rule;
      return { type: 'allow', always: true };
    };
    const part = { id: 'c', name: 'w', arguments: input };
    const { state } = await invoke(part, { toolbox, permissions: permissions(rules), approve, always });
    expect([requested, state]).toEqual([expected, 'completed']);
  }
});

it('a deny rule wins over an `always`, and rules that are no list deny', async () => {
  const toolbox = new Toolbox([write()]);
  const always = new Set<string>();
  const approve = (): Decision => ({ type: 'allow', always: true });
  const part = { id: 'c', name: 'w', arguments: { path: 'a' } };
  await invoke(part, { toolbox, permissions: permissions({ ask: ['w'] }), approve, always });
  const denying = permissions({ ask: ['w'], deny: ['w(path=a)'] });
  expect((await invoke(part, { toolbox, permissions: denying, approve, always })).state).toBe('denied');
  for (const others of [null, 'w', [null], [{ rule: 1, reason: 'x' }]]) {
    const odd = { decide: () => ({ type: 'ask', reason: 'x', rule: 'w', others }) } as unknown as Permissions;
    expect((await invoke(part, { toolbox, permissions: odd, approve, always })).state).toBe('denied');
  }
});

it('a call on its own keeps it nowhere, unless a set is given for it', async () => {
  const toolbox = new Toolbox([put()]);
  let asked = 0;
  const approve = (): Decision => {
    asked += 1;
    return { type: 'allow', always: true };
  };
  const part = { id: 'c', name: 'put', arguments: '{}' };
  for (let at = 0; at < 3; at += 1) await invoke(part, { toolbox, permissions: shared, approve });
  expect(asked).toBe(3);
  const always = new Set<string>();
  for (let at = 0; at < 3; at += 1) await invoke(part, { toolbox, permissions: shared, approve, always });
  expect(asked).toBe(4);
});

describe('clients of one gateway over HTTP', () => {
  it.each([
    ['guard: speaking the older protocol', 'legacy'],
    ['speaking the newer protocol', 'auto'],
  ] as const)('%s, one never hears for another', async (_, mode) => {
    const config = { mcpServers: { everything: { ...everything, permissions: { ask: ['echo'] } } } };
    const gateway = await createGateway(config, { http: true, timeout: 60_000 }).listen();
    later(() => gateway.close());
    const connected = async (answer: string) => {
      const heard: string[] = [];
      const options = { versionNegotiation: { mode }, capabilities: { elicitation: { form: {} } } };
      const client: Client = new SdkClient({ name: 'same', version: '1' }, options);
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        heard.push(params.message);
        return { action: 'accept', content: { answer } };
      });
      await client.connect(new StreamableHTTPClientTransport(new URL(gateway.url ?? '')));
      later(() => client.close());
      return { client, heard };
    };
    const one = await connected('always');
    const other = await connected('no');
    expect((await call(one.client, 'echo', { message: 'a' })).text).toBe('Echo: a');
    expect((await call(other.client, 'echo', { message: 'b' })).text).toContain('The user refused');
    expect([one.heard.length, other.heard.length]).toEqual([1, 1]);
  });

  it.each([
    [
      'two rules of a server',
      undefined,
      ['echo(message=a*)', 'echo(message=*z)'],
      ['a1', 'a2', 'az', 'bz'],
      [1, 0, 1, 0],
    ],
    [
      'guard: a rule of the gateway, then one of a server',
      ['echo'],
      ['echo(message=*z)'],
      ['a', 'b', 'az', 'bz'],
      [1, 0, 1, 0],
    ],
    [
      'guard: a rule of a server, then one of the gateway',
      ['echo(message=*z)'],
      ['echo'],
      ['a', 'b', 'az', 'bz'],
      [1, 0, 1, 0],
    ],
    ['guard: the same text in both is two rules', ['echo'], ['echo'], ['a', 'b', 'c'], [1, 1, 0]],
    ['guard: one rule', undefined, ['echo'], ['a', 'b'], [1, 0]],
  ] as const)('%s: `always` covers one rule', async (_, general, own, messages, expected) => {
    const config = {
      mcpServers: { everything: { ...everything, permissions: { ask: [...own] } } },
      ...(general && { permissions: { ask: [...general] } }),
    };
    const gateway = await createGateway(config, { http: true, timeout: 60_000 }).listen();
    later(() => gateway.close());
    let heard = 0;
    const client: Client = new SdkClient(
      { name: 'same', version: '1' },
      { versionNegotiation: { mode: 'legacy' }, capabilities: { elicitation: { form: {} } } },
    );
    client.setRequestHandler('elicitation/create', async () => {
      heard += 1;
      return { action: 'accept', content: { answer: 'always' } };
    });
    await client.connect(new StreamableHTTPClientTransport(new URL(gateway.url ?? '')));
    later(() => client.close());
    const counts: number[] = [];
    for (const message of messages) {
      const before = heard;
      expect((await call(client, 'echo', { message })).text).toBe(`Echo: ${message}`);
      counts.push(heard - before);
    }
    expect(counts).toEqual(expected);
  });

  it('guard: `always` covers the rule that the user was shown, though another asks when the client returns', async () => {
    const ask = ['echo(message=a*)', 'echo(message=*z)'];
    const config = { mcpServers: { everything: { ...everything, permissions: { ask } } } };
    const gateway = await createGateway(config, { http: true, timeout: 60_000 }).listen();
    later(() => gateway.close());
    const shown: string[] = [];
    const [bothShown, firstDone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const client: Client = new SdkClient(
      { name: 'same', version: '1' },
      { versionNegotiation: { mode: 'legacy' }, capabilities: { elicitation: { form: {} } } },
    );
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      shown.push(/rule (\S+)/.exec(params.message)?.[1] ?? '');
      if (shown.length === 2) bothShown.resolve();
      if (shown.length <= 2) await (params.message.includes('a1') ? bothShown : firstDone).promise;
      return { action: 'accept', content: { answer: 'always' } };
    });
    await client.connect(new StreamableHTTPClientTransport(new URL(gateway.url ?? '')));
    later(() => client.close());
    const second = call(client, 'echo', { message: 'az' });
    await call(client, 'echo', { message: 'a1' });
    firstDone.resolve();
    expect((await second).text).toBe('Echo: az');
    await call(client, 'echo', { message: 'bz' });
    expect(shown).toEqual([ask[0], ask[0], ask[1]]);
  });
});
