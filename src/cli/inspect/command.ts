import { parseArgs } from 'node:util';
import { startInspector } from '../../inspect/inspector.ts';
import type { Store } from '../../log/store.ts';
import { control, type RunControl } from '../../run/workers/control.ts';
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

const help = `Usage: toolmend inspect [OPTIONS] FILE

Show the runs of a store on a web page: what the model wrote, what was mended and
what ran. The page updates while other processes write to the store, and you can
approve calls in it.

Options:
  --port N            port to listen on (default: 17647)
  --token VARIABLE    environment variable with the access token of the page
                      (default: no token)
  --read-only         don't allow approvals
  --json              print the address as a line of JSON
  -h, --help          show this help

FILE is the file that you passed to --store, --log or --log-content. The page is
available on this machine only. The store records approvals. Workers continue an
approved run automatically. For other runs, use 'toolmend runs resume'.

Exit codes: 0 stopped, 2 usage error.
`;

const defaultPort = 17647;

/** `toolmend inspect`: serves the inspector of a store until it is stopped. */
export async function inspectCommand(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  if (values.help) {
    terminal.output.write(help);
    return 0;
  }
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError('Expected one FILE. Usage: toolmend inspect FILE');
  const token = values.token === undefined ? undefined : terminal.env[values.token];
  if (values.token !== undefined && !token)
    throw new UsageError(`Invalid --token: the environment variable ${values.token} is not set`);
  const port = Number(values.port ?? defaultPort);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`Invalid --port '${values.port}': expected an integer from 0 to 65535`);

  const store = await openStore(file, { mustExist: true });
  let runs: RunControl | undefined;
  try {
    const canApprove = !values['read-only'];
    const own = canApprove ? await controlOf(file, store) : {};
    runs = own.control;
    const shown = await listening(() => startInspector({ store, token, port, canApprove, ...own }), port);
    const line = values.json ? JSON.stringify({ listening: shown.url }) : `The inspector is at ${shown.url}`;
    terminal.output.write(`${line}\n`);
    await untilStopped(terminal, shown, () => {});
    return 0;
  } finally {
    await runs?.close();
    await store.close();
  }
}

/** Runs of workers can be controlled; they are in Postgres. */
async function controlOf(file: string, store: Store): Promise<{ readonly control?: RunControl }> {
  return /^postgres(?:ql)?:\/\//.test(file) ? { control: await control({ store, url: file }) } : {};
}

async function listening<T>(start: () => Promise<T>, port: number): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new UsageError(`Port ${port} is already in use, perhaps by another inspector. Choose another with --port`);
  }
}
