import { describe, expect, it } from 'vitest';
import { closed, integer, mendWith, string, strings } from './mend-with.ts';

const fields = closed({ title: string, text: string, tags: strings, n: integer });
const certainties = (outcome: ReturnType<typeof mendWith>) => outcome.repairs.map(({ certainty }) => certainty);

const pairs = ['“”', '„“', '«»', '‹›', '‘’', '「」', '『』'].map(([open, close]) => [open, close] as const);

describe('typographic quotes around one value', () => {
  it.each(pairs)('%sx%s next to straight ones may belong to the text', (open, close) => {
    for (const args of [
      `{"title": "L", "text": ${open}Emma${close}}`,
      `{"text": ${open}Emma${close}, "n": 5}`,
      `{"title": "L", "text": "x", "tags": [${open}Emma${close}, ${open}b${close}]}`,
    ]) {
      const { status, problems } = mendWith(fields, args);
      expect([args, status]).toEqual([args, 'invalid']);
      expect(problems[0]?.message).toContain('has typographic quotes around some strings; write " around each');
    }
  });

  it.each(pairs)('%sx%s around keys alone are inferred', (open, close) => {
    const args = `{${open}title${close}: "a", "n": 5}`;
    const outcome = mendWith(fields, args);
    expect(outcome.input).toEqual({ title: 'a', n: 5 });
    expect(certainties(outcome)).toContain('inferred');
    expect(mendWith(fields, args, { effect: 'destructive' }).status).toBe('invalid');
  });

  const refusesQuotations = (text: string) => {
    const q = (word: string) => `${text[0]}${word}${text.at(-1)}`;
    for (const args of [
      `{"title": "x", "text": ${text}}`,
      `{"text": ${text}}`,
      `{${q('text')}: ${text}}`,
      `{${q('n')}: 5, ${q('text')}: ${text}, ${q('title')}: ${q('x')}}`,
      ...(/[,、]/.test(text) ? [] : [`{${q('tags')}: [${text}, ${q('x')}]}`]),
    ])
      expect([args, mendWith(fields, args).status]).toEqual([args, 'invalid']);
  };

  it.each([
    '「雪国」と「伊豆の踊子」',
    '『羅生門』、『鼻』',
    '「はい」, 「いいえ」',
    '“你好”和“再见”',
    '‘你好’和‘再见’',
    '«А»и«Б»',
    '‹a›b‹c›',
    "'はい'と'いいえ'",
    '＂a＂b＂c＂',
  ])('%s is text with quotations of its own', refusesQuotations);

  it.each(['«А» и «Б»', '„Ja“ oder „Nein“'])('guard: %s is text with quotations of its own', refusesQuotations);

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

describe('an opening quote inside the string that one like it began', () => {
  it.each([...pairs.map((pair) => pair.join('')), '„”', '””', '＂＂'])('%s', (pair) => {
    const write = (text: string) => text.replace(/[~^]/g, (sign) => pair.charAt(sign === '~' ? 0 : 1));
    for (const text of [
      '{~title^: ~a^, ~tags^: [~a^, ~b, ~c^]}',
      '{~title^: ~a^, ~tags^: [~a, ~b^]}',
      '{~title^: ~a^, ~tags^: [~a^, ~b^, ~c]}',
      '{~title^: ~~a^}',
      '{~title^: ~a~b^}',
      '{~title: 1, ~text^: ~a^}',
      '{"title": ~~a^, "text": ~b^}',
    ])
      for (const effect of ['write', 'destructive'] as const)
        expect(mendWith(fields, write(text), { effect }).status).toBe('invalid');
  });
});

describe('guard: typographic quotes around every string', () => {
  it.each([
    ['{“title”: “a”, “tags”: [“b”], “n”: 5}', { title: 'a', tags: ['b'], n: 5 }],
    ['{«title»: «a», «text»: «b»}', { title: 'a', text: 'b' }],
    ['{“title”: ”a”, ”text”: “say \\"hi\\" now”}', { title: 'a', text: 'say "hi" now' }],
    ['{‘title’: ‘ a’}', { title: ' a' }],
    ['{「title」: 「“a”和“b”」}', { title: '“a”和“b”' }],
    ['{“title”: “「雪国」と「鼻」”}', { title: '「雪国」と「鼻」' }],
    ['{「title」: 「『雪国』と『鼻』」, 「tags」: [「a」, 「b」]}', { title: '『雪国』と『鼻』', tags: ['a', 'b'] }],
    ['{『title』: 『「a」』}', { title: '「a」' }],
  ])('%s is lossless', (args, input) => {
    const outcome = mendWith(fields, args, { effect: 'destructive' });
    expect(outcome.input).toEqual(input);
    expect([outcome.status, ...certainties(outcome)]).not.toContain('inferred');
    expect(outcome.status).toBe('mended');
  });

  it.each([
    ['{‘title’: ‘don’t’}', 'don’t'],
    ["{'title': 'l'été'}", "l'été"],
  ])('%s has an apostrophe', (args, title) => {
    expect(mendWith(fields, args)).toMatchObject({ status: 'mended', input: { title } });
  });

  it.each([
    ['{"title": "« Germinal »"}', { title: '« Germinal »' }],
    ['{"title": "「天気」", "text": "“x”"}', { title: '「天気」', text: '“x”' }],
  ])('%s stays unchanged', (args, input) => {
    expect(mendWith(fields, args)).toMatchObject({ status: 'ok', input });
  });
});
