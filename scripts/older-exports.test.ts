import { describe, expect, it } from 'vitest';
import { declarersOf, exportsOf, movedSince, olderExport } from './older-exports.ts';

const files: Readonly<Record<string, string>> = {
  'src/a.ts': [
    'export const one = 1;',
    'export async function* two() {}',
    'export abstract class Three {}',
    'export interface Four {}',
    'export type Five = 5;',
    "export { type Six, seven, eight as ate } from './b.ts';",
    "export * from './b.ts';",
    'const own = 1;',
  ].join('\n'),
  'src/b.ts': 'export const seven = 7;\nexport const eight = 8;\nexport default eight;',
  'src/c.ts': 'export const seven = 7;',
};
const read = (file: string): string | undefined => files[file];
const declarers = declarersOf(Object.keys(files), read);

it('exportsOf finds values, its own and those of others, and no types', () => {
  expect(exportsOf('src/a.ts', read).sort()).toEqual(
    ['one', 'two', 'Three', 'seven', 'ate', 'eight', 'default'].sort(),
  );
  expect(exportsOf('src/none.ts', read)).toEqual([]);
});

describe('olderExport', () => {
  const exports = { 'src/new.ts#uno': 'src/a.ts#one', 'src/new.ts#two': null };
  const moved = { exports, options: {}, methods: {}, getters: {}, tests: {}, reworded: {} };
  it.each([
    ['the table', 'src/new.ts', 'uno', 'src/a.ts#one'],
    ['the table, where another thing had that name', 'src/new.ts', 'two', undefined],
    ['the same file', 'src/c.ts', 'seven', 'src/c.ts#seven'],
    ['the only file that declared it', 'src/new.ts', 'Three', 'src/a.ts#Three'],
    ['two files that declared it', 'src/new.ts', 'seven', undefined],
    ['no file', 'src/new.ts', 'ten', undefined],
  ])('goes by %s', (_, file, name, expected) => {
    expect(olderExport(file, name, declarers, moved)).toBe(expected);
  });
});

describe('movedSince', () => {
  const table = (exports: Record<string, string | null>, reworded: Record<string, string[]> = {}) => ({
    exports,
    options: {},
    methods: {},
    getters: {},
    tests: {},
    reworded,
  });
  const now = table(
    { 'a.ts#one': 'b.ts#uno', 'a.ts#two': null, 'c.ts#three': 'd.ts#tres' },
    { 'a.test.ts': ['x', 'y'] },
  );

  it('leaves out what the older commit already lists', () => {
    const then = table({ 'a.ts#one': 'b.ts#uno', 'a.ts#two': null }, { 'a.test.ts': ['x'] });
    expect(movedSince(now, then)).toEqual(table({ 'c.ts#three': 'd.ts#tres' }, { 'a.test.ts': ['x', 'y'] }));
    expect(movedSince(now, now)).toEqual(table({}));
  });

  it('keeps everything for a commit without a table, or with one that has fewer parts', () => {
    expect(movedSince(now, undefined)).toEqual(now);
    expect(movedSince(now, { tests: {} })).toEqual(now);
  });
});
