import { describe, expect, it } from 'vitest';
import { columnsOf, truncateTo, wrap } from './layout.ts';

describe('columnsOf', () => {
  it.each([
    ['plain', 5],
    ['日本語', 6],
    ['e\u0301', 1],
    ['👩‍👩‍👧', 2],
    ['✓ ok', 4],
    ['한글!', 5],
  ])('%s takes %i', (text, columns) => {
    expect(columnsOf(text)).toBe(columns);
  });
});

describe('cutTo', () => {
  it('keeps a line within its columns, and says that something is missing', () => {
    expect(truncateTo('a\n  b', 10)).toBe('a b');
    expect(truncateTo('日本語日本語', 7)).toBe('日本語…');
    expect(columnsOf(truncateTo('日本語日本語', 6))).toBeLessThanOrEqual(6);
  });
});

describe('wrap', () => {
  it('counts columns, not characters', () => {
    expect(wrap('日本語日本語', 6)).toEqual(['日本語', '日本語']);
    for (const line of wrap('長い text with 日本語 in between 한글', 9)) expect(columnsOf(line)).toBeLessThanOrEqual(9);
  });
});
