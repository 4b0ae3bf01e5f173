import { randomBytes } from 'node:crypto';
import { dirname, isAbsolute, join } from 'node:path';
import { parseArgs } from 'node:util';
import { acceptTools } from '../../gateway/config/accept-tools.ts';
import { type GatewayConfig, readGatewayConfig } from '../../gateway/config/config.ts';
import { createGateway, type RunningGateway } from '../../gateway/gateway.ts';
import { isObject } from '../../json/value.ts';
import { startRetention } from '../../log/forget-old.ts';
import { redactor } from '../../log/redact/redact.ts';
import { harmless, visible } from '../../log/shown/visible.ts';
import type { Store } from '../../log/store.ts';
import { ConfigurationValidationError } from '../../tools/config-error.ts';
import { keysInOrder } from '../../tools/tool.ts';
import { openStore } from '../run/open-store.ts';
import { logOf, numberOf, tokenOf, withoutUndefined } from '../shared/flags.ts';
import { readConfigFile } from '../shared/read-json-file.ts';
import { untilStopped } from '../shared/until-stopped.ts';
import { processTerminal, type Terminal } from '../terminal/terminal.ts';
import { UsageError } from '../usage-error.ts';

const defaultPort = 17646;

/** `toolmend gateway`: serves until its client disconnects or it is stopped. */
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
    throw new UsageError(`Unexpected argument '${word}'. Write the server's command after '--'`);
  const config = gatewaySettings(values, command, terminal.env);
  if (word === 'accept') return acceptCommand(config, names, terminal);
  const say = (line: string): unknown => terminal.errors.write(`toolmend: ${harmless(redact(line))}\n`);
  const redact = redactor({ env: variablesOf(config, terminal.env), values: secretsOf(config) });
  const { file, keepDays } = config.log ?? {};
  const store = file === undefined ? undefined : await openStore(file);
  const stopForgetting = store && keepDays !== undefined ? startRetention(store, keepDays, say) : () => {};
  try {
    const token = config.token ?? randomBytes(18).toString('base64url');
    const gateway = await started(config, values.http === true, { store, redact, say, token });
    if (gateway.url !== undefined) say(`the gateway listens at ${gateway.url}`);
    // Doesn't print the user's own token.
    const word = config.token === undefined ? `?token=${token}` : '';
    if (store && gateway.url !== undefined)
      terminal.errors.write(`toolmend: inspector: ${new URL('/inspector/', gateway.url)}${word}\n`);
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
  /** Token of the inspector. */
  readonly token: string;
}

async function started(
  config: GatewayConfig,
  http: boolean,
  { store, redact, say, token }: Around,
): Promise<RunningGateway> {
  const record = { content: config.log?.content === true, redact };
  try {
    return await createGateway(config, {
      ...(http && { http: { port: config.port ?? defaultPort, inspect: { token } } }),
      ...(store && { store, record }),
      onNotice: say,
    }).listen();
  } catch (error) {
    if (ConfigurationValidationError.isInstance(error)) throw new UsageError(error.message);
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new UsageError('The port is already in use. Choose another with --port');
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new UsageError(`Invalid --host '${config.host}': not an address of this machine`);
    throw error;
  }
}

/** Secrets to redact: the token, and headers of servers. */
const secretsOf = ({ token, mcpServers }: GatewayConfig): string[] => [
  ...(token === undefined ? [] : [token]),
  ...Object.values(mcpServers).flatMap((server) => Object.values('url' in server ? (server.headers ?? {}) : {})),
];

/** The environment of this process and of the servers, with prefixed names. */
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

export const gatewayHelp = `Usage: toolmend gateway [OPTIONS] --config FILE
       toolmend gateway [OPTIONS] -- COMMAND [ARGUMENT…]
       toolmend gateway accept --config FILE [SERVER | SERVER/TOOL…]

An MCP server in front of your other MCP servers. Mends and checks the arguments
of tool calls, and explains invalid calls to the model. Everything else passes
through unchanged. In your MCP host, replace your servers with the gateway.

Options:
  --config FILE       JSON configuration with "mcpServers", as MCP hosts use it
  -- COMMAND…         start one server with this command
  --pins FILE         file with the accepted tool definitions (default: next to the
                      configuration)
  --http              listen on HTTP instead of standard input and output
  --port N            port to listen on (default: 17646)
  --host ADDRESS      address to listen on; needs --token if other machines can
                      reach it (default: 127.0.0.1)
  --token VARIABLE    environment variable with the token that clients must send as
                      Authorization: Bearer
  --log FILE          record names, repairs and problems of calls in a SQLite file,
                      or in Postgres (postgres://…)
  --log-content FILE  also record arguments and results, with secrets redacted
  --keep-days N       delete recorded calls older than N days
  -h, --help          show this help

With --http and a log, the inspector shows the calls on a web page. The gateway
prints the address of the page.

If a server changes a tool, prompt, resource or its instructions, or adds a tool or
prompt, the gateway withholds the change until you accept it. 'accept' without names
shows the changes. With names, or '*' for all, it accepts definitions that it has
shown before.

Exit codes: 0 success, 1 tools are not accepted yet or can't be listed,
2 usage error.
`;

/** `toolmend gateway accept`: lists the pending tools, and accepts those that are named. */
export async function acceptCommand(
  config: GatewayConfig,
  names: readonly string[],
  { output, errors }: Pick<Terminal, 'output' | 'errors'>,
): Promise<number> {
  const { accepted, waiting, complete } = await acceptTools(config, names, (line) =>
    errors.write(`toolmend: ${harmless(line)}\n`),
  );
  for (const { label } of accepted) output.write(`accepted ${visible(label)}\n`);
  for (const { label, definition, before } of waiting) {
    const lines = changedLines(before, definition).map((line) => `  ${line}\n`);
    output.write(`not accepted: ${visible(label)}\n${lines.join('')}`);
  }
  if (waiting.some(({ isUnseen }) => isUnseen))
    errors.write(
      'toolmend: definitions that have not been shown before are not accepted. Review them, then run the command again\n',
    );
  if (complete && accepted.length + waiting.length === 0) output.write('All tools are accepted.\n');
  return complete && waiting.length === 0 ? 0 : 1;
}

/** Merges options and the configuration file. Options have precedence. */
export function gatewaySettings(
  values: GatewayValues,
  command: readonly string[],
  env: NodeJS.ProcessEnv,
): GatewayConfig {
  const { config, host, token, pins } = values;
  if ((config === undefined) === (command.length === 0))
    throw new UsageError("Expected either --config FILE or a server's command after '--'; see toolmend gateway --help");
  const file = config === undefined ? oneServer(command) : readConfigFile(config);
  if (!isObject(file)) throw new UsageError(`${config}: expected a JSON object`);
  const merged = {
    ...(config !== undefined && { pins: `${config.replace(/[.]json$/i, '')}.pins.json` }),
    ...file,
    ...(config !== undefined &&
      typeof file.pins === 'string' &&
      !isAbsolute(file.pins) && { pins: join(dirname(config), file.pins) }),
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

/** Options of `toolmend gateway` for `parseArgs`. */
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

/** Their values. */
export type GatewayValues = {
  readonly [K in keyof typeof gatewayFlags]?: (typeof gatewayFlags)[K]['type'] extends 'boolean' ? boolean : string;
};

/** More lines than this are shown as removed and added, because comparing them takes too long. */
const mostLines = 2000;

/**
 * Lines of a definition, marked with `-` and `+` if they differ from the accepted one. Characters that are invisible or
 * act on a terminal are escaped.
 */
export function changedLines(before: unknown, after: unknown): string[] {
  const now = linesOf(after);
  if (before === undefined) return now.map((line) => `  ${line}`);
  const old = linesOf(before);
  if (old.length > mostLines || now.length > mostLines)
    return [...old.map((line) => `- ${line}`), ...now.map((line) => `+ ${line}`)];
  return difference(old, now);
}

/** A value as sorted JSON. Each line of a text is a line here, so that a change in a long description is visible. */
const linesOf = (value: unknown): string[] =>
  (JSON.stringify(value, keysInOrder, 2) ?? '').split('\n').flatMap((line) => line.split(/(?<=\\n)/).map(visible));

/** The longest common subsequence, from a table of its lengths. */
function difference(old: readonly string[], now: readonly string[]): string[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  const at = (a: number, b: number): number => lengths[a]?.[b] ?? 0;
  for (let a = old.length - 1; a >= 0; a -= 1) {
    const row = lengths[a] as Uint16Array;
    for (let b = now.length - 1; b >= 0; b -= 1)
      row[b] = old[a] === now[b] ? at(a + 1, b + 1) + 1 : Math.max(at(a + 1, b), at(a, b + 1));
  }
  const lines: string[] = [];
  let [a, b] = [0, 0];
  while (a < old.length || b < now.length) {
    if (a < old.length && b < now.length && old[a] === now[b]) {
      lines.push(`  ${old[a]}`);
      a += 1;
      b += 1;
    } else if (b >= now.length || (a < old.length && at(a + 1, b) >= at(a, b + 1))) {
      lines.push(`- ${old[a]}`);
      a += 1;
    } else {
      lines.push(`+ ${now[b]}`);
      b += 1;
    }
  }
  return lines;
}
