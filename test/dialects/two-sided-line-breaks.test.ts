/** In dialects that write values without line breaks around them, those around a single line are layout. */
import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/dialect/dialects/index.ts';
import { readCalls, renderCalls } from '../../src/dialect/index.ts';
import { hasCode } from '../../src/json/toolmend-error.ts';
import { type Effect, tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const inputSchema = {
  type: 'object',
  properties: { content: { type: 'string' }, count: { type: 'integer' }, list: { type: 'array' } },
} as const;
const box = (effect: Effect) => new Toolbox([tool({ name: 'save', description: 'Saves', effect, inputSchema })]);

const invoked =
  (prefix: string, more = '') =>
  (key: string, value: string) =>
    `<${prefix}invoke name="save">\n<${prefix}parameter name="${key}"${more}>${value}</${prefix}parameter>\n</${prefix}invoke>`;
const paired = (key: string, value: string): string => `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>`;

const rows: Readonly<Record<string, (key: string, value: string) => string>> = {
  'anthropic-xml': (...given) => `<function_calls>\n${invoked('')(...given)}\n</function_calls>`,
  'minimax-m2': (...given) => `<minimax:tool_call>\n${invoked('')(...given)}\n</minimax:tool_call>`,
  glm45: (...given) => `<tool_call>save\n${paired(...given)}\n</tool_call>`,
  'hy-v3': (...given) => `<tool_calls>\n<tool_call>save<tool_sep>\n${paired(...given)}\n</tool_call>\n</tool_calls>`,
  'deepseek-v32': (key, value) =>
    `<｜DSML｜function_calls>\n${invoked('｜DSML｜', ' string="true"')(key, value)}\n</｜DSML｜function_calls>`,
};

function read(dialect: string, value: string, effect: Effect, key = 'content') {
  const text = (rows[dialect] as (key: string, value: string) => string)(key, value);
  const { calls } = readCalls(text, box(effect), { dialect });
  const [call] = calls;
  if (call?.status === 'invalid') return call.problems[0]?.code;
  return (call?.input as Record<string, unknown> | undefined)?.[key];
}

describe.each(Object.keys(rows))('%s', (dialect) => {
  it.each([
    ['\n/srv/a\n', '/srv/a'],
    ['\r\n/srv/a\r\n', '/srv/a'],
    ['\ntwo words\n  ', 'two words'],
    ['\nimport os\nprint(1)\n', '\nimport os\nprint(1)\n'],
  ])('only tools that need no certainty get %j', (value, write) => {
    expect([read(dialect, value, 'destructive'), read(dialect, value, 'write')]).toEqual(['not_exact', write]);
  });

  it.each(['a.ts', 'one\ntwo', 'import re\n\nprint(re)\n', '\none', ' a ', 'a\n'])('guard: reads %j', (value) => {
    expect(read(dialect, value, 'destructive')).toBe(value);
  });

  it('guard: other types have no line breaks', () => {
    if (dialect === 'deepseek-v32') return;
    expect(read(dialect, '\n5\n', 'destructive', 'count')).toBe(5);
    expect(read(dialect, '\n["a"]\n', 'destructive', 'list')).toEqual(['a']);
  });
});

it.each(dialects.map(({ name }) => name))('%s: writes no value that is read as another one', (dialect) => {
  for (const content of ['\na\n', '\na b\n', '\na\nb\n', '\n', '\n\n', 'a\n', '\na']) {
    try {
      const written = renderCalls([{ name: 'save', arguments: { content } }], dialect, box('write'));
      expect(readCalls(written, box('write'), { dialect }).calls).toMatchObject([{ input: { content } }]);
    } catch (error) {
      expect([content, hasCode(error, 'unrenderable_calls')]).toEqual([content, true]);
    }
  }
});
