/** A line break before the closer of a value belongs to the tags only if one follows the opener, too. */
import { describe, expect, it } from 'vitest';
import { readCalls, renderCalls } from '../../src/dialect/index.ts';
import { type Effect, tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const inputSchema = {
  type: 'object',
  properties: { content: { type: 'string' }, count: { type: 'integer' } },
} as const;

const assigned = (value: string): string => `<function=save>\n<parameter=content>${value}</parameter>\n</function>`;
const rows: Readonly<Record<string, (value: string) => string>> = {
  'seed-oss': (value) => `<seed:tool_call>\n${assigned(value)}\n</seed:tool_call>`,
  'qwen3-coder': (value) => `<tool_call>\n${assigned(value)}\n</tool_call>`,
  'cline-xml': (value) => `<save>\n<content>${value}</content>\n</save>`,
};

function read(dialect: string, value: string, effect: Effect) {
  const save = tool({ name: 'save', description: 'Saves', effect, inputSchema });
  const { calls } = readCalls((rows[dialect] as (value: string) => string)(value), new Toolbox([save]), { dialect });
  const [call] = calls;
  return call?.status === 'invalid'
    ? call.problems[0]?.code
    : (call?.input as { content?: string } | undefined)?.content;
}

const program = 'import re\n\nprint(re)\n';

/** The value, and what a destructive and a writing tool get. */
const table: Readonly<Record<string, readonly (readonly [string, string, string])[]>> = {
  'seed-oss': [
    [program, program, program],
    ['two words\n', 'two words\n', 'two words\n'],
    ['a.ts\n', 'not_exact', 'a.ts'],
  ],
  'qwen3-coder': [
    [program, 'not_exact', program],
    ['two words\n', 'not_exact', 'two words'],
    ['a.ts\n', 'not_exact', 'a.ts'],
    ['a.ts\r\n', 'not_exact', 'a.ts'],
  ],
  'cline-xml': [
    [program, 'not_exact', program],
    ['a.ts\n', 'not_exact', 'a.ts'],
  ],
};

describe.each(Object.keys(rows))('%s', (dialect) => {
  it.each(table[dialect] ?? [])('%j', (value, destructive, write) => {
    expect([read(dialect, value, 'destructive'), read(dialect, value, 'write')]).toEqual([destructive, write]);
  });

  it.each([
    ['a.ts', 'a.ts'],
    ['one\ntwo', 'one\ntwo'],
    ['\na.ts\n', 'a.ts'],
    [`\n${program}\n`, program],
    ['\none\n  two\n  ', 'one\n  two'],
    ['\none\ntwo', 'one\ntwo'],
  ])('guard: reads %j', (value, content) => {
    expect(read(dialect, value, 'destructive')).toBe(content);
  });

  it.each([program, 'word', 'word\n', '\none\n', 'one\n\n', ' a ', '\n'])(
    'guard: reads what it writes: %j',
    (content) => {
      const written = renderCalls([{ name: 'save', arguments: { content } }], dialect);
      const save = tool({ name: 'save', description: 'Saves', effect: 'destructive', inputSchema });
      expect(readCalls(written, new Toolbox([save]), { dialect }).calls).toMatchObject([{ input: { content } }]);
    },
  );
});

it('a number has no line break', () => {
  const text = '<tool_call>\n<function=save>\n<parameter=count>5\n</parameter>\n</function>\n</tool_call>';
  const save = tool({ name: 'save', description: 'Saves', effect: 'destructive', inputSchema });
  const { calls } = readCalls(text, new Toolbox([save]), { dialect: 'qwen3-coder' });
  expect(calls).toMatchObject([{ status: 'ok', input: { count: 5 } }]);
});
