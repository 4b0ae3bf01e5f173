/** A string that lost a quote: its own white space and quotes are kept, or it is refused. */
import { describe, expect, it } from 'vitest';
import { closed, mendWith, statusByEffect, string } from './mend-with.ts';

const fields = closed({ path: string, old_text: string, new_text: string });

describe('white space next to a value that lost its opening quote may belong to it', () => {
  it.each([
    '{"path": "a.c", "old_text": see also ", "new_text": "x"}',
    '{"path": "a.c", "old_text": Name ", "new_text": "x"}',
    '{"path": "a.c", "old_text": echo hi\t", "new_text": "x"}',
    '{"path": "a.py", "old_text":     return", "new_text": "    pass"}',
    `{'path': 'a.py', 'old_text': Name ', 'new_text': 'x'}`,
  ])('refuses %s', (args) => expect(mendWith(fields, args).status).toBe('invalid'));

  it.each([
    '{"path": "a.py", "old_text":     return, "new_text": "x"}',
    '{"path": "a.py", "old_text": return , "new_text": "x"}',
  ])('is inferred without both quotes: %s', (args) =>
    expect(statusByEffect(fields, args)).toEqual(['mended', 'mended', 'invalid']),
  );

  it.each(['{path: a.py, old_text: return, new_text: x }', '{\n  path: a.py,\n  old_text: return,\n  new_text: x\n}'])(
    'guard: layout is lossless: %j',
    (args) => expect(statusByEffect(fields, args)).toEqual(['mended', 'mended', 'mended']),
  );

  it('guard: reads a value with its closing quote', () =>
    expect(mendWith(fields, '{"path": "a.c", "old_text": see also", "new_text": "x"}')).toMatchObject({
      status: 'mended',
      input: { old_text: 'see also' },
    }));
});

describe('a typographic quote at the end of a value that lost its closing quote may belong to it', () => {
  it.each(['Pormestari sanoi ”ei”', '”Taide kuuluu kaikille”', '”a” ja ”b”', 'the dogs’', '’tis the dogs’'])(
    'refuses %s',
    (text) =>
      expect(mendWith(fields, `{"path": "a.md", "old_text": "${text}, "new_text": "x"}`).status).toBe('invalid'),
  );

  it('guard: it is the closing one if nothing opened it', () =>
    expect(mendWith(fields, '{"path": "a.md", "old_text": "abc”, "new_text": "x"}')).toMatchObject({
      status: 'mended',
      input: { old_text: 'abc' },
    }));
});

describe('over-escaped quotes are refused in every notation', () => {
  const text = String.raw`"path":"a.c","old_text":"return \\\"x\\\";","new_text":"y"`;
  it.each([`｛${text}｝`, `{${text},}`])('%s', (args) => expect(mendWith(fields, args).status).toBe('invalid'));
  it('guard: not in a fence', () =>
    expect(mendWith(fields, `\`\`\`json\n{${text}}\n\`\`\``)).toMatchObject({
      status: 'mended',
      input: JSON.parse(`{${text}}`),
    }));
});
