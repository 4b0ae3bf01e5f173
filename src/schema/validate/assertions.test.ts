import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { equal } from '../../json/value.ts';
import { equalItems } from './assertions.ts';

const json = fc.jsonValue({ maxDepth: 2 });

describe('equal', () => {
  it('does not mind the order of keys', () => {
    expect(equal({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
    expect(equal({ a: 1 }, { a: 1, b: undefined })).toBe(false);
    expect(equal([1], { 0: 1 })).toBe(false);
  });

  it('F9 looks at own keys alone', () => {
    expect(equal({ toString: 1 }, { valueOf: 1 })).toBe(false);
    expect(equal(JSON.parse('{"__proto__":{}}'), {})).toBe(false);
  });
});

describe('equalItems', () => {
  it('finds what comparing each with each finds', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(json, fc.constantFrom(1, '1', true, null, [], {})), { maxLength: 8 }), (list) => {
        const slow = list.findIndex((item, at) => list.slice(0, at).some((other) => equal(item, other)));
        expect(equalItems(list)?.[1] ?? -1).toBe(slow);
      }),
    );
  });
});
