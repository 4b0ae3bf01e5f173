/** Reading: an object that is a part of other data, lines that keep their ends, numbers with two readings, reasoning that ends. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/index.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { closed, integer, mendWith, string } from './mend-with.ts';

const raw = String.raw;
const sql = closed({ query: string, limit: integer });
const object = '{"query": "DROP TABLE x"}';
const input = { query: 'DROP TABLE x' };

describe('Reading: an object after a key, or next to lines of keys', () => {
  it.each([
    `name: act\nforbidden: |\n  ${object}`,
    `tool: other\narguments:\n  ${object}`,
    `tool: other\nreason: the user asked for it\narguments:\n  ${object}`,
    `example: |\n  ${object}`,
    `payload: >\n  ${object}`,
    `payload: >-\n  ${object}`,
    `arguments: |\n  ${object}`,
    `bad_example:\n  ${object}`,
    `rejected: ${object}`,
    `Rejected: ${object}`,
    `error:\n${object}`,
    `**Error:**\n${object}`,
    `- denied:\n    ${object}`,
    `verboten: ${object}`,
    `отклонено: ${object}`,
    `reason: it was asked for\n${object}`,
    `Content-Type: application/json\n\n${object}`,
    `Status: denied\nArguments:\n${object}`,
    `approved = false\n${object}`,
    `${object}\nstatus: rejected`,
    `${object}\nStatus: rejected`,
    `${object} approved: false`,
    `${object}\napproved = false`,
    `I will not run:\n${object}`,
    `I won't send this:\n${object}`,
    `We cannot allow this call:\n${object}`,
  ])('refuses %j', (text) => expect(mendWith(sql, text).status).toBe('invalid'));
});

describe('guard: Reading: an object next to an item of a list', () => {
  it('is refused', () => expect(mendWith(sql, `${object}\n- status: rejected`).status).toBe('invalid'));
});

describe('guard: Reading: an introduction, and prose after the object', () => {
  it.each([
    `Here are the arguments:\n${object}`,
    `Sure: ${object}`,
    `Arguments:\n${object}`,
    `arguments: ${object}`,
    `act:\n${object}`,
    `Input: ${object}`,
    `**JSON:**\n${object}`,
    `Note: I drop it first.\nHere it is:\n${object}`,
    `The table is at https://x.y/z:\n${object}`,
    `${object}\nNote: this removes the table.`,
    `${object}\nI am done with it.`,
    `${object}\nSee https://x.y/z for more.`,
  ])('%j is read', (text) => expect(mendWith(sql, text)).toMatchObject({ status: 'mended', input }));
  it.each([`Here are the arguments:\n${object}`, `arguments: ${object}`])('%j is inferred', (text) =>
    expect(mendWith(sql, text, { effect: 'destructive' }).status).toBe('invalid'),
  );
});

const note = closed({ title: string, text: string });

describe('Reading: lines keep the end of a value', () => {
  it.each([
    ['title: x\ntext: use ```', { title: 'x', text: 'use ```' }],
    ['title: x\ntext: wrap it in ```js ... ```', { title: 'x', text: 'wrap it in ```js ... ```' }],
    ['title = x\ntext = use ```', { title: 'x', text: 'use ```' }],
    ['title: x\ntext: a ``` b ```', { title: 'x', text: 'a ``` b ```' }],
    ['text: run `ls` and ```cat```', { text: 'run `ls` and ```cat```' }],
  ])('%j', (text, want) => expect(mendWith(note, text).input).toEqual(want));
  it.each(['```yaml\ntitle: x\ntext: use ```', 'title: x\ntext: y\n```'])('refuses %j', (text) =>
    expect(mendWith(note, text).status).toBe('invalid'),
  );
});

describe('guard: Reading: a fence around lines', () => {
  it.each(['```yaml\ntitle: x\ntext: y\n```', '```\ntitle: x\ntext: y\n```', '```yaml\ntitle: x\ntext: y'])(
    '%j is removed',
    (text) => expect(mendWith(note, text).input).toEqual({ title: 'x', text: 'y' }),
  );
  it('is removed, and the start of another in a value stays', () =>
    expect(mendWith(note, '```yaml\ntitle: x\ntext: use ```js\n```').input).toEqual({ title: 'x', text: 'use ```js' }));
  it('on one line, words may be a key', () => expect(mendWith(note, 'title: x, text: use ```').status).toBe('invalid'));
});

describe('Reading: backslashes in single quotes, and ambiguous signs in attributes', () => {
  it.each([
    raw`text: 'D:\neu'`,
    raw`text: '\bfoo\b'`,
    raw`title: 'a\tb'`,
    raw`title = 'C:\temp'`,
    raw`text: 'C:\\temp'`,
    raw`text: '\x41'`,
    raw`<act title="x" text="C:\new"/>`,
    raw`<act title="x" text='a\tb'/>`,
    '<act title=x text=/usr/>',
  ])('refuses %j', (text) => expect(mendWith(note, text).status).toBe('invalid'));
});

describe('guard: Reading: quotes in lines with one reading', () => {
  it.each([
    [raw`text: 'a b'`, 'a b'],
    [raw`text: '\d+'`, raw`\d+`],
    [`text: ''`, ''],
    [raw`text: "a\tb"`, 'a\tb'],
    [`text: 'say "hi"'`, 'say "hi"'],
  ])('%j', (text, want) => expect(mendWith(note, text).input).toEqual({ text: want }));
  it.each([`text: 'it''s'`, `text: 'a'b'`])('refuses %j', (text) =>
    expect(mendWith(note, text).status).toBe('invalid'),
  );
});

const place = closed({ n: integer, lat: { type: 'number' } });

describe('Coercing: three digits after a point in text', () => {
  it.each([{ n: '1.000' }, { n: '10.000' }, { lat: '1.000' }, { lat: '-1.234' }, { lat: ' 12.500 ' }, 'n: 1.000'])(
    'refuses %j',
    (args) => expect(mendWith(place, args).status).toBe('invalid'),
  );
});

describe('guard: Coercing: numbers in text with one reading', () => {
  it.each([
    [{ n: '5.0' }, { n: 5 }],
    [{ n: '1,234' }, { n: 1234 }],
    [{ lat: '1.25' }, { lat: 1.25 }],
    [{ lat: '0.125' }, { lat: 0.125 }],
    [{ lat: '48.1371' }, { lat: 48.1371 }],
    [{ lat: '1234.567' }, { lat: 1234.567 }],
    ['{"lat": 48.137, "n": 1.000}', { lat: 48.137, n: 1 }],
    ['lat: 48.137', { lat: 48.137 }],
    ['<lat>48.137</lat>', { lat: 48.137 }],
  ])('%j', (args, want) => expect(mendWith(place, args).input).toEqual(want));
  it.each([{ n: '1,000.000' }, { lat: '1,000.000' }, { lat: '1,000' }, { n: '1.000.000' }])('refuses %j', (args) =>
    expect(mendWith(place, args).status).toBe('invalid'),
  );
  it('tags have no types', () => {
    const toolbox = new Toolbox([tool({ name: 'act', description: 'A', inputSchema: place })]);
    const text = '<tool_call>\n<function=act>\n<parameter=lat>\n48.137\n</parameter>\n</function>\n</tool_call>';
    expect(readCalls(text, toolbox, { dialect: 'qwen3-coder' }).calls).toMatchObject([{ input: { lat: 48.137 } }]);
  });
});

describe('Reading: closed reasoning before another format', () => {
  it.each([
    '<think>a</think>\ntitle: x\ntext: y',
    '<think>a</think>act(title="x", text="y")',
    '<thinking>a: b\n</thinking>\n<title>x</title><text>y</text>',
  ])('%j', (text) =>
    expect(mendWith(note, text)).toMatchObject({ status: 'mended', input: { title: 'x', text: 'y' } }),
  );
});

describe('guard: Reading: reasoning before an object, and unclosed reasoning', () => {
  it('is removed', () =>
    expect(mendWith(note, '<think>a</think>{"title": "x"}')).toMatchObject({
      input: { title: 'x' },
      repairs: [{ kind: 'reasoning', certainty: 'lossless' }],
    }));
  it('is removed before a call with an object', () =>
    expect(mendWith(note, '<think>a</think>act({"title": "x", "text": "y"})')).toMatchObject({
      status: 'mended',
      input: { title: 'x', text: 'y' },
    }));
  it('is reported', () =>
    expect(mendWith(note, '<think>title: x').problems[0]?.message).toContain('unclosed reasoning'));
  it('is not reported as unclosed if it is closed', () =>
    expect(mendWith(note, '<think>a</think>').problems[0]?.message).toContain('holds none'));
});
