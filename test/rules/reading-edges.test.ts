/** Where a value ends: quotes between pieces, brackets inside quotes, blanks and line breaks at its edges, keys said twice. */
import { describe, expect, it } from 'vitest';
import { closed, mendWith, string } from './mend-with.ts';

const raw = String.raw;
const edit = closed({ old: string, new: string });
const fields = closed({ path: string, content: string, edit, edits: { type: 'array', items: edit } });

/** Texts that have two readings: each must be refused. */
const refused: Readonly<Record<string, readonly string[]>> = {
  'quotes that part pieces, or stand in the text as a quotation': [
    raw`{"content": "printf " " \"x\""}`,
    raw`{"content": "printf " " > \"a.txt\""}`,
    raw`{"content": "printf " " x"}`,
    raw`{"content": "printf " ""}`,
    raw`{"content": "join(" ", xs)"}`,
    raw`{"content": "a.join(" ")"}`,
    raw`{"content": "x = " + " \"c\""}`,
    raw`{"content": "a = b + " + " + c"}`,
    raw`{"content": "it is " + " here \"x\" + y"}`,
    raw`{"content": "IFS=" " read", "path": "x"}`,
    '{"content": "print("\n")"}',
  ],
  'an object in quotes that went around all of it': [
    raw`'Sure! I'll write it: {"path": "a.txt", "content": "x", "edits": []}'`,
    raw`'Here's the call: {"path": "a.txt", "content": "plain"}'`,
    raw`'{"path": "a.txt", "content": "it's"}'`,
  ],
  'a bracket inside the quotes where one is missing behind them': [
    '{"edit": {"old": "a", "new": "b,”}"}',
    '{"edit": {"old": "a", "new": "x}"}',
    '{"edits": [{"old": "a", "new": "b,”}"]}',
    '{"edits": [{"old": "a", "new": "b,”}"}]',
    '{"path": "a", "content": "{b,”}"',
    '{"edit": {"old": "a", "new": "f() { x,”}"}',
  ],
  'blanks and line breaks at the edge of words without quotes': [
    '{"path": a.txt, "content": hello world }',
    '{"content": hello world\t, "path": a.txt}',
    '{"content": hello world\n}',
    'content: hello world ',
    'content: hello world\n',
    'path: a.txt\ncontent: hello world\n',
    'path=a.txt content=b c ',
    'path=a.txt, content=b c\n',
    'content: hello world\t\npath: a.txt',
  ],
  'a key said twice': [
    'path=path=a.txt, content=b',
    'path: path: a.txt',
    'path: path: a.txt\ncontent: b',
    'path=content=a.txt, content=b',
  ],
};

describe.each(Object.entries(refused))('Reading: refuses %s', (_, texts) => {
  it.each(texts)('%j', (text) => expect(mendWith(fields, text).status).toBe('invalid'));
});

/** Texts of the same kinds that were refused before. */
const refusedBefore: Readonly<Record<string, readonly string[]>> = {
  'pieces beside escaped quotes, in more than one writing': [
    raw`{"content": "print(\"a" + "b\")"}`,
    raw`{"content": "printf x" "y \"z\""}`,
    raw`{"content": "size 6" + "7\" pipe"}`,
  ],
  'blanks and line breaks at the edge of words without quotes': [
    '{"content": # here is the\n',
    '{"path": #define X 1\n}',
  ],
  'a key said twice': ['path: "path": a.txt'],
};

describe.each(Object.entries(refusedBefore))('guard: Reading: refuses %s', (_, texts) => {
  it.each(texts)('%j', (text) => expect(mendWith(fields, text).status).toBe('invalid'));
});

describe('guard: Reading: refuses objects in unescaped quotes', () => {
  it.each([
    raw`'Sure! I'll write it: {"path": "a.txt", "content": "x('{\"k\": 1}')"}'`,
    raw`'Sure! I'll write it: {"path": "a.txt", "content": "JSON.parse('{\"path\": \"v\"}')"}'`,
    raw`'Sure! I'll write it: {"content": "x('{\"path\": 1}')", "path": "a.txt"}'`,
    raw`"Sure! I'll write it: {"path": "a.txt", "content": "f('{\"k\": 1}')"}"`,
  ])('%j', (text) => expect(mendWith(fields, text).status).toBe('invalid'));
});

describe('Reading: a closing bracket on a line that reads as a comment is not truncated', () => {
  it.each([
    '{"path": \n#define A "x"\n#define B 32}',
    '{"path": "a.c", "content": "x"\n# end of it }',
    '{"path": "a.c" // the file }',
  ])('%j', (text) => {
    const outcome = mendWith(fields, text);
    expect(outcome).toMatchObject({ status: 'invalid', errorType: 'validation' });
    expect(outcome.problems.map(({ message }) => message).join('\n')).not.toMatch(/cut off/);
  });
  it.each(['{"path": "a.c" # the fi', '{"path": \n#define A "x"\n#define B 32'])('guard: %j is truncated', (text) =>
    expect(mendWith(fields, text)).toMatchObject({ errorType: 'truncated' }),
  );
});

describe('guard: look-alikes that are read', () => {
  it.each([
    [raw`{"content": "a " "b"}`, { content: 'a b' }],
    [raw`{"content": "Hello, " + "world"}`, { content: 'Hello, world' }],
    [raw`{"content": "He said \"hi\" " + "and left"}`, { content: 'He said "hi" and left' }],
    ['{"content": "def f():\\n"\n    "    return 1\\n"}', { content: 'def f():\n    return 1\n' }],
    ['{"content": "a\\n" +\n "b \\"x\\""}', { content: 'a\nb "x"' }],
    [raw`{"content": "printf "a" "b" x"}`, { content: 'printf "a" "b" x' }],
    [raw`'{"path": "a.txt", "content": "plain"}'`, { path: 'a.txt', content: 'plain' }],
    ['"path": "a", "content": "b"', { path: 'a', content: 'b' }],
    ['{"edit": {"old": "a", "new": "f() { x }"}', { edit: { old: 'a', new: 'f() { x }' } }],
    ['{"edit": {"old": "a", "new": "x}"}}', { edit: { old: 'a', new: 'x}' } }],
    ['{"path": "a", "content": "b,”"', { path: 'a', content: 'b,”' }],
    ['{"content": hello world}', { content: 'hello world' }],
    ['{\n  "path": a.txt,\n  "content": hello world\n}', { path: 'a.txt', content: 'hello world' }],
    ['{"path": a.txt }', { path: 'a.txt' }],
    ['{"path": a.txt\n}', { path: 'a.txt' }],
    ['path: a.txt\n', { path: 'a.txt' }],
    ['path: a.txt\ncontent: hello world', { path: 'a.txt', content: 'hello world' }],
    ['```\npath: a.txt\ncontent: hello world\n```', { path: 'a.txt', content: 'hello world' }],
    ['path=a-b.txt\ncontent=b', { path: 'a-b.txt', content: 'b' }],
    ['path: a.txt\ncontent: "path: b"', { path: 'a.txt', content: 'path: b' }],
  ])('%j', (text, input) => expect(mendWith(fields, text)).toMatchObject({ input, problems: [] }));
});
