import { setTimeout as pause } from 'node:timers/promises';
import { abandoned, untilAborted } from '../../execute/run-tool.ts';
import { messageOf } from '../../execute/tool-result.ts';
import { isAtRest } from '../../log/fold.ts';
import type { RunState } from '../../log/state.ts';
import { callListeners } from '../../log/subscribe.ts';
import type { Agent } from '../agent.ts';
import { heartbeatTimeout } from './pg-boss-queue.ts';
import type { RunQueue, TakenRun } from './queue.ts';

/** Settings of a worker. */
export interface WorkerOptions {
  /** How many runs at once; default 10. */
  readonly concurrency?: number;
  /** How often it looks for runs when there were none, in milliseconds; default 500. */
  readonly pollInterval?: number;
  /** How often it looks for runs that are on record but not in the queue, in milliseconds; default 5,000. */
  readonly sweepInterval?: number;
  /** Hears what becomes of the runs it takes. */
  readonly on?: (event: WorkerEvent) => void;
}

/** What became of a run: taken, ended or left waiting for a person, lost to another worker, or to be tried again. */
export type WorkerEvent =
  | { readonly type: 'taken'; readonly run: string }
  | { readonly type: 'ended'; readonly run: string; readonly end: string }
  | { readonly type: 'lost'; readonly run: string }
  | { readonly type: 'failed'; readonly run: string; readonly message: string }
  | { readonly type: 'idle'; readonly message: string };

/** A worker at its work. */
export interface RunWorker {
  /**
   * Takes no more runs, gives those it has this long to end (10 s unless it is said), and leaves the others where they are:
   * what is on record is enough for another to go on.
   */
  stop(options?: { readonly grace?: number }): Promise<void>;
}

/** What a worker knows besides its settings. */
interface WorkerWith extends WorkerOptions {
  readonly stateOf: (run: string) => Promise<RunState>;
  readonly sweep: () => Promise<void>;
}

/** While there is enough to do, runs that are not in the queue are looked for so many times less often. */
const haste = 12;

/** Takes runs from a queue and takes each to its end, or to where it waits for a person. */
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
          // A place that becomes free is filled at once; else runs are looked for from time to time.
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

/** Works on one run. Whoever lost it to another leaves the queue alone: the place in it is the other's now. */
async function workOn(taken: TakenRun, bench: Bench): Promise<void> {
  const { queue, on, stateOf } = bench;
  const { run: id } = taken;
  on({ type: 'taken', run: id });
  try {
    const state = await stateOf(id);
    const end = hasWork(state) ? await toEnd(id, bench) : undefined;
    if (!(await queue.done(taken))) return on({ type: 'lost', run: id });
    // What was decided before the place was given up could not be put in: the run still had its place.
    if ((end ?? 'awaiting_approval') === 'awaiting_approval' && hasWork(await stateOf(id))) await queue.add([id]);
    on({ type: 'ended', run: id, end: end ?? state.ended?.end ?? 'forgotten' });
  } catch (error) {
    const message = messageOf(error);
    // Another's number in the log may be a person's decision: who has the run now is known to the queue alone.
    const isLost = !(await queue.failed(taken, message).catch(() => true));
    on(isLost ? { type: 'lost', run: id } : { type: 'failed', run: id, message });
  }
}

/** One that was ended when its last worker died, or forgotten since, has its place in the queue and nothing to do. */
const hasWork = (state: RunState): boolean => state.seq > 0 && !isAtRest(state);

/** Takes a run to its end, and gives its name; throws where it had to be left, because of the log or of the worker. */
async function toEnd(id: string, { agent, leaving }: Bench): Promise<string> {
  const run = await agent.resume(id);
  const came = await untilAborted(run.continue().result, leaving);
  if (came === abandoned) throw new Error('The worker was stopped');
  if (came.end === 'storage') throw new Error(came.message);
  return came.end;
}

/** The runs whose worker is said to live. */
interface Heartbeat {
  add(taken: TakenRun): void;
  drop(taken: TakenRun): void;
  end(): void;
}

/** Says to the queue, three times in the silence it bears, that the worker of these runs lives: one word for all of them. */
export function sendHeartbeats(queue: Pick<RunQueue, 'touch'>, every = (heartbeatTimeout * 1000) / 3): Heartbeat {
  const held = new Set<TakenRun>();
  const tell = async (): Promise<void> => {
    const told = [...held];
    if (told.length === 0) return;
    // A word that did not arrive is said again; one that is another's now is not spoken of any more.
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
