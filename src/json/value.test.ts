import fc from 'fast-check';
import { expect, it } from 'vitest';
import { equal, stringifyJson } from './value.ts';

it.each<[unknown, unknown, boolean]>([
  [1, 1, true],
  [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
  [[1, 2], [2, 1], false],
  [{ a: 1 }, { a: 1, b: undefined }, false],
  [{ a: null }, {}, false],
  [[], {}, false],
  ['1', 1, false],
  [null, {}, false],
  [{ toString: 1 }, {}, false],
])('%j and %j: %s', (a, b, same) => {
  expect(equal(a, b)).toBe(same);
  expect(equal(b, a)).toBe(same);
});

it('holds for a copy, and not once something in it changed', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(equal(value, structuredClone(value))).toBe(true);
      expect(equal([value], [{ wrapped: value }])).toBe(false);
    }),
  );
});

it('writes values that are nested deeply', () => {
  const text = `${'['.repeat(3000)}1${']'.repeat(3000)}`;
  expect(stringifyJson(JSON.parse(text))).toBe(text);
});
