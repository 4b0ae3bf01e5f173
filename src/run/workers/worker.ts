import { setTimeout as pause } from 'node:timers/promises';
import { abandoned, untilAborted } from '../../execute/run-tool.ts';
import { messageOf } from '../../execute/tool-result.ts';
import { ToolmendError } from '../../json/toolmend-error.ts';
import { pausedEnds } from '../../log/events.ts';
import { isAtRest } from '../../log/fold.ts';
import type { RunState } from '../../log/state.ts';
import { callListeners } from '../../log/subscribe.ts';
import type { Agent } from '../agent.ts';
import { heartbeatTimeout } from './pg-boss-queue.ts';
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
  /** Called with the events of this worker. */
  readonly on?: (event: WorkerEvent) => void;
}

/** A run was taken, ended or paused for approval, was lost to another worker, or failed and will be retried. */
export type WorkerEvent =
  | { readonly type: 'taken'; readonly run: string }
  | { readonly type: 'ended'; readonly run: string; readonly end: string }
  | { readonly type: 'lost'; readonly run: string }
  | { readonly type: 'failed'; readonly run: string; readonly message: string }
  | { readonly type: 'idle'; readonly message: string };

/** A running worker. */
export interface RunWorker {
  /**
   * Stops taking runs and waits `grace` milliseconds for the current ones (default: 10,000). The others stay as
   * recorded, for another worker to resume.
   */
  stop(options?: { readonly grace?: number }): Promise<void>;
}

/** What a worker needs besides its options. */
interface WorkerWith extends WorkerOptions {
  readonly stateOf: (run: string) => Promise<RunState>;
  readonly sweep: () => Promise<void>;
}

/** How much less often to search for runs that aren't queued while the worker is busy. */
const haste = 12;

/** Takes runs from a queue, and runs each until it ends or waits for approval. */
export function startWorker(agent: Agent, queue: RunQueue, options: WorkerWith): RunWorker {
  const {
    concurrency: atOnce = 10,
    pollInterval: every = 500,
    sweepInterval: sweepEvery = 5000,
    stateOf,
    sweep,
  } = options;
  const on = (event: WorkerEvent): void => callListeners(options.on ? [options.on] : [], event);
  let stopped = false;
  let wake = new AbortController();
  const leaving = new AbortController();
  const busy = new Set<Promise<void>>();
  const alive = sendHeartbeats(queue);
  let swept = Number.NEGATIVE_INFINITY;

  const look = async (): Promise<void> => {
    while (!stopped) {
      const room = atOnce - busy.size;
      const taken = room > 0 ? await queue.take(room).catch((error: unknown) => idle(error, on)) : [];
      for (const one of taken) {
        alive.add(one);
        const work: Promise<void> = workOn(one, { agent, queue, leaving: leaving.signal, on, stateOf }).finally(() => {
          // A free slot is filled immediately; otherwise the queue is polled.
          if (busy.size >= atOnce) wake.abort();
          busy.delete(work);
          alive.drop(one);
        });
        busy.add(work);
      }
      if (performance.now() - swept >= sweepEvery * (busy.size < atOnce ? 1 : haste)) {
        swept = performance.now();
        await sweep().catch((error: unknown) => idle(error, on));
      }
      if (taken.length > 0 && busy.size < atOnce) continue;
      await pause(every, undefined, { signal: wake.signal }).catch(() => {});
      wake = new AbortController();
    }
  };
  const looking = look();
  return {
    async stop({ grace = 10_000 } = {}) {
      stopped = true;
      wake.abort();
      await looking;
      const late = setTimeout(() => leaving.abort(), grace);
      await Promise.all(busy);
      clearTimeout(late);
      alive.end();
    },
  };
}

function idle(error: unknown, on: NonNullable<WorkerOptions['on']>): readonly TakenRun[] {
  on({ type: 'idle', message: messageOf(error) });
  return [];
}

interface Bench extends Required<Pick<WorkerWith, 'on' | 'stateOf'>> {
  readonly agent: Agent;
  readonly queue: RunQueue;
  readonly leaving: AbortSignal;
}

/**
 * Processes one run. If it was lost to another worker, the queue entry is left alone because it belongs to that worker.
 */
async function workOn(taken: TakenRun, bench: Bench): Promise<void> {
  const { queue, on, stateOf } = bench;
  const { run: id } = taken;
  on({ type: 'taken', run: id });
  try {
    const state = await stateOf(id);
    const end = hasWork(state) ? await toEnd(id, bench) : undefined;
    if (!(await queue.done(taken))) return on({ type: 'lost', run: id });
    // A decision or a result that arrived before the queue entry was released couldn't be queued.
    if ((end === undefined || pausedEnds.has(end)) && hasWork(await stateOf(id))) await queue.add([id]);
    on({ type: 'ended', run: id, end: end ?? state.ended?.end ?? 'forgotten' });
  } catch (error) {
    const message = messageOf(error);
    // Only the queue knows who owns the run: a conflict in the log may also be a user's decision.
    const isLost = !(await queue.failed(taken, message).catch(() => true));
    on(isLost ? { type: 'lost', run: id } : { type: 'failed', run: id, message });
  }
}

/** Whether there is anything to do. A run may have ended or been deleted while its queue entry remained. */
const hasWork = (state: RunState): boolean => state.seq > 0 && !isAtRest(state);

/** Runs until the end, and returns its name. Throws if the log fails or the worker stops. */
async function toEnd(id: string, { agent, leaving }: Bench): Promise<string> {
  const run = await agent.resume(id);
  const came = await untilAborted(run.continue().result, leaving);
  if (came === abandoned) throw new ToolmendError('aborted', 'The worker was stopped');
  if (came.end === 'storage') throw new ToolmendError('storage_failed', came.message);
  return came.end;
}

/** The runs that this worker keeps alive. */
interface Heartbeat {
  add(taken: TakenRun): void;
  drop(taken: TakenRun): void;
  end(): void;
}

/** Sends heartbeats for all runs of a worker, three per heartbeat timeout. */
export function sendHeartbeats(queue: Pick<RunQueue, 'touch'>, every = (heartbeatTimeout * 1000) / 3): Heartbeat {
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
