import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { BenchResult } from './bench-result.ts';
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

/** A run with its result, if it has one. */
interface Measured {
  readonly run: BenchRun;
  readonly result: BenchResult | undefined;
}

/** What was measured here. */
const measuredHere = (): Map<string, Measured> =>
  new Map(Object.entries(lastRuns()).map(([name, run]) => [name, { run, result: readResult(name) }]));

/** What a report in a folder contains. */
export function reportedIn(folder: URL): Map<string, Measured> {
  const file = new URL('results.json', folder);
  if (!existsSync(file)) return new Map();
  type Stored = Omit<BenchResult, 'charts'> & { readonly charts: readonly string[] };
  const { runs, results } = JSON.parse(readFileSync(file, 'utf8')) as { runs: BenchRun[]; results: Stored[] };
  const page = readFileSync(new URL('report.md', folder), 'utf8');
  const chart = (name: string): BenchResult['charts'][number] => {
    const alt = page.split(`](${name})`)[0]?.split('![').at(-1) ?? '';
    return { file: name, alt, svg: readFileSync(new URL(name, folder), 'utf8') };
  };
  const restored = (one: Stored): BenchResult => ({ ...one, charts: one.charts.map(chart) });
  return new Map(
    runs.map((run) => {
      const stored = results.find(({ name }) => name === run.name);
      return [run.name, { run, result: stored && restored(stored) }];
    }),
  );
}

/**
 * Writes `report.md`, its pictures and `results.json` into a folder, from the results that are there. With `keep`,
 * benchmarks that the folder's report measured later than this machine stay as they are, and quick runs don't count.
 */
export function writeReport(folder: URL, { keep = false } = {}): Report {
  const here = measuredHere();
  const before = keep ? reportedIn(folder) : new Map<string, Measured>();
  const measured = benchmarks.flatMap(({ name }) => {
    const both = [here.get(name) ?? [], before.get(name) ?? []].flat().filter(({ run }) => !(keep && run.quick));
    return both.sort((one, other) => other.run.date.localeCompare(one.run.date)).slice(0, 1);
  });
  const report: Report = {
    machine: machine(),
    date: new Date().toISOString(),
    runs: measured.map(({ run }) => run),
    results: measured.flatMap(({ result }) => result ?? []),
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
