import type { Terminal } from '../terminal.ts';

/** What Ctrl-C means: the first stops what is under way, the second ends the process. */
export class Interrupts {
  readonly #terminal: Terminal;
  readonly #off: () => void;
  #stop: (() => void) | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#off = terminal.onInterrupt(() => this.press());
  }

  /** From now on the next press stops this. */
  arm(stop: (() => void) | undefined): void {
    this.#stop = stop;
  }

  press(): void {
    const stop = this.#stop;
    this.#stop = undefined;
    if (stop) stop();
    else this.#terminal.exit(130);
  }

  close(): void {
    this.#off();
  }
}
