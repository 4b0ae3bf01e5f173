/** Placeholders, in quotes and without, in calls and in structured output: one rule for both. */
import { describe, expect, it } from 'vitest';
import { mendValue } from '../../src/mend/mend-value.ts';
import { withMending } from '../../src/mend/with-mending.ts';
import { closed, mendWith, problemCodes, statusByEffect, string, strings } from './mend-with.ts';

const schema = closed({ id: string, content: string, tags: strings });
const both = (args: string) => [mendWith(schema, args), mendValue(args, schema)];

/** Values in angle brackets that stand for another value. */
const inBrackets = ['<USER_ID>', '<user_id>', '<id>', '<your id here>', '<insert id>', '<API_KEY>', '<path/to/file>'];
/** Placeholders in any other notation: a template may hold them. */
const inWords = [
  '{{user_id}}',
  '{user_id}',
  `\${user_id}`,
  '%USER_ID%',
  '$USER_ID',
  'YOUR_USER_ID',
  '__USER_ID__',
  'user_id_here',
  '[insert id]',
  '[USER_ID]',
  '(your id)',
  'TBD',
  '...',
  'xxx',
];

describe('structured output refuses the placeholders that a call refuses', () => {
  it.each(inBrackets)('%s', (value) => {
    const text = JSON.stringify({ id: value });
    for (const outcome of both(text))
      expect(outcome).toMatchObject({ status: 'invalid', problems: [{ path: ['id'], code: 'residue' }] });
    expect(mendValue(text).status).toBe('invalid');
    expect(mendValue(`Sure:\n${text}`, schema).status).toBe('invalid');
  });
  it('in a stream', async () => {
    const chunks = (async function* () {
      yield '{"id": "<USER';
      yield '_ID>"}';
    })();
    expect((await mendValue(chunks, schema).result).status).toBe('invalid');
  });
  it.each(['text</content>\n<parameter name="id">5', 'text</parameter></invoke>'])('markup: %j', (content) => {
    for (const outcome of both(JSON.stringify({ content })))
      expect(outcome).toMatchObject({ status: 'invalid', problems: [{ path: ['content'], code: 'residue' }] });
  });
  it('as the text itself', () => {
    expect(mendValue('<your answer here>', string).status).toBe('invalid');
  });
});

describe('guard: a value that is sent again is accepted', () => {
  it.each([...inBrackets, 'text</parameter></invoke>'])('%s', (value) => {
    const text = JSON.stringify({ id: value });
    expect(mendValue(text, schema, { repeated: true })).toMatchObject({ status: 'ok', input: { id: value } });
    expect(withMending(schema)['~standard'].validate({ id: value })).toEqual({ value: { id: value } });
  });
});

describe('guard: a string in quotes is its value', () => {
  it.each([...inWords, '<div>', '<T>', '<a@b.c>', 'a <USER_ID> b'])('%s', (id) => {
    for (const outcome of both(JSON.stringify({ id, content: id, tags: [id] })))
      expect(outcome).toMatchObject({ status: 'ok', input: { id, content: id, tags: [id] } });
    expect(mendWith(schema, JSON.stringify({ id }), { effect: 'destructive' }).status).toBe('ok');
  });
  it.each(['<b>bold</b>', '<hello world>', 'Use <USER_ID>.'])('free text: %s', (text) => {
    expect(mendValue(text, string)).toMatchObject({ value: text });
  });
});

describe('guard: a placeholder without quotes is refused, a plain word is text', () => {
  const words = new Set(['YOUR_USER_ID', '__USER_ID__', 'user_id_here', 'TBD', 'xxx']);
  it.each([...inBrackets, ...inWords].filter((value) => !words.has(value)))('%s', (value) => {
    for (const outcome of both(`{"id": ${value}}`)) expect(outcome.status).toBe('invalid');
  });
  it.each([...words])('%s', (id) => {
    for (const outcome of both(`{"id": ${id}}`)) expect(outcome).toMatchObject({ status: 'mended', input: { id } });
  });
});

describe('words in brackets where a text is expected', () => {
  const schema = closed({ path: string, content: string });
  const texts = [
    '{"arguments": {"path": "a", "content": [TBD]}}',
    '[{"path": "a", "content": [TBD]}]',
    '{"name": "act", "parameters": {"path": "a", "content": [insert id]}}',
    '{"path": "a", "content": [TBD]}',
  ];
  it.each(texts)('%j', (text) => {
    expect(statusByEffect(schema, text)).toEqual(['invalid', 'invalid', 'invalid']);
  });
  it.each(texts)('guard: in chunks: %j', (text) => {
    expect(problemCodes(text, text)).toEqual(problemCodes(text));
  });
});
