import { expect, it } from 'vitest';
import { reportPage } from './report-page.ts';
import { reportedIn } from './write-report.ts';

it('restores the published report from its files', () => {
  const measured = [...reportedIn(new URL('../docs/bench/', import.meta.url)).values()];
  expect(measured.length).toBeGreaterThan(10);
  const charts = measured.flatMap(({ result }) => result?.charts ?? []);
  expect(charts.length).toBeGreaterThan(3);
  for (const { alt, svg } of charts) {
    expect(alt).toMatch(/^[A-Z][^[\]]+$/);
    expect(svg).toContain('<svg');
  }
  const machine = { system: '', processor: '', cores: 2, memory: '', node: '' };
  const results = measured.flatMap(({ result }) => result ?? []);
  const page = reportPage({ machine, date: '', runs: measured.map(({ run }) => run), results });
  for (const { file, alt } of charts) expect(page).toContain(`![${alt}](${file})`);
});
