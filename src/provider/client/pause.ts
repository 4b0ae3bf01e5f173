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
