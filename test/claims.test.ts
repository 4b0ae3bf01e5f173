/** Every figure the README claims was measured: it stands in the results that the benchmarks left, under the command it names. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { claimRows, publishedFigures } from '../bench/claims.ts';
import manifest from '../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');
const [, section = ''] = readFileSync(join(root, 'README.md'), 'utf8').split('\n## Claims and limits\n');
const rows = (section.split('\n## ')[0] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
const results = publishedFigures();

it('there are claims', () => {
  expect(rows.length).toBeGreaterThanOrEqual(12);
});

it.each(rows)('%s: %s', (_claim, figure = '', command = '') => {
  const result = results.find((one) => `\`${one.command}\`` === command);
  expect(result).toBeDefined();
  const measured = [
    ...(result?.bars ?? []).map((bar) => bar.figure),
    ...(result?.tables ?? []).flatMap((table) => table.rows.flat()),
  ].join('\n');
  const numbers = figure.match(/\d[\d.,]*( %| KB| x| tokens)?/g) ?? [];
  expect(numbers).not.toEqual([]);
  for (const number of numbers) expect(measured).toContain(number.replace(/ tokens$/, ''));
  const [, script = ''] = /^`npm run ([\w:-]+)/.exec(command) ?? [];
  expect(Object.keys(manifest.scripts)).toContain(script);
});

it('the table is what the results come to', () => {
  expect(rows).toEqual(claimRows(results));
});
