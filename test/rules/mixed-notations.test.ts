/** Behind text without quotes, a separator or sign of another notation may belong to the text. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { mendWith, string } from './mend-with.ts';

const values = { type: 'object', additionalProperties: string };
const fields = { type: 'object', properties: { url: string, headers: values }, additionalProperties: string };

const mixed = [
  '{"headers": {"Content-Type": text/plain; charset=utf-8}}',
  '{"url": "x", "headers": {"Content-Type": text/plain; charset=utf-8}}',
  '{url: "x", headers: {Content-Type: text/html; charset=utf-8, Accept: text/html}}',
  '{"headers": {"Accept": text/html; q=0.9}}',
  '{"headers": {"Accept": text/html; q: high}}',
  '{url: "x", headers: {A: text/html; b: c}}',
  '{headers: {A: text/html; b: c}, url: "x"}',
  '{A: text/html; b: "c", url: "x"}',
  '{FOO: a; BAR=b}',
  '{FOO: a, b=c}',
  '{FOO: a, b = c}',
  '{FOO: a, b => c}',
  '{FOO=a, b: c}',
  '{FOO=a; b: c}',
  '{"FOO": a, b=c}',
  '{headers: {FOO: a, b=c}}',
];

describe('Text without quotes: refuses separators and signs of another notation', () => {
  it.each(mixed)('%s', (text) => expect(mendWith(fields, text)).toMatchObject({ status: 'invalid' }));

  it('in gemma4', () => {
    const toolbox = new Toolbox([tool({ name: 'act', description: 'Acts', inputSchema: fields, effect: 'write' })]);
    const text = '<|tool_call>call:act{headers:{Content-Type:text/plain; charset=utf-8}}<tool_call|>';
    expect(readCalls(text, toolbox, { dialect: 'gemma4' }).calls).toMatchObject([{ status: 'invalid' }]);
  });

  it.each([
    ['{FOO: a; BAR: b}', { FOO: 'a', BAR: 'b' }],
    ['{FOO=a; BAR=b}', { FOO: 'a', BAR: 'b' }],
    ['{FOO=a, BAR=b}', { FOO: 'a', BAR: 'b' }],
    ['{FOO => a, BAR => b}', { FOO: 'a', BAR: 'b' }],
    ['{FOO: a, BAR: b}', { FOO: 'a', BAR: 'b' }],
    ['{FOO: "a"; BAR: "b", url: "c"}', { FOO: 'a', BAR: 'b', url: 'c' }],
    ['{"FOO": "a", "BAR"="b"}', { FOO: 'a', BAR: 'b' }],
    ['{headers: {FOO: a; BAR: b}; url: x}', { headers: { FOO: 'a', BAR: 'b' }, url: 'x' }],
  ])('guard: reads one notation, and text in quotes: %s', (text, input) =>
    expect(mendWith(fields, text)).toMatchObject({ status: 'mended', input }),
  );
});
