import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { decideApproval } from '../../src/log/decide-approval.ts';
import type { RunEvent } from '../../src/log/events.ts';
import { fold, openCalls } from '../../src/log/fold.ts';
import { postgresStore } from '../../src/log/postgres-store.ts';
import type { Store } from '../../src/log/store.ts';
import { type Dispatch, dispatch } from '../../src/run/workers/dispatch.ts';
import { callsIn, crowdAgent, marksOf } from '../../test/postgres/crowd.ts';
import { type Crew, crew } from './crew.ts';
import { type Course, judgeSoak, type Verdict } from './judge-soak.ts';
import type { Progress } from './progress.ts';

/** The number of runs, workers and kills. */
export interface SoakOptions {
  readonly runs: number;
  readonly workers: number;
  readonly kills: number;
}

/** The prompts of the runs: they read and write, most of them several times, and some wait for a person. */
const plots = ['Go', 'Look', 'Much', 'Pay'] as const;
const patience = 1_800_000;

/** Takes runs through workers that are killed at random and replaced, and reports whether every guarantee held. */
export async function soak(
  url: string,
  folder: string,
  { runs: count, workers, kills }: SoakOptions,
  progress: Progress,
): Promise<Verdict> {
  const marks = join(folder, 'marks');
  const store = await postgresStore(url, { connections: 8 });
  const runs = await dispatch({ agent: crowdAgent(store, marks), store, url });
  const hands = crew({ url, marks, ms: 20, atOnce: 10 });
  try {
    const told = Array.from({ length: count }, (_, index) => `${plots[index % plots.length]} ${index}`);
    const ids: string[] = [];
    for (let at = 0; at < count; at += 20)
      ids.push(...(await Promise.all(told.slice(at, at + 20).map((words) => runs.submit(words)))));
    const began = performance.now();
    await Promise.all(Array.from({ length: workers }, () => hands.hire()));
    const course = await watch({ store, runs, hands, ids, kills }, progress);
    const seconds = (performance.now() - began) / 1000;
    const left = (await store.due?.(count))?.length ?? 0;
    const meant = told.reduce((sum, words) => sum + callsIn(words), 0);
    return judgeSoak(await logsOf(store, ids), marksOf(marks), { ...course, meant, left, seconds, workers });
  } finally {
    await hands.end();
    await runs.close();
    await store.close();
  }
}

interface Watched {
  readonly store: Store;
  readonly runs: Dispatch;
  readonly hands: Crew;
  readonly ids: readonly string[];
  readonly kills: number;
}

/**
 * Kills, replaces and decides until every run has ended. Kills are spread over the work: each comes in the moment a worker
 * says that so many runs came to rest, while others are under way.
 */
async function watch(
  { store, runs, hands, ids, kills }: Watched,
  progress: Progress,
): Promise<Pick<Course, 'killed' | 'decided'>> {
  const moments = Array.from({ length: kills }, () => Math.random() * ids.length * 0.9).sort((a, b) => a - b);
  const seen = new Map<string, number>();
  const open = new Set(ids);
  const [began, course] = [performance.now(), { killed: 0, decided: 0 }];
  let rested = 0;
  hands.onEvent = ({ type }) => {
    if (type === 'ended') rested += 1;
    if ((moments[course.killed] ?? Number.POSITIVE_INFINITY) >= rested || !hands.kill()) return;
    course.killed += 1;
    void hands.hire();
  };
  while (open.size > 0 && performance.now() - began < patience) {
    await pause(100);
    for (const { run, seq } of await store.runs({ limit: ids.length })) {
      if (!open.has(run) || seen.get(run) === seq) continue;
      seen.set(run, seq);
      const last = await lastOf(store, run, seq);
      if (last?.type !== 'run.ended') continue;
      if (last.end !== 'awaiting_approval') open.delete(run);
      else {
        await decide(store, runs, run, course.decided);
        course.decided += 1;
      }
    }
    const ended = ids.length - open.size;
    progress.at(ended, ids.length, `${course.killed} workers killed, ${course.decided} approvals given`);
  }
  return course;
}

async function lastOf(store: Store, run: string, seq: number): Promise<RunEvent | undefined> {
  for await (const event of store.read(run, seq - 1)) return event;
  return undefined;
}

/** Every other one as the inspector does, which doesn't use the queue. */
async function decide(store: Store, runs: Dispatch, run: string, index: number): Promise<void> {
  const [call] = openCalls(fold(await logOf(store, run)));
  if (!call) return;
  if (index % 2 === 0) await runs.decide(run, call.callId, { type: 'allow' });
  else await decideApproval(store, run, call.callId, { type: 'allow' });
}

async function logOf(store: Store, run: string): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of store.read(run)) events.push(event);
  return events;
}

async function logsOf(store: Store, ids: readonly string[]): Promise<RunEvent[][]> {
  const logs: RunEvent[][] = [];
  for (const id of ids) logs.push(await logOf(store, id));
  return logs;
}
