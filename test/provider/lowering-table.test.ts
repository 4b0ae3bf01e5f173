import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loweringTable } from './lowering-table.ts';

it('the table in the docs is what lowering does', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/providers/lowering.md'), 'utf8');
  const table = page.split('\n').filter((line) => line.startsWith('|'));
  const expected = loweringTable().split('\n');
  const start = table.indexOf(expected[0] ?? '');
  expect(table.slice(start, start + expected.length)).toEqual(expected);
});
