import { describe, expect, it } from 'vitest';
import { type Meant, verdictOf } from './verdict.ts';

const meant: Meant = { name: 'read', input: { path: 'a', limit: 5 }, readings: 'one' };
const ran = (input: unknown, name = 'read') => [{ name, input }];

describe('a verdict', () => {
  it.each([
    ['nothing ran', [], 'refused'],
    ['just what was meant ran, in whatever order of keys', ran({ limit: 5, path: 'a' }), 'recovered'],
    ['another value ran', ran({ path: 'a', limit: 4 }), 'wrong'],
    ['a key is missing', ran({ path: 'a' }), 'wrong'],
    ['a key is too many', ran({ path: 'a', limit: 5, more: null }), 'wrong'],
    ['another tool ran', ran(meant.input, 'write'), 'wrong'],
    ['it ran twice', [...ran(meant.input), ...ran(meant.input)], 'wrong'],
  ] as const)('%s', (_, what, verdict) => {
    expect(verdictOf(what, meant, undefined)).toBe(verdict);
  });

  it('is luck where nobody could know what was meant', () => {
    expect(verdictOf(ran(meant.input), { ...meant, readings: 'none' }, undefined)).toBe('lucky');
    expect(verdictOf(ran({}), { ...meant, readings: 'none' }, undefined)).toBe('wrong');
    expect(verdictOf([], { ...meant, readings: 'none' }, undefined)).toBe('refused');
  });

  it('takes null for absent only where the contestant knows no difference', () => {
    const withNull = ran({ path: 'a', limit: 5, more: null });
    expect(verdictOf(withNull, meant, true)).toBe('recovered');
    expect(verdictOf(ran({ path: 'a', limit: null }), meant, true)).toBe('wrong');
  });
});
