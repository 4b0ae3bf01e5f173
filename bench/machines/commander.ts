import { setTimeout as pause } from 'node:timers/promises';
import { hasCode } from '../../src/json/toolmend-error.ts';
import type { RunControl } from '../../src/run/workers/dispatch.ts';

/** Sends commands to runs by their id, and measures how long they take. */
export interface Commanding {
  /** Sends a command to a run that a worker has just taken, if its moment has come. */
  taken(run: string, rested: number): void;
  /** Whether all commands have been confirmed or have failed. */
  isDone(): boolean;
  /** Does work during which no command is sent, because there is no database to receive it. */
  whileDown(work: () => Promise<void>): Promise<void>;
  readonly course: {
    /** Confirmed commands. */
    readonly done: number;
    /** Commands that failed, with their messages. */
    readonly failed: readonly string[];
    /** Runs that were cancelled. */
    readonly cancelled: readonly string[];
    /** Messages that were sent, by their run. */
    readonly sent: readonly (readonly [run: string, message: string])[];
    /** Milliseconds until each command was confirmed, without the time in which there was no database. */
    readonly latencies: readonly number[];
  };
}

const kinds = ['send', 'interrupt', 'cancel'] as const;

/**
 * Creates a commander.
 *
 * @param moments how many runs have come to rest when each command is sent
 */
export function commander(runs: RunControl, moments: readonly number[]): Commanding {
  const course = {
    done: 0,
    failed: [] as string[],
    cancelled: [] as string[],
    sent: [] as (readonly [string, string])[],
    latencies: [] as number[],
  };
  let begun = 0;
  let up = Promise.resolve();
  let downFor = 0;
  const send = async (run: string, index: number): Promise<void> => {
    const kind = kinds[index % kinds.length] as (typeof kinds)[number];
    const message = `Message ${index}`;
    if (kind === 'cancel') course.cancelled.push(run);
    for (;;) {
      await up;
      const before = performance.now() - downFor;
      try {
        await (kind === 'cancel' ? runs.cancel(run, message) : runs[kind](run, message));
        course.latencies.push(performance.now() - downFor - before);
        course.done += 1;
        if (kind !== 'cancel') course.sent.push([run, message]);
        return;
      } catch (error) {
        // The database went away under it, so whether it arrived is unknown.
        if (!isOutage(error)) {
          course.failed.push(`${kind}: ${String(error)}`);
          return;
        }
        await pause(100);
      }
    }
  };
  return {
    course,
    isDone: () => course.done + course.failed.length >= begun && begun === moments.length,
    taken(run, rested) {
      if ((moments[begun] ?? Number.POSITIVE_INFINITY) >= rested) return;
      begun += 1;
      void send(run, begun - 1);
    },
    async whileDown(work) {
      const { promise, resolve } = Promise.withResolvers<void>();
      up = promise;
      const before = performance.now();
      await work();
      downFor += performance.now() - before;
      resolve();
    },
  };
}

const isOutage = (error: unknown): boolean =>
  hasCode(error, 'connection_failed') ||
  /^(?:08|57P|ECONN)/.test(String((error as { code?: unknown })?.code)) ||
  /terminat|ECONNREFUSED|ECONNRESET|shutting down|starting up|Connection/i.test(String((error as Error)?.message));
