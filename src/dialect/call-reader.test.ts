import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { tool } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { CallReader } from './call-reader.ts';
import { readCalls } from './read-calls.ts';
import type { CallEvent } from './types.ts';

const of = (name: string, properties: object) =>
  tool({ name, description: 'Does it', inputSchema: { type: 'object', properties } as { type: 'object' } });
const toolbox = new Toolbox([
  of('write', { path: { type: 'string' }, content: { type: 'string' } }),
  of('get_weather', {
    city: { type: 'string' },
    days: { type: 'integer' },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  }),
]);

/** Reads whole and in every small chunk, and sees that both come out the same. */
function read(text: string, options: Parameters<typeof readCalls>[2] = {}, box: Toolbox | undefined = toolbox) {
  const whole = readCalls(text, box, options);
  for (const chunk of [1, 2, 3, 5, 11]) expect(readCalls(text, box, { ...options, chunk })).toEqual(whole);
  return {
    ...whole,
    calls: whole.calls.map(({ name, input, status, problems }) => ({ name, input, status, code: problems[0]?.code })),
  };
}

describe('the reader', () => {
  it('ends JSON where the JSON value ends, never at a marker inside a string', () => {
    const text = '<tool_call>{"name": "write", "arguments": {"content": "a </tool_call> b"}}</tool_call>after';
    expect(read(text, { dialect: 'hermes' })).toMatchObject({
      text: 'after',
      calls: [{ input: { content: 'a </tool_call> b' }, status: 'ok' }],
    });
  });

  it('adds a bracket that is missing before the closer', () => {
    const text =
      '<tool_call>{"name": "write", "arguments": {"path": "a"}</tool_call>\n<tool_call>{"name": "write", "arguments": {"path": "b"}}</tool_call>';
    expect(read(text).calls).toMatchObject([{ input: { path: 'a' } }, { input: { path: 'b' } }]);
  });

  it('keeps a closer of another dialect after a call if more text follows, also in one piece', () => {
    const call = '<|content_invoke_tool_json|>{"name": "write", "args": {"path": "a"}}<|end_message|>';
    const text = `${call}</response>\n${call} Hi.`;
    expect(read(text)).toMatchObject({ text: text.slice(call.length), calls: [{ input: { path: 'a' } }] });
  });

  it('ends a tagged value at its closer only if a parameter or the end of the call follows', () => {
    const text =
      '<function=write>\n<parameter=content>\n<parameter=x> and </parameter> inside\n</parameter>\n<parameter=path>\na\n</parameter>\n</function>';
    expect(read(text).calls).toEqual([
      {
        name: 'write',
        status: 'ok',
        code: undefined,
        input: { content: '<parameter=x> and </parameter> inside', path: 'a' },
      },
    ]);
  });

  it('ends a parameter without a closer at the next opener, or at the end of the call', () => {
    const text = '<tool_call><function=write><parameter=path>a<parameter=content>b</function></tool_call>';
    expect(read(text).calls).toMatchObject([{ input: { path: 'a', content: 'b' }, status: 'mended' }]);
  });

  it('reads calls without opening markers', () => {
    const tagged = '<function=write><parameter=path>a</parameter></function></tool_call> Done.';
    expect(read(tagged, { dialect: 'qwen3-coder' })).toMatchObject({
      text: 'Done.',
      calls: [{ input: { path: 'a' }, status: 'mended' }],
    });
    const framed = ' to=functions.write<|channel|>commentary<|message|>{"path": "a"}<|call|>';
    expect(read(framed).calls).toMatchObject([{ input: { path: 'a' }, status: 'ok' }]);
  });

  it('refuses calls that lack their closing marker before other text', () => {
    const call = '<tool_call>\n{"name": "write", "arguments": {"path": "a"}}\n<tool_call>';
    expect(read(`Broken:\n${call}\nThe last line lacks its slash.`, { dialect: 'hermes' }).calls).toMatchObject([
      { status: 'invalid' },
    ]);
    expect(read(`Here you go.\n${call}`, { dialect: 'hermes' }).calls).toMatchObject([{ status: 'mended' }]);
  });

  it('prefers marked calls to bare ones', () => {
    const text = '<tool_call>[{"name": "write", "arguments": {"content": "[write(path=1)]"}}]</tool_call>';
    expect(read(text)).toMatchObject({ dialect: 'hermes', text: '', calls: [{ status: 'ok' }] });
  });

  it('S2.2 converts numbers and booleans through optional, nullable, default and effects', () => {
    const input = z.object({
      city: z.string(),
      days: z.number().optional(),
      hot: z.boolean().nullable(),
      unit: z.number().default(1),
      rate: z.number().refine((rate) => rate > 0),
      either: z.union([z.string(), z.array(z.string())]),
    });
    const box = new Toolbox([tool({ name: 'ask', description: 'Asks', inputSchema: input })]);
    const given = { city: '007', days: '3', hot: 'true', unit: '2', rate: '0.5', either: '["a"]' };
    const params = Object.entries(given).map(([key, value]) => `<parameter=${key}>${value}</parameter>`);
    expect(read(`<function=ask>${params.join('')}</function>`, {}, box).calls).toMatchObject([
      { status: 'ok', input: { city: '007', days: 3, hot: true, unit: 2, rate: 0.5, either: '["a"]' } },
    ]);
  });

  it('accepts white space in markers and around quotes, and missing quotes', () => {
    const text =
      "<minimax:tool_call><invoke name = 'get_weather' ><parameter name=city >Rome</parameter></invoke></minimax:tool_call>";
    expect(read(text).calls).toMatchObject([{ name: 'get_weather', input: { city: 'Rome' } }]);
  });

  it('S2.2 converts tagged values to the types of the schema, and keeps text that may be text', () => {
    const text =
      '<function=get_weather><parameter=city>007</parameter><parameter=days>3</parameter><parameter=note>null</parameter></function>';
    expect(read(text).calls).toMatchObject([{ input: { city: '007', days: 3, note: null }, status: 'ok' }]);
  });

  it('keeps a call in reasoning that is closed later as reasoning', () => {
    const text = '<think>maybe <tool_call>{"name": "write", "arguments": {}}</tool_call></think>No.';
    expect(read(text)).toMatchObject({ text: 'No.', calls: [], reasoning: expect.stringContaining('<tool_call>') });
  });

  it('reads a call in reasoning that is never closed', () => {
    const text = '<think>So be it. <tool_call>{"name": "write", "arguments": {"path": "a"}}</tool_call>';
    expect(read(text)).toMatchObject({ text: '', reasoning: 'So be it. ', calls: [{ input: { path: 'a' } }] });
  });

  it('reads text that starts inside reasoning', () => {
    expect(read('hm</think>Hi', { reasoningOpen: true })).toMatchObject({ text: 'Hi', reasoning: 'hm' });
  });

  it('S2.1 C18 reports an unfinished call as truncated', () => {
    for (const text of [
      '<tool_call>{"name": "write", "arguments": {"content": "abc',
      '<tool_call>{"name": "write", "argu',
      '<function=write><parameter=content>abc',
      '<|tool_call_start|>[write(content="abc',
      '<tool_call>write\n',
    ]) {
      expect(read(text)).toMatchObject({ text: '', calls: [{ name: 'write', status: 'invalid', code: 'truncated' }] });
    }
  });

  it('reports an unknown tool if the dialect is named, and keeps it as text otherwise', () => {
    const text = '<tool_call>{"name": "paint", "arguments": {"x": 1}}</tool_call>';
    expect(read(text, { dialect: 'hermes' }).calls).toEqual([
      { name: 'paint', input: { x: 1 }, status: 'invalid', code: 'unknown_tool' },
    ]);
    expect(read(text)).toMatchObject({ text, calls: [] });
  });

  it.each([
    ['Ok.\n', ''],
    ['The format is: ', '\n'],
    ['First\n\n', '\nand\n<tool_call>{"name": "draw", "arguments": {}}</tool_call>'],
  ])('keeps plain markers around an unknown tool beside words in the text: %j', (before, behind) => {
    const call = '<tool_call>{"name": "paint", "arguments": {"x": 1}}</tool_call>';
    const { text, calls } = read(before + call + behind, { dialect: 'hermes' });
    expect(text).toBe(before + call + behind);
    expect(new Set(calls.map(({ code }) => code))).toEqual(new Set(['unknown_tool']));
    expect(read(`${call}\nDone.`, { dialect: 'hermes' })).toMatchObject({ text: `${call}\nDone.`, calls: [] });
  });

  it('guard: takes unknown tools out of the text beside a call of a tool, and between special tokens', () => {
    const unknown = '<tool_call>{"name": "paint", "arguments": {"x": 1}}</tool_call>';
    const known = '<tool_call>{"name": "write", "arguments": {"content": "a"}}</tool_call>';
    expect(read(`Ok.\n${known}\n${unknown}`, { dialect: 'hermes' })).toMatchObject({ text: 'Ok.\n' });
    expect(read('Ok.\n[TOOL_CALLS]paint[ARGS]{"x": 1}', { dialect: 'mistral' })).toMatchObject({ text: 'Ok.\n' });
  });

  it('prose that mentions a call stays text, without losing anything', () => {
    for (const text of [
      'You could use `get_weather(city)` or write {"name": "Bob", "age": 3}.',
      'If a < b and b > c, then [1, 2](x) holds: <div>…</div>.',
      '[paint(x=1)] is a call of another program.',
      '{"name": "paint", "arguments": {}}',
    ]) {
      expect(read(text)).toMatchObject({ text, calls: [] });
    }
  });

  it('C6 reads bare calls of tools in the toolbox', () => {
    expect(read('{"name": "write", "parameters": {"path": "a"}}').calls).toMatchObject([{ input: { path: 'a' } }]);
    expect(read("[write(path='a'), get_weather(city='b', days=2)]").calls).toHaveLength(2);
    expect(read('<write><path>a</path></write>').calls).toMatchObject([{ input: { path: 'a' } }]);
  });

  it('keeps a marker without a call as text', () => {
    const text = '<tool_call>not at all</tool_call>';
    expect(read(text, { dialect: 'hermes' })).toMatchObject({ text, calls: [] });
  });

  it('reports text before parameters that is not a parameter, and refuses the call', () => {
    const text = '<function=write>content: b<parameter=path>a</parameter></function>';
    expect(read(text).calls).toMatchObject([{ input: { path: 'a' }, status: 'invalid', code: 'syntax' }]);
  });

  it('F11 refuses a parameter that has two values', () => {
    const text = '<function=write><parameter=path>a</parameter><parameter=path>b</parameter></function>';
    expect(read(text).calls).toMatchObject([{ status: 'invalid', code: 'duplicate_key' }]);
  });

  it('F6 F9 refuses deep nesting and forbidden keys without throwing', () => {
    const deep = `<tool_call>{"name": "write", "arguments": {"x": ${'['.repeat(100_000)}`;
    expect(readCalls(deep, toolbox).calls).toMatchObject([{ status: 'invalid' }]);
    expect(read('<function=write><parameter=__proto__>a</parameter></function>').calls).toMatchObject([
      { status: 'invalid' },
    ]);
  });
});

describe('events', () => {
  const events = (text: string, size: number): CallEvent[] => {
    const reader = new CallReader(toolbox, { dialect: 'hermes' });
    const said: CallEvent[] = [];
    for (let at = 0; at < text.length; at += size) said.push(...reader.push(text.slice(at, at + size)));
    return [...said, ...reader.end()];
  };

  it('follow the order of the text', () => {
    const text = '<think>hm</think>So.\n<tool_call>{"name": "write", "arguments": {"path": "a"}}</tool_call> Done.';
    const types = events(text, 1000).map(({ type }) => type);
    expect(types).toEqual(['reasoning', 'text', 'call.started', 'call.delta', 'call.finished', 'text']);
  });

  it.each([
    ['hermes', '<tool_call>{"name": "write", "arguments": {"path": "a", "content": "', '"}}</tool_call>'],
    ['qwen3-coder', '<function=write><parameter=content>', '</parameter></function>'],
    ['auto', '[TOOL_CALLS]write[ARGS]{"content": "', '"}'],
    ['auto', '<|tool_call_start|>[write(content="x', '")]<|tool_call_end|>'],
  ])('guard: streams long strings: %s %s…', (dialect, open, close) => {
    const reader = new CallReader(toolbox, { dialect });
    expect(reader.push(open).some(({ type }) => type === 'call.started')).toBe(true);
    for (let i = 0; i < 5; i++) {
      const [event, ...more] = reader.push('some more words ');
      expect(more).toEqual([]);
      expect(event).toMatchObject({ type: 'call.delta', delta: 'some more words ' });
    }
    const [event] = reader.push('x');
    expect(event?.type === 'call.delta' && JSON.stringify(event.value)).toContain('words some more');
    expect([...reader.push(close), ...reader.end()].at(-1)).toMatchObject({
      type: 'call.finished',
      outcome: { status: 'ok' },
    });
  });

  it('start and end one or two calls in one piece', () => {
    const call = '<tool_call>{"name": "write", "arguments": {"path": "a"}}</tool_call>';
    const types = events(call + call, 1000).map(({ type }) => type);
    expect(types).toEqual(['call.started', 'call.delta', 'call.finished', ...types.slice(0, 3)]);
  });

  it('stream text at once, except the possible start of a marker', () => {
    const reader = new CallReader(toolbox, { dialect: 'hermes' });
    expect(reader.push('Hello <tool')).toEqual([{ type: 'text', text: 'Hello ' }]);
    expect(reader.push('box>')).toEqual([{ type: 'text', text: '<toolbox>' }]);
  });

  it('the reader throws if it is used after its end, or for an unknown dialect', () => {
    const reader = new CallReader();
    reader.end();
    expect(reader.end()).toEqual([]);
    expect(() => reader.push('a')).toThrow('ended');
    expect(() => new CallReader(toolbox, { dialect: 'klingon' })).toThrow("no dialect 'klingon'");
  });
});
