import { describe, expect, it } from 'vitest';
import { closed, mendWith, string, strings } from './mend-with.ts';

const fields = closed({
  query: string,
  database: string,
  title: string,
  text: { type: ['string', 'object'] },
  tags: strings,
});

describe('a text that ends as a whole does is not cut off', () => {
  it.each([
    [`{"query": 'SELECT 1 FROM t WHERE a = 'b';', "database": "main"}`],
    [`{'title': 't', 'query': 'SELECT 1 FROM t WHERE a = 'b';'}`],
    [`{"title": "t", "query": ''a', 'b';', "tags": ["x"]}`],
    [`{"title": "t", "query": ""a"; 'b", "tags": ["x"]}`],
    [`{"title": "t", "query": He said, "I can't," and left.}`],
    ['{"title": "t", "text": {}"}'],
    ['{"title": "t", "tags": ["a"]"}'],
  ])('%s', (args) => {
    const outcome = mendWith(fields, args);
    expect(outcome).toMatchObject({ status: 'invalid', errorType: 'validation' });
    expect(JSON.stringify(outcome)).not.toContain('cut off');
  });
});

describe('guard: a text that ends inside a value is cut off', () => {
  it.each([
    ['{"title": "a", "query": "x = {}'],
    [String.raw`{"query": "{\"a\": {\"b\": \"c\"}}`],
    [`{"title": 'a 'b'; c', "query": "function() { return 1 }`],
    ['{"title": "t", "tags": ["a"'],
  ])('%s', (args) => {
    expect(mendWith(fields, args)).toMatchObject({ status: 'invalid', errorType: 'truncated' });
  });
});
