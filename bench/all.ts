/**
 * `npm run bench`: runs every benchmark, and writes the report in docs/bench/ and the README's claims.
 * `npm run bench -- mend size` runs some of them, and `--quick` shortens those that support it; both report to .bench/report/.
 * `--report` writes the docs from earlier results, and keeps the figures of benchmarks that weren't
 * run here since. Exits with 1 if a bar is missed or a benchmark fails.
 */
import { parseArgs } from 'node:util';
import { type Benchmark, benchmarks } from './benchmarks.ts';
import { commitOf } from './machine.ts';
import { type BenchRun, readResult, runBenchmark } from './run-benchmark.ts';
import { hasRuns, keepRun, writeClaims, writeReport } from './write-report.ts';

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, report: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !benchmarks.some((one) => one.name === name));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}. There are: ${benchmarks.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
if (values.report && !hasRuns()) {
  console.error('Nothing was measured here yet: `npm run bench` does.');
  process.exit(2);
}

const asked = benchmarks.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const terminal = process.stdout.isTTY;
const clock = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** A progress line in a terminal; in a pipe, a line at the start and one at the end. */
async function shown(benchmark: Benchmark, place: string, commit: string): Promise<BenchRun> {
  const began = Date.now();
  let last = '';
  const draw = (): void => {
    const line = `${place} ${benchmark.name}  ${clock(Math.floor((Date.now() - began) / 1000))}  ${last.trim()}`;
    process.stdout.write(`\r\u001b[2K${line.slice(0, (process.stdout.columns ?? 80) - 1)}`);
  };
  if (!terminal) console.log(`${place} ${benchmark.name} …`);
  const timer = terminal ? setInterval(draw, 500) : undefined;
  const run = await runBenchmark(benchmark, {
    quick: values.quick,
    commit,
    said: (line) => {
      last = line;
    },
  });
  clearInterval(timer);
  if (terminal) process.stdout.write('\r\u001b[2K');
  console.log(`${place} ${benchmark.name.padEnd(11)} ${clock(run.seconds).padStart(6)}  ${outcome(run)}`);
  return run;
}

function outcome({ name, status, note }: BenchRun): string {
  const missed = readResult(name)?.bars.filter(({ met }) => !met) ?? [];
  if (status === 'missed') return `missed: ${missed.map(({ what }) => what).join('; ') || 'see its log'}`;
  if (status === 'met') return 'every bar is met';
  return `${status === 'absent' ? 'not measured' : 'BROKEN'}: ${note} (.bench/logs/${name}.txt)`;
}

let good = true;
if (!values.report) {
  const commit = commitOf();
  for (const [at, benchmark] of asked.entries()) {
    const run = await shown(benchmark, `[${at + 1}/${asked.length}]`, commit);
    keepRun(run);
    if (run.status === 'missed' || run.status === 'broken') good = false;
  }
}
// The docs and the README show only complete runs.
const part = !values.report && (positionals.length > 0 || values.quick);
const folder = part ? '.bench/report/' : 'docs/bench/';
const report = writeReport(new URL(`../${folder}`, import.meta.url), { keep: values.report });
if (folder === 'docs/bench/') writeClaims();
console.log(`${folder}report.md tells of ${report.results.length} benchmarks.`);
process.exitCode = good ? 0 : 1;
