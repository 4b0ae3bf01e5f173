/**
 * `npm run bench:machines [-- --runs 2000 --workers 6 --kills 60 --restarts 5 --poison 20 --commands 200 --json]`: a soak test of
 * runs of several agents on workers that are killed at random, on a database that is restarted (`--soak` runs only this), the events per second of each store compared with plain inserts, the runs per second of workers, and the load on the database.
 * Exits with 1 if a guarantee is broken.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { testPostgres } from '../test/postgres/postgres.ts';
import { type BenchResult, type BenchTable, writeResult } from './bench-result.ts';
import { logSize } from './machines/log-size.ts';
import { type Measured, machinesResult, soakBars } from './machines/machines-result.ts';
import { progress } from './machines/progress.ts';
import { queueCost } from './machines/queue-cost.ts';
import { type SoakOptions, soak } from './machines/soak.ts';
import { storeRates } from './machines/store-rates.ts';
import { sweepTime } from './machines/sweep-time.ts';
import { workerRates } from './machines/worker-rates.ts';

const numbers = { runs: 2000, workers: 6, kills: 60, restarts: 5, poison: 20, commands: 200, agents: 3 };
const { values } = parseArgs({
  options: {
    ...(Object.fromEntries(Object.keys(numbers).map((name) => [name, { type: 'string' }])) as Record<
      keyof typeof numbers,
      { type: 'string' }
    >),
    soak: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const options = Object.fromEntries(
  Object.entries(numbers).map(([name, value]) => [name, Number(values[name as keyof typeof numbers] ?? value)]),
) as unknown as SoakOptions;
if (!Object.values(options).every((value) => Number.isInteger(value) && value >= 0)) {
  console.error(
    `${Object.keys(numbers)
      .map((name) => `--${name}`)
      .join(', ')} are numbers`,
  );
  process.exit(2);
}
if (options.runs < 1 || options.agents < 1 || options.workers < options.agents) {
  console.error('--runs and --agents are numbers from 1, and each agent needs a worker');
  process.exit(2);
}
const [endedRuns, openRuns, timedRuns] = [100_000, 40, 300];

const line = ({ title, head, rows }: BenchTable): string => {
  const widths = head.map((cell, at) => Math.max(cell.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const text = [head, ...rows].map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [`\n${title}\n`, ...text].join('\n');
};

const show = ({ tables, bars }: BenchResult): string =>
  [
    ...tables.map(line),
    line({
      title: 'The promises',
      head: ['what', 'figure', 'bar', ''],
      rows: bars.map(({ what, figure, bar, met }) => [what, figure, bar, met ? 'ok' : 'BROKEN']),
    }),
  ].join('\n');

/** Only the soak test, with a line for each bar. */
async function soakAlone(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'toolmend-machines-'));
  const postgres = await testPostgres({ durable: true });
  try {
    const bars = soakBars(await soak(await postgres.database(), folder, options, progress(), postgres), options);
    for (const { what, figure, bar, met } of bars)
      console.log(`${met ? 'ok    ' : 'BROKEN'} ${what}: ${figure} (bar: ${bar})`);
    return bars.every(({ met }) => met) ? 0 : 1;
  } finally {
    await postgres.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'toolmend-machines-'));
  const postgres = await testPostgres({ durable: true });
  const told = progress();
  try {
    told.say('Events a second, store by store');
    const rates = await storeRates(await postgres.database(), join(folder, 'rates.db'));
    told.say('What the queue costs, and a look for what is not in it');
    const queue = await queueCost(await postgres.database(), timedRuns);
    const sweep = await sweepTime(await postgres.database(), endedRuns, openRuns);
    told.say('Runs a second, worker by worker');
    const workers = await workerRates(postgres.database, folder, { runs: timedRuns, crews: [1, 2, 4] });
    const { runs, kills, restarts, poison, commands } = options;
    told.say(
      `${runs} runs, ${options.workers} workers, ${kills} kills, ${restarts} restarts, ${poison} poisonous runs, ${commands} commands`,
    );
    const url = await postgres.database();
    const verdict = await soak(url, folder, options, told, postgres);
    return { options, rates, queue, sweep, workers, soak: verdict, size: await logSize(url) };
  } finally {
    await postgres.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (values.soak) process.exit(await soakAlone());
const measured = await measure();
const result = machinesResult(measured);
writeResult(result);
console.log(values.json ? JSON.stringify(measured, null, 2) : show(result));
process.exitCode = result.bars.every(({ met }) => met) ? 0 : 1;
