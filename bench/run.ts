/**
 * `npm run bench:run`: measures the overhead of running calls: on SQLite compared with plain durable commits, without a store compared
 * with the AI SDK's loop on the same turns; concurrent runs; folding; memory. Contestants take turns, and medians count. Prints a
 * table, and writes its result for the report. Exits with 1 if a bar is missed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { RunEvent } from '../src/log/events.ts';
import { fold } from '../src/log/fold.ts';
import { memoryStore } from '../src/log/memory-store.ts';
import { sqliteStore } from '../src/log/sqlite-store.ts';
import type { Store } from '../src/log/store.ts';
import type { Agent } from '../src/run/agent.ts';
import { writeResult } from './bench-result.ts';
import { fromLines } from './from-lines.ts';
import { median } from './measure.ts';
import { passes, type Result, tableOf } from './result.ts';
import { ours, peers, runOnce } from './run-plot.ts';
import { versionsOf } from './versions-of.ts';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;
const folder = mkdtempSync(join(tmpdir(), 'toolmend-bench-'));
const results: Result[] = [];
/** Rounds that do not count: the compiler needs some thousand calls. */
const warmUp = 150;

const timeOf = async (work: () => unknown): Promise<number> => {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) * 1000;
};

/** Microseconds of each contestant's work, round by round. */
async function rounds<K extends string>(
  contestants: Record<K, () => unknown>,
  count: number,
): Promise<Record<K, number[]>> {
  const entries = Object.entries(contestants) as [K, () => unknown][];
  const times = Object.fromEntries(entries.map(([name]) => [name, [] as number[]])) as Record<K, number[]>;
  for (let round = -warmUp; round < count; round += 1) {
    for (const [name, work] of round % 2 === 0 ? entries : entries.toReversed()) {
      const took = await timeOf(work);
      if (round >= 0) times[name].push(took);
    }
  }
  return times;
}

/** One of our commits, written by SQLite alone. */
function plainCommit(name: string): () => void {
  const db = new DatabaseSync(join(folder, name));
  db.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE events (id INTEGER PRIMARY KEY, body TEXT)',
  );
  const insert = db.prepare('INSERT INTO events (body) VALUES (?)');
  const body = 'x'.repeat(300);
  return () => {
    db.exec('BEGIN IMMEDIATE');
    insert.run(body);
    db.exec('COMMIT');
  };
}

const repeated = (count: number, work: () => void) => (): void => {
  for (let time = 0; time < count; time += 1) work();
};

/** A store that does something else with each append. It shows what the loop costs without our store. */
const storeOf = (work: () => void): Store => ({ ...memoryStore(), append: async () => work() });

/** Each round's ratio, and the middle of them: a machine that is busy for a while is so for both. */
const ratio = (one: readonly number[], other: readonly number[]): number =>
  median(one.map((value, at) => value / (other[at] ?? value)));

async function costWithSqlite(): Promise<void> {
  const calls = 24;
  const store = sqliteStore(join(folder, 'runs.db'));
  const agents = {
    one: ours(calls, store),
    three: ours(calls, store, 3),
    loop: ours(
      calls,
      storeOf(() => {}),
    ),
    plain: ours(calls, storeOf(plainCommit('plain.db'))),
  };
  const contestants = {
    one: () => runOnce(agents.one, calls),
    three: () => runOnce(agents.three, calls),
    loop: () => runOnce(agents.loop, calls),
    plain: () => runOnce(agents.plain, calls),
    bare: repeated(calls * 2, plainCommit('bare.db')),
  };
  const times = await rounds(contestants, 61);
  for (const [name, which, most] of [
    ['a call, one per turn', 'one', 1.5],
    ['a call, three per turn', 'three', 1.5],
    ['of it the loop, without any store', 'loop'],
    ['of it the loop with a plain commit for each append', 'plain'],
  ] as const) {
    results.push({
      group: 'sqlite',
      name,
      ours: median(times[which]) / calls,
      peer: median(times.bare) / calls,
      peerName: 'two plain durable commits',
      figure: ratio(times[which], times.bare),
      unit: 'x as long',
      ...(most && { bar: { most } }),
    });
  }
}

async function loopBesidePeer(): Promise<void> {
  for (const calls of [1, 10, 40]) {
    const helper = ours(calls, memoryStore({ keep: 10 }));
    const { generateText, streamText } = peers(calls);
    const times = await rounds({ ours: () => runOnce(helper, calls), generateText, streamText }, 31);
    for (const peerName of ['generateText', 'streamText'] as const) {
      results.push({
        group: 'loop',
        name: `${calls} calls, no store, against ${peerName}`,
        ours: median(times.ours),
        peer: median(times[peerName]),
        peerName,
        figure: ratio(times[peerName], times.ours),
        unit: 'x faster',
        bar: { least: 1 },
      });
    }
  }
}

async function atOnce(name: string, store: Store): Promise<void> {
  const [runs, calls] = [1000, 5];
  const helper = ours(calls, store);
  const took = await timeOf(() => Promise.all(Array.from({ length: runs }, () => runOnce(helper, calls))));
  results.push({
    group: 'at once',
    name: `1,000 runs of ${calls} calls, ${name}`,
    ours: took,
    figure: took,
    unit: 'µs',
    bar: { most: 30e6 },
  });
}

/** The events of one long run, repeated under new ids. */
async function manyEvents(count: number): Promise<RunEvent[]> {
  const [store, calls] = [memoryStore(), 50];
  const run = ours(calls, store).run('x', { id: 'r' });
  await run.result;
  const once: RunEvent[] = [];
  for await (const event of store.read('r')) once.push(event);
  const events: RunEvent[] = [];
  for (let round = 0; events.length < count; round += 1) {
    for (const event of once) {
      const text = JSON.stringify({ ...event, seq: events.length + 1 }).replaceAll('"call_', `"call_${round}_`);
      events.push(JSON.parse(text) as RunEvent);
    }
  }
  return events.slice(0, count);
}

async function folding(): Promise<void> {
  const events = await manyEvents(100_000);
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) times.push(await timeOf(() => fold(events)));
  const took = median(times);
  results.push({ group: 'fold', name: '100,000 events', ours: took, figure: took, unit: 'µs', bar: { most: 1e6 } });
}

/** After a rest, in which what only weak references hold is let go. */
const heap = async (): Promise<number> => {
  for (let time = 0; time < 3; time += 1) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    gc();
  }
  return process.memoryUsage().heapUsed;
};

/** Runs, a hundred at a time: what is held after many must be what was held after few. */
async function memory(name: string, helper: Agent): Promise<void> {
  const calls = 2;
  const hundred = (): Promise<unknown> => Promise.all(Array.from({ length: 100 }, () => runOnce(helper, calls)));
  for (let done = 0; done < 20; done += 1) await hundred();
  const before = await heap();
  for (let done = 0; done < 100; done += 1) await hundred();
  const grown = (await heap()) - before;
  results.push({
    group: 'memory',
    name: `10,000 runs more, ${name}`,
    ours: 0,
    figure: Math.max(0, grown / 10_000),
    unit: 'bytes per run',
    bar: { most: 100 },
    note: `${(before / 1e6).toFixed(1)} MB before, ${((before + grown) / 1e6).toFixed(1)} MB after`,
  });
}

await costWithSqlite();
await loopBesidePeer();
await atOnce('no store', memoryStore());
await atOnce('SQLite', sqliteStore(join(folder, 'at-once.db')));
await folding();
await memory('100 in memory', ours(2, memoryStore({ keep: 100 })));
await memory('SQLite', ours(2, sqliteStore(join(folder, 'memory.db'))));
rmSync(folder, { recursive: true });

writeResult({
  name: 'run',
  title: 'Running calls',
  command: 'npm run bench:run',
  about:
    "The overhead of running calls, with a scripted model and a tool that does almost nothing. Runs on SQLite are compared with plain durable commits, and runs without a store with the AI SDK's loop on the same turns. The benchmark also measures many concurrent runs, folding a long log, and memory.",
  ...fromLines(results),
  charts: [],
  versions: versionsOf('ai'),
});
console.log(tableOf(results));
if (!results.every(passes)) process.exit(1);
process.exit(0);
