import { describe, expect, it } from 'vitest';
import { tool } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { CallReader } from './call-reader.ts';
import { readCalls } from './read-calls.ts';

const toolbox = new Toolbox([
  tool({
    name: 'get_weather',
    description: 'x',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
  }),
]);

/** Reads without naming the dialect, whole and in chunks, and sees that both come out the same. */
function read(text: string, box?: Toolbox) {
  const whole = readCalls(text, box);
  for (const chunk of [1, 2, 3, 5, 11]) expect(readCalls(text, box, { chunk })).toEqual(whole);
  const { reasoning, dialect, calls } = whole;
  return { text: whole.text, reasoning, dialect, calls: calls.map(({ name, input, status }) => [name, input, status]) };
}

describe('without tools, a response that consists only of calls', () => {
  it.each([
    ['{"name": "f", "parameters": {"a": 1}}', [['f', { a: 1 }, 'ok']]],
    [
      '{"name": "f", "parameters": {"a": 1}}; {"name": "g", "parameters": {}}',
      [
        ['f', { a: 1 }, 'ok'],
        ['g', {}, 'ok'],
      ],
    ],
    ['\n[{"id": "1", "type": "function", "name": "f", "arguments": "{\\"a\\": 1}"}]\n', [['f', { a: 1 }, 'mended']]],
    ['<tools>\n{"name": "f", "arguments": {"a": 1}}\n</tools>', [['f', { a: 1 }, 'ok']]],
    [
      "[f(a=1), g(b='x')]",
      [
        ['f', { a: 1 }, 'ok'],
        ['g', { b: 'x' }, 'ok'],
      ],
    ],
    ['```json\n{"name": "f", "arguments": {"a": 1}}\n```', [['f', { a: 1 }, 'ok']]],
    ['<think>so</think>\n{"name": "f", "arguments": {"a": 1}}', [['f', { a: 1 }, 'ok']]],
  ])('is read: %s', (text, calls) => {
    expect(read(text)).toMatchObject({ text: expect.stringMatching(/^\s*$/), calls });
  });

  it('C18 is reported as truncated', () => {
    expect(read('{"name": "f", "arguments": {"a": "b').calls).toMatchObject([['f', expect.anything(), 'invalid']]);
  });

  it.each([
    'Here it is: {"name": "f", "parameters": {}}',
    '{"name": "f", "parameters": {}} is how you call it.',
    '[f(a=1)] is a call of another program.',
    '{"name": "Bob", "age": 3}',
    '{"name": "Bob", "input": 3}',
    '{"name": "f", "description": "d", "parameters": {"type": "object"}}',
    '{"type": "function", "function": {"name": "f", "description": "d", "parameters": {}}}',
    '[{"name": "f", "arguments": {}}, {"name": "Bob", "age": 3}]',
    '[f(x), g(y)]',
    '[see(this)](https://example.com)',
    '[1, 2, 3]',
    '<response>Hello.</response>',
    '<tools>are useful</tools>',
  ])('anything else is text: %s', (text) => {
    expect(read(text)).toMatchObject({ text, calls: [] });
  });

  it('is the only text that is buffered', () => {
    const reader = new CallReader();
    expect(reader.push('{"name')).toEqual([]);
    expect(reader.push('s": 1')).toEqual([{ type: 'text', text: '{"names": 1' }]);
    expect(reader.push('}')).toEqual([{ type: 'text', text: '}' }]);
  });
});

describe('with tools', () => {
  it('reads parts of parameters without a call as text', () => {
    const parts = '<tool_call><arg_key>k</arg_key><arg_value>v</arg_value></tool_call>ok';
    expect(read(parts, toolbox).text).toBe(parts);
    expect(read('Write <arg_key> in <b>bold</b>.', toolbox).text).toBe('Write <arg_key> in <b>bold</b>.');
  });

  it('removes a plain tag around the response after reasoning, and no other', () => {
    expect(read('<think>hm</think><response>Hi <response> you</response>', toolbox).text).toBe('Hi <response> you');
    expect(read('<think>hm</think>A <response>Hi</response>', toolbox).text).toBe('A <response>Hi</response>');
    expect(read('<response>Hi</response>', toolbox).text).toBe('<response>Hi</response>');
  });

  it('ends a message in a frame at the end token of its own dialect', () => {
    const inner = '<|start|>assistant to=get_weather<|message|>{"city": "x"}';
    expect(read(`<|start|>assistant to=user<|message|>Say: ${inner}<|eom|>`, toolbox)).toMatchObject({
      text: `Say: ${inner}`,
      calls: [],
    });
  });
});

describe('calls side by side', () => {
  const files = new Toolbox(
    (['read', 'write', 'destructive'] as const).map((effect) =>
      tool({
        name: `${effect}_file`,
        description: 'x',
        effect,
        inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      }),
    ),
  );
  const hermes = (name: string) => `<tool_call>{"name": "${name}", "arguments": {"path": "a"}}</tool_call>`;
  const kimi = (name: string) =>
    `<|tool_call_begin|>functions.${name}:0<|tool_call_argument_begin|>{"path": "a"}<|tool_call_end|>`;
  const cohere = (name: string) =>
    `<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "${name}", "parameters": {"path": "a"}}]<|END_ACTION|>`;

  it.each([
    `- Hermes: ${hermes('destructive_file')}\n- Kimi: ${kimi('destructive_file')}`,
    `Same call, two templates:\n\n${kimi('destructive_file')}\n\n${cohere('destructive_file')}`,
    `Wrong:\n${kimi('destructive_file')}\n\nRight:\n${kimi('read_file')}`,
    `### Before\n${kimi('write_file')}\n\n### After\n${kimi('read_file')}`,
    `Vorher:\n${hermes('write_file')}\n\nNachher:\n${hermes('read_file')}`,
    `错误示例：\n${hermes('write_file')}\n\n正确示例：\n${hermes('read_file')}`,
    `**Option A**\n${hermes('write_file')}\n\n**Option B**\n${hermes('read_file')}`,
    `Wrong: ${hermes('write_file')}\nRight: ${hermes('read_file')}`,
    `Turn 1 of the bad trace was ${hermes('write_file')} and it should have been ${hermes('read_file')}`,
    `${hermes('write_file')} vs. ${hermes('read_file')}`,
  ])('are text if they are compared: %j', (text) => {
    expect(read(text, files)).toMatchObject({ text, calls: [] });
  });
  it('are inferred with words between them', () => {
    const text = `First I remove the old file.\n${kimi('destructive_file')}\nThen I read the new one.\n${kimi('read_file')}`;
    expect(read(text, files).calls.map(([name, , status]) => [name, status])).toEqual([
      ['destructive_file', 'invalid'],
      ['read_file', 'ok'],
    ]);
  });
  it.each([
    `I read both.\n${hermes('read_file')}\n${hermes('write_file')}`,
    `First I read the old file.\n${hermes('read_file')}\nThen I write the new one.\n${hermes('write_file')}`,
    `${kimi('read_file')}${kimi('write_file')}`,
  ])('guard: are read: %j', (text) => {
    expect(read(text, files).calls.map(([name, , status]) => [name, status])).toEqual([
      ['read_file', 'ok'],
      ['write_file', 'ok'],
    ]);
  });
});
