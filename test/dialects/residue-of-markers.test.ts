/** What is left of a damaged marker never becomes part of a value, and mended markers are never recorded as intact. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { renderCalls } from '../../src/dialect/render.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const string = { type: 'string' } as const;
const integer = { type: 'integer' } as const;
const file = { type: 'object', properties: { path: string, content: string }, required: ['path', 'content'] } as const;
const record = {
  type: 'object',
  properties: { id: integer, fields: { type: 'object' }, meta: { type: 'object' } },
} as const;
const toolbox = new Toolbox([
  tool({ name: 'write_file', description: 'Writes a file', effect: 'write', inputSchema: file }),
  tool({ name: 'update', description: 'Updates a record', effect: 'write', inputSchema: record }),
  tool({
    name: 'exec',
    description: 'Runs a command',
    effect: 'destructive',
    inputSchema: { type: 'object', properties: { command: string, timeout: integer }, required: ['command'] },
  }),
]);
const call = { name: 'write_file', arguments: { path: 'a.md', content: 'Hello there' } };

/** What runs, named, detected and prompted, at once and in single characters. */
function ran(text: string, dialect: string): unknown[] {
  return [{ dialect }, {}, { prompted: true }].flatMap((options) => {
    const whole = readCalls(text, toolbox, options);
    expect(readCalls(text, toolbox, { ...options, chunk: 1 })).toEqual(whole);
    return whole.calls.flatMap(({ status, input }) => (status === 'invalid' ? [] : [input]));
  });
}

const damages: readonly (readonly [dialect: string, from: string, to: string])[] = [
  ...['glm45', 'hy-v3', 'hy-v4'].flatMap((dialect) =>
    [
      ['<arg_value>Hello', '[arg_value>Hello'],
      ['<arg_value>Hello', '(arg_value>Hello'],
      ['<arg_value>Hello', '<arg_valueHello'],
      ['<arg_value>Hello', '&lt;arg_value>Hello'],
      ['<arg_value>Hello', 'arg_value<b>Hello</b>'],
      ['<arg_value>Hello', '<arg_key>Hello'],
      ['content</arg_key><arg_value>', 'content<arg_value></arg_key>'],
      ['Hello there</arg_value>', '<arg_value>Hello there</arg_value></arg_value>'],
      ['content</arg_key>', 'contentarg_key'],
      ['a.md</arg_value>', 'a.mdarg_value'],
      ['a.md</arg_value>', 'a.md<tool_call>'],
      ['a.md</arg_value>', 'a.md<</arg_value>'],
    ].map(([from = '', to = '']) => [dialect, from, to] as const),
  ),
  ['telechat4', '<param_value>Hello', '[param_value>Hello'],
  ['k2-horizon', '<ifm|arg_value>Hello', '<ifm|arg_key>Hello'],
  ['anthropic-xml', 'a.md</parameter>', 'a.md<invoke name="write_file">'],
  ['anthropic-xml', 'a.md</parameter>', 'a.mdparameter'],
  ['anthropic-xml', 'a.md</parameter>', 'a.md<</parameter>'],
  ['seed-oss', 'there</parameter>', 'there<function=write_file>'],
  ['qwen3-coder', 'there\n</parameter>', 'there\nparameter'],
  ['deepseek-v32', 'a.md</｜DSML｜parameter>', 'a.mdDSMLparameter'],
  ['muse-glimmer', 'there</atem:parameter>', 'there<atem:function_calls>'],
  ['cline-xml', 'there\n</content>', 'there\ncontent'],
  ['anthropic-xml-legacy', '</parameters>', '<parameters>'],
  ...['escape>', '＜escape>', '</escape>', '<escape=', '<ESCAPE>', '(escape>', '&lt;escape>', 'escape'].map(
    (to) => ['functiongemma', '<escape>Hello', `${to}Hello`] as const,
  ),
  ...['<||>', '<|“|>', '|“|>'].map((to) => ['gemma4', '<|"|>Hello', `${to}Hello`] as const),
  ['hermes', '"a.md"', '"a.md″'],
  ['hermes', '"Hello there"', '″Hello there″'],
  ['mistral', '"Hello there"', '〞Hello there〞'],
];

describe('a part of a marker is in no value', () => {
  it.each(damages)('%s: %s → %s', (dialect, from, to) => {
    const text = renderCalls([call], dialect, toolbox);
    expect(text).toContain(from);
    for (const input of ran(
      text.replace(from, () => to),
      dialect,
    ))
      expect(input).toEqual(call.arguments);
  });

  it.each([
    'a <',
    '<',
    'Vec<T>',
    'if (a < b',
    'x |',
    '"quoted"',
    '5′ 11″',
    'the parameter',
    'escape room',
    '| a | b |',
  ])('guard: %j between intact markers is a value', (content) => {
    for (const dialect of ['glm45', 'anthropic-xml', 'functiongemma', 'gemma4', 'hermes', 'qwen3-coder', 'cline-xml']) {
      const written = { ...call, arguments: { path: 'a.md', content } };
      const inputs = ran(renderCalls([written], dialect, toolbox), dialect);
      expect([dialect, inputs]).toEqual([dialect, [written, written, written].map((one) => one.arguments)]);
    }
  });
});

describe('mended markers', () => {
  it.each([
    '<tool_call>exec\n<arg_key>command</arg_key>ls -la</arg_value>\n<arg_key>timeout</arg_key><arg_value>5</arg_value>\n</tool_call>',
    '<tool_call>exec\n<arg_key>command</arg_key></arg_key><arg_value>ls -la</arg_value>\n</tool_call>',
  ])('don’t run a destructive tool in a prompted response: %s', (text) => {
    const { calls } = readCalls(text, toolbox, { prompted: true });
    expect(calls.map(({ status }) => status)).toEqual(['invalid']);
  });

  it.each([
    '<function=update>{"id": 9, "fields": {"k": "?", "m": 9, "meta": {"tags": ["t"], "note": "n"}}</function>',
    '<function=update>{"id": 9, "fields": {"k": "?"}, "meta": {"tags": ["t"}, "note": "n"}}</function>',
  ])('hide no repair of the arguments: %s', (text) => expect(ran(text, 'functionary-v31')).toEqual([]));
});

describe('what is around a call', () => {
  const special = ['deepseek-v31', 'kimi-k2', 'deepseek-v32', 'lfm2', 'minimax-m3'];
  it.each(
    special.flatMap((dialect) =>
      [' is what I would send.', ' (an example)', ' // rejected'].map((end) => [dialect, end]),
    ),
  )('%s: a remark behind the last closer on its line shows the call: %s', (dialect = '', end = '') => {
    const text = renderCalls([call], dialect, toolbox) + end;
    expect(readCalls(text, toolbox)).toMatchObject({ calls: [], text });
    expect(readCalls(text, toolbox, { chunk: 1 })).toMatchObject({ calls: [], text });
  });

  it.each(special)('guard: %s: a sentence on the next line leaves it a call', (dialect) => {
    const text = `${renderCalls([call], dialect, toolbox)}\nThe file is written.`;
    expect(readCalls(text, toolbox).calls).toMatchObject([{ input: call.arguments }]);
  });

  it.each(['mistral', 'granite3', 'llama3-json', 'phi4-mini', 'gigachat3'])(
    '%s: a bracket that closes one before the call makes it a value',
    (dialect) => {
      const written = renderCalls([call], dialect, toolbox);
      for (const text of [`{"role": "assistant", "content": ${written}}`, `log = [1, ${written}]`])
        expect(readCalls(text, toolbox).calls.filter(({ status }) => status !== 'invalid')).toEqual([]);
      expect(readCalls(`${written}}`, toolbox).calls).toMatchObject([{ status: 'mended', input: call.arguments }]);
    },
  );

  it('a blockquote with a sign on its first line alone is none in a prompted response', () => {
    const text = `> ${renderCalls([call], 'glm45', toolbox)}`;
    expect(readCalls(text, toolbox, { prompted: true })).toMatchObject({ calls: [], text });
  });
});
