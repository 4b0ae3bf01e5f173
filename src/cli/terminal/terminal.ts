import type { Readable, Writable } from 'node:stream';

/** A stream to draw on. */
export type Drawn = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** The streams of an interactive command. Tests provide their own. */
export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Drawn;
  readonly errors: Drawn;
  readonly env: NodeJS.ProcessEnv;
  readonly exit: (code: number) => void;
  /** Adds a Ctrl-C listener, and returns a function that removes it. */
  readonly onInterrupt: (listener: () => void) => () => void;
}

/** The terminal or pipes of this process. */
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

/** Whether a user is present. */
export const hasPerson = ({ input, output }: Terminal): boolean => input.isTTY === true && output.isTTY === true;

/** Width for drawing: that of the stream, within limits. */
export const widthOf = ({ columns }: Drawn, widest = 100): number => Math.max(24, Math.min(columns || 80, widest));

/** Whether lines can be redrawn in place. */
export const canRedraw = (output: Drawn, env: NodeJS.ProcessEnv): boolean =>
  output.isTTY === true && env.TERM !== 'dumb';
