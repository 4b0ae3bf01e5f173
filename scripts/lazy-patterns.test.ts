import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';
import { lazyPatterns } from './lazy-patterns.ts';

const lazily = (code: string): string => lazyPatterns(code, (text) => parseAst(text));
/** Runs a module without imports, and returns its `result`. */
const resultOf = (code: string): unknown => new Function(`${code}; return result`)();

describe('lazyPatterns', () => {
  it('creates a pattern with Unicode classes on first use', () => {
    const code = lazily(
      String.raw`const word = /^\p{L}+["\\/]$/u; const result = [word.test('né"'), 'a/'.replace(word, '-')];`,
    );
    expect(code).not.toMatch(/= \/\^/);
    expect(code).toContain('word().test(');
    expect(code).toContain('replace(word(), ');
    expect(resultOf(code)).toEqual([true, '-']);
  });

  it('uses the same pattern each time, because sticky patterns have a state', () => {
    const code = lazily(
      String.raw`const next = /\p{L}/uy; const result = [next.exec('ab')[0], next.exec('ab')[0], next.lastIndex]; next.lastIndex = 0;`,
    );
    expect(code).toContain('next().lastIndex = 0');
    expect(resultOf(code)).toEqual(['a', 'b', 2]);
  });

  it.each([
    ['without Unicode classes', String.raw`const digits = /\d+/; const result = digits.test('1');`],
    ['shadowed by a parameter', String.raw`const p = /\p{L}/u; const f = (p) => p.test('a'); const result = f(p);`],
    [
      'shadowed by a variable',
      String.raw`const p = /\p{L}/u; { const p = /a/; p.test(''); } const result = p.test('a');`,
    ],
    ['copied', String.raw`const p = /\p{L}/u; const list = [p]; const result = p.test('a') && list[0].test('a');`],
    ['a member of an object', String.raw`const p = /\p{L}/u; const all = { p }; const result = all.p.test('a');`],
    ['reassignable', String.raw`let p = /\p{L}/u; const result = p.test('a');`],
    ['in a function', String.raw`const f = (a) => /\p{L}/u.test(a); const result = f('a');`],
  ])('leaves a pattern %s', (_, code) => {
    expect(lazily(code)).toBe(code);
    expect(resultOf(code)).toBe(true);
  });

  it('leaves an exported pattern', () => {
    const code = String.raw`const p = /\p{L}/u; export { p as t };`;
    expect(lazily(code)).toBe(code);
  });

  it('does not confuse a pattern with members of the same name', () => {
    const code = lazily(String.raw`const p = /\p{L}/u; const a = { p: 1 }; const result = [a.p, p.test('a')];`);
    expect(code).toContain('{ p: 1 }');
    expect(resultOf(code)).toEqual([1, true]);
  });
});
