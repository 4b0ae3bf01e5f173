import { createInterface } from 'node:readline';
import type { Terminal } from '../terminal.ts';

export interface LineOptions {
  /** Text that stands there already, to be edited. */
  readonly given?: string;
  readonly signal?: AbortSignal;
  /** Ctrl-C, which a terminal in the middle of a line does not send as a signal. */
  readonly onInterrupt?: () => void;
}

/** Asks for a line at the prompt; undefined where no more comes, or nobody waits for it any longer. */
export function askLine(
  { input, output }: Terminal,
  prompt: string,
  options: LineOptions = {},
): Promise<string | undefined> {
  const { given = '', signal, onInterrupt } = options;
  if (signal?.aborted) return Promise.resolve(undefined);
  const lines = createInterface({ input, output, terminal: output.isTTY === true, historySize: 0 });
  return new Promise((resolve) => {
    const end = (line?: string): void => {
      signal?.removeEventListener('abort', leave);
      resolve(line);
      lines.close();
    };
    const leave = (): void => {
      output.write('\n');
      end();
    };
    signal?.addEventListener('abort', leave, { once: true });
    lines.on('SIGINT', () => {
      if (onInterrupt) onInterrupt();
      else leave();
    });
    lines.on('close', () => end());
    lines.question(prompt, end);
    if (given !== '') lines.write(given);
  });
}
