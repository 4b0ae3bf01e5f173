/** A line that begins with a quote behind a call of a row without closers: prose, or a refusal that names the true fault. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { renderCalls } from '../../src/dialect/render.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const toolbox = new Toolbox([
  tool({
    name: 'get_weather',
    description: 'Reads',
    effect: 'read',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  }),
]);
const rows = ['mistral', 'llama3-json', 'gigachat3', 'functionary-v32'];
const call = (dialect: string) =>
  renderCalls([{ name: 'get_weather', arguments: { city: 'Paris' } }], dialect, toolbox);
const read = (text: string, dialect: string, chunk?: number) => {
  const { calls, text: left } = readCalls(text, toolbox, { dialect, ...(chunk && { chunk }) });
  return { calls: calls.map(({ status, input }) => ({ status, input })), left };
};
const reasons = (text: string, dialect: string) =>
  readCalls(text, toolbox, { dialect }).calls.flatMap(({ problems }) => problems?.map(({ message }) => message) ?? []);

describe('guard: prose that starts with a quote on a separate line', () => {
  it.each(
    [
      '"Sunny" is my guess.',
      "'Sunny' is my guess.",
      '"Paris" and "Lyon" are both in France',
      '"Paris" it is!\nI will tell you more.',
      '"Just a moment," said the clerk.',
      '"Météo" veut dire temps.\n"Ville" veut dire city.',
    ].flatMap((prose) => rows.map((dialect) => [dialect, prose] as const)),
  )('%s: %j', (dialect, prose) => {
    for (const gap of ['\n', '\n\n'])
      for (const chunk of [undefined, 1, 3, 7])
        expect(read(call(dialect) + gap + prose, dialect, chunk)).toEqual({
          calls: [{ status: 'ok', input: { city: 'Paris' } }],
          left: prose,
        });
  });
});

describe('text that may continue a value, or data, is refused with the right fault', () => {
  it.each(
    [
      ' "Sunny" is my guess.',
      '\n"Sunny"',
      '\n"Sunny"}',
      '\n"unit": "C"}',
      '\n"a", "b"]',
      '\n"} is how it ends", he said',
      '\n"open and never closed',
      `\n"${'long '.repeat(100)}" he said.`,
      ': "Sunny" is my guess.',
    ].flatMap((tail) => rows.map((dialect) => [dialect, tail] as const)),
  )('%s: %j', (dialect, tail) => {
    for (const chunk of [undefined, 1, 7])
      expect(read(call(dialect) + tail, dialect, chunk).calls.map(({ status }) => status)).toEqual(['invalid']);
    expect(reasons(call(dialect) + tail, dialect).join()).toMatch(/is followed by other text/);
  });
});

describe('guard: a brace in unescaped quotes does not end a call', () => {
  it.each(['mistral', 'gigachat3'])('%s', (dialect) => {
    const city = 'the {"a": 1}\n"b" of Paris';
    expect(read(call(dialect).replace('Paris', city), dialect)).toEqual({
      calls: [{ status: 'mended', input: { city } }],
      left: '',
    });
  });
});

describe('guard: a field after the closer is reported as a field', () => {
  it.each(rows)('%s', (dialect) => {
    expect(reasons(`${call(dialect)}, "unit": "C"}`, dialect).join()).toMatch(/closed too early: a field follows/);
  });
});
