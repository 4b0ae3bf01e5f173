import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { findLinks } from '../scripts/find-links.ts';
import type { BenchResult } from './bench-result.ts';
import { benchmarks } from './benchmarks.ts';
import { markdownTable, reportPage } from './report-page.ts';
import type { BenchRun } from './run-benchmark.ts';

const result: BenchResult = {
  name: 'size',
  title: 'Size, compressed',
  command: 'npm run bench:size',
  about: 'Weighs.',
  tables: [{ head: ['what', 'KB'], rows: [['a|b', '48']] }],
  bars: [
    { what: 'ours', figure: '48 KB', bar: 'at most 40 KB', met: false },
    { what: 'all', figure: '134 KB', bar: 'at most 140 KB', met: true },
  ],
  charts: [{ file: 'size.svg', alt: 'Sizes', svg: '<svg></svg>' }],
  losses: ['jsonrepair is 4 KB.'],
  versions: { jsonrepair: '3.15.0' },
};
const run: BenchRun = {
  name: 'size',
  status: 'missed',
  seconds: 3,
  date: '2026-11-15T10:00:00.000Z',
  commit: 'abc1234',
  quick: false,
};
const machine = { system: 'Linux, x64', processor: 'a processor', cores: 2, memory: '8 GB', node: 'v24.0.0' };
const page = reportPage({
  machine,
  date: '2026-11-15T10:00:00.000Z',
  results: [result],
  runs: [run, { ...run, name: 'page', status: 'broken', note: 'No browser' }],
});

it('lists what Toolmend does worse first: missed limits, better libraries, failed benchmarks', () => {
  const [, lost = ''] = /## Where Toolmend does worse\n(.*?)\n## /s.exec(page) ?? [];
  expect(lost).toContain('- page failed: No browser');
  expect(lost).toContain('- Missed: ours: 48 KB; limit: at most 40 KB');
  expect(lost).toContain('- jsonrepair is 4 KB.');
  expect(lost).not.toContain('134 KB');
  expect(page.indexOf('## Where Toolmend does worse')).toBeLessThan(page.indexOf('## Size'));
});

it('says on what it was measured, when, at which commit, beside which versions', () => {
  for (const words of ['2 cores', '8 GB', 'v24.0.0', '2026-11-15 at abc1234', 'jsonrepair 3.15.0', '1 of 2'])
    expect(page).toContain(words);
});

it('states for each benchmark when it was measured, and between which days all of them were', () => {
  const days = reportPage({
    machine,
    date: '2026-11-19T10:00:00.000Z',
    runs: [run, { ...run, name: 'page', date: '2026-11-18T10:00:00.000Z', commit: 'def5678' }],
    results: [result, { ...result, name: 'page', title: 'Page', command: 'npm run bench:page' }],
  });
  expect(days).toContain('Measured between 2026-11-15 and 2026-11-18: 2 cores');
  expect(days).toContain('`npm run bench:size`, measured on 2026-11-15 at abc1234\n');
  expect(days).toContain('`npm run bench:page`, measured on 2026-11-18 at def5678\n');
  expect(page).toContain('Measured on 2026-11-15: 2 cores');
});

it('leads to each benchmark that left a result', () => {
  const { targets, anchors } = findLinks(page);
  expect(targets.filter((target) => target.startsWith('#')).map((target) => target.slice(1))).toEqual([
    'size-compressed',
  ]);
  expect(anchors).toContain('size-compressed');
});

it('a table keeps its cells apart and puts figures to the right', () => {
  expect(markdownTable(result.tables[0] as BenchResult['tables'][number])).toBe(
    '| what | KB |\n| --- | ---: |\n| a\\|b | 48 |',
  );
});

it('every benchmark of the table is there and has a script of its own', () => {
  const scripts: Record<string, string> = manifest.scripts;
  for (const { name, file, script = `bench:${name}` } of benchmarks) {
    expect([file, existsSync(join(import.meta.dirname, '..', file))]).toEqual([file, true]);
    expect(scripts[script]).toBe(`node ${file}`);
  }
});
