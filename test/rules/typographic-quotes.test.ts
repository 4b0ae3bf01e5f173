import { describe, expect, it } from 'vitest';
import { closed, integer, mendWith, string, strings } from './mend-with.ts';

const fields = closed({ title: string, text: string, tags: strings, n: integer });
const certainties = (outcome: ReturnType<typeof mendWith>) => outcome.repairs.map(({ certainty }) => certainty);

const pairs = ['“”', '„“', '«»', '‹›', '‘’', '「」', '『』'].map(([open, close]) => [open, close] as const);

describe('typographic quotes around one value', () => {
  it.each(pairs)('%sx%s next to straight ones are inferred', (open, close) => {
    for (const args of [
      `{"title": "L", "text": ${open}Emma${close}}`,
      `{"text": ${open}Emma${close}, "n": 5}`,
      `{"title": "L", "text": "x", "tags": [${open}Emma${close}, ${open}b${close}]}`,
    ]) {
      const outcome = mendWith(fields, args);
      expect([args, outcome.status]).toEqual([args, 'mended']);
      expect(JSON.stringify(outcome.input)).toContain('"Emma"');
      expect(certainties(outcome)).toContain('inferred');
      expect(mendWith(fields, args, { effect: 'destructive' }).status).toBe('invalid');
    }
  });

  it.each(pairs)('%sx%s next to unquoted text have two readings', (open, close) => {
    for (const args of [
      `{title: Livre, text: ${open}Emma${close}}`,
      `{title: ${open}Emma${close}, text: roman}`,
      `{"title": Livre, "text": ${open}Emma${close}}`,
      `{text: ${open}Emma${close}}`,
    ])
      expect([args, mendWith(fields, args).status]).toEqual([args, 'invalid']);
  });

  it.each([' ', '\u00a0', '\u202f'])('containing %j have two readings', (blank) => {
    for (const args of [
      `{"title": "Livre", "text": «${blank}Germinal${blank}»}`,
      `{"title": "Livre", "text": «${blank}Germinal»}`,
      `{"title": "Livre", "text": “${blank}Germinal${blank}”}`,
      `{"tags": [«${blank}a${blank}»], "text": "x"}`,
      `{«${blank}title${blank}»: «${blank}a${blank}»}`,
      `{"title": "x", ‹${blank}text${blank}›: "y"}`,
    ])
      expect([args, mendWith(fields, args).status]).toEqual([args, 'invalid']);
  });

  it.each(pairs.slice(3, 4).concat(pairs.slice(5)))('%sx%s throughout are lossless', (open, close) => {
    const q = (text: string) => `${open}${text}${close}`;
    const outcome = mendWith(fields, `{${q('title')}: ${q('a')}, ${q('tags')}: [${q('b')}], ${q('n')}: 5}`);
    expect(outcome.input).toEqual({ title: 'a', tags: ['b'], n: 5 });
    expect(certainties(outcome)).not.toContain('inferred');
  });
});

describe('guard: typographic quotes around every string', () => {
  it.each([
    ['{“title”: “a”, “tags”: [“b”], “n”: 5}', { title: 'a', tags: ['b'], n: 5 }],
    ['{«title»: «a», «text»: «b»}', { title: 'a', text: 'b' }],
    ['{“title”: ”a”, ”text”: “say \\"hi\\" now”}', { title: 'a', text: 'say "hi" now' }],
    ['{‘title’: ‘ a’}', { title: ' a' }],
  ])('%s is lossless', (args, input) => {
    const outcome = mendWith(fields, args, { effect: 'destructive' });
    expect(outcome.input).toEqual(input);
    expect([outcome.status, ...certainties(outcome)]).not.toContain('inferred');
    expect(outcome.status).toBe('mended');
  });

  it.each([
    ['{"title": "« Germinal »"}', { title: '« Germinal »' }],
    ['{"title": "「天気」", "text": "“x”"}', { title: '「天気」', text: '“x”' }],
  ])('%s stays unchanged', (args, input) => {
    expect(mendWith(fields, args)).toMatchObject({ status: 'ok', input });
  });
});
