/** A comment after a string: refused if it may be the rest of that string, and removed if it can only be a comment. */
import { describe, expect, it } from 'vitest';
import { closed, mendWith, problemCodes, statusByEffect, string } from './mend-with.ts';

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
