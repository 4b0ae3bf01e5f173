import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { acceptTools } from '../../gateway/config/accept-tools.ts';
import { type GatewayConfig, readGatewayConfig } from '../../gateway/config/config.ts';
import { type RunningGateway, startGateway } from '../../gateway/gateway.ts';
import { isObject } from '../../json/value.ts';
import { redactor } from '../../log/redact/redact.ts';
import type { Store } from '../../log/store.ts';
import { ConfigurationValidationError } from '../../tools/config-error.ts';
import { openStore } from '../run/open-store.ts';
import { logOf, numberOf, tokenOf, withoutUndefined } from '../shared/flags.ts';
import { readJsonFile } from '../shared/read-json-file.ts';
import { startRetention } from '../shared/start-retention.ts';
import { untilStopped } from '../shared/until-stopped.ts';
import { processTerminal, type Terminal } from '../terminal/terminal.ts';
import { UsageError } from '../usage-error.ts';

const defaultPort = 17646;

/** `toolmend gateway`: serves until its client leaves or it is told to stop. */
export async function gatewayCommand(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const split = args.indexOf('--');
  const [own, command] = split < 0 ? [args, []] : [args.slice(0, split), args.slice(split + 1)];
  const { values, positionals } = parseArgs({ args: [...own], allowPositionals: true, options: gatewayFlags });
  if (values.help) {
    terminal.output.write(gatewayHelp);
    return 0;
  }
  const [word, ...names] = positionals;
  if (word !== undefined && word !== 'accept')
    throw new UsageError(`'${word}' is not understood; a server's command stands after '--'`);
  const config = gatewaySettings(values, command, terminal.env);
  if (word === 'accept') return acceptCommand(config, names, terminal);
  const say = (line: string): unknown => terminal.errors.write(`toolmend: ${redact(line)}\n`);
  const redact = redactor({ env: variablesOf(config, terminal.env), values: secretsOf(config) });
  const { file, keepDays } = config.log ?? {};
  const store = file === undefined ? undefined : await openStore(file);
  const stopForgetting = store && keepDays !== undefined ? startRetention(store, keepDays, say) : () => {};
  try {
    const token = config.token ?? randomBytes(18).toString('base64url');
    const gateway = await started(config, values.http === true, { store, redact, say, token });
    if (gateway.url !== undefined) say(`the gateway listens at ${gateway.url}`);
    // A token of the user's own is known to them, and belongs in no terminal.
    const word = config.token === undefined ? `?token=${token}` : '';
    if (store && gateway.url !== undefined)
      terminal.errors.write(`toolmend: see what passes: ${new URL('/inspector/', gateway.url)}${word}\n`);
    const stopped = untilStopped(terminal, gateway, say);
    await Promise.race([gateway.closed, stopped]);
    return 0;
  } finally {
    stopForgetting();
    await store?.close();
  }
}

interface Around {
  readonly store: Store | undefined;
  readonly redact: <T>(value: T) => T;
  readonly say: (line: string) => unknown;
  /** What the inspector wants to be shown. */
  readonly token: string;
}

async function started(
  config: GatewayConfig,
  http: boolean,
  { store, redact, say, token }: Around,
): Promise<RunningGateway> {
  const record = { content: config.log?.content === true, redact };
  try {
    return await startGateway(config, {
      ...(http && { http: { port: config.port ?? defaultPort, inspect: { token } } }),
      ...(store && { store, record }),
      onNotice: say,
    });
  } catch (error) {
    if (ConfigurationValidationError.isInstance(error)) throw new UsageError(error.message);
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new UsageError('the port is taken; choose another with --port');
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new UsageError(`${config.host} is no address of this machine`);
    throw error;
  }
}

/** What must be found nowhere: the token, and what servers are given to show elsewhere. */
const secretsOf = ({ token, mcpServers }: GatewayConfig): string[] => [
  ...(token === undefined ? [] : [token]),
  ...Object.values(mcpServers).flatMap((server) => Object.values('url' in server ? (server.headers ?? {}) : {})),
];

/** The variables of this process and those that servers are given, under names of their own. */
const variablesOf = ({ mcpServers }: GatewayConfig, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...env,
  ...Object.fromEntries(
    Object.entries(mcpServers).flatMap(([server, settings]) =>
      Object.entries('command' in settings ? (settings.env ?? {}) : {}).map(([name, value]) => [
        `${server} ${name}`,
        value,
      ]),
    ),
  ),
});

export const gatewayHelp = `toolmend gateway --config FILE
toolmend gateway -- COMMAND [ARGUMENT ...]
toolmend gateway accept --config FILE [SERVER | SERVER/TOOL ...]

Stands between an MCP host and its servers, as an MCP server itself: mends and
checks the arguments of calls, and tells the model what is wrong with the rest.
Everything else passes through. Put it where the host has your servers now.

  --config FILE       settings as JSON, with "mcpServers" as hosts have it
  -- COMMAND ...      one server, started by this command
  --pins FILE         where the accepted definitions of tools are kept; beside the
                      settings unless it is said
  --http              listen for clients over HTTP; else the gateway speaks on its
                      input and output with the host that started it
  --port N            where to listen (17646)
  --host ADDRESS      on which address (127.0.0.1); others need a --token
  --token VARIABLE    the environment variable that holds what clients must show
                      as Authorization: Bearer
  --log FILE          keep names, repairs and problems of calls in a SQLite file,
                      or in Postgres at a postgres:// address
  --log-content FILE  keep arguments and results, too, without secrets
  --keep-days N       forget what is older
  -h, --help          show this

With --http and a log, a web page shows what passed; its address is printed.
A tool whose definition changes is not called until it is accepted; 'toolmend gateway
accept' shows what waits, and accepts what is named, or everything with '*'.

Exit code: 0 over, 1 something waits to be accepted, 2 used wrongly.
`;

/** `toolmend gateway accept`: shows the tools that wait, and accepts those that are named. */
export async function acceptCommand(
  config: GatewayConfig,
  names: readonly string[],
  { output, errors }: Pick<Terminal, 'output' | 'errors'>,
): Promise<number> {
  const { accepted, waiting } = await acceptTools(config, names, (line) => errors.write(`toolmend: ${line}\n`));
  for (const { server, own } of accepted) output.write(`accepted ${server}/${own}\n`);
  for (const { server, own, definition } of waiting) {
    output.write(`waits: ${server}/${own}\n${JSON.stringify(definition, null, 2).replace(/^/gm, '  ')}\n`);
  }
  if (accepted.length + waiting.length === 0) output.write('Nothing waits to be accepted.\n');
  return waiting.length > 0 ? 1 : 0;
}

/** What the options and the file of settings say together; options go first. */
export function gatewaySettings(
  values: GatewayValues,
  command: readonly string[],
  env: NodeJS.ProcessEnv,
): GatewayConfig {
  const { config, host, token, pins } = values;
  if ((config === undefined) === (command.length === 0))
    throw new UsageError("name the servers: with --config, or one by its command after '--' (--help says more)");
  const file = config === undefined ? oneServer(command) : readJsonFile(config).value;
  if (!isObject(file)) throw new UsageError(`${config}: settings are an object`);
  const merged = {
    ...(config !== undefined && { pins: `${config.replace(/[.]json$/i, '')}.pins.json` }),
    ...file,
    ...(config !== undefined && typeof file.pins === 'string' && { pins: join(dirname(config), file.pins) }),
    ...withoutUndefined({ host, pins, port: numberOf('port', values), token: tokenOf(token, env) }),
    ...logOf(values),
  };
  try {
    return readGatewayConfig(merged, env);
  } catch (error) {
    if (!ConfigurationValidationError.isInstance(error)) throw error;
    throw new UsageError(config === undefined ? error.message : error.message.replace(/^/gm, `${config}: `));
  }
}

const oneServer = ([command, ...args]: readonly string[]) => ({ mcpServers: { server: { command, args } } });

/** The options of `toolmend gateway`, as `parseArgs` takes them. */
export const gatewayFlags = {
  config: { type: 'string' },
  pins: { type: 'string' },
  http: { type: 'boolean' },
  port: { type: 'string' },
  host: { type: 'string' },
  token: { type: 'string' },
  log: { type: 'string' },
  'log-content': { type: 'string' },
  'keep-days': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** What they were given. */
export type GatewayValues = {
  readonly [K in keyof typeof gatewayFlags]?: (typeof gatewayFlags)[K]['type'] extends 'boolean' ? boolean : string;
};
