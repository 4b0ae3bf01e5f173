import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { decideApproval } from '../../src/log/control/decide-approval.ts';
import type { RunEvent } from '../../src/log/events.ts';
import { fold, isAtRest, openCalls } from '../../src/log/fold.ts';
import { postgresStore } from '../../src/log/postgres-store.ts';
import type { Store } from '../../src/log/store.ts';
import { control, dispatch, type RunControl } from '../../src/run/workers/dispatch.ts';
import { callsIn, crowdAgent, marksOf } from '../../test/postgres/crowd.ts';
import { watchClaims } from './claims.ts';
import { type Commanding, commander } from './commander.ts';
import { type Crew, crew } from './crew.ts';
import { type Course, judgeSoak, type Verdict } from './judge-soak.ts';
import type { Progress } from './progress.ts';

/** The length of a soak test. */
export interface SoakOptions {
  readonly runs: number;
  readonly workers: number;
  readonly kills: number;
  /** How often Postgres is stopped or crashes. */
  readonly restarts: number;
  /** Runs that kill each worker that takes them. */
  readonly poison: number;
  /** Commands to runs by their id. */
  readonly commands: number;
  /** Agents that share the database. */
  readonly agents: number;
  /**
   * Seconds without a heartbeat before runs go to other workers.
   * @default 10
   */
  readonly heartbeat?: number;
  /**
   * Failed attempts without progress after which a run is dead.
   * @default 5
   */
  readonly attempts?: number;
}

/** The server that is restarted. */
export interface Restartable {
  stop(): Promise<void>;
  crash(): Promise<void>;
  start(): Promise<void>;
}

/** The prompts of the runs: they read and write, most of them several times, and some wait for a person. */
const plots = ['Go', 'Look', 'Much', 'Pay'] as const;
const patience = 1_800_000;

/** Takes runs through workers that are killed at random and replaced, and reports whether every guarantee held. */
export async function soak(
  url: string,
  folder: string,
  options: SoakOptions,
  progress: Progress,
  postgres: Restartable,
): Promise<Verdict> {
  const { workers, agents, heartbeat = 10, attempts } = options;
  const marks = join(folder, 'marks');
  const store = await postgresStore(url, { connections: 6 });
  const names = Array.from({ length: agents }, (_, index) => (index === 0 ? 'default' : `agent-${index}`));
  const hands = crew({
    url,
    marks,
    ms: 20,
    atOnce: 10,
    heartbeat,
    ...(attempts !== undefined && { attempts }),
  });
  const prompts = promptsOf(options);
  const ids = await submit(store, url, { marks, names, prompts });
  const runs = await control({ store, url });
  const claims = await watchClaims(url);
  try {
    const began = performance.now();
    const poisonous = new Set(ids.filter((_, at) => isPoison(prompts[at] as string)));
    // A worker that starts while there is no database exits, and is replaced like any other.
    hands.onExit = (name) => void pause(200).then(() => hands.hire(name));
    await Promise.all(Array.from({ length: workers }, (_, index) => hands.hire(names[index % agents])));
    const course = await watch({ store, runs, hands, ids, options, postgres, poisonous }, progress);
    const seconds = (performance.now() - began) / 1000;
    const due = await Promise.all(names.map((name) => store.due?.(ids.length, name)));
    const left = due.reduce((sum, some) => sum + (some?.length ?? 0), 0);
    const cancelled = new Set(course.cancelled);
    const meant = prompts.reduce(
      (sum, words, at) => sum + (cancelled.has(ids[at] as string) || isPoison(words) ? 0 : callsIn(words)),
      0,
    );
    const seen = { ...course, meant, left, seconds, workers, agents, heartbeat, claimed: claims.times };
    return judgeSoak(await logsOf(store, ids), marksOf(marks), seen, { cancelled, poisonous });
  } finally {
    await hands.end();
    await claims.close();
    await runs.close();
    await store.close();
  }
}

const isPoison = (words: string): boolean => words.startsWith('Die');

/** The prompts, with the poisonous ones spread over them. */
function promptsOf({ runs, poison }: SoakOptions): string[] {
  const every = poison > 0 ? Math.max(1, Math.floor(runs / poison)) : Number.POSITIVE_INFINITY;
  let left = poison;
  return Array.from({ length: runs }, (_, index) => {
    if (left > 0 && index % every === Math.floor(every / 2)) {
      left -= 1;
      return `Die ${index}`;
    }
    return `${plots[index % plots.length]} ${index}`;
  });
}

async function submit(
  store: Store,
  url: string,
  {
    marks,
    names,
    prompts,
  }: { readonly marks: string; readonly names: readonly string[]; readonly prompts: readonly string[] },
): Promise<string[]> {
  const ids: string[] = [];
  const queues = await Promise.all(
    names.map((name) => dispatch({ agent: crowdAgent(store, marks, undefined, name), store, url })),
  );
  for (let at = 0; at < prompts.length; at += 20) {
    const some = prompts.slice(at, at + 20);
    ids.push(
      ...(await Promise.all(some.map((words, index) => queues[(at + index) % queues.length]?.submit(words) ?? ''))),
    );
  }
  await Promise.all(queues.map((queue) => queue.close()));
  return ids;
}

interface Watched {
  readonly store: Store;
  readonly runs: RunControl;
  readonly hands: Crew;
  readonly ids: readonly string[];
  readonly options: SoakOptions;
  readonly postgres: Restartable;
  /** Runs that kill each worker. They get no commands. */
  readonly poisonous: ReadonlySet<string>;
}

/** Any run that isn't poisonous. */
function anyOf(ids: readonly string[], poisonous: ReadonlySet<string>): string {
  const innocent = ids.filter((id) => !poisonous.has(id));
  return innocent[Math.floor(Math.random() * innocent.length)] as string;
}

type Observed = Pick<Course, 'killed' | 'decided' | 'restarted'> & Commanding['course'];

/**
 * Kills, restarts, commands and decides until every run has ended. All of it is spread over the work: a kill comes in the
 * moment a worker reports that so many runs came to rest, while others are active.
 */
async function watch(
  { store, runs, hands, ids, options, postgres, poisonous }: Watched,
  progress: Progress,
): Promise<Observed> {
  const { kills, restarts, commands } = options;
  const spread = (count: number): number[] =>
    Array.from({ length: count }, () => Math.random() * ids.length * 0.85).sort((a, b) => a - b);
  const [killAt, restartAt] = [spread(kills), spread(restarts)];
  const [ended, seen] = [new Set<string>(), new Map<string, number>()];
  const course = { killed: 0, decided: 0, restarted: 0 };
  const orders = commander(runs, spread(commands));
  let rested = 0;
  hands.onEvent = ({ type, ...event }) => {
    if (type === 'taken' && 'run' in event && !poisonous.has(event.run)) orders.taken(event.run, rested);
    if (type === 'ended') rested += 1;
    if ((killAt[course.killed] ?? Number.POSITIVE_INFINITY) < rested && hands.kill()) course.killed += 1;
  };
  const isOver = (): boolean => ended.size === ids.length && orders.isDone() && course.restarted === restarts;
  for (const began = performance.now(); !isOver() && performance.now() - began < patience; await pause(200)) {
    if ((restartAt[course.restarted] ?? Number.POSITIVE_INFINITY) < rested) {
      await orders.whileDown(() => restart(postgres, store, course.restarted));
      course.restarted += 1;
    }
    for (const { run, seq } of await store.runs({ limit: ids.length })) {
      if (seen.get(run) === seq) continue;
      // An aborted tool that returns later adds an event after the end, so the last event doesn't tell.
      const state = fold(await logOf(store, run));
      seen.set(run, seq);
      if (!isAtRest(state)) ended.delete(run);
      else if (state.ended?.end !== 'awaiting_approval') ended.add(run);
      else if (await decide(store, runs, run, course.decided)) course.decided += 1;
      else seen.delete(run);
    }
    // Towards the end, no run may be taken any more at the moment of a command.
    if (ended.size >= ids.length - poisonous.size) orders.taken(anyOf(ids, poisonous), rested);
    const { done } = orders.course;
    progress.at(
      ended.size,
      ids.length,
      `${course.killed} workers killed, ${course.restarted} restarts, ${done} commands`,
    );
  }
  return { ...course, ...orders.course };
}

/** Stops Postgres, or lets it crash, and starts it again. */
async function restart(postgres: Restartable, store: Store, index: number): Promise<void> {
  await (index % 2 === 0 ? postgres.stop() : postgres.crash());
  await pause(500);
  await postgres.start();
  for (;;) {
    try {
      await store.runs({ limit: 1 });
      return;
    } catch {
      await pause(100);
    }
  }
}

/** Every other one as the inspector does, which doesn't use the queue. Returns false if it is no longer waiting. */
async function decide(store: Store, runs: RunControl, run: string, index: number): Promise<boolean> {
  const [call] = openCalls(fold(await logOf(store, run)));
  if (!call) return false;
  try {
    if (index % 2 === 0) await runs.approve(run, call.callId, { type: 'allow' });
    else await decideApproval(store, run, call.callId, { type: 'allow' });
    return true;
  } catch {
    // A command was faster, or the worker hasn't finished yet.
    return false;
  }
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
