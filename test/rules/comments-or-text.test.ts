/** A comment after a string: refused if it may be the rest of that string, and removed if it can only be a comment. */
import { describe, expect, it } from 'vitest';
import { closed, integer, mendWith, problemCodes, statusByEffect, string, strings } from './mend-with.ts';

const schema = closed({ path: string, content: string });

describe('refuses a comment that ends in the quote of the string before it', () => {
  const texts = [
    '{"path": "a", "content": \'names of users\'\n# and groups\n# go here\'\n}',
    '{"path": "a", "content": "it is the users"\n// end of file"\n}',
    '{"content": "names of users",\n# go here",\n"path": "a.py"}',
    '{"content": "use "\n# x" here"\n, "path": "a.py"}',
    "{'content': 'the users'\n# of 'a' and b'\n, 'path': 'a'}",
    '{"content": "a", // is the start of b",\n"path": "a.py"}',
  ];
  it.each(texts)('%j', (text) => {
    expect(statusByEffect(schema, text)).toEqual(['invalid', 'invalid', 'invalid']);
  });
  it.each(texts)('guard: in chunks: %j', (text) => {
    expect(problemCodes(text, text)).toEqual(problemCodes(text));
  });
});

describe('guard: reads comments that can only be comments', () => {
  it.each([
    '{"path": "a", // or "b"\n"content": "x"}',
    '{"path": "a",\n// or "b"\n"content": "x"}',
    '{"path": "a",\n// "mode": "y",\n"content": "x"\n// "force": "z"\n}',
    '{"path": "a",\n# the users\' home\n"content": "x"\n# done\n}',
    "{'path': 'a',\n# don't do it\n'content': 'x'\n# that is John's\n}",
    '{"path": "a", "content": "x" // was: "old"\n}',
  ])('%j', (text) => {
    expect(mendWith(schema, text)).toMatchObject({ status: 'mended', input: { path: 'a', content: 'x' } });
  });
});

const lists = closed({ s: string, t: string, list: strings, cwd: string, o: { type: 'object' } });

describe('refuses a comment beside a string that holds what ends a value', () => {
  const texts = [
    // A comma that the text then lacks.
    '{\n  "s": "id" # "name",\n  "t": "z"\n}',
    '{\n  "s": "foo" // "bar",\n  "t": "z"\n}',
    '{\n  "s": "A" // "B" // "C",\n  "t": "z"\n}',
    '{\n  "s": "Board 6" # 2 pine,\n  "t": "z"\n}',
    '{\n  "s": "Board 6" // 2 pine,\n  "t": "z"\n}',
    "{\n  's': 'rm' // 'y',\n  't': 'z'\n}",
    '{\n  s: "id" # "name",\n  t: "z"\n}',
    '{\n  "list": [\n    "id" # "name",\n    "ls"\n  ]\n}',
    '{\n  "s": "id" # "name",\n}',
    '{\r\n  "s": "id" # "name",\r\n  "t": "z"\r\n}',
    // A closing bracket.
    '{"list": ["ls", "echo hi" # "rm x"],\n "cwd": "/srv"\n}',
    '{"list": ["ls", "echo hi" # note],\n "cwd": "/srv"\n}',
    '{"list": ["ls", "echo hi" # note], "cwd": "/srv"\n}',
    '{"list": ["ls", "make" // build it]\n}',
    '{"list": ["ls, "# heading]\n}',
    '{"list": ["ls",\n "make" // then "make install"]\n}',
    '{"o": {"a": "b" # c}\n}',
    '{"o": {"a": "b" # c},\n "s": "x"}',
    // Another member.
    '{"s": "id" # "name", "t": "z"\n}',
    "{'s': 'id' # 'name', 't': 'z'\n}",
    // The last quote.
    '{\n  "t": "z",\n  "s": "id" # "name"\n}',
    '{\n  "s": "id" # "name"\n  "t": "z"\n}',
    '{\n  "list": [\n    "ls",\n    "id" # "name"\n  ]\n}',
    // No blank sets it off.
    '{"s": "http:"//host/x\n}',
    '{"s": "http:"//host/x,\n "t": "z"}',
    '{"s": "issue "#5,\n "t": "z"}',
    '{"s": "see "# b\n, "t": "z"}',
    '{"s": "color: "#fff\n}',
  ];
  it.each(texts)('%j', (text) => {
    expect(statusByEffect(lists, text)).toEqual(['invalid', 'invalid', 'invalid']);
  });
  it.each(texts)('guard: in chunks: %j', (text) => {
    expect(problemCodes(text, text)).toEqual(problemCodes(text));
  });
});

const typed = closed({ n: integer, ids: { type: 'array', items: integer }, list: strings, o: { type: 'object' } });

describe('refuses a comment beside a number, a literal or a comma that holds what ends a value', () => {
  const texts = [
    '{"ids": [1, # a ]\n 2]}',
    '{"ids": [1 # a ]\n, 2]}',
    '{"ids": [1, 2 # three], "n": 5\n}',
    '{"ids": [1, 2 # three]\n}',
    '{"ids": [1, 2 // [a] b]\n]}',
    '{"list": ["a", # b]\n "c"]}',
    '{"list": ["a", // b]\n]}',
    '{"list": [true, # ]\n "c"]}',
    '{"n": 5 # }\n, "list": ["a"]}',
    '{"n": 5, // }\n "list": ["a"]}',
    '{"n": 5 # , "list": ["a"]\n}',
    "{'n': 5 // rows, 'list': ['a']\n}",
    '{"o": {"a": true # }\n}}',
    '{"o": {"a": null, # }\n "b": 1}}',
  ];
  it.each(texts)('%j', (text) => {
    expect(statusByEffect(typed, text)).toEqual(['invalid', 'invalid', 'invalid']);
  });
  it.each(texts)('guard: in chunks: %j', (text) => {
    expect(problemCodes(text, text)).toEqual(problemCodes(text));
  });
});

describe('guard: reads a comment beside a number or a comma that holds nothing of it', () => {
  it.each<[text: string, input: unknown]>([
    ['{"ids": [1, // see [3]\n 2]}', { ids: [1, 2] }],
    ['{"ids": [1, # 1) first\n 2 # 2) second\n]}', { ids: [1, 2] }],
    ['{"ids": [1, 2], # old: 3]\n "n": 5 # {x}\n}', { ids: [1, 2], n: 5 }],
    ['{"ids": [1, /* ] */ 2]}', { ids: [1, 2] }],
    ['{"ids": [1,\n // 2]\n 3]}', { ids: [1, 3] }],
    ['{"n": 5, // "list": ["a"]\n "list": ["b"]}', { n: 5, list: ['b'] }],
    ['{"n": 5, // rows :]\n "list": ["b"]}', { n: 5, list: ['b'] }],
  ])('%j', (text, input) => {
    expect(mendWith(typed, text)).toMatchObject({ input, problems: [] });
  });
});

describe('guard: reads a comment beside a string that holds nothing of it', () => {
  it.each<[text: string, input: unknown]>([
    ['{\n  "s": "id", # "name",\n  "t": "z"\n}', { s: 'id', t: 'z' }],
    ['{\n  "s": "1.0", // old: "0.9",\n  "t": "z"\n}', { s: '1.0', t: 'z' }],
    ['{\n  "s": "Board 6", # 2 pine,\n  "t": "z"\n}', { s: 'Board 6', t: 'z' }],
    ['{\n  "s": "id", # "name", "t": "y"\n  "t": "z"\n}', { s: 'id', t: 'z' }],
    ['{"s": "a", // "cwd": "/x",\n"t": "z"}', { s: 'a', t: 'z' }],
    ['{"s": "http:",//host/x\n"t": "z"}', { s: 'http:', t: 'z' }],
    ['{\n  "list": ["ls", "make"], // build it]\n  "s": "x"\n}', { list: ['ls', 'make'], s: 'x' }],
    ['{\n  "list": ["ls", "make"] // build [it]\n}', { list: ['ls', 'make'] }],
    ['{\n  "list": [\n    "ls", // one,\n    "make" // two, or three\n  ]\n}', { list: ['ls', 'make'] }],
    ['{\n  "t": "z",\n  "s": "x" // was: "old"\n}', { t: 'z', s: 'x' }],
    ['{\n  "t": "z",\n  "s": "x" # see a[0], b{1}\n}', { t: 'z', s: 'x' }],
    ['{\n  "s": "x" // the file\n  , "t": "z"\n}', { s: 'x', t: 'z' }],
    ['{\n  "s": "x" // the file\n  "t": "z"\n}', { s: 'x', t: 'z' }],
    ['{\n  "s": "x"// the file\n}', { s: 'x' }],
    ['{\n  "s": "x" // "t": "z"\n}', { s: 'x' }],
    ['{\n  "s": "x" /* one, two, */\n}', { s: 'x' }],
    ['{\n  "s": "x"\n  // "t": "z",\n}', { s: 'x' }],
    ['{"s": "id\\" # \\"name",\n "t": "z"}', { s: 'id" # "name', t: 'z' }],
  ])('%j', (text, input) => {
    expect(mendWith(lists, text)).toMatchObject({ input, problems: [] });
  });
});
