import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advance, isUnclosed, nestingOf } from './nesting.ts';

describe('nestingOf', () => {
  it.each([
    ['', false],
    ['{"a": [1, 2]}', false],
    ['{"a": [1, 2]', true],
    ['{"a": "}', true],
    ['"\\"', true],
    ['{"a": "\\\\"}', false],
    ['1', false],
    [']', false],
  ])('tells whether %s ends inside a value', (text, expected) => {
    expect(isUnclosed(nestingOf(text))).toBe(expected);
  });

  it('says the same of a text in pieces', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.nat(), (json, end, at) => {
        const text = json.slice(0, end % (json.length + 1));
        const nesting = nestingOf();
        const cut = at % (text.length + 1);
        advance(nesting, text.slice(0, cut));
        advance(nesting, text.slice(cut));
        expect(nesting).toEqual(nestingOf(text));
      }),
    );
  });
});
