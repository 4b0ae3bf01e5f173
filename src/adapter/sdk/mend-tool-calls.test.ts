import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ToolmendError } from '../../json/toolmend-error.ts';
import { tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { mendToolCalls } from './mend-tool-calls.ts';
import { toOpenAITools } from './to-sdk-tools.ts';

const readFile = tool({
  name: 'fs.read',
  description: 'Reads a file',
  inputSchema: z.object({ path: z.string(), limit: z.number().optional() }),
  effect: 'read',
});
const remove = tool({
  name: 'remove',
  description: 'Removes a file',
  inputSchema: z.object({ path: z.string(), force: z.boolean().optional() }),
  effect: 'destructive',
});
const toolbox = new Toolbox([readFile, remove]);

const call = (name: string, args: string, id = 'call_1') => ({
  id,
  type: 'function' as const,
  function: { name, arguments: args },
});
const chat = (calls: ReturnType<typeof call>[], more: { content?: string; finish_reason?: string } = {}) => ({
  id: 'x',
  object: 'chat.completion' as const,
  choices: [
    {
      index: 0,
      finish_reason: more.finish_reason ?? (calls.length ? 'tool_calls' : 'stop'),
      message: {
        role: 'assistant' as const,
        content: more.content ?? null,
        ...(calls.length > 0 && { tool_calls: calls }),
      },
    },
  ],
});
const user = { role: 'user' as const, content: 'Read a.ts' };
const marked = '<tool_call>\n{"name": "fs.read", "arguments": {"path": "a.ts"}}\n</tool_call>';

describe('mendToolCalls', () => {
  it('restores the names that the API does not accept, and writes them in the messages', async () => {
    expect(toOpenAITools(toolbox).map((one) => one.function.name)).toEqual(['fs_read', 'remove']);
    const turn = mendToolCalls(chat([call('fs_read', '{"path": "a.ts"}')]), toolbox);
    expect(turn.outcomes).toMatchObject([{ status: 'ok', name: 'fs.read' }]);
    expect(await turn.reply(() => undefined)).toEqual([
      { role: 'assistant', content: null, tool_calls: [call('fs_read', '{"path": "a.ts"}')] },
      { role: 'tool', tool_call_id: 'call_1', content: 'Done.' },
    ]);
  });

  it('drops the nulls that strict mode requires, for a destructive tool too', () => {
    const strict = new Toolbox([remove]);
    expect(toOpenAITools(strict, { strict: true })[0]?.function).toMatchObject({
      strict: true,
      parameters: { required: ['path', 'force'], additionalProperties: false },
    });
    const response = chat([call('remove', '{"path": "a.ts", "force": null}')]);
    expect(mendToolCalls(response, strict).outcomes).toMatchObject([{ status: 'ok', input: { path: 'a.ts' } }]);
    const list = [remove];
    toOpenAITools(list, { strict: true });
    expect(mendToolCalls(response, list).outcomes).toMatchObject([{ status: 'ok', input: { path: 'a.ts' } }]);
  });

  it('guard: sends nothing to a model that only we understand', () => {
    expect(JSON.stringify(toOpenAITools(toolbox))).not.toContain('x-');
  });

  it('refuses a call that the token limit cut off, and sends no invalid JSON back', async () => {
    const turn = mendToolCalls(chat([call('fs_read', '{"path": "a.t')], { finish_reason: 'length' }), toolbox);
    expect(turn.outcomes).toMatchObject([{ status: 'invalid', errorType: 'truncated' }]);
    expect(turn.messages).toMatchObject([
      { tool_calls: [{ function: { arguments: '{}' } }] },
      { role: 'tool', content: expect.stringContaining('token limit') },
    ]);
    expect(await turn.reply(() => expect.unreachable())).toEqual(turn.messages);
  });

  it('reads calls in text if it knows the conversation, and not those that only repeat it', () => {
    const response = chat([], { content: marked });
    expect(mendToolCalls(response, toolbox).outcomes).toEqual([]);
    const turn = mendToolCalls(response, toolbox, { messages: [user] });
    expect(turn.outcomes).toMatchObject([{ name: 'fs.read', input: { path: 'a.ts' } }]);
    expect(turn.messages).toMatchObject([{ role: 'assistant', tool_calls: [{ function: { name: 'fs_read' } }] }]);
    const quoted = { role: 'user' as const, content: `What does this do?\n${marked}` };
    expect(mendToolCalls(response, toolbox, { messages: [quoted] }).outcomes).toEqual([]);
    expect(mendToolCalls(response, toolbox, { messages: [user], dialect: 'native' }).outcomes).toEqual([]);
  });

  it('separates calls that a server merged', async () => {
    const turn = mendToolCalls(chat([call('fs_read', '{"path": "a.ts"}{"path": "b.ts"}')]), toolbox);
    expect(turn.outcomes).toMatchObject([{ input: { path: 'a.ts' } }, { input: { path: 'b.ts' } }]);
    const [message, first, second] = (await turn.reply(({ value }) => value)) as never as [
      { tool_calls: { id: string; function: object }[] },
      { tool_call_id: string; content: string },
      { tool_call_id: string; content: string },
    ];
    expect(message.tool_calls.map((one) => one.function)).toEqual([
      { name: 'fs_read', arguments: '{"path":"a.ts"}' },
      { name: 'fs_read', arguments: '{"path":"b.ts"}' },
    ]);
    expect(message.tool_calls.map(({ id }) => id)).toEqual([first.tool_call_id, second.tool_call_id]);
    expect(second.content).toBe('{"path":"b.ts"}');
    const destructive = mendToolCalls(chat([call('remove', '{"path": "a.ts"}{"path": "b.ts"}')]), toolbox);
    expect(destructive.outcomes).toMatchObject([{ status: 'invalid' }]);
  });

  it('reads a call at the end of the reasoning if the response is otherwise empty', () => {
    const thought = (reasoning: string, content = '') => {
      const response = chat([], { content });
      Object.assign(response.choices[0]?.message as object, { reasoning_content: reasoning });
      return mendToolCalls(response, toolbox, { messages: [user] });
    };
    expect(thought(`I read it.\n${marked}`).outcomes).toMatchObject([{ status: 'ok', input: { path: 'a.ts' } }]);
    expect(thought(`I read it.\n${marked}\nOr not.`).outcomes).toEqual([]);
    expect(thought(`I read it.\n${marked}`, 'It is empty.').outcomes).toEqual([]);
  });

  it('gives more detail after each failed attempt', async () => {
    const messages: object[] = [user];
    const lengths: number[] = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const bad = call('fs_read', '{"limit": "x"}', `call_${attempt}`);
      const replies = await mendToolCalls(chat([bad]), toolbox, { messages }).reply(() => 0);
      messages.push(...replies);
      lengths.push(JSON.stringify(replies[1]).length);
    }
    expect(lengths[1]).toBeGreaterThan(lengths[0] as number);
    expect(lengths[2]).toBeGreaterThan(lengths[1] as number);
  });

  it('sends the error of a function that throws, the note of a dropped key, and each result to its call', async () => {
    const twice = [call('fs_read', '{"path": "a.ts", "colour": 1}'), call('fs_read', '{"path": "b.ts"}')];
    const turn = mendToolCalls(chat(twice), toolbox);
    const messages = await turn.reply(({ value }) => {
      if ((value as { path: string }).path === 'b.ts') throw new Error('b.ts is not there');
      return { lines: 3 };
    });
    expect(messages.slice(1).map((message) => ('tool_call_id' in message ? message.content : ''))).toEqual([
      '{"lines":3}\n\nNote: Unknown parameter \'colour\' was ignored',
      'Error: b.ts is not there',
    ]);
    const ids = messages.slice(1).map((message) => ('tool_call_id' in message ? message.tool_call_id : ''));
    expect(new Set(ids).size).toBe(2);
    expect(turn.outcomes.map(({ raw }) => raw.id)).toEqual(ids);
  });

  it('runs the tools themselves without a function, with their notes and errors', async () => {
    const ids: unknown[] = [];
    const count = tool({
      name: 'count',
      description: 'Counts lines',
      inputSchema: z.object({ path: z.string().transform((path) => path.toUpperCase()) }),
      execute: ({ path }, { callId, note, signal }) => {
        ids.push(callId, signal.aborted);
        if (path === 'B') throw new Error('b is not there');
        note('The file is old');
        return { path };
      },
    });
    const turn = mendToolCalls(chat([call('Count', "{path: 'a'}", 'c1'), call('count', '{"path": "b"}', 'c2')]), [
      count,
    ]);
    const [, ...results] = await turn.reply();
    expect(results.map((message) => ('tool_call_id' in message ? message.content : ''))).toEqual([
      '{"path":"A"}\n\nNote: The file is old',
      'Error: b is not there',
    ]);
    expect(ids).toEqual(['c1', false, 'c2', false]);
  });

  it('runs nothing without a function if a tool has none either', async () => {
    let runs = 0;
    const one = tool({ name: 'one', description: 'One', execute: () => runs++ });
    const two = tool({ name: 'two', description: 'Two' });
    const turn = mendToolCalls(chat([call('one', '{}', 'c1'), call('two', '{}', 'c2')]), [one, two]);
    await expect(turn.reply()).rejects.toThrow(/run.*the tool 'two' has no execute\(\)/);
    expect(runs).toBe(0);
    expect(await mendToolCalls(chat([call('two', '{"a', 'c1')]), [two]).reply()).toHaveLength(2);
  });

  it('reads the call that Gemini reports as malformed', () => {
    const response = {
      candidates: [
        {
          finishReason: 'MALFORMED_FUNCTION_CALL',
          finishMessage: 'Malformed function call: call:remove{path:<|"|>a.ts<|"|>}',
          content: { role: 'model', parts: [] as object[] },
        },
      ],
    };
    const reads = new Toolbox([readFile]);
    expect(mendToolCalls(response, reads).outcomes).toEqual([]);
    response.candidates[0] = {
      ...(response.candidates[0] as (typeof response.candidates)[number]),
      finishMessage: 'Malformed function call: print(default_api.fs.read(path="a.ts"))',
    };
    const contents = [{ role: 'user', parts: [{ text: 'Read a.ts' }] }];
    expect(mendToolCalls(response, reads, { messages: contents }).outcomes).toMatchObject([
      { input: { path: 'a.ts' } },
    ]);
  });

  it('refuses a stream that ended early, and objects of no known SDK', async () => {
    const chunk = { choices: [{ index: 0, delta: { role: 'assistant', content: 'I l' }, finish_reason: null }] };
    expect(() => mendToolCalls([chunk], toolbox)).toThrow(/ended before a finish reason/);
    const odd: [() => unknown, RegExp][] = [
      [() => mendToolCalls([], toolbox), /stream events.*openai/],
      [() => mendToolCalls({ answer: 5 }, toolbox), /response.*openai.*an object with answer/],
      [() => mendToolCalls('text' as never, toolbox), /response.*string/],
      [() => mendToolCalls(chat([]), {} as never), /toolbox.*Toolbox.*object/],
      [() => mendToolCalls(chat([]), toolbox, { messages: 5 as never }), /messages.*number/],
      [() => toOpenAITools(toolbox, { target: 'mars' as never }), /target.*openai/],
    ];
    for (const [act, words] of odd) {
      expect(act).toThrow(words);
      expect(act).toThrow(ToolmendError);
    }
    await expect(mendToolCalls(chat([]), toolbox).reply(5 as never)).rejects.toThrow(/run.*function/);
  });

  it('reports each call to onCall, and applies the policy', () => {
    const calls: string[] = [];
    const turn = mendToolCalls(chat([call('fs_read', "{path: 'a.ts', limit: '5'}")]), toolbox, {
      policy: { minCertainty: 'lossless' },
      onCall: ({ outcome }) => calls.push(outcome.status),
    });
    expect([calls, turn.outcomes.length]).toEqual([['invalid'], 1]);
  });
});
