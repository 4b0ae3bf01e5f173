/** A line break right behind three quotes or a backtick belongs to the text in some languages, and not in others. */
import { describe, expect, it } from 'vitest';
import { closed, mendWith, string, strings } from './mend-with.ts';

const schema = closed({ content: string, list: strings, count: { type: 'integer' } });
const quotes = ['"""', "'''", '`'] as const;

describe.each(quotes)('text within %s', (quote) => {
  it.each(['\nimport os\nprint(os)\n', '\nword\n', '\r\nword\r\n', '  \nword', '\n'])('is refused: %j', (text) => {
    for (const args of [
      `{"content": ${quote}${text}${quote}}`,
      `{"count": 1, "list": ["a", ${quote}${text}${quote}]}`,
      `{content: ${quote}${text}${quote}, count: 1}`,
    ]) {
      const { status, problems } = mendWith(schema, args);
      expect([args, status, problems.map(({ code }) => code)]).toEqual([args, 'invalid', ['ambiguous']]);
    }
  });

  it.each(['import os\nprint(os)\n', 'one line', 'one\n\ntwo', ' one\n'])('guard: is inferred: %j', (content) => {
    const { status, input, repairs } = mendWith(schema, `{"content": ${quote}${content}${quote}}`);
    expect([status, input]).toEqual(['mended', { content }]);
    expect(repairs.some(({ certainty }) => certainty === 'inferred')).toBe(true);
  });
});

it('guard: double quotes begin with any line break', () => {
  expect(mendWith(schema, '{"content": "\\nimport os\\n"}')).toMatchObject({ status: 'ok' });
  expect(mendWith(schema, '{"content": "\nimport os\n"}')).toMatchObject({ input: { content: '\nimport os\n' } });
});
