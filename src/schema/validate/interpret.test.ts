import { describe, expect, it } from 'vitest';
import { cpuOf } from '../../../test/cpu-of.ts';
import type { JsonSchema } from '../types.ts';
import { Interpreter } from './interpreter.ts';

/** Two forms of a list that both lead back to the union: as a tree, 2^depth questions. */
const forked: JsonSchema = {
  $ref: '#/$defs/node',
  $defs: {
    node: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/list' }, { $ref: '#/$defs/other' }] },
    list: { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, required: ['next', 'a'] },
    other: { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, required: ['next', 'b'] },
  },
};
const nested = (depth: number): unknown => {
  let value: unknown = 5;
  for (let level = 0; level < depth; level++) value = { next: value };
  return value;
};

describe('Interpreter', () => {
  it('decides a recursive union once per value and form, however deep', () => {
    for (const depth of [18, 250]) {
      const interpreter = new Interpreter(forked);
      const took = cpuOf(() => {
        expect(interpreter.passes(nested(depth))).toBe(false);
        expect(interpreter.problems(nested(depth)).length).toBeGreaterThan(0);
      });
      expect(took).toBeLessThan(1000);
    }
  });

  it('decides a scalar once where references fan out', () => {
    const $defs: Record<string, JsonSchema> = { d0: { type: 'string' } };
    for (let level = 1; level <= 40; level++) {
      const $ref = `#/$defs/d${level - 1}`;
      $defs[`d${level}`] = { anyOf: [{ $ref }, { $ref, minLength: 1 }] };
    }
    const interpreter = new Interpreter({ $ref: '#/$defs/d40', $defs });
    expect(cpuOf(() => expect(interpreter.problems(5)).toHaveLength(1))).toBeLessThan(1000);
  });

  it('F6 answers with a problem, not a RangeError, where value or schema is too deep', () => {
    expect(new Interpreter(forked).problems(nested(100_000)).length).toBeGreaterThan(0);
    let schema: JsonSchema = { type: 'string' };
    for (let level = 0; level < 50_000; level++) schema = { allOf: [schema] };
    expect(new Interpreter(schema).passes(5)).toBe(false);
    expect(new Interpreter(schema).problems(5)).toHaveLength(1);
  });

  it('stops at fifty problems', () => {
    const value = Array.from({ length: 10_000 }, () => 'x');
    expect(new Interpreter({ items: { type: 'number' } }).problems(value)).toHaveLength(50);
  });

  it('checks a part of the document under a path of its own', () => {
    const interpreter = new Interpreter(forked);
    const [problem] = interpreter.problems({}, { required: ['next'] }, ['tree', 0]);
    expect(problem?.message).toBe("Field 'tree.0.next' is required but missing");
  });

  it('forgets what it decided when told to', () => {
    const interpreter = new Interpreter({ required: ['a'] });
    const value: Record<string, unknown> = {};
    expect(interpreter.passes(value)).toBe(false);
    value.a = 1;
    interpreter.forget();
    expect(interpreter.passes(value)).toBe(true);
  });

  it('F14 ends in a cycle of references that makes no progress', () => {
    const cycle: JsonSchema = { anyOf: [{ $ref: '#' }, { type: 'string' }] };
    expect(new Interpreter(cycle).problems({})).toEqual([]);
  });
});

describe('resolve', () => {
  const root: JsonSchema = {
    $defs: {
      a: { $ref: '#/$defs/b', description: 'a word' },
      b: { type: 'string' },
      loop: { $ref: '#/$defs/loop' },
      narrow: { $ref: '#/$defs/b', minLength: 2 },
      clash: { $ref: '#/$defs/b', type: 'number' },
    },
  };
  const interpreter = new Interpreter(root);
  const at = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });

  it('follows a chain, and words that only describe do not count', () => {
    expect(interpreter.resolve(at('a'))).toEqual({ type: 'string' });
  });

  it('joins what stands beside a reference, as the same object each time', () => {
    const schema = at('narrow');
    expect(interpreter.resolve(schema)).toEqual({ type: 'string', minLength: 2 });
    expect(interpreter.resolve(schema)).toBe(interpreter.resolve(schema));
    expect(interpreter.resolve(at('clash'))).toEqual({ allOf: [{ type: 'string' }, { type: 'number' }] });
  });

  it('F14 takes cycles and what is not in the document for anything', () => {
    for (const ref of ['#/$defs/loop', '#/$defs/none', '#gone', 'https://example.com/x', '#/$defs/toString']) {
      expect(interpreter.resolve({ $ref: ref })).toBe(true);
    }
  });
});
