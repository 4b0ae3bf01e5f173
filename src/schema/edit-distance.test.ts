import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../test/sample.ts';
import { editDistance } from './closest-key.ts';

/** The textbook table, as slow as it is plain. */
function plain(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i || j));
  const at = (i: number, j: number) => table[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      (table[i] as number[])[j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + change);
    }
  }
  return at(a.length, b.length);
}

const word = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é'), maxLength });

describe('editDistance', () => {
  it.each([
    ['short texts', word(32), word(40)],
    ['long texts', word(60), word(60)],
  ])('counts as the textbook does: %s', (_, from, to) => {
    fc.assert(
      fc.property(from, to, fc.nat(12), (a, b, max) => {
        const distance = editDistance(a, b, max);
        const expected = plain(a, b);
        expect(distance > max ? 'far' : distance).toBe(expected > max ? 'far' : expected);
      }),
      { numRuns: runs(500) },
    );
  });
});
