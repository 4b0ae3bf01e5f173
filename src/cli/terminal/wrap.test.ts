import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sideBySide, wrap } from './layout.ts';

describe('wrap', () => {
  it('breaks at spaces where it can and loses nothing but them', () => {
    expect(wrap('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrap('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
    expect(wrap('["a.ts","b.ts"]', 10)).toEqual(['["a.ts",', '"b.ts"]']);
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ' ', ',', '😀', '\n') }),
        fc.integer({ min: 1, max: 9 }),
        (text, width) => {
          const lines = wrap(text, width);
          for (const line of lines) expect([...line].length).toBeLessThanOrEqual(width);
          expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(/[ \n]/g, ''));
        },
      ),
    );
  });

  it('sets two texts beside each other', () => {
    expect(sideBySide('left\nmore', 'right', 13)).toEqual(['left  │ right', 'more  │']);
  });
});
