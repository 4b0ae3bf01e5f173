/** The tables of the pages about running say what the code says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runEnds } from '../src/log/events.ts';
import { defaultBudgets } from '../src/run/budgets.ts';

const page = readFileSync(join(import.meta.dirname, '../docs/guides/agent.md'), 'utf8');
/** The rows of the first table below a heading, cell by cell. */
const tableBelow = (heading: string): string[][] => {
  const [, below = ''] = page.split(`\n## ${heading}\n`);
  const lines = below.split('\n');
  const from = lines.findIndex((line) => line.startsWith('| --- '));
  const rows = lines.slice(from + 1);
  const cells = (row: string): string[] => row.split('|').map((cell) => cell.trim().replaceAll('`', ''));
  return rows.slice(0, rows.indexOf('')).map((row) => cells(row).slice(1, -1));
};

it('every end of a loop, with its meaning', () => {
  const ends = tableBelow('End reasons');
  expect(ends.map(([name]) => name)).toEqual(Object.keys(runEnds));
  expect(ends.filter(([, meaning]) => !meaning)).toEqual([]);
});

it('every budget and its default', () => {
  const said = tableBelow('Budgets').map(([name, value]) => [name, value === 'no limit' ? Infinity : Number(value)]);
  expect(said).toEqual(Object.entries(defaultBudgets));
});
