import { describe, expect, it } from 'vitest';
import { closed, integer, mendWith, string } from './mend-with.ts';

const edits = { type: 'array', items: closed({ old: string, new: string }) } as const;
const fields = closed(
  { path: string, content: string, mode: { enum: ['overwrite', 'append'] }, count: integer, edits },
  ['path'],
);

const raw = String.raw;

/** Texts that have two readings: each must be refused. */
const refused: Readonly<Record<string, readonly string[]>> = {
  'an object with lines of declared keys around it': [
    '{"path": "b.txt", "content": "z"}\npath: a.txt',
    'path: a.txt\n{"path": "b.txt", "content": "z"}',
    'mode: append\n{"path": "b.txt", "content": "z", "mode": "overwrite"}',
    'mode=append\n\n{"path": "b.txt", "mode": "overwrite"}',
    '**Path:** a.txt\n{"path": "b.txt"}',
    '{"path": "b.txt"}\nMode: append',
  ],
  'quotes or brackets in the line that the object ends in': [
    '{"path": "a", "edits": []} and [4]',
    '{"path": "a"} or "b".',
    '{"path": "a"} {draft}',
    '{"path": "a"} minus [x]',
    '{"path": "a"} [see note 4]',
    '{"path": "a"} Also [4].',
  ],
  'a lead-in that says what not to send': [
    'Do not run this:\n{"path": "a.txt"}',
    'Please don\'t send this call:\n```json\n{"path": "a.txt"}\n```',
    'Never write arguments like these:\n{"path": "a.txt"}',
    'A wrong call looks like this:\n{"path": "a.txt"}',
    'This input is wrong:\n{"path": "a.txt"}',
    'What follows is invalid:\n{"path": "a.txt"}',
    'I cannot send this:\n{"path": "a.txt"}',
    'Use the other tool instead of:\n{"path": "a.txt"}',
    'Bitte nicht ausführen:\n{"path": "a.txt"}',
    '不要执行：\n{"path": "a.txt"}',
  ],
  'a lead-in that says of one key what it is': [
    'The content should be:\n{"path": "b.txt", "content": "z"}',
    'The new `content` is:\n{"path": "b.txt"}',
  ],
  'a list of text in other quotes, all of it in quotes': [
    raw`"{"path": "a.txt", "edits": [{"old": "x", "new": «  \"github\",»}]}"`,
  ],
  'lines with signs that nothing explains': [
    'path: a.txt\ncontent: hello"}',
    'path: a.txt\ncontent: hello}',
    'path: "a.txt", content: hello world"}',
    'path: a.txt # the file',
    'path: a.txt // the file\ncontent: x',
    "path: a.txt\ncontent: don't, count: 3",
    'path: a.txt\ncontent: see mode: append',
  ],
};

describe.each(Object.entries(refused))('Reading: refuses %s', (_, texts) => {
  it.each(texts)('%j', (text) => expect(mendWith(fields, text).status).toBe('invalid'));
});

/** Texts of the same kinds that were refused before. */
const refusedBefore: Readonly<Record<string, readonly string[]>> = {
  'an object with lines of declared keys around it': ['content: {"path": "b.txt"}\npath: a.txt'],
  'lines of code where a value is due, and a string in pieces with a colon in it': [
    '{"path": \n#define A "x"\n#define B 32}',
    `{"path": "  'content-enc"\n "oding': 'utf8',"}`,
  ],
  'a key with its colon inside the quotes': [
    '{"path":"a.txt" "content:" "hello"}',
    '{"path":"a.txt" "content: " "hello"}',
    '{"path": "a.txt"\n"content:" "hello", "count": 3}',
  ],
  'quotes or brackets in the line that the object ends in': [
    '{"path": "a"} (ok, “quoted”)',
    '{"path": "a"} — wait, without [3]',
  ],
  'lines with signs that nothing explains': ['"path":"src/a.txt","content":import re\nx = 1"}'],
};

describe.each(Object.entries(refusedBefore))('guard: Reading: refuses %s', (_, texts) => {
  it.each(texts)('%j', (text) => expect(mendWith(fields, text).status).toBe('invalid'));
});

describe('Reading: reports the fault of text that only seems truncated', () => {
  it.each([
    ['{"path":"src/a.txt","content":"x = 1"}"', /extra quote/],
    ['{"path":"a","edits":[{"old":"a","new":"x"}]"}', /extra quote/],
    ['"{"path":"a.ts","content":"x"}"', /is quoted/],
    ['"{"path":"a.ts","edits":[{"old":"a","new":"b"}]}"', /is quoted/],
    [String.raw`{"path":"a.ts",\n"edits":[{"old":"a","new":"b"}]\n}`, /\\n as text/],
    [String.raw`{\n  "path": "a.ts",\n  "content": "x"\n}`, /\\n as text/],
  ])('%j', (text, words) => {
    const outcome = mendWith(fields, text);
    expect(outcome).toMatchObject({ status: 'invalid', errorType: 'validation' });
    expect(outcome.problems.map(({ message }) => message).join('\n')).toMatch(words);
  });
});

describe('Reading: a word that may be a variable is inferred', () => {
  it.each([
    ['{"path": path}', 'path'],
    ['{"path": content}', 'content'],
    ['{"path": process.env.HOME}', 'process.env.HOME'],
    ['{"path": self.path}', 'self.path'],
  ])('%s', (text, path) => {
    expect(mendWith(fields, text)).toMatchObject({ status: 'mended', input: { path } });
    expect(mendWith(fields, text, { effect: 'destructive' }).status).toBe('invalid');
  });
});

describe('guard: look-alikes that are read', () => {
  it.each([
    ['Sure, here it is:\n{"path": "b.txt"}', { path: 'b.txt' }],
    ['{"path":"a" "b", "count": 3}', { path: 'ab', count: 3 }],
    ['{"path":"note: " "b"}', { path: 'note: b' }],
    ['path: a.txt\ncontent: text { return [1]; }', { path: 'a.txt', content: 'text { return [1]; }' }],
    ['path: a.txt\ncontent: see #5 and "x"', { path: 'a.txt', content: 'see #5 and "x"' }],
    ['path: "a.txt"\ncontent: "see mode: append"', { path: 'a.txt', content: 'see mode: append' }],
    ['path: a.txt\ncontent: at that time: noon', { path: 'a.txt', content: 'at that time: noon' }],
  ])('%j', (text, input) => expect(mendWith(fields, text)).toMatchObject({ input }));

  it.each([['{"path": README}'], ['{"path": a.txt}'], ['{"path": src/a.test.ts}']])('%s is lossless', (text) =>
    expect(mendWith(fields, text, { effect: 'destructive' }).status).toBe('mended'),
  );

  it.each([
    ['{"path":"src/a.txt","content":"x = '],
    ['{"path":"src/a.txt","content":"x = "a'],
    ['{"path": "a", "content": "{'],
  ])('%j is truncated', (text) => expect(mendWith(fields, text)).toMatchObject({ errorType: 'truncated' }));
});

describe('guard: Reading: an introduction that negates something else', () => {
  it.each([
    'I do not know the name yet, so let me try:\n{"path": "a.txt"}',
    'The last try was wrong. Once more:\n{"path": "a.txt"}',
    'I will write the file now:\n{"path": "a.txt"}',
  ])('%j', (text) => expect(mendWith(fields, text)).toMatchObject({ status: 'mended', input: { path: 'a.txt' } }));
});

describe('Reading: a bracket too many after a text that opens one may belong before its closing quote', () => {
  it.each([
    '{"path": "{"}}',
    '{"path": "a.txt", "content": "if (x) {"}}',
    '{"path": "a.txt", "content": "["]}',
    '{"path": "a.txt", "content": "[{"}]}',
    '{"path": "a.txt", "content": "[{"}}]}',
  ])('%j', (text) => expect(mendWith(fields, text).status).toBe('invalid'));
});

/** Without the first bracket, the others would close other containers. */
describe('guard: Reading: a bracket too many after unlike brackets is no part of the text', () => {
  it.each([
    ['{"path": "a.txt", "content": "{"}]', { path: 'a.txt', content: '{' }],
    ['{"path": "a", "edits": [{"old": "x", "new": "{"}]}}', { path: 'a', edits: [{ old: 'x', new: '{' }] }],
    ['{"path": "a", "edits": [{"old": "x", "new": "["}]} ]', { path: 'a', edits: [{ old: 'x', new: '[' }] }],
    ['{"path": "a", "edits": [{"old": "x", "new": "f("}]}}', { path: 'a', edits: [{ old: 'x', new: 'f(' }] }],
    ['{"path": "a.txt", "content": "{}"}}', { path: 'a.txt', content: '{}' }],
  ])('%j', (text, input) => expect(mendWith(fields, text)).toMatchObject({ status: 'mended', input }));
});

describe('guard: Reading: a text in brackets before a list that is cut off has no quote too many', () => {
  it.each([
    '{"path": "a", "edits": [{"old": "x", "new": "[]"}',
    '{"path": "a", "edits": [{"old": "x", "new": "{\\"a\\": {}}"}\n',
    '{"path": "a", "edits": [{"old": "[1]", "new": "{}"',
  ])('%j', (text) => expect(mendWith(fields, text)).toMatchObject({ status: 'invalid', errorType: 'truncated' }));
});
