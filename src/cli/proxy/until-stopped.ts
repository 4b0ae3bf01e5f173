import type { RunningProxy } from '../../proxy/proxy.ts';
import type { Terminal } from '../terminal.ts';

/** Settles when the process was told to stop and what was under way has ended. Told twice, it ends at once. */
export function untilStopped(
  terminal: Terminal,
  proxy: Pick<RunningProxy, 'close'>,
  say: (line: string) => unknown,
): Promise<void> {
  return new Promise((resolve) => {
    let told = false;
    const stop = (): void => {
      if (told) terminal.exit(130);
      if (told) return;
      told = true;
      say('Stopping; what is under way may finish. Again to stop at once.');
      void proxy.close().then(() => {
        off();
        process.off('SIGTERM', stop);
        resolve();
      });
    };
    const off = terminal.onInterrupt(stop);
    process.on('SIGTERM', stop);
  });
}
