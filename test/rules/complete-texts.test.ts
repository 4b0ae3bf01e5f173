import { describe, expect, it } from 'vitest';
import { closed, mendWith, open, string, strings, told } from './mend-with.ts';

const fields = closed({
  query: string,
  database: string,
  title: string,
  text: { type: ['string', 'object'] },
  tags: strings,
});

describe('a text with a complete end is not truncated', () => {
  it.each([
    [`{"query": 'SELECT 1 FROM t WHERE a = 'b';', "database": "main"}`],
    [`{'title': 't', 'query': 'SELECT 1 FROM t WHERE a = 'b';'}`],
    [`{"title": "t", "query": ''a', 'b';', "tags": ["x"]}`],
    [`{"title": "t", "query": ""a"; 'b", "tags": ["x"]}`],
    [`{"title": "t", "query": He said, "I can't," and left.}`],
    ['{"title": "t", "text": {}"}'],
  ])('%s', (args) => {
    const outcome = mendWith(fields, args);
    expect(outcome).toMatchObject({ status: 'invalid', errorType: 'validation' });
    expect(JSON.stringify(outcome)).not.toContain('cut off');
  });
});

describe('guard: a text that ends inside a value is truncated', () => {
  it.each([
    ['{"title": "a", "query": "x = {}'],
    [String.raw`{"query": "{\"a\": {\"b\": \"c\"}}`],
    [`{"title": 'a 'b'; c', "query": "function() { return 1 }`],
    ['{"title": "t", "tags": ["a"'],
  ])('%s', (args) => {
    expect(mendWith(fields, args)).toMatchObject({ status: 'invalid', errorType: 'truncated' });
  });
});

it('guard: a list with a quote after it is not truncated', () => {
  expect(mendWith(fields, '{"title": "t", "tags": ["a"]"}')).toMatchObject({ errorType: 'validation' });
});

const loose = open({ text: string, items: strings });
const reasonOf = (args: string) => {
  const outcome = mendWith(loose, args);
  return outcome.status === 'invalid'
    ? `${outcome.errorType}: ${outcome.problems.map(({ message }) => message).join('; ')}`
    : outcome.status;
};

describe('HTML with unescaped quotes right before a closing tag', () => {
  it.each([
    ['{"items": ["<p>"x"</p>"]}', ['<p>"x"</p>']],
    ['{"items": ["<p>"x"</p>", "b"]}', ['<p>"x"</p>', 'b']],
    ['{"items": ["a", "<li>"a"</li><li>"b"</li>"]}', ['a', '<li>"a"</li><li>"b"</li>']],
  ])('%s', (args, items) => {
    expect(told(mendWith(loose, args))).toEqual({
      status: 'mended',
      input: { items },
      repairs: ['inner_quote inferred'],
    });
  });
});

describe('reports the fault that keeps a text open, not its end', () => {
  it.each([
    ['{"items": ["<p>\n"x"</p>\n<p>"y"</p>"]}', /^validation: .*continues after a tag/],
    ['{"text": </b>}', /^validation: .*continues after a tag/],
    ['{"text": </b>"}', /^validation: .*placeholder without quotes/],
    ['{"text": "const a = "b"; // c"} Done.', /^validation: .*is in a comment/],
    ['{"text": """}', /^validation: .*three quotes that are never closed/],
    ['{"text": """", "items": ["a"]}', /^validation: .*three quotes that are never closed/],
    ['{"items": ["a", """]}', /^validation: .*three quotes that are never closed/],
    ['{text: a "{" b}', /^validation: .*is unquoted/],
    ['{"text": {"}', /^truncated: .*is not closed/],
  ])('%s', (args, reason) => {
    expect(reasonOf(args)).toMatch(reason);
    expect(reasonOf(args)).not.toContain('cut off');
  });
});

describe('guard: a string or list that is open at the end is truncated', () => {
  it.each([
    '{"items": ["a"</tool_call>',
    '{"items": ["<p>"x"</p>',
    '{"items": ["a", "b"</tool_call>\n<tool_call>{"items": ["c"]}',
    '{"text": """abc',
    '{"text": "a // b',
    '{"items": ["a" // b',
    '{"text": "He said "no" and left.}',
    '{text: a {b',
  ])('%s', (args) => {
    expect(reasonOf(args)).toMatch(/^truncated/);
  });
});
