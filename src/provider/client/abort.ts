/**
 * Runs an async generator with a signal that aborts when `outer` does, or when the consumer leaves its loop. Leaving
 * the loop aborts immediately, even while the next value is pending.
 */
export function abortable<T>(
  run: (signal: AbortSignal) => AsyncGenerator<T>,
  outer: AbortSignal | undefined,
): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const left = new AbortController();
      const values = run(outer ? AbortSignal.any([outer, left.signal]) : left.signal);
      return {
        next: () => values.next(),
        return: (value) => {
          left.abort();
          return values.return(value);
        },
      };
    },
  };
}

/** Waits `time` milliseconds. Resolves to false as soon as the signal aborts. */
export function pause(time: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(false);
    const end = (whole: boolean): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      resolve(whole);
    };
    const stop = (): void => end(false);
    const timer = setTimeout(() => end(true), time);
    signal.addEventListener('abort', stop);
  });
}
