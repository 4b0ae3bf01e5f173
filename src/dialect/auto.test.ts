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
