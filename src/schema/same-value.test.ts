import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { equalItems, sameValue } from './same-value.ts';

const json = fc.jsonValue({ maxDepth: 2 });

describe('sameValue', () => {
  it('does not mind the order of keys', () => {
    expect(sameValue({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
    expect(sameValue({ a: 1 }, { a: 1, b: undefined })).toBe(false);
    expect(sameValue([1], { 0: 1 })).toBe(false);
  });

  it('F9 looks at own keys alone', () => {
    expect(sameValue({ toString: 1 }, { valueOf: 1 })).toBe(false);
    expect(sameValue(JSON.parse('{"__proto__":{}}'), {})).toBe(false);
  });
});

describe('equalItems', () => {
  it('finds what comparing each with each finds', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(json, fc.constantFrom(1, '1', true, null, [], {})), { maxLength: 8 }), (list) => {
        const slow = list.findIndex((item, at) => list.slice(0, at).some((other) => sameValue(item, other)));
        expect(equalItems(list)?.[1] ?? -1).toBe(slow);
      }),
    );
  });
});
