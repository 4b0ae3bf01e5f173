import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuOf } from '../../../test/cpu-of.ts';
import { runs } from '../../../test/sample.ts';
import { compilePattern } from './patterns.ts';

/** Texts that set JavaScript's and RE2's reading of a pattern apart. */
const texts = [
  '',
  'a',
  'ab',
  'a\nb',
  'a\n',
  '1',
  '１',
  'é',
  '\u00a0',
  '\u000b',
  '\u2028',
  '\ufeff',
  '\r',
  '😀',
  'a😀c',
  '\b',
];
texts.push('a b', '-', '/', 'α', 'A', '\0', ']', '.', '^', 'foo bar');

const patterns = [
  '^\\d+$',
  '\\D',
  '\\w',
  '\\W',
  '\\s',
  '\\S',
  '^[^\\s]+$',
  '[\\S]',
  '[^\\S]',
  '^a.c$',
  '.',
  '^.$',
  '[.]',
  '\\.',
  '\\u0061',
  '\\u{1F600}',
  '\\ud83d\\ude00',
  '^\\p{L}+$',
  '\\p{Letter}',
  '\\P{Lu}',
  '\\p{Script=Greek}',
  '[\\p{L}-]',
  '(?<n>a)b',
  '(?:a|b)+$',
  'a{2,}',
  '[\\b]',
  '\\bfoo\\b',
  '\\cA',
  '[^]',
  '[]',
  '\\/',
  '^$',
  '[\\]]',
  '[\\^]',
  '\\x61',
  '(?<=a)b',
  '(?<!a)b',
  '[\\s\\S]*',
  '[^\\n]',
  '\\t',
  '\\0',
  'a*?',
  '[a-z]{1,3}',
];

describe('compilePattern', () => {
  it.each(patterns)('reads %s as JavaScript does', (source) => {
    const ours = compilePattern(source);
    const theirs = new RegExp(source, 'u');
    expect(ours).toBeDefined();
    for (const text of texts) expect([text, ours?.test(text)]).toEqual([text, theirs.test(text)]);
  });

  it('agrees with JavaScript on random patterns and texts', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      '.',
      '\\s',
      '\\S',
      '\\d',
      '\\w',
      '[a-c]',
      '[^\\s]',
      '[.b]',
      '^',
      '$',
      '\\b',
      '😀',
    );
    const source = fc
      .array(fc.tuple(piece, fc.constantFrom('', '', '+', '*', '?', '{1,2}')), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.map(([one, count]) => (/^(?:\^|\$|\\b)$/.test(one) ? one : one + count)).join(''));
    const text = fc.array(fc.constantFrom(...texts), { maxLength: 4 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(source, text, (pattern, one) => {
        expect(compilePattern(pattern)?.test(one)).toBe(new RegExp(pattern, 'u').test(one));
      }),
      { numRuns: runs(3000), seed: 3 },
    );
  });

  it.each(['(?=a)b', '(?!a)b', '(a)\\1', 'a{1001}', '(', '[z-a]', '(?<n>a)\\k<n>'])(
    'F8 says that RE2 can not run %s',
    (source) => {
      expect(compilePattern(source)).toBeUndefined();
    },
  );

  it('F8 is linear on a pattern made to backtrack', () => {
    const pattern = compilePattern('^(a+)+$');
    const took = cpuOf(() => {
      for (const length of [29, 50_000]) {
        expect(pattern?.test(`${'a'.repeat(length)}!`)).toBe(false);
        expect(pattern?.test('a'.repeat(length))).toBe(true);
      }
    });
    expect(took).toBeLessThan(1000);
  });

  it('keeps what it compiled, and not without bound', () => {
    const first = compilePattern('^kept$');
    expect(compilePattern('^kept$')).toBe(first);
    for (let index = 0; index < 600; index++) compilePattern(`^p${index}$`);
    expect(compilePattern('^kept$')).not.toBe(first);
  });
});
