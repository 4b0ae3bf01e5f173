import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { until } from '../until.ts';
import { later, main } from './around.ts';

const flags = ['--disable-warning=ExperimentalWarning'];

/** A program that runs, what it has said, and its exit code once it has ended. */
interface Running {
  readonly said: () => string;
  readonly exit: Promise<number | null>;
}

/** Starts a program for node; it is ended with the test, if it has not ended by itself. */
export function program(...args: string[]): Running {
  const child = spawn(process.execPath, [...flags, ...args], {
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve));
  later(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  return { said: () => text, exit };
}

/** The address a program says it listens at. */
const addressOf = async ({ said }: Running): Promise<string> =>
  (await until(() => /(http:\S+\/mcp)\s/.exec(said()) ?? undefined))[1] ?? '';

/** The address of the server for the conformance suite, started for this test. */
export const startSuiteServer = (): Promise<string> => addressOf(program(join(import.meta.dirname, 'suite-server.ts')));

/** The address of a gateway with these settings, started for this test by its command. */
export const startCommand = (config: string): Promise<string> =>
  addressOf(program(main, 'gateway', '--config', config, '--http', '--port', '0'));
