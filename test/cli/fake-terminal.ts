import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import { until } from '../until.ts';

/** A terminal, or pipes, that a test types into and reads. */
export interface FakeTerminal extends Terminal {
  /** Everything that was written, with its codes. */
  written(): string;
  /** The same without them. */
  text(): string;
  told(): string;
  type(text: string): void;
  /** Waits until this was written after what was waited for before. */
  until(words: string): Promise<void>;
  interrupt(): void;
  readonly exits: number[];
}

export function fakeTerminal({ tty = true, columns = 80, env = {} as NodeJS.ProcessEnv } = {}): FakeTerminal {
  const flags = tty ? { isTTY: true, columns } : {};
  const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()].map((stream) =>
    Object.assign(stream, flags),
  ) as [PassThrough, PassThrough, PassThrough];
  let written = '';
  let told = '';
  let seen = 0;
  const listeners = new Set<() => void>();
  const exits: number[] = [];
  output.on('data', (chunk) => {
    written += String(chunk);
  });
  errors.on('data', (chunk) => {
    told += String(chunk);
  });
  return {
    input,
    output,
    errors,
    exits,
    env,
    exit: (code) => void exits.push(code),
    onInterrupt: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    written: () => written,
    text: () => stripVTControlCharacters(written),
    told: () => stripVTControlCharacters(told),
    type: (text) => void input.write(text),
    interrupt: () => {
      for (const listener of listeners) listener();
    },
    async until(words) {
      const at = (): number => stripVTControlCharacters(written).indexOf(words, seen);
      await until(() => at() >= 0).catch(() => {
        throw new Error(`${JSON.stringify(words)} was never written after:\n${stripVTControlCharacters(written)}`);
      });
      seen = at() + words.length;
    },
  };
}
