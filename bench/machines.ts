/**
 * Many machines: a soak of runs over workers that are killed at random, and how many events a second each store takes beside
 * a bare insert. Run: `npm run bench:machines [-- --runs 1000 --workers 4 --kills 20]`. Exit code 1 where a promise is broken.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { RunEvent } from '../src/log/event.ts';
import { fold } from '../src/log/fold.ts';
import { postgresStore } from '../src/log/postgres-store.ts';
import type { Store } from '../src/log/store.ts';
import { dispatch } from '../src/run/dispatch/dispatch.ts';
import { crowdAgent, marksOf } from '../test/postgres/crowd.ts';
import { testPostgres } from '../test/postgres/postgres.ts';
import { storeRates } from './store-rates.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    workers: { type: 'string', default: '4' },
    kills: { type: 'string', default: '20' },
  },
});
const [count, crew, kills] = [Number(values.runs), Number(values.workers), Number(values.kills)];
const crowd = join(import.meta.dirname, '../test/postgres/crowd.ts');
const patience = 900_000;

const postgres = await testPostgres();
const folder = mkdtempSync(join(tmpdir(), 'toolmend-machines-'));
const alive = new Set<ChildProcess>();
try {
  for (const line of await storeRates(await postgres.database(), join(folder, 'rates.db'))) console.log(line);
  process.exitCode = (await soak()) ? 0 : 1;
} finally {
  for (const child of alive) child.kill('SIGKILL');
  await postgres.end();
  rmSync(folder, { recursive: true, force: true });
}

function hire(url: string, marks: string): void {
  const child = spawn(process.execPath, [crowd, url, marks, '20', '10'], { stdio: ['ignore', 'ignore', 'inherit'] });
  alive.add(child);
  child.once('exit', () => alive.delete(child));
}

async function soak(): Promise<boolean> {
  const url = await postgres.database();
  const marks = join(folder, 'marks');
  const store = await postgresStore(url, { connections: 8 });
  const runs = await dispatch({ agent: crowdAgent(store, marks), store, url });
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await runs.submit(`Go ${index}`));
  console.log(`${count} runs submitted; ${crew} workers, ${kills} kills`);

  const began = performance.now();
  for (let index = 0; index < crew; index += 1) hire(url, marks);
  let killed = 0;
  const open = new Set(ids);
  while (open.size > 0 && performance.now() - began < patience) {
    await pause(1500);
    for (const id of await endedAmong(store, open)) open.delete(id);
    const [victim] = [...alive].sort(() => Math.random() - 0.5);
    if (killed < kills && victim && open.size > 0) {
      victim.kill('SIGKILL');
      killed += 1;
      hire(url, marks);
    }
    if (process.stdout.isTTY) process.stdout.write(`\r${count - open.size} ended, ${killed} killed `);
  }
  const seconds = (performance.now() - began) / 1000;
  const sound = report(await logsOf(store, ids), marksOf(marks), { open: open.size, killed, seconds });
  await runs.close();
  await store.close();
  return sound;
}

/** Those of these runs whose last event is an end. */
async function endedAmong(store: Store, open: ReadonlySet<string>): Promise<string[]> {
  const ended: string[] = [];
  for (const { run, seq } of await store.runs({ limit: count })) {
    if (!open.has(run)) continue;
    for await (const event of store.read(run, seq - 1)) if (event.type === 'run.ended') ended.push(run);
  }
  return ended;
}

async function logsOf(store: Store, ids: readonly string[]): Promise<RunEvent[][]> {
  const logs: RunEvent[][] = [];
  for (const id of ids) {
    const events: RunEvent[] = [];
    for await (const event of store.read(id)) events.push(event);
    logs.push(events);
  }
  return logs;
}

interface Course {
  readonly open: number;
  readonly killed: number;
  readonly seconds: number;
}

/** Says what came of it; false where a promise is broken. */
function report(logs: readonly RunEvent[][], marks: readonly string[], { open, killed, seconds }: Course): boolean {
  const once = new Map<string, number>();
  for (const mark of marks) if (mark.startsWith('send ')) once.set(mark, (once.get(mark) ?? 0) + 1);
  const twice = [...once.values()].filter((times) => times > 1).length;
  const torn = logs.filter((events) => events.some(({ seq }, index) => seq !== index + 1)).length;
  const done = logs.filter((events) => fold(events).ended?.end === 'done').length;
  const takeovers = logs.reduce(
    (sum, events) => sum + events.filter(({ type }) => type === 'run.resumed').length - 1,
    0,
  );
  const unknown = logs.flat().filter((event) => event.type === 'call.sealed').length;
  console.log(
    `\n${done} of ${logs.length} runs done in ${seconds.toFixed(0)} s, ${killed} workers killed, ${takeovers} takeovers`,
  );
  console.log(`once-effects: ${once.size} happened, ${twice} twice; ${unknown} calls reported as unknown`);
  console.log(`sequences with a gap or a repetition: ${torn}; runs that did not end: ${open}`);
  console.log(`${(logs.length / seconds / crew).toFixed(1)} runs a second and worker, with the kills`);
  return done === logs.length && twice === 0 && torn === 0 && open === 0;
}
