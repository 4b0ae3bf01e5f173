import { parseArgs } from 'node:util';
import { startInspector } from '../../inspect/server.ts';
import { openStore } from '../run/open-store.ts';
import { untilStopped } from '../shared/until-stopped.ts';
import { processTerminal, type Terminal } from '../terminal/terminal.ts';
import { UsageError } from '../usage-error.ts';

const options = {
  port: { type: 'string' },
  token: { type: 'string' },
  'read-only': { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const help = `toolmend inspect FILE

Shows the runs of a store in a web page: what models wrote, what was mended, what
happened; live, while others write to it. A call that waits can be allowed there.

  --port N            where to listen (17647)
  --token VARIABLE    the environment variable that holds what a browser must show
  --read-only         give no approvals
  --json              say where it listens as a line of JSON
  -h, --help          show this

FILE is what --store, --log or --log-content named. Only this machine can look.
A decision is recorded in the store, and whoever takes the run up goes by it:
workers of a database by themselves, else 'toolmend runs resume'.

Exit code: 0 stopped, 2 used wrongly.
`;

const defaultPort = 17647;

/** `toolmend inspect`: shows a store until it is told to stop. */
export async function inspectCommand(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  if (values.help) {
    terminal.output.write(help);
    return 0;
  }
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError('which store? give the file that runs are kept in');
  const token = values.token === undefined ? undefined : terminal.env[values.token];
  if (values.token !== undefined && !token)
    throw new UsageError(`--token names a variable of the environment, and ${values.token} is not set`);
  const port = Number(values.port ?? defaultPort);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`--port is a number from 0 to 65535, not '${values.port}'`);

  const store = await openStore(file, { mustExist: true });
  try {
    const shown = await listening(() => startInspector({ store, token, port, canApprove: !values['read-only'] }), port);
    const line = values.json ? JSON.stringify({ listening: shown.url }) : `The inspector is at ${shown.url}`;
    terminal.output.write(`${line}\n`);
    await untilStopped(terminal, shown, () => {});
    return 0;
  } finally {
    await store.close();
  }
}

async function listening<T>(start: () => Promise<T>, port: number): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new UsageError(`port ${port} is taken, perhaps by another inspector; choose another with --port`);
  }
}
