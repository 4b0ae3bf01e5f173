import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { equal, ownCopy, parseJson, stringifyJson } from './value.ts';

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

describe('ownCopy', () => {
  it('writes numbers as its original does', () => {
    expect(stringifyJson(ownCopy(parseJson('{"a":[1.0,{"b":1e2}]}')))).toBe('{"a":[1.0,{"b":1e2}]}');
  });

  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  it.each<[string, unknown]>([
    ['plain values', { a: [1, 'b', null, undefined, { c: [] }], d: { e: true } }],
    ['dates and maps', { at: new Date(5), map: new Map([['a', 1]]) }],
    ['a list with holes', Object.assign([], { 2: 'c' })],
    ['a key named __proto__', JSON.parse('{"__proto__": {"a": 1}}')],
    ['a cycle', cycle],
    ['a wide list', Array.from({ length: 5000 }, () => ({}))],
  ])('copies %s as structuredClone does', (_, value) => {
    const copy = ownCopy(value);
    expect(copy).toEqual(structuredClone(value));
    expect(copy).not.toBe(value);
    expect(Object.keys(copy as object)).toEqual(Object.keys(value as object));
  });

  it('shares nothing with the original, and returns what cannot be cloned', () => {
    const value = { a: { b: [1] } };
    const copy = ownCopy(value);
    value.a.b.push(2);
    expect(copy).toEqual({ a: { b: [1] } });
    const code = { run: () => 1 };
    expect(ownCopy(code)).toBe(code);
  });
});
