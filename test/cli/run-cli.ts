import { Readable, Writable } from 'node:stream';
import { cli } from '../../src/cli/cli.ts';

export interface Said {
  readonly stdout: string;
  readonly stderr: string;
  /** Both, in order. */
  readonly output: string;
  readonly status: number;
}

/** Where a command line runs, and what it reads. */
export interface Around {
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs a command line in this process, into pipes without colours. A process of its own takes half a second of CPU time, most of
 * it to load the same modules: a file that uses this starts at least one command line as a process too.
 */
export async function runCli(args: readonly string[], { cwd, input = '', env = {} }: Around = {}): Promise<Said> {
  const said = { stdout: '', stderr: '', output: '' };
  const into = (name: 'stdout' | 'stderr'): Writable =>
    new Writable({
      write(chunk, _, done) {
        said[name] += String(chunk);
        said.output += String(chunk);
        done();
      },
    });
  const stdin = Readable.from([Buffer.from(input)], { objectMode: false });
  const streams = { stdin, stdout: into('stdout'), stderr: into('stderr') };
  const own = Object.keys(streams).map((name) => [name, Object.getOwnPropertyDescriptor(process, name)] as const);
  const folder = process.cwd();
  const variables = { NO_COLOR: '1', FORCE_COLOR: undefined, ...env };
  const before = Object.fromEntries(Object.keys(variables).map((name) => [name, process.env[name]]));
  for (const [name, value] of Object.entries(streams))
    Object.defineProperty(process, name, { value, configurable: true, enumerable: true });
  setEnv(variables);
  if (cwd !== undefined) process.chdir(cwd);
  try {
    const status = await cli(args);
    return { ...said, status };
  } finally {
    process.chdir(folder);
    setEnv(before);
    for (const [name, descriptor] of own) if (descriptor) Object.defineProperty(process, name, descriptor);
  }
}

function setEnv(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
