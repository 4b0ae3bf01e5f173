import { setTimeout as pause } from 'node:timers/promises';
import { abandoned, untilAborted } from '../../execute/run-tool.ts';
import { messageOf } from '../../execute/tool-result.ts';
import { hasCode, ToolmendError } from '../../json/toolmend-error.ts';
import { checkArgument } from '../../json/value.ts';
import type { Commands } from '../../log/control/commands.ts';
import { readyChildren } from '../../log/control/wake-parents.ts';
import { pausedEnds, type ResumePolicy, type RunFailure } from '../../log/events.ts';
import { isAtRest } from '../../log/fold.ts';
import type { RunState } from '../../log/state.ts';
import type { Store } from '../../log/store.ts';
import { callListeners } from '../../log/subscribe.ts';
import type { Agent } from '../agent.ts';
import { checkResumePolicy } from '../binding.ts';
import { ActiveRuns } from './active-runs.ts';
import { type Attempts, countedFailure, isOutage, recordAttempt, retryDelay } from './attempts.ts';
import type { RunQueue, TakenRun } from './queue.ts';

/** Options of a worker. */
export interface WorkerOptions {
  /**
   * Number of parallel runs.
   * @default 10
   */
  readonly concurrency?: number;
  /**
   * Interval between polls of an empty queue, in milliseconds.
   * @default 500
   */
  readonly pollInterval?: number;
  /**
   * Interval between searches for recorded runs that aren't queued, in milliseconds.
   * @default 5_000
   */
  readonly sweepInterval?: number;
  /**
   * Failed attempts in a row, without a finished tool, after which a run ends as `dead`. An attempt fails if its worker
   * dies or an error stops it.
   * @default 5
   */
  readonly maxAttempts?: number;
  /**
   * Which runs to continue if the model, the instructions or the tools of the agent have changed since: `same` none,
   * `compatible` those whose tools it still has with the same input schemas, `any` all. Others are left to other workers.
   * @default 'compatible'
   */
  readonly resumePolicy?: ResumePolicy;
  /** Called with the events of this worker. */
  readonly on?: (event: WorkerEvent) => void;
}

/**
 * A run was taken, ended or paused for approval, was lost to another worker, failed and will be retried, or is left to
 * workers of another version of the agent.
 */
export type WorkerEvent =
  | { readonly type: 'taken'; readonly run: string }
  | { readonly type: 'ended'; readonly run: string; readonly end: string }
  | { readonly type: 'lost'; readonly run: string }
  | { readonly type: 'failed'; readonly run: string; readonly message: string }
  | { readonly type: 'refused'; readonly run: string; readonly message: string }
  | { readonly type: 'idle'; readonly message: string };

/** A running worker. */
export interface RunWorker {
  /** Whether it takes runs: it hasn't been stopped, and the queue responded to its last request. */
  isReady(): boolean;
  /**
   * Stops taking runs and waits `grace` milliseconds for the current ones (default: 10,000). The others stay as
   * recorded, for another worker to resume.
   */
  stop(options?: { readonly grace?: number }): Promise<void>;
}

/** What a worker needs besides its options. */
interface WorkerWith extends WorkerOptions {
  /** Commands from other processes. */
  readonly commands?: Commands | undefined;
  /** Number of this process, which its claims have. */
  readonly worker?: number;
  readonly store: Store;
  readonly stateOf: (run: string) => Promise<RunState>;
  /** Seconds without a heartbeat before runs go to other workers. */
  readonly heartbeatTimeout?: number | undefined;
  readonly sweep: () => Promise<void>;
}

/** How much less often to search for runs that aren't queued while the worker is busy. */
const haste = 12;
/** Time for other runs to end before one that lost its worker starts, in milliseconds. */
const drainTime = 5000;
/** Time after which such a run no longer runs alone, even if it made no progress. */
const probation = 30_000;

/** Takes runs from a queue, and runs each until it ends or waits for approval. */
export function startWorker(agent: Agent, queue: RunQueue, options: WorkerWith): RunWorker {
  const { concurrency: atOnce = 10, pollInterval: every = 500, sweepInterval: sweepEvery = 5000, sweep } = options;
  const { maxAttempts = 5, resumePolicy = 'compatible', heartbeatTimeout = 10, store, stateOf } = options;
  for (const [name, value] of Object.entries({ concurrency: atOnce, maxAttempts }))
    checkArgument(Number.isInteger(value) && value >= 1, name, 'a whole number of 1 or more', String(value));
  for (const [name, value] of Object.entries({ pollInterval: every, sweepInterval: sweepEvery }))
    checkArgument(typeof value === 'number' && value > 0, name, 'a positive number of milliseconds', String(value));
  checkResumePolicy(resumePolicy);
  const on = (event: WorkerEvent): void => callListeners(options.on ? [options.on] : [], event);
  let stopped = false;
  let wake = new AbortController();
  const leaving = new AbortController();
  const busy = new Set<Promise<void>>();
  const alive = sendHeartbeats(queue, (heartbeatTimeout * 1000) / 3);
  const active = new ActiveRuns(options.commands, options.worker ?? 0, store);
  const bench = { active, agent, queue, store, maxAttempts, resumePolicy, leaving: leaving.signal, on, stateOf };
  let isReachable = false;
  let swept = Number.NEGATIVE_INFINITY;
  /** A run whose last worker died. It may have killed it, so no other run starts here until it has made progress. */
  let suspect: { readonly taken: TakenRun; readonly since: number; started: boolean } | undefined;

  const start = (one: TakenRun, progress: () => void = () => {}): void => {
    const work: Promise<void> = workOn(one, { ...bench, progress }).finally(() => {
      // A free slot is filled immediately; otherwise the queue is polled.
      if (busy.size >= atOnce) wake.abort();
      busy.delete(work);
      alive.drop(one);
      progress();
    });
    busy.add(work);
  };
  const startSuspect = (one: NonNullable<typeof suspect>): void => {
    one.started = true;
    const passed = (): void => {
      clearTimeout(late);
      if (suspect !== one) return;
      suspect = undefined;
      wake.abort();
    };
    const late = setTimeout(passed, probation);
    start(one.taken, passed);
  };
  const take = async (): Promise<number> => {
    const room = atOnce - busy.size;
    if (room <= 0) return 0;
    const [lost] = suspect ? [] : await queue.take(1, { suspects: true });
    if (lost) {
      alive.add(lost);
      suspect = { taken: lost, since: performance.now(), started: false };
    }
    if (suspect && !suspect.started && (busy.size === 0 || performance.now() - suspect.since > drainTime))
      startSuspect(suspect);
    if (suspect) return 0;
    const taken = await queue.take(room);
    for (const one of taken) {
      alive.add(one);
      start(one);
    }
    return taken.length;
  };
  const look = async (): Promise<void> => {
    while (!stopped) {
      const taken = await take().then(
        (count) => {
          isReachable = true;
          return count;
        },
        (error: unknown) => {
          isReachable = false;
          return idle(error, on);
        },
      );
      if (performance.now() - swept >= sweepEvery * (busy.size < atOnce ? 1 : haste)) {
        swept = performance.now();
        await sweep().catch((error: unknown) => idle(error, on));
      }
      if (taken > 0 && busy.size < atOnce) continue;
      await pause(suspect?.started === false ? Math.min(every, 50) : every, undefined, { signal: wake.signal }).catch(
        () => {},
      );
      wake = new AbortController();
    }
  };
  const looking = look();
  return {
    isReady: () => !stopped && isReachable,
    async stop({ grace = 10_000 } = {}) {
      stopped = true;
      wake.abort();
      await looking;
      const late = setTimeout(() => leaving.abort(), grace);
      if (suspect && !suspect.started) await queue.retry(suspect.taken, 0).catch(() => {});
      await Promise.all(busy);
      active.close();
      clearTimeout(late);
      alive.end();
    },
  };
}

function idle(error: unknown, on: NonNullable<WorkerOptions['on']>): number {
  on({ type: 'idle', message: messageOf(error) });
  return 0;
}

interface Bench extends Required<Pick<WorkerWith, 'on' | 'stateOf' | 'store' | 'maxAttempts' | 'resumePolicy'>> {
  /** Called when the run has a result of a tool, and when it ends. */
  readonly progress: () => void;
  readonly active: ActiveRuns;
  readonly agent: Agent;
  readonly queue: RunQueue;
  readonly leaving: AbortSignal;
}

/**
 * Processes one run. If it was lost to another worker, the queue entry is left alone because it belongs to that worker.
 */
async function workOn(taken: TakenRun, bench: Bench): Promise<void> {
  const { queue, on, stateOf, active, store } = bench;
  const { run: id } = taken;
  on({ type: 'taken', run: id });
  try {
    if (taken.lost && (await failAttempt(taken, taken.lost, bench)).isDead) return;
    let state = await stateOf(id);
    // A worker may have confirmed a command, and died before it recorded it.
    const mayHaveCommands = state.seq > 0 && (taken.claim > 0 || state.lastEnd !== undefined);
    if (mayHaveCommands && (await active.recover(id, store, bench.agent.redact))) state = await stateOf(id);
    const end = (await hasWork(state, store)) ? await toEnd(taken, bench) : undefined;
    if (!(await queue.done(taken))) return on({ type: 'lost', run: id });
    // A decision or a result that arrived before the queue entry was released couldn't be queued.
    if ((end === undefined || pausedEnds.has(end)) && (await hasWork(await stateOf(id), store))) await queue.add([id]);
    on({ type: 'ended', run: id, end: end ?? state.ended?.end ?? 'forgotten' });
  } catch (error) {
    if (hasCode(error, 'agent_mismatch')) await leave(taken, error, bench);
    else await retry(taken, error, bench);
  }
}

/** How long a run that this agent can't continue is left to workers that can, in milliseconds. */
const leaveTime = 10_000;

/** Puts a run back that this agent must not continue, for example one of a newer version. */
async function leave({ run, ...taken }: TakenRun, error: ToolmendError, { queue, on }: Bench): Promise<void> {
  await queue.retry({ run, ...taken }, leaveTime * (1 + Math.random())).catch(() => {});
  on({ type: 'refused', run, message: error.message });
}

/** Puts a run back after an error. Only the queue knows who owns it: a conflict in the log may also be a user's decision. */
async function retry(taken: TakenRun, error: unknown, bench: Bench): Promise<void> {
  const { queue, on } = bench;
  const { run } = taken;
  const failure = countedFailure(error);
  try {
    // Another worker may have it by now, and must not find a new event.
    if (failure && (await queue.touch([taken])).length === 0) return on({ type: 'lost', run });
    const { failed, isDead } = failure ? await failAttempt(taken, failure, bench) : { failed: 0, isDead: false };
    if (isDead) return;
    const delay = failure || !hasCode(error, 'aborted') ? retryDelay(failed) : 0;
    if (!(await queue.retry(taken, delay))) return on({ type: 'lost', run });
    on({ type: 'failed', run, message: messageOf(error) });
  } catch (problem) {
    on({ type: 'failed', run, message: messageOf(error) });
    // Otherwise the queue gives it to another worker, but only when heartbeats have been missing for long.
    if (isOutage(problem)) await putBack(taken, bench);
  }
}

/** Interval between two attempts to reach a database that is unavailable, in milliseconds. */
const reachEvery = 250;

/** Puts a run back as soon as the database is available again, so that no worker seems to have it. */
async function putBack(taken: TakenRun, { queue, leaving }: Bench): Promise<void> {
  while (!leaving.aborted) {
    try {
      await queue.retry(taken, retryDelay(0));
      return;
    } catch (error) {
      if (!isOutage(error)) return;
      await pause(reachEvery, undefined, { signal: leaving }).catch(() => {});
    }
  }
}

/** Records a failed attempt. A run that is dead leaves the queue. */
async function failAttempt(taken: TakenRun, failure: RunFailure, bench: Bench): Promise<Attempts> {
  const { store, queue, maxAttempts, on } = bench;
  const { run } = taken;
  const attempts = await recordAttempt(store, run, failure, { maxAttempts, redact: bench.agent.redact });
  if (attempts.isDead) on((await queue.done(taken)) ? { type: 'ended', run, end: 'dead' } : { type: 'lost', run });
  return attempts;
}

/** Whether there is anything to do. A run may have ended or been deleted while its queue entry remained. */
const hasWork = async (state: RunState, store: Store): Promise<boolean> =>
  state.seq > 0 &&
  (!isAtRest(state) || (pausedEnds.has(state.ended?.end) && (await readyChildren(store, state)).length > 0));

/** Runs until the end, and returns its name. Throws if an error stops it, the log fails or the worker stops. */
async function toEnd({ run: id }: TakenRun, bench: Bench): Promise<string> {
  const { agent, active, leaving, progress, resumePolicy: policy } = bench;
  const run = await agent.resume(id, { policy });
  run.on('tool_executed', progress);
  const came = await active.during(run.continue(), async () => {
    let last = await untilAborted(run.result, leaving);
    // A command may have arrived while the loop ended.
    while (last !== abandoned && run.isActive) last = await untilAborted(run.result, leaving);
    return last;
  });
  if (came === abandoned) throw new ToolmendError('aborted', 'The worker was stopped');
  // A run that waits must not hold a shell or a browser open here.
  if (pausedEnds.has(came.end)) await run.release();
  const [error] = came.errors ?? [];
  if (error) throw new ToolmendError('run_failed', came.message, { cause: error });
  if (came.end === 'storage')
    throw new ToolmendError('storage_failed', came.message, { cause: run.failure ?? came.message });
  return came.end;
}

/** The runs that this worker keeps alive. */
interface Heartbeat {
  add(taken: TakenRun): void;
  drop(taken: TakenRun): void;
  end(): void;
}

/** Sends heartbeats for all runs of a worker, three per heartbeat timeout. */
export function sendHeartbeats(queue: Pick<RunQueue, 'touch'>, every: number): Heartbeat {
  const held = new Set<TakenRun>();
  const tell = async (): Promise<void> => {
    const told = [...held];
    if (told.length === 0) return;
    // A failed heartbeat is repeated; runs that belong to another worker are removed.
    const kept = new Set(await queue.touch(told).catch(() => told));
    for (const one of told) if (!kept.has(one)) held.delete(one);
  };
  const beat = setInterval(() => void tell(), every);
  return {
    add: (taken) => void held.add(taken),
    drop: (taken) => void held.delete(taken),
    end: () => clearInterval(beat),
  };
}
