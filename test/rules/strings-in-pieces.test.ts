/** Strings in pieces: joined where no quotation can stand there, refused where the quotes may belong to the text. */
import { describe, expect, it } from 'vitest';
import { closed, integer, mendWith, open, problemCodes, statusByEffect, string, strings } from './mend-with.ts';

const fields = open({ text: string, items: strings });

describe('pieces that meet at the end of a phrase, or before a list separator', () => {
  it.each([
    ['{"text": "Hello," + " world"}', 'Hello, world'],
    ['{"text": "First part." + " Second part."}', 'First part. Second part.'],
    ['{"text": "Really?" + " Yes!" + " Good."}', 'Really? Yes! Good.'],
    ['{"text": "count(x)" + " from t"}', 'count(x) from t'],
    ['{"text": "see [1]" + " and 2"}', 'see [1] and 2'],
    ['{"text": "Hello," " world"}', 'Hello, world'],
    [String.raw`{"text": "a\n" + "- b\n" + "- c"}`, 'a\n- b\n- c'],
    [String.raw`{"text": "intro\n" + "# Title"}`, 'intro\n# Title'],
    ['{"text": "ls " + "-la"}', 'ls -la'],
    ['{"text": "ls " + "-l " + "/tmp"}', 'ls -l /tmp'],
    ['{"text": "echo " + "$HOME"}', 'echo $HOME'],
    ['{"text": "SELECT * " + "(a)"}', 'SELECT * (a)'],
    ['```json\n{"text": "ls " + "-la"}\n```', 'ls -la', 'fence lossless'],
    ['{"text": "ls " + "-la",}', 'ls -la', 'comma lossless'],
    [String.raw`{"text": "def f():\n" + "    return 1"}`, 'def f():\n    return 1'],
  ])('%s', (args, text, other?: string) => {
    const outcome = mendWith(fields, args);
    expect(outcome).toMatchObject({ status: 'mended', input: { text } });
    const repairs = outcome.repairs.map(({ kind, certainty }) => `${kind} ${certainty}`);
    expect(repairs.sort()).toEqual([...(other ? [other] : []), 'quote inferred'].sort());
    expect(mendWith(fields, args, { effect: 'destructive' }).status).toBe('invalid');
  });
});

describe('guard: pieces that start with a sign after a word', () => {
  it.each([
    ['{"text": "abc" ", def"}', 'abc, def'],
    ['{"text": "abc" + ", def"}', 'abc, def'],
    ['{"text": "a" + "-b" + "-c"}', 'a-b-c'],
    ['{"text": "Hello" + "! World"}', 'Hello! World'],
  ])('%s', (args, text) => {
    expect(mendWith(fields, args)).toMatchObject({ status: 'mended', input: { text } });
  });
});

describe('guard: quotes that may belong to the text', () => {
  it.each([
    '{"text": "join with " + " signs"}',
    '{"text": "print(a, " + ", b)"}',
    '{"text": "join with " + ""}',
    '{"text": "ls " + dir}',
    '{"text": "ls " "-la"}',
    String.raw`{"text": "line\n" + " is a plus"}`,
    '{"text": "f(a," + ",b)"}',
    '{"text": "echo $a." + ".$b;"}',
    '{"text": "a::after{content:" + " attr(x)}"}',
    '{"text": "<p>" + "</p>"}',
    '{"text": "x = [" + "]"}',
    '{"text": "say, \\"a," + " b"}',
  ])('%s', (args) => {
    expect(mendWith(fields, args)).toMatchObject({ status: 'invalid', errorType: 'validation' });
  });
});

describe('two adjacent strings in a list, one of them empty, may be one with a quotation', () => {
  it.each(['{"items": ["" ""]}', '{"items": ["a" ""]}', '{"items": ["" "a"]}', '{"items": ["a", "" "", "b"]}'])(
    '%s',
    (args) => {
      expect(mendWith(fields, args)).toMatchObject({ status: 'invalid', errorType: 'validation' });
    },
  );
});

it('refuses a quote right before an unclosed bracket', () => {
  for (const text of ['f"{x}', 'a"[b] c', 'd"(e)'])
    expect(mendWith(fields, `{"text": "${text}"}`)).toMatchObject({ status: 'invalid', errorType: 'validation' });
});

const more = open({ text: string, items: strings, either: { type: ['string', 'array'], items: string }, n: integer });
const twoStrings = 'has two strings; write one string, or put a comma between them';

describe('adjacent strings without a blank where they meet may be quoted words, or items', () => {
  it.each([
    '{"text": "rm" "-rf" "/tmp/x"}',
    '{"text": "echo" "hello"}',
    '{"text": "/bin/sh" "-c" "ls"}',
    '{"text": "cp" "a b" "c"}',
    '{"text": "C:/Program Files/Git/bin/git.exe" "status"}',
    '{"text": "echo"\n  "hello"}',
    '{"text": "First." "Second."}',
    "{'text': 'git' 'push'}",
    '{"items": "a.ts" "b.ts"}',
    '{"items": "src/a.ts"\n  "src/b.ts"}',
    '{"items": "New " "York"}',
    '{"items": "one,"\n " two"}',
    '{"either": "one " "two"}',
    '{"any": "one " "two"}',
    '{"text": "a", "items": "one "\n "two", "n": 1}',
  ])('guard: %s', (args) => {
    expect(mendWith(more, args)).toMatchObject({ status: 'invalid', errorType: 'validation' });
  });
});

describe('guard: adjacent strings that are one text', () => {
  it.each([
    ['{"text": "one " "two"}', { text: 'one two' }],
    ['{"text": "one "\n  "two "\n  "three", "n": 1}', { text: 'one two three', n: 1 }],
    ['{"text": "one" " two", "items": ["a"]}', { text: 'one two', items: ['a'] }],
    [String.raw`{"text": "a\n"` + '\n' + String.raw` "b\n"}`, { text: 'a\nb\n' }],
    ['{"items": "a" + "b"}', { items: ['ab'] }],
    ['{"any": "a" + "b"}', { any: 'ab' }],
  ])('%s', (args, input) => {
    expect(mendWith(more, args)).toMatchObject({ status: 'mended', input });
  });
});

describe('Python joins adjacent strings in parentheses', () => {
  it.each([
    ['{"text": ("one " "two")}', { text: 'one two' }],
    ['{"text": ("one "\n         "two")}', { text: 'one two' }],
    ['{"text": (\n  "one "\n  "two "\n  "three"\n)}', { text: 'one two three' }],
    ["{'text': ('one ' 'two'), 'n': 1}", { text: 'one two', n: 1 }],
    [String.raw`{"text": ("def f():\n"` + '\n' + String.raw` "    return 1\n")}`, { text: 'def f():\n    return 1\n' }],
    ['{"text": ("SELECT * " "FROM t " "WHERE a = \'b\'")}', { text: "SELECT * FROM t WHERE a = 'b'" }],
    ['{"text": ("one" "two" "three")}', { text: 'onetwothree' }],
    ['{"text": (("one " "two"))}', { text: 'one two' }],
    ['{"items": [("a " "b"), "c"]}', { items: ['a b', 'c'] }],
  ])('%s', (args, input) => {
    const outcome = mendWith(more, args);
    expect(outcome).toMatchObject({ status: 'mended', input });
    expect(outcome.repairs).toContainEqual(expect.objectContaining({ kind: 'quote', certainty: 'inferred' }));
    expect(mendWith(more, args, { effect: 'destructive' }).status).toBe('invalid');
  });
});

describe('a comma may be missing where a list fits, or beside one', () => {
  it.each([
    ['{"items": ("a" "b")}', 'items'],
    ['{"items": ("a " "b")}', 'items'],
    ['{"either": ("a" "b")}', 'either'],
    ['{"items": ("a" "b", "c")}', 'items'],
    ['{"items": ("a", "b" "c")}', 'items'],
    ['{"text": ("a " "b",)}', 'text'],
    ['{"text": ("a " \'b\')}', 'text.0'],
    ['{"text": ("a " # first\n "b")}', 'text.0'],
  ])('%s', (args, field) => {
    const { status, problems } = mendWith(more, args);
    expect(status).toBe('invalid');
    expect(problems[0]?.message).toBe(`Field '${field}' ${twoStrings}`);
  });
});

describe('guard: other strings in brackets', () => {
  it.each([
    ['{"items": ["a" "b"]}', { items: ['a', 'b'] }],
    ['{"items": ["a"\n"b", "c"]}', { items: ['a', 'b', 'c'] }],
    [`{"items": ["o'neil@x.org"\n"d'arc@x.org", "c"]}`, { items: ["o'neil@x.org", "d'arc@x.org", 'c'] }],
    ['{"items": ("a", "b")}', { items: ['a', 'b'] }],
    ['{"text": ("one")}', { text: 'one' }],
    ['{"text": ("one " + "two")}', { text: 'one two' }],
  ])('%s', (args, input) => {
    expect(mendWith(more, args)).toMatchObject({ status: 'mended', input });
  });
  it.each([
    '{"text": ["a" "b"]}',
    '{"text": ("a", "b")}',
    '{"text": ("a " "b"',
    '{"text": ("a " "b}',
    '{"text": ("a" 2)}',
  ])('%s', (args) => {
    expect(mendWith(more, args).status).toBe('invalid');
  });
});

describe('a number in parentheses may be negative, as in accounting', () => {
  it.each(['{"n": (50)}', '{"n": (1210.50)}', '{"n": (0x1F)}', '{"text": (1.0)}', '{"text": ((1.50))}', "{'n': (7)}"])(
    '%s',
    (args) => {
      expect(mendWith(more, args)).toMatchObject({
        status: 'invalid',
        problems: expect.arrayContaining([expect.objectContaining({ code: 'ambiguous' })]),
      });
    },
  );
});

describe('an operator between two brackets in quotes may be part of one text', () => {
  const schema = closed({ path: string, content: string });
  const texts = [
    '{"path": "a", "content": "[" + "]"}',
    '{\n"path": "a",\n"content": "{" + "}"\n}',
    '{"content": "[" + "]", "path": "a"}',
  ];
  it.each(texts)('%j', (text) => {
    expect(statusByEffect(schema, text)).toEqual(['invalid', 'invalid', 'invalid']);
  });
  it.each(texts)('guard: in chunks: %j', (text) => {
    expect(problemCodes(text, text)).toEqual(problemCodes(text));
  });
});
