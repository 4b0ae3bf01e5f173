import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/sample.ts';
import { jsonSuffix } from './json-suffix.ts';

describe('the rest of a JSON text', () => {
  it.each([
    ['', { a: 1 }, '{"a":1}'],
    ['{"path": "a.ts", "limit": ', { path: 'a.ts', limit: 5 }, '5}'],
    ['{"path": "a', { path: 'a.ts' }, '.ts"}'],
    ['{"b": 2, ', { a: 1, b: 2 }, '"a":1}'],
    ['{"a": [1, ', { a: [1, 2] }, '2]}'],
    ['{"a": {"b": "x"}', { a: { b: 'x' } }, '}'],
    ['{"a": "x"} ', { a: 'x' }, ''],
    ['{"a": 1', { a: 12 }, undefined],
    ['{"A": 1,', { a: 1 }, undefined],
    ['{"a": "y', { a: 'x' }, undefined],
    ['{"a": "x\\', { a: 'x\n' }, undefined],
    ['{"a": "x"}', { a: 'x', b: 1 }, undefined],
    ['{"a": 1} x', { a: 1 }, undefined],
    ['[', { a: 1 }, undefined],
  ])('after %j, for %j, is %j', (sent, value, rest) => {
    expect(jsonSuffix(sent, value)).toBe(rest);
  });

  it('makes the whole of any beginning, or says that it can not', () => {
    const given = fc.dictionary(
      fc.stringMatching(/^\w*$/),
      fc.jsonValue({ maxDepth: 3, stringUnit: fc.constantFrom('a', '"', '\\', 'é', '\n', '\ud800') }),
      { noNullPrototype: true },
    );
    const property = fc.property(given, fc.nat(300), fc.boolean(), (drawn, cut, spaced) => {
      const value = JSON.parse(JSON.stringify(drawn)) as object;
      const text = JSON.stringify(value, null, spaced ? 2 : 0);
      const sent = text.slice(0, cut);
      const rest = jsonSuffix(sent, value);
      if (rest !== undefined) expect(JSON.parse(sent + rest)).toEqual(value);
      // Behind a comma, a colon or an opener outside of text there is always a way on.
      else expect(sent.at(-1)).not.toMatch(/[[{]/);
    });
    fc.assert(property, { numRuns: runs(1000) });
  });
});
