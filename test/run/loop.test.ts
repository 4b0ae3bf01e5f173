import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { StreamedEvent } from '../../src/log/subscribe.ts';
import type { Message, ResultPart } from '../../src/model/index.ts';
import { agent } from '../../src/run/agent.ts';
import { tool } from '../../src/tools/tool.ts';
import { calls, plays, says } from './plays.ts';

const readFile = tool({
  name: 'read_file',
  description: 'Reads a file',
  inputSchema: z.object({ path: z.string() }),
  effect: 'read',
  execute: ({ path }) => `content of ${path}`,
});

const results = (messages: readonly Message[]): ResultPart[] =>
  messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'result'));

describe('the loop', () => {
  it('runs the calls of the model, returns their results, and ends when it responds', async () => {
    const model = plays([says('Let me look.'), calls('read_file', '{"path": "a.ts"}', 'c1')], [says('It is fine.')]);
    const run = agent({ model, tools: [readFile], instructions: 'Help.' }).run('What is in a.ts?');
    const heard: StreamedEvent[] = [];
    for await (const event of run) heard.push(event);
    expect(await run.result).toMatchObject({ end: 'done', text: 'It is fine.' });
    expect(heard.filter((event) => 'seq' in event).map(({ type }) => type)).toEqual([
      'run.started',
      'message.added',
      'turn.requested',
      'turn.completed',
      'call.accepted',
      'tool.started',
      'tool.finished',
      'turn.requested',
      'turn.completed',
      'run.ended',
    ]);
    expect(heard.map((event) => ('text' in event && event.type === 'text.delta' ? event.text : '')).join('')).toBe(
      'Let me look.It is fine.',
    );
    expect(model.asked[1]?.messages.at(-1)).toEqual({
      role: 'user',
      parts: [
        { type: 'result', callId: 'c1', name: 'read_file', content: [{ type: 'text', text: 'content of a.ts' }] },
      ],
    });
  });

  it('S4.6 detects, reports and retries `{}` for a read tool, and the corrected call succeeds', async () => {
    const model = plays(
      [calls('read_file', '{}')],
      [calls('read_file', '{}')],
      [calls('read_file', '{path: "a.ts",}')],
      [says('Done.')],
    );
    const run = agent({ model, tools: [readFile] }).run('Read a.ts');
    expect((await run.result).end).toBe('done');
    const told = results(run.messages());
    expect(told.map(({ isError = false }) => isError)).toEqual([true, true, false]);
    expect(told[0]?.content[0]).toMatchObject({
      text: expect.stringContaining("Field 'path' is required but missing"),
    });
    expect(told[1]?.content[0]).toMatchObject({ text: expect.stringContaining('as received') });
  });

  it('C1 ends the run if a call stays invalid, after requesting that tool alone', async () => {
    const model = plays([calls('read_file', '{}'), calls('read_file', '{"pth": 1}')]);
    const run = agent({
      model,
      tools: [readFile, tool({ name: 'other', description: 'Other', execute: () => 1 })],
    }).run('x');
    expect((await run.result).end).toBe('invalid_calls');
    expect(model.asked.length).toBe(4);
    expect(model.asked.map(({ tools }) => tools?.length)).toEqual([2, 2, 2, 1]);
    expect(model.asked[3]?.toolChoice).toEqual({ tool: 'read_file' });
    expect(results(run.messages()).length).toBe(8);
  });

  it('C6 reads a call written as text', async () => {
    const text = 'I look.\n<tool_call>{"name": "read_file", "arguments": {"path": "a.ts"}}</tool_call>';
    const run = agent({ model: plays([says(text)], [says('Fine.')]), tools: [readFile] }).run('x');
    expect((await run.result).text).toBe('Fine.');
    expect(results(run.messages())[0]?.content).toEqual([{ type: 'text', text: 'content of a.ts' }]);
  });

  it.each([
    ['filter', 'filtered'],
    ['error', 'done'],
    ['other', 'done'],
  ] as const)('F1 reads no call from the text of a response that ended with %s', async (finish, end) => {
    const text = '<tool_call>{"name": "read_file", "arguments": {"path": "a.ts"}}</tool_call>';
    const run = agent({
      model: plays({ message: { role: 'assistant', parts: [says(text)] }, finish }),
      tools: [readFile],
    }).run('x');
    expect((await run.result).end).toBe(end);
    expect(results(run.messages())).toEqual([]);
  });

  it('S4.6 drops a call whose name is a symbol, and asks the model again', async () => {
    const ignored = [{ id: 'x', name: '⚙', arguments: '{}' }];
    const run = agent({ model: plays({ ignored }, [says('Sorry.')]), tools: [readFile] }).run('x');
    expect((await run.result).text).toBe('Sorry.');
    expect(run.messages().map(({ role }) => role)).toEqual(['user', 'user', 'assistant']);
  });

  it('waits for an approval without keeping resources, and continues when it is given', async () => {
    const ran: unknown[] = [];
    const write = tool({
      name: 'write',
      description: 'Writes',
      inputSchema: z.object({ n: z.number() }),
      execute: (input) => ran.push(input),
    });
    const model = plays([calls('write', '{"n": 1}', 'w1'), calls('read_file', '{"path":"a"}', 'r1')], [says('Ok.')]);
    const permissions = {
      decide: ({ name }: { name: string }) =>
        name === 'write' ? { type: 'ask' as const, reason: 'it writes', rule: 'write' } : { type: 'allow' as const },
    };
    const run = agent({ model, tools: [readFile, write], permissions }).run('x');
    expect((await run.result).end).toBe('awaiting_approval');
    expect(run.calls().map(({ state }) => state)).toEqual(['approval_required', 'completed']);
    await run.approve('w1', { type: 'edit', input: { n: 2 } });
    expect((await run.result).end).toBe('done');
    expect(ran).toEqual([{ n: 2 }]);
    expect(results(run.messages()).map(({ callId }) => callId)).toEqual(['w1', 'r1']);
  });
});
