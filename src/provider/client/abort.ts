/**
 * Runs a generator that ends when its signal is given: by the caller's signal, or because the caller has left the loop,
 * at once and not when the next value has come.
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

/** Waits; false, and at once, where the signal is given before the time is over. */
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
