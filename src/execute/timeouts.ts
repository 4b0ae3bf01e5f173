/** Stands for work that was given up. */
export const abandoned = Symbol('given up');

/** Waits for work, but no longer than the signal allows: code of the program's own may never settle. */
export function untilAborted<T>(work: T | Promise<T>, signal: AbortSignal | undefined): Promise<T | typeof abandoned> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(abandoned);
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal?.removeEventListener('abort', stop));
  });
}

/** The longest time a timer can be set for, in milliseconds. One set for longer goes off at once, so that it must be none. */
export const longestTimer = 2 ** 31 - 1;
