/** Quotes around a tagged value: only an enum shows that they aren't part of it, so removing them is inferred. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { mend } from '../../src/mend/mend.ts';
import type { JsonSchema } from '../../src/schema/types.ts';
import { type Effect, tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { closed, string } from './mend-with.ts';

const mode: JsonSchema = { type: 'string', enum: ['hard', 'soft'] };
const texts: Readonly<Record<string, (value: string) => string>> = {
  'qwen3-coder': (value) =>
    `<tool_call>\n<function=purge>\n<parameter=mode>\n${value}\n</parameter>\n</function>\n</tool_call>`,
  'anthropic-xml': (value) =>
    `<function_calls>\n<invoke name="purge">\n<parameter name="mode">${value}</parameter>\n</invoke>\n</function_calls>`,
  glm45: (value) => `<tool_call>purge\n<arg_key>mode</arg_key>\n<arg_value>${value}</arg_value>\n</tool_call>`,
};

const read = (dialect: string, value: string, effect: Effect, schema: JsonSchema = mode) => {
  const purge = tool({ name: 'purge', description: 'Purges', effect, inputSchema: closed({ mode: schema }, ['mode']) });
  return readCalls((texts[dialect] as (value: string) => string)(value), new Toolbox([purge]), { dialect }).calls;
};

describe.each(Object.keys(texts))('%s', (dialect) => {
  it.each(['"hard"', '"soft"', ' "hard" '])('%s is inferred for an enum, so that nothing is destroyed', (value) => {
    const quote = { path: ['mode'], kind: 'quote', certainty: 'inferred' };
    const [call] = read(dialect, value, 'write');
    expect(call).toMatchObject({ status: 'mended', input: { mode: value.trim().slice(1, -1) } });
    expect(call?.repairs).toContainEqual(expect.objectContaining(quote));
    expect(read(dialect, value, 'destructive')).toMatchObject([{ status: 'invalid', errorType: 'validation' }]);
  });

  it('guard: a member without quotes, and quotes that are text, are exact', () => {
    expect(read(dialect, 'hard', 'destructive')).toMatchObject([{ status: 'ok', input: { mode: 'hard' } }]);
    expect(read(dialect, '"hard"', 'destructive', string)).toMatchObject([{ status: 'ok', input: { mode: '"hard"' } }]);
    const both: JsonSchema = { type: 'string', enum: ['hard', '"hard"'] };
    expect(read(dialect, '"hard"', 'destructive', both)).toMatchObject([{ status: 'ok', input: { mode: '"hard"' } }]);
  });
});

describe('quotes around a value of JSON arguments', () => {
  const call = (value: string, members: unknown[], effect: Effect = 'write') => {
    const inputSchema = closed({ mode: { enum: members } }, ['mode']);
    const purge = tool({ name: 'purge', description: 'Purges', effect, inputSchema });
    return mend({ name: 'purge', arguments: JSON.stringify({ mode: value }) }, [purge]);
  };

  it.each(['"soft"', "'soft'", '`Soft`', ' "soft" '])('%s is inferred for a member', (value) => {
    expect(call(value, ['hard', 'soft'])).toMatchObject({ status: 'mended', input: { mode: 'soft' } });
    expect(call(value, ['hard', 'soft'], 'destructive').status).toBe('invalid');
  });

  it.each(['"soft', 'soft"', '""soft""', '"hard" or "soft"', '"hard,soft"', '""', '"softer"', '\\"soft\\"', `"soft'`])(
    'guard: %s is none',
    (value) => {
      expect(call(value, ['hard', 'soft']).status).toBe('invalid');
    },
  );

  it('guard: a member with quotes is that member', () => {
    expect(call('"a"', ['a', '"a"'])).toMatchObject({ status: 'ok', input: { mode: '"a"' } });
    expect(call('"A"', ['a', '"a"'])).toMatchObject({ input: { mode: '"a"' } });
    expect(call('"', ['"', "'"])).toMatchObject({ status: 'ok', input: { mode: '"' } });
  });
});
