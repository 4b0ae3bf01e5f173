import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonSchema } from '../types.ts';
import { compilable } from './compile.ts';

// Whether code may be generated is asked once, and another file of this process may have asked before.
beforeEach(() => vi.resetModules());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe('checkerFor', () => {
  it('checks where code generation is forbidden', async () => {
    const asked = vi.fn(() => {
      throw new EvalError('unsafe-eval is not allowed');
    });
    vi.stubGlobal('Function', asked);
    const { checkerFor } = await import('./compile.ts');
    for (let round = 0; round < 3; round++) {
      const checker = checkerFor({ type: 'object', required: ['a'], title: String(round) });
      expect(checker.passes({ a: 1 })).toBe(true);
      expect(checker.problems({})[0]?.message).toBe("Field 'a' is required but missing");
    }
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it('compiles nothing until first use', async () => {
    const made = vi.fn();
    vi.stubGlobal('Function', made);
    const { checkerFor } = await import('./compile.ts');
    for (let index = 0; index < 1000; index++) checkerFor({ minimum: index });
    expect(made).not.toHaveBeenCalled();
  });

  it('takes the same $id twice', async () => {
    const { checkerFor } = await import('./compile.ts');
    expect(checkerFor({ $id: 'https://example.com/a', type: 'string' }).passes(1)).toBe(false);
    expect(checkerFor({ $id: 'https://example.com/a', type: 'number' }).passes(1)).toBe(true);
  });

  it('says nothing on the console about formats and words it does not know', async () => {
    const said = ['log', 'warn', 'error'].map((level) => vi.spyOn(console, level as 'log'));
    const { checkerFor } = await import('./compile.ts');
    expect(checkerFor({ format: 'postcode', 'x-own': 1, type: ['string', 'number'] }).passes('a')).toBe(true);
    for (const one of said) expect(one).not.toHaveBeenCalled();
  });
});

describe('compilable says how deep a value may be', () => {
  const doubling: Record<string, JsonSchema> = { d0: { type: 'string' } };
  for (let level = 1; level <= 20; level++) {
    const $ref = `#/$defs/d${level - 1}`;
    doubling[`d${level}`] = { anyOf: [{ $ref }, { $ref }] };
  }

  const any = Number.POSITIVE_INFINITY;
  it.each<[string, JsonSchema, number]>([
    ['an ordinary schema', { type: 'object', properties: { a: { $ref: '#/$defs/x' } }, $defs: { x: {} } }, any],
    [
      'references that repeat',
      { properties: { a: { $ref: '#/$defs/x' }, b: { $ref: '#/$defs/x' } }, $defs: { x: {} } },
      any,
    ],
    ['F14 a schema that holds itself', { properties: { a: { $ref: '#' } } }, any],
    [
      'F14 a schema that holds itself in each of two forms',
      { properties: { a: { anyOf: [{ $ref: '#' }, { type: 'object', properties: { b: { $ref: '#' } } }] } } },
      13,
    ],
    ['F14 a reference elsewhere', { $ref: 'https://example.com/x' }, 0],
    ['references that double at each step', { $ref: '#/$defs/d20', $defs: doubling }, 0],
    ['a very large schema', { anyOf: Array.from({ length: 3000 }, () => ({})) }, 0],
    ['definitions that nothing uses', { $defs: { x: { anyOf: Array.from({ length: 3000 }, () => ({})) } } }, any],
  ])('%s', (_what, schema, expected) => expect(compilable(schema)).toBe(expected));
});
