import { describe, expect, it } from 'vitest';
import type { Repair } from '../json/repair.ts';
import { noteOf } from './mend.ts';

const dropped = (...path: (string | number)[]): Repair => ({ path, kind: 'dropped', before: 1, certainty: 'inferred' });

describe('noteOf', () => {
  it('S1.4 tells what was dropped and nothing else', () => {
    expect(noteOf([])).toBeUndefined();
    expect(noteOf([{ ...dropped('x'), kind: 'comma' }])).toBeUndefined();
    expect(noteOf([dropped('x')])).toBe("Unknown parameter 'x' was ignored");
    expect(noteOf([dropped('x'), dropped('edits', 0, 'y')])).toBe("Unknown parameters 'x', 'edits.0.y' were ignored");
  });

  it('S1.4 stays short', () => {
    const many = Array.from({ length: 5000 }, (_, index) => dropped(`key${index}`));
    expect(noteOf(many)).toMatch(/'key9' and 4990 more were ignored$/);
  });
});
