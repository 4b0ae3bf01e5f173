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
