import { describe, expect, it } from 'vitest';
import { examplesOf } from '../../test/dialects/examples.ts';
import { answered, asking, collect } from '../../test/provider/collect.ts';
import { isLong } from '../../test/sample.ts';
import { dialects } from '../dialect/dialects/index.ts';
import { readCalls } from '../dialect/read-calls.ts';
import { mend } from '../mend/mend.ts';
import type { Outcome } from '../mend/outcome.ts';
import type { CallPart, Message, Model, ModelRequest, ToolSpec, TurnResponse } from '../model/index.ts';
import { tool } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { scripted } from './scripted/scripted.ts';
import { textModel } from './text-model.ts';

const weather: ToolSpec = {
  type: 'function',
  name: 'get_weather',
  description: 'Tells the weather',
  schema: {
    type: 'object',
    properties: {
      city: { type: 'string' },
      days: { type: 'integer' },
      tags: { type: 'array', items: { type: 'string' } },
    },
    required: ['city'],
    additionalProperties: false,
  },
};

const toolboxOf = (specs: readonly ToolSpec[]): Toolbox =>
  new Toolbox(
    specs.map(({ name, schema }) =>
      tool({ name, description: '', ...(schema !== undefined && { inputSchema: schema }) }),
    ),
    { validate: false },
  );

const callsOf = ({ message }: TurnResponse): CallPart[] => message.parts.filter((part) => part.type === 'call');

/** What matters of an outcome: two that agree in it let the same run and tell the same. */
const gist = ({ status, name, input, problems, ...rest }: Outcome) => ({
  status,
  name,
  errorType: 'errorType' in rest ? rest.errorType : undefined,
  input: status === 'invalid' ? undefined : input,
  repairs: status === 'invalid' ? undefined : rest.repairs,
  codes: problems.map(({ code, path }) => [code, path]),
});

/** The outcomes of the calls of an answer, as an agent comes to them. */
const mendedAgain = (response: TurnResponse, toolbox: Toolbox): Outcome[] =>
  callsOf(response).map(({ type: _, ...call }) => mend({ ...call, finishReason: response.finish }, toolbox));

/** Remembers what it was asked. */
function recorded(script: Parameters<typeof scripted>[0]): { model: Model; asked: ModelRequest[] } {
  const asked: ModelRequest[] = [];
  const model = scripted(script);
  return {
    asked,
    model: {
      ...model,
      stream: (question, options) => {
        asked.push(question);
        return model.stream(question, options);
      },
    },
  };
}

describe('a call written as text', () => {
  it('comes out as a call, with the words and thoughts around it', async () => {
    const text =
      '<think>Oslo it is.</think>I look.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>';
    for (const chunk of [1, 3, 1000]) {
      const response = await answered(textModel(scripted([{ text, chunk }])), asking('?', { tools: [weather] }));
      expect(response.finish).toBe('tool_calls');
      expect(response.message.parts).toEqual([
        { type: 'reasoning', text: 'Oslo it is.' },
        { type: 'text', text: 'I look.\n' },
        {
          type: 'call',
          id: expect.stringMatching(/^call_\w{24}$/),
          name: 'get_weather',
          arguments: '{"city": "Oslo"}',
          read: [{ path: [], kind: 'text', before: 'hermes', certainty: 'inferred' }],
        },
      ]);
    }
  });

  it('streams its words as they come, each part finished once', async () => {
    const text =
      'One two three, and four. <tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>';
    const events = await collect(textModel(scripted([{ text, chunk: 4 }])), asking('?', { tools: [weather] }));
    expect(events.filter(({ type }) => type === 'part.delta').length).toBeGreaterThan(4);
    expect(events.filter(({ type }) => type === 'part.finished')).toHaveLength(2);
    expect(events.at(-1)?.type).toBe('turn.finished');
  });

  it('leaves alone what has no tools', async () => {
    const text = '<tool_call>{"name": "get_weather", "arguments": {}}</tool_call>';
    const response = await answered(textModel(scripted([text])), asking('?'));
    expect(response.message.parts).toEqual([{ type: 'text', text }]);
  });

  it.each(['filter', 'error', 'other'] as const)(
    'F1 reads no call from the text of a response that ended with %s',
    async (finish) => {
      const text = 'So: <tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>';
      const response = await answered(textModel(scripted([{ text, finish }])), asking('?', { tools: [weather] }));
      expect(response).toMatchObject({ message: { parts: [{ type: 'text', text }] }, finish });
    },
  );

  it('passes on thoughts, usage and calls that the model made natively', async () => {
    const parts = [
      { type: 'reasoning' as const, text: 'hm' },
      { type: 'call' as const, id: 'a', name: 'get_weather', arguments: '{"city":"Rome"}' },
    ];
    const inner = scripted([{ parts, usage: { input: 3, output: 4 } }]);
    const response = await answered(textModel(inner), asking('?', { tools: [weather] }));
    expect(response).toMatchObject({ message: { parts }, usage: { input: 3, output: 4 }, finish: 'tool_calls' });
  });

  it('shows how far it came where the turn fails, and finishes no call', async () => {
    const text = 'So: <tool_call>{"name": "get_weather", "arguments": {"city": "Os';
    const events = await collect(
      textModel(scripted([{ text, error: { message: 'gone' } }])),
      asking('?', { tools: [weather] }),
    );
    const last = events.at(-1);
    expect(last).toMatchObject({ type: 'turn.failed', error: { message: 'gone' } });
    if (last?.type !== 'turn.failed') return;
    expect(last.response.message.parts).toMatchObject([
      { text: 'So: ' },
      { name: 'get_weather', arguments: '{"city": "Os' },
    ]);
    expect(events.filter((event) => event.type === 'part.finished' && event.part.type === 'call')).toEqual([]);
  });
});

describe('one pipeline: what an agent makes of the call is what reading made of it', () => {
  const damaged: readonly (readonly [dialect: string, text: string])[] = [
    ['hermes', '<tool_call>{"name": "get_weather", "arguments": {city: \'Oslo\', "days": "3",}}</tool_call>'],
    ['hermes', '<tool_call>{"name": "Get-Weather", "arguments": {"city": "Oslo"}}</tool_call>'],
    ['hermes', '<tool_call>{"name": "get_weather", "arguments": "{\\"city\\": \\"Oslo\\"}"}</tool_call>'],
    ['hermes', '<tool_call>{"name": "get_weather"}</tool_call>'],
    ['hermes', '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo", "city": "Rome"}}</tool_call>'],
    ['hermes', '<tool_call>{"name": "nothing_like_it", "arguments": {"city": "Oslo"}}</tool_call>'],
    [
      'hermes',
      '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo", "days": 12345678901234567890}}</tool_call>',
    ],
    ['mistral', '[TOOL_CALLS]get_weather[ARGS]{"city": "Oslo", "days": "three"}'],
    ['mistral', '[TOOL_CALLS]get_weather[ARGS]{"city": "Oslo", "tags": "[\'a\', \'b\']"}'],
    [
      'qwen3-coder',
      '<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>',
    ],
    [
      'qwen3-coder',
      '<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n<parameter=city>\nRome\n</parameter>\n</function>\n</tool_call>',
    ],
    [
      'qwen3-coder',
      '<tool_call>\n<function=get_weather>\n<parameter=days>\nmany\n</parameter>\n</function>\n</tool_call>',
    ],
    ['llama4-pythonic', '[get_weather(city="Oslo", days=3)]'],
    ['llama4-pythonic', '[get_weather(city="Oslo", days=3, city="Rome")]'],
    ['llama4-pythonic', '[get_weather(city="Oslo", days=[3])]'],
  ];
  const names = new Set(dialects.map(({ name }) => name));

  it.each(damaged)('%s: %s', async (dialect, text) => {
    expect(names).toContain(dialect);
    const toolbox = toolboxOf([weather]);
    for (const finish of ['stop', 'length'] as const) {
      const model = textModel(scripted([{ text, finish, chunk: 5 }]), { dialect });
      const response = await answered(model, asking('?', { tools: [weather] }));
      const read = readCalls(text, toolbox, { dialect, truncated: finish === 'length' }).calls;
      expect(read.length).toBeGreaterThan(0);
      expect(mendedAgain(response, toolbox).map(gist)).toEqual(read.map(gist));
    }
  });

  const cuttable = dialects.map(({ name }) => name).filter((name) => examplesOf(name).length > 0);
  it.each(cuttable)('C18 %s: cut anywhere, nothing runs that reading refused', async (dialect) => {
    for (const { text, calls } of examplesOf(dialect).slice(0, 2)) {
      const tools = [...new Set(calls.map(({ name }) => name))].map((name) => ({ type: 'function' as const, name }));
      if (tools.length === 0) continue;
      const toolbox = toolboxOf(tools);
      for (let end = 1; end <= text.length; end += (text.length > 120 ? 3 : 1) * (isLong ? 1 : 7)) {
        for (const finish of ['stop', 'length'] as const) {
          const model = textModel(scripted([{ text: text.slice(0, end), finish }]), { dialect });
          const response = await answered(model, asking('?', { tools }));
          const read = readCalls(text.slice(0, end), toolbox, { dialect, truncated: finish === 'length' }).calls;
          const short = ({ status, name, ...rest }: Outcome) => [status, name, 'errorType' in rest && rest.errorType];
          expect([end, finish, mendedAgain(response, toolbox).map(short)]).toEqual([end, finish, read.map(short)]);
        }
      }
    }
  });
});

describe('what the model is asked', () => {
  const history: Message[] = [
    { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'user', parts: [{ type: 'text', text: 'Weather?' }] },
    {
      role: 'assistant',
      parts: [
        { type: 'text', text: 'I look.' },
        { type: 'call', id: 'c1', name: 'get_weather', arguments: '{"city":"Oslo","days":3}' },
        { type: 'call', id: 'c2', name: 'get_weather', arguments: "{city: 'Rome'" },
      ],
    },
    {
      role: 'user',
      parts: [
        { type: 'result', callId: 'c1', content: [{ type: 'text', text: 'snow' }] },
        { type: 'result', callId: 'c2', content: [{ type: 'text', text: 'no such city' }], isError: true },
      ],
    },
  ];
  const said = (message: Message | undefined): string =>
    (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : `<${part.type}>`)).join('|');

  it.each(['hermes', 'mistral', 'qwen3-coder', 'llama4-pythonic'])(
    '%s: the tools, the calls and the results as text',
    async (dialect) => {
      const { model, asked } = recorded(['ok']);
      await answered(textModel(model, { dialect }), {
        messages: history,
        tools: [weather],
        toolChoice: 'required',
        parallelCalls: false,
      });
      const [question] = asked;
      expect(question).not.toHaveProperty('tools');
      expect(question).not.toHaveProperty('toolChoice');
      expect(question).not.toHaveProperty('parallelCalls');
      const [system, , answer, results] = question?.messages ?? [];
      expect(said(system)).toMatch(
        /^Be brief\.\n\nYou can call these tools:[\s\S]*get_weather[\s\S]*must call a tool[\s\S]*one call/,
      );
      // Some dialects are read at the beginning of an answer only.
      const again = readCalls(said(answer).replace('I look.\n', ''), toolboxOf([weather]), { dialect });
      expect(again.calls.map(({ input }) => input)).toEqual([{ city: 'Oslo', days: 3 }, { city: 'Rome' }]);
      expect(again.text.trim()).toBe('');
      expect(said(answer)).toMatch(/^I look\.\n/);
      expect(said(results)).toContain('snow');
      expect(said(results)).toContain('Error: no such city');
      expect(said(results)).not.toContain('<result>');
    },
  );

  it('has the prompt in a message of its own where there is no system message', async () => {
    const { model, asked } = recorded(['ok']);
    await answered(
      textModel(model, { prompt: (tools) => `Tools: ${tools.list().length}` }),
      asking('?', { tools: [weather] }),
    );
    expect(asked[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(said(asked[0]?.messages[0])).toBe('Tools: 1');
  });

  it('C19 a call in the history that is no JSON and no tool is written all the same', async () => {
    const { model, asked } = recorded(['ok']);
    const parts = [{ type: 'call' as const, id: 'x', name: 'gone_tool', arguments: 'not json' }];
    await answered(textModel(model, { dialect: 'qwen3-coder' }), {
      messages: [{ role: 'assistant', parts }],
      tools: [weather],
    });
    expect(said(asked[0]?.messages[1])).toContain('gone_tool');
  });
});
