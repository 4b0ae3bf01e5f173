import { longestTimer } from '../execute/run-tool.ts';
import type { Tally } from './budgets.ts';

/** The end of the time budget. */
export interface Deadline {
  /** Aborts when the time is over; undefined without a limit. */
  readonly signal: AbortSignal | undefined;
  /** Does work without counting its time, unless the signal aborts. */
  resting<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Stops the clock. */
  close(): void;
}

/** Starts the clock of a tally. It rests as long as anybody is asked for approval. */
export function startDeadline(tally: Tally): Deadline {
  const over = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waits = 0;
  let isClosed = false;
  const isLimited = tally.wake() <= longestTimer;
  const start = (): void => {
    const left = tally.wake();
    if (!isLimited) return;
    timer = setTimeout(
      () => over.abort(new DOMException('The time budget is used up', 'TimeoutError')),
      Math.max(0, Math.ceil(left)),
    );
    timer.unref();
  };
  const rest = (): void => {
    clearTimeout(timer);
    tally.rest();
  };
  start();
  return {
    signal: isLimited ? over.signal : undefined,
    async resting(work, signal) {
      if (waits === 0) rest();
      waits += 1;
      let isWaiting = true;
      const end = (): void => {
        if (!isWaiting) return;
        isWaiting = false;
        waits -= 1;
        if (waits === 0 && !isClosed) start();
      };
      // An approver that ignores its signal may never settle.
      signal.addEventListener('abort', end, { once: true });
      try {
        return await work();
      } finally {
        signal.removeEventListener('abort', end);
        end();
      }
    },
    close() {
      isClosed = true;
      rest();
    },
  };
}
