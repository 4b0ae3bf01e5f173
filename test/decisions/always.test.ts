/** F27 An `always` belongs to the run, or the client, that said it, and to the definition it was said about. */
import { type Client, Client as SdkClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { permissions } from '../../src/execute/permission-rules.ts';
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
});
