import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { salvageValue } from './salvage-value.ts';

const Minutes = z.object({
  title: z.string(),
  points: z.array(z.object({ text: z.string(), done: z.boolean() })),
  count: z.int().min(1).optional(),
});

describe('salvageValue', () => {
  it('is complete, without guesses, if the value can be mended', () => {
    const out = salvageValue("{title: 'A', points: [], count: '2',}", Minutes);
    expect(out).toMatchObject({ status: 'complete', value: { title: 'A', points: [], count: 2 }, guesses: [] });
    expectTypeOf(out.value).toEqualTypeOf<
      { title?: string; points?: { text?: string; done?: boolean }[]; count?: number | undefined } | undefined
    >();
  });

  it.each<[string, unknown]>([
    ['{"title": "Minu', { title: 'Minu' }],
    [
      '{"title": "A", "points": [{"text": "x", "done": true}, {"text": "half',
      {
        title: 'A',
        points: [{ text: 'x', done: true }],
      },
    ],
    [
      '{"title": "A", "points": [{"text": "x", "done": "yes"}], "count": 1',
      {
        title: 'A',
        points: [{ text: 'x', done: true }],
      },
    ],
    ['```json\n{"title": "A", "po', { title: 'A' }],
  ])('closes %j, and labels it', (text, value) => {
    const out = salvageValue(text, Minutes);
    expect(out).toMatchObject({ status: 'salvaged', value });
    expect(out.value).toEqual(value);
    expect(out.guesses.some(({ kind }) => kind === 'closed')).toBe(true);
  });

  it('keeps the good items and fields, and labels what it removed', () => {
    const value = {
      title: 'A',
      points: [{ text: 'x', done: true }, { text: 5, done: 'maybe' }, { done: true }, { text: 'y', done: false }],
      count: 'many',
    };
    const out = salvageValue(value, Minutes);
    expect(out.value).toEqual({
      title: 'A',
      points: [
        { text: 'x', done: true },
        { text: 'y', done: false },
      ],
    });
    expect(out.guesses.map(({ kind }) => kind)).toContain('dropped');
    expect(out.guesses.find(({ path }) => path[0] === 'count')).toMatchObject({ kind: 'dropped', before: 'many' });
    expect(value.points).toHaveLength(4);
  });

  it('labels what is missing, and values that break a limit', () => {
    const out = salvageValue('{"points": [], "count": 0}', Minutes);
    expect(out.value).toEqual({ points: [], count: 0 });
    expect(out.guesses.map(({ kind, path }) => [kind, ...path])).toEqual(
      expect.arrayContaining([
        ['missing', 'title'],
        ['invalid', 'count'],
      ]),
    );
  });

  it.each([
    ['nothing here', Minutes],
    ['', Minutes],
    ['"a text"', z.int()],
    [[1, 2], Minutes],
  ])('has no value for %j, and says why', (source, schema) => {
    const out = salvageValue(source, schema);
    expect(out).toMatchObject({ status: 'none', value: undefined });
    expect(out.guesses.length).toBeGreaterThan(0);
  });

  it('reads without a schema', () => {
    expect(salvageValue('{"a": [1, 2, {"b": "c')).toMatchObject({
      status: 'salvaged',
      value: { a: [1, 2, { b: 'c' }] },
    });
    expect(salvageValue('{"a": 1}')).toMatchObject({ status: 'complete', value: { a: 1 } });
  });

  it('keeps the good items of a long list', () => {
    const list = Array.from({ length: 500 }, (_, n) => (n % 2 ? n : { n }));
    expect(salvageValue(list, z.array(z.int())).value).toEqual(list.filter((one) => typeof one === 'number'));
  });

  it('guard: nothing that mends or runs a call can use it', () => {
    const src = join(import.meta.dirname, '../..');
    const files = globSync('**/*.ts', { cwd: src }).filter((file) => !file.endsWith('.test.ts'));
    const users = files.filter((file) => readFileSync(join(src, file), 'utf8').includes("salvage-value.ts'"));
    expect(files.length).toBeGreaterThan(100);
    expect(users).toEqual(['mend/output/index.ts']);
  });
});
