/**
 * `npm run bench:machines [-- --runs 1000 --workers 4 --kills 40 --json]`: a soak test of runs on workers that are killed at random,
 * the events per second of each store compared with plain inserts, the runs per second of workers, and the load on the database.
 * Exits with 1 if a guarantee is broken.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { testPostgres } from '../test/postgres/postgres.ts';
import { type BenchResult, type BenchTable, writeResult } from './bench-result.ts';
import { logSize } from './machines/log-size.ts';
import { type Measured, machinesResult } from './machines/machines-result.ts';
import { progress } from './machines/progress.ts';
import { queueCost } from './machines/queue-cost.ts';
import { soak } from './machines/soak.ts';
import { storeRates } from './machines/store-rates.ts';
import { sweepTime } from './machines/sweep-time.ts';
import { workerRates } from './machines/worker-rates.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    workers: { type: 'string', default: '4' },
    kills: { type: 'string', default: '40' },
    json: { type: 'boolean', default: false },
  },
});
const options = { runs: Number(values.runs), workers: Number(values.workers), kills: Number(values.kills) };
if (!Object.values(options).every(Number.isInteger) || options.runs < 1 || options.workers < 1) {
  console.error('--runs and --workers are numbers from 1, --kills from 0');
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
      ...{ title: 'The promises', head: ['what', 'figure', 'bar', ''] },
      rows: bars.map(({ what, figure, bar, met }) => [what, figure, bar, met ? 'ok' : 'BROKEN']),
    }),
  ].join('\n');

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
    told.say(`${options.runs} runs, ${options.workers} workers, ${options.kills} kills`);
    const url = await postgres.database();
    const verdict = await soak(url, folder, options, told);
    return { options, rates, queue, sweep, workers, soak: verdict, size: await logSize(url) };
  } finally {
    await postgres.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

const measured = await measure();
const result = machinesResult(measured);
writeResult(result);
console.log(values.json ? JSON.stringify(measured, null, 2) : show(result));
process.exitCode = result.bars.every(({ met }) => met) ? 0 : 1;
