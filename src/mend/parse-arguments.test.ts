import { describe, expect, it } from 'vitest';
import { defaultLimits } from '../json/limits.ts';
import type { FinishReason } from '../model/index.ts';
import { parseArguments } from './parse-arguments.ts';

const schema = { type: 'object', properties: { path: { type: 'string' }, limit: { type: 'integer' } } } as const;
const read = (args: unknown, finishReason?: FinishReason) =>
  parseArguments({ name: 'x', arguments: args, finishReason }, { ...schema }, defaultLimits);
const kinds = (args: unknown) => read(args).repairs.map(({ kind }) => kind);

describe('readArguments', () => {
  it('C8 reads nothing as an empty object, and says so where something stood', () => {
    expect(read(undefined)).toMatchObject({ value: {}, repairs: [], problems: [] });
    for (const args of ['', ' \n', 'null', 'None', 'undefined', null]) {
      expect(read(args)).toMatchObject({ value: {}, problems: [] });
      expect(read(args).repairs.at(-1)).toMatchObject({ kind: 'empty', certainty: 'lossless', after: {} });
    }
  });

  it('C2 reads nothing of a message that ended by length as cut off', () => {
    for (const args of [undefined, null, '', 'null', 'None'])
      expect(read(args, 'length').problems).toMatchObject([{ code: 'truncated', path: [] }]);
  });

  it('takes text out of the strings around it, three deep and no deeper', () => {
    let text = '{"path": "a"}';
    for (let level = 1; level <= 3; level += 1) {
      text = JSON.stringify(text);
      expect(read(text).value).toEqual({ path: 'a' });
      expect(kinds(text)).toEqual(Array(level).fill('encoding'));
    }
    expect(typeof read(JSON.stringify(text)).value).toBe('string');
  });

  it('keeps how numbers were written, in a string too', () => {
    const { value, marks } = read(JSON.stringify('{"path": 1.50}'));
    expect(marks?.get(value as object, 'path')?.literal).toBe('1.50');
  });

  it('reads lines of declared keys, and no others', () => {
    expect(read('path: a.ts\nlimit: 5')).toMatchObject({
      value: { path: 'a.ts', limit: '5' },
      repairs: [{ kind: 'lines' }],
    });
    expect(read('path: a.ts\nother: 5').problems).toMatchObject([{ code: 'syntax' }]);
    expect(read('path: a.ts', 'length').problems).toHaveLength(1);
  });

  it('refuses text without a value, and keeps it', () => {
    expect(read('I would rather not')).toMatchObject({ value: 'I would rather not', problems: [{ code: 'syntax' }] });
  });

  it('takes a sound value as it is, the very same', () => {
    const args = { path: 'a', list: [1, { b: null }] };
    expect(read(args).value).toBe(args);
    expect(read(args)).toMatchObject({ repairs: [], problems: [], nesting: 'sure' });
  });

  it.each<[string, unknown]>([
    ['a function', { path: () => 1 }],
    ['a BigInt', { path: 1n }],
    ['a Date', { path: new Date(0) }],
    ['NaN', { limit: Number.NaN }],
    ['an infinity', { limit: Number.POSITIVE_INFINITY }],
    ['an integer past 2^53', { limit: 2 ** 53 }],
    ['__proto__', JSON.parse('{"__proto__": 1}')],
  ])('F9 F10 refuses a value that holds %s', (_, args) => {
    expect(read(args).problems.length).toBeGreaterThan(0);
  });

  it('F6 refuses a value that holds itself', () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    expect(read({ path: cycle }).problems).toMatchObject([{ code: 'depth' }]);
  });
});
