/** What a run begins with, and who hears about its calls: the conversation before it, and `onOutcome`. */
import { describe, expect, it } from 'vitest';
import { type Permissions, permissions } from '../../src/execute/permission-rules.ts';
import type { RunEvent } from '../../src/log/events.ts';
import { fold } from '../../src/log/fold.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import type { Outcome } from '../../src/mend/outcome.ts';
import type { Message } from '../../src/model/index.ts';
import { agent } from '../../src/run/agent.ts';
import { invoke } from '../../src/run/invoke/invoke.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { calls, plays, says } from './plays.ts';

const text = (role: 'user' | 'assistant', words: string): Message => ({ role, parts: [{ type: 'text', text: words }] });

const inputSchema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } as const;
const readFile = tool({
  name: 'read_file',
  description: 'Reads',
  effect: 'read',
  inputSchema,
  execute: ({ path }) => `content of ${path}`,
});

const before: readonly Message[] = [
  text('user', 'Read a.ts'),
  { role: 'assistant', parts: [{ type: 'call', id: 'c1', name: 'read_file', arguments: { path: 'a.ts' } }] },
  { role: 'user', parts: [{ type: 'result', callId: 'c1', content: [{ type: 'text', text: 'old content' }] }] },
  text('assistant', 'It is short.'),
];

describe('the conversation before a run', () => {
  it('is what the model reads before the first message', async () => {
    const requests: (readonly Message[])[] = [];
    const model = plays(({ messages }) => {
      requests.push(messages);
      return [says('Yes.')];
    });
    const run = agent({ model, guidance: false }).run('Is it?', { history: before });
    expect((await run.result).text).toBe('Yes.');
    expect(requests).toEqual([[...before, text('user', 'Is it?')]]);
    expect(run.messages()).toEqual([...before, text('user', 'Is it?'), text('assistant', 'Yes.')]);
    expect(run.calls()).toEqual([]);
  });

  it('is stored with the run: after a resume, in a fork, and where it was submitted', async () => {
    const store = memoryStore();
    const helper = agent({ model: plays(() => [says('Yes.')]), store });
    const run = helper.run('Is it?', { history: before });
    await run.result;
    expect((await helper.resume(run.id)).messages()).toEqual(run.messages());
    expect((await helper.fork(run.id, 2)).messages()).toEqual([...before, text('user', 'Is it?')]);
    const submitted = await helper.submit('Is it?', { history: before });
    expect((await helper.resume(submitted)).messages()).toEqual([...before, text('user', 'Is it?')]);
  });

  it('starts a reply where it ends in a user message, without another one', async () => {
    const run = agent({ model: plays(() => [says('Hello.')]) }).run(undefined, { history: [text('user', 'Hi')] });
    expect((await run.continue().result).text).toBe('Hello.');
  });

  it('keeps the ids of calls apart', async () => {
    const model = plays(({ messages }) =>
      messages.at(-1)?.parts.some(({ type }) => type === 'result')
        ? [says('Done.')]
        : [calls('read_file', '{"path": "b.ts"}', 'c1')],
    );
    const run = agent({ model, tools: [readFile] }).run('And b.ts?', { history: before });
    await run.result;
    const [made] = run.calls();
    expect(made?.callId).not.toBe('c1');
    expect(made?.result?.content).toEqual([{ type: 'text', text: 'content of b.ts' }]);
    expect(run.messages().slice(0, before.length)).toEqual(before);
  });

  it('has no secrets in the log', async () => {
    const store = memoryStore();
    const secret = 'sk-abcdefghijklmnopqrstuv';
    const run = agent({ model: plays(() => [says('Yes.')]), store }).run('Go', {
      history: [text('user', `My key is ${secret}`)],
    });
    await run.result;
    const events: RunEvent[] = [];
    for await (const event of store.read(run.id)) events.push(event);
    expect(JSON.stringify(events)).not.toContain(secret);
    expect(fold(events).history).toHaveLength(3);
  });

  it('belongs to the run: later changes of the list do not reach it', async () => {
    const list = [text('user', 'One')];
    const run = agent({ model: plays(() => [says('Yes.')]) }).run('Two', { history: list });
    list.push(text('user', 'Three'));
    await run.result;
    expect(run.messages()).toEqual([text('user', 'One'), text('user', 'Two'), text('assistant', 'Yes.')]);
  });

  it.each([
    ['messages of an SDK', [{ role: 'user', content: 'Hi' }], /Invalid history: expected a list of messages/],
    ['a text', 'Hi', /expected a list of messages/],
    ['an unknown role', [{ role: 'tool', parts: [] }], /expected a list of messages/],
    ['a call without its result', before.slice(0, 2), /the result of the call c1 is missing/],
    ['a result without its call', before.slice(2), /the call of the result c1 is missing/],
  ])('is refused if it is %s', (_name, history, message) => {
    const helper = agent({ model: plays(() => [says('Yes.')]) });
    const start = () => helper.run('Go', { history: history as Message[] });
    expect(start).toThrow(expect.objectContaining({ name: 'ToolmendError', message: expect.stringMatching(message) }));
  });
});

describe('onOutcome', () => {
  const toolbox = new Toolbox([readFile]);
  const call = (written: string) => ({ id: 'c1', name: 'read_file', arguments: written });

  it('reports each call of a run once, whether it can run or not', async () => {
    const heard: [string, string, string | undefined][] = [];
    const texts = ['{"path": "a.ts"}', "{path: 'a.ts',}", '{}'];
    const model = plays(({ messages }) => {
      const next = texts[messages.filter(({ role }) => role === 'assistant').length];
      return next === undefined ? [says('Done.')] : [calls('read_file', next)];
    });
    const onOutcome = ({ status, name }: Outcome, { run }: { run?: string | undefined }) =>
      void heard.push([status, name, run]);
    await agent({ model, tools: [readFile], onOutcome }).run('Go', { id: 'r1' }).result;
    expect(heard).toEqual(['ok', 'mended', 'invalid'].map((status) => [status, 'read_file', 'r1']));
  });

  it('reports a call that waits for approval once', async () => {
    const heard: string[] = [];
    const model = plays(({ messages }) =>
      messages.some(({ role }) => role === 'assistant') ? [says('Done.')] : [calls('read_file', '{"path": "a"}', 'c1')],
    );
    const options = { permissions: permissions({ ask: ['read_file'] }), tools: [readFile], model };
    const run = agent({ ...options, onOutcome: (_, { callId }) => heard.push(callId) }).run('Go');
    expect((await run.result).end).toBe('awaiting_approval');
    await run.approve('c1', { type: 'allow' });
    expect((await run.result).end).toBe('done');
    expect(heard).toEqual(['c1']);
  });

  it('guard: does not affect the call if it changes the outcome', async () => {
    const ran: unknown[] = [];
    const inputSchema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] } as const;
    const add = tool({ name: 'add', description: 'Adds', inputSchema, execute: (input) => void ran.push(input) });
    const seen: unknown[] = [];
    const rules: Permissions = {
      decide({ input }) {
        seen.push(input);
        return { type: 'allow' };
      },
    };
    const onOutcome = (outcome: Outcome) => {
      for (const value of [outcome.input, outcome.status === 'invalid' ? {} : outcome.value])
        Object.assign(value as object, { a: 666 });
      (outcome.problems as unknown[]).push('one');
    };
    const model = plays([calls('add', '{"a": 1}', 'c1')], [says('Done.')]);
    const run = agent({ model, tools: [add], onOutcome, permissions: rules }).run('Go');
    await run.result;
    expect([ran, seen]).toEqual([[{ a: 1 }], [{ a: 1 }]]);
    expect(run.calls()[0]).toMatchObject({ input: { a: 1 }, state: 'completed' });
  });

  it('does not affect the call if it throws or rejects', async () => {
    const warnings: string[] = [];
    const warned = ({ message }: Error) => warnings.push(message);
    process.on('warning', warned);
    try {
      for (const onOutcome of [
        () => {
          throw new Error('Thrown');
        },
        async () => {
          throw new Error('Rejected');
        },
      ])
        expect((await invoke(call('{"path": "a"}'), { toolbox, onOutcome })).state).toBe('completed');
      await expect.poll(() => warnings.join()).toMatch(/Thrown.*Rejected/s);
    } finally {
      process.off('warning', warned);
    }
  });

  it.each([
    ['agent()', () => agent({ model: plays(() => []), onOutcome: 'log' as never })],
    ['invoke()', () => invoke(call('{}'), { toolbox, onOutcome: {} as never })],
  ])('must be a function for %s', async (_name, misuse) => {
    await expect((async () => misuse())()).rejects.toThrow(
      expect.objectContaining({ name: 'ToolmendError', message: expect.stringContaining('onOutcome') }),
    );
  });
});
