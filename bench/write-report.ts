import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { benchmarks } from './benchmarks.ts';
import { claimRows, publishedFigures } from './claims.ts';
import { machine } from './machine.ts';
import { markdownTable, type Report, reportPage } from './report-page.ts';
import { type BenchRun, readResult } from './run-benchmark.ts';

const runsFile = new URL('../.bench/runs.json', import.meta.url);

/** Whether any benchmark was run on this machine. */
export const hasRuns = (): boolean => existsSync(runsFile);

/** What came of each benchmark when it was last run here. */
const lastRuns = (): Record<string, BenchRun> =>
  hasRuns() ? (JSON.parse(readFileSync(runsFile, 'utf8')) as Record<string, BenchRun>) : {};

/** Keeps what came of a benchmark until it is run again. */
export const keepRun = (run: BenchRun): void =>
  writeFileSync(runsFile, `${JSON.stringify({ ...lastRuns(), [run.name]: run }, null, 2)}\n`);

/** Writes `report.md`, its pictures and `results.json` into a folder, from the results that are there. */
export function writeReport(folder: URL): Report {
  const runs = lastRuns();
  const report: Report = {
    machine: machine(),
    date: new Date().toISOString(),
    runs: benchmarks.flatMap(({ name }) => runs[name] ?? []),
    results: benchmarks.flatMap(({ name }) => (runs[name] && readResult(name)) ?? []),
  };
  mkdirSync(folder, { recursive: true });
  const write = (file: string, text: string): void => writeFileSync(new URL(file, folder), text);
  for (const { file, svg } of report.results.flatMap(({ charts }) => charts)) write(file, svg);
  const plain = report.results.map(({ charts, ...rest }) => ({ ...rest, charts: charts.map(({ file }) => file) }));
  write('results.json', `${JSON.stringify({ ...report, results: plain }, null, 1)}\n`);
  write('report.md', reportPage(report));
  return report;
}

const readme = new URL('../README.md', import.meta.url);

/** Writes the README's table of claims anew, with the published figures. */
export function writeClaims(): void {
  const table = markdownTable({ head: ['Claim', 'Figure', 'Command'], rows: claimRows(publishedFigures()) });
  writeFileSync(
    readme,
    readFileSync(readme, 'utf8').replace(
      /(<!-- claims -->\n).*(<!-- \/claims -->)/s,
      (_, from, to) => `${from}${table}\n${to}`,
    ),
  );
}
