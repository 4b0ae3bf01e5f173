import type { Terminal } from '../terminal/terminal.ts';

/** Resolves when the process was interrupted and pending work has ended. A second interrupt ends it immediately. */
export function untilStopped(
  terminal: Terminal,
  served: { close(): Promise<void> },
  say: (line: string) => unknown,
): Promise<void> {
  return new Promise((resolve) => {
    let told = false;
    const stop = (): void => {
      if (told) terminal.exit(130);
      if (told) return;
      told = true;
      say('Stopping. Work in progress can finish; press Ctrl-C again to stop at once.');
      void served.close().then(() => {
        off();
        process.off('SIGTERM', stop);
        resolve();
      });
    };
    const off = terminal.onInterrupt(stop);
    process.on('SIGTERM', stop);
  });
}
