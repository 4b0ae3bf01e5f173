/** What code of the program gets is its own: changing it changes neither the run nor its log. */
import { expect, it } from 'vitest';
import { memoryStore } from '../../src/log/memory-store.ts';
import { eventsOfRun } from '../../src/log/store.ts';
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
      ...{ name: 'sort', description: 'Sorts', inputSchema },
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
    ...{ model: model('{"list": [2, 1]}'), tools: [sort], store },
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
    ...{
      name: 'sort',
      description: 'S',
      inputSchema: { type: 'object', properties: { list: inputSchema.properties.list } },
    },
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
