import { describe, expect, it } from 'vitest';
import { tool } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { readCalls } from './read-calls.ts';

const properties = { path: { type: 'string' }, content: { type: 'string' }, more: { type: 'object' } } as const;
const toolbox = new Toolbox(
  ['write', 'search'].map((name) =>
    tool({ name, description: 'Does it', inputSchema: { type: 'object', properties } }),
  ),
);

/** Reads whole and in chunks, and sees that both come out the same. */
function read(text: string, dialect = 'auto') {
  const whole = readCalls(text, toolbox, { dialect });
  for (const chunk of [1, 2, 3, 7]) expect(readCalls(text, toolbox, { dialect, chunk })).toEqual(whole);
  return {
    text: whole.text,
    calls: whole.calls.map(({ name, status, problems }) => [name, status, problems[0]?.code]),
  };
}

describe('reports what would be lost, and refuses the call', () => {
  it.each([
    ['two names', '<tool_call>{"name": "write", "name": "search", "arguments": {}}</tool_call>', 'duplicate_key'],
    [
      'arguments twice',
      '<tool_call>{"name": "write", "arguments": {"path": "a"}, "arguments": {"path": "b"}}</tool_call>',
      'duplicate_key',
    ],
    [
      'arguments under two keys',
      '<tool_call>{"name": "write", "arguments": {"path": "a"}, "parameters": {"path": "b"}}</tool_call>',
      'ambiguous',
    ],
    [
      'a parameter beside the arguments',
      '<tool_call>{"name": "write", "arguments": {"path": "a"}, "content": "b"}</tool_call>',
      'ambiguous',
    ],
    ['the same behind a name', '[TOOL_CALLS]write[ARGS]{"path": "a"}, "content": "b"}', 'syntax'],
    ['a key without a value', '<tool_call>write<arg_key>path</arg_key></tool_call>', 'syntax'],
    ['JSON behind other text', '<function=write>content: {"path": "a"}</function>', 'syntax'],
    [
      'a key twice in a tree',
      [
        ']<]minimax[>[<invoke name="write">]<]minimax[>[<more>',
        ']<]minimax[>[<a>1]<]minimax[>[</a>]<]minimax[>[<a>2]<]minimax[>[</a>',
        ']<]minimax[>[</more>]<]minimax[>[</invoke>',
      ].join(''),
      'type',
    ],
  ])('F11 %s', (_, text, code) => {
    expect(read(text).calls).toEqual([['write', 'invalid', code]]);
  });

  it('F11 a parameter after an extra closer', () => {
    const text = '<tool_call>{"name": "write", "arguments": {"path": "a"}}, "content": "b"}</tool_call>';
    expect(read(text, 'hermes').calls).toEqual([['write', 'invalid', 'syntax']]);
    expect(read(text)).toEqual({ text, calls: [] });
  });

  it('accepts repeated equal values, and keys that belong to a call', () => {
    for (const text of [
      '<tool_call>{"name": "write", "name": "write", "arguments": {"path": "a"}}</tool_call>',
      '<tool_call>{"id": "1", "type": "function", "name": "write", "arguments": {"path": "a"}, "parameters": {}}</tool_call>',
      '<tool_call>{"name": "write", "arguments": {"path": "a"}, "index": 0}</tool_call>',
    ]) {
      expect(read(text).calls).toEqual([['write', 'ok', undefined]]);
    }
  });
});

describe('a value that contains calls', () => {
  const invoke = (content: string) =>
    `<function_calls>\n<invoke name="write">\n<parameter name="path">a</parameter>\n<parameter name="content">${content}</parameter>\n</invoke>\n</function_calls>`;
  const tagged = (content: string) =>
    `<tool_call>\n<function=write>\n<parameter=path>\na\n</parameter>\n<parameter=content>\n${content}\n</parameter>\n</function>\n</tool_call>`;
  it.each([
    [invoke, '<invoke name="x">\n<parameter name="y">z</parameter>\n</invoke>'],
    [invoke, 'x</parameter>\n</invoke>\n</function_calls>'],
    [tagged, '</function>\n</tool_call>'],
    [tagged, 'say </parameter>\n</function>'],
    [tagged, '</parameter>\n</function>\n</tool_call>'],
  ])('S2.1 is read to its own end: %#', (write, content) => {
    const text = write(content);
    const whole = readCalls(text, toolbox);
    for (const chunk of [1, 3, 7]) expect(readCalls(text, toolbox, { chunk })).toEqual(whole);
    expect([whole.text.trim(), whole.calls.map(({ input }) => input)]).toEqual(['', [{ path: 'a', content }]]);
  });
});

describe('text that is not a call', () => {
  it('keeps list items that are not calls', () => {
    const list = '[{"name": "write", "arguments": {}}, "x", 5, {"nope": 1}, {"name": "search", "arguments": {}}]';
    // A list with anything else in it is data, between markers and without them.
    expect(read(`<tool_calls>${list}</tool_calls>`)).toEqual({ text: `<tool_calls>${list}</tool_calls>`, calls: [] });
    expect(read(list)).toEqual({ text: list, calls: [] });
  });

  it('keeps text after a call', () => {
    expect(read('[TOOL_CALLS]write[ARGS]{"path": "a"}\nAnd more').text).toBe('And more');
    expect(read('<|tool_call_start|>[write(path="a") oops]<|tool_call_end|>').text).toContain('oops');
  });
});
