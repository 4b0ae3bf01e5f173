import { expect, it } from 'vitest';
import { type BenchResult, faultsOfResult } from './bench-result.ts';

const good: BenchResult = {
  name: 'size',
  title: 'Size',
  command: 'npm run bench:size',
  about: 'Weighs.',
  tables: [{ head: ['what', 'KB'], rows: [['ours', '48']] }],
  bars: [{ what: 'ours', figure: '48 KB', bar: 'at most 50 KB', met: true }],
  charts: [{ file: 'size.svg', alt: 'Sizes', svg: '<svg></svg>' }],
  losses: ['zod is smaller'],
  versions: { zod: '4.0.0' },
};

it('a result of the right shape has no faults', () => {
  expect(faultsOfResult(good)).toEqual([]);
});

it.each([
  ['name', { name: 'Not a name' }],
  ['command', { command: 'rm -rf' }],
  ['about', { about: ' ' }],
  ['tables', { tables: [{ head: ['what', 'KB'], rows: [['ours']] }] }],
  ['tables', { tables: [{ head: ['what'], rows: [[1]] }] }],
  ['bars', { bars: [{ what: 'x', figure: '1', bar: '2' }] }],
  ['charts', { charts: [{ file: '../x.svg', alt: 'x', svg: '<svg></svg>' }] }],
  ['losses', { losses: [''] }],
  ['versions', { versions: { zod: 4 } }],
])('says that %s is wrong', (field, change) => {
  expect(faultsOfResult({ ...good, ...change })).toEqual([field]);
});

it('says so of what is no result at all', () => {
  expect(faultsOfResult(null)).toHaveLength(9);
});
