import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { until } from '../until.ts';
import { folder, later, main } from './around.ts';

const flags = ['--disable-warning=ExperimentalWarning'];

/** A program that runs, and its exit code once it has ended. */
interface Running {
  /** All it has said, and what of it stood on its output. */
  readonly said: () => string;
  readonly shown: () => string;
  readonly exit: Promise<number | null>;
}

/** Starts a program for node; it is ended with the test, if it has not ended by itself. */
export function program(...args: string[]): Running {
  const child = spawn(process.execPath, [...flags, ...args], {
    // Programs that keep things in the home of whoever runs them keep them for this test alone.
    env: { ...process.env, NO_COLOR: '1', HOME: folder() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { out: '', all: '' };
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text.out += piece;
    text.all += piece;
  });
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    text.all += piece;
  });
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve));
  later(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  return { said: () => text.all, shown: () => text.out, exit };
}

/** The address a program says it listens at. */
const addressOf = async ({ said }: Running): Promise<string> =>
  (await until(() => /(http:\S+\/mcp)\s/.exec(said()) ?? undefined))[1] ?? '';

/** The address of the server for the conformance suite, started for this test. */
export const startSuiteServer = (): Promise<string> => addressOf(program(join(import.meta.dirname, 'suite-server.ts')));

/** The address of a gateway with these settings, started for this test by its command. */
export const startCommand = (config: string): Promise<string> =>
  addressOf(program(main, 'gateway', '--config', config, '--http', '--port', '0'));
