import type { Readable, Writable } from 'node:stream';

/** A stream that something is drawn on. */
export type Drawn = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** What a command that talks with a person talks through; a test gives its own. */
export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Drawn;
  readonly errors: Drawn;
  readonly env: NodeJS.ProcessEnv;
  readonly exit: (code: number) => void;
  /** Told of each Ctrl-C; gives a function that ends that. */
  readonly onInterrupt: (listener: () => void) => () => void;
}

/** The terminal, or the pipes, that this process was started with. */
export const processTerminal = (): Terminal => ({
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
  env: process.env,
  exit: (code) => process.exit(code),
  onInterrupt: (listener) => {
    process.on('SIGINT', listener);
    return () => process.off('SIGINT', listener);
  },
});

/** Whether there is somebody to ask. */
export const hasPerson = ({ input, output }: Terminal): boolean => input.isTTY === true && output.isTTY === true;

/** How wide to draw: as wide as the stream, within reason. */
export const widthOf = ({ columns }: Drawn, widest = 100): number => Math.max(24, Math.min(columns || 80, widest));

/** Whether lines can be drawn anew in place. */
export const canRedraw = (output: Drawn, env: NodeJS.ProcessEnv): boolean =>
  output.isTTY === true && env.TERM !== 'dumb';
