import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type RunningGateway, startGateway } from '../../gateway/gateway.ts';
import type { GatewayConfig } from '../../gateway/gateway-config.ts';
import { redactor } from '../../log/redact.ts';
import type { Store } from '../../log/store.ts';
import { ConfigurationValidationError } from '../../tool/configuration-validation-error.ts';
import { forgetting } from '../forgetting.ts';
import { openStore } from '../run/open-store.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { untilStopped } from '../until-stopped.ts';
import { UsageError } from '../usage-error.ts';
import { acceptCommand } from './accept-command.ts';
import { gatewayFlags } from './gateway-flags.ts';
import { gatewayHelp } from './gateway-help.ts';
import { gatewaySettings } from './gateway-settings.ts';

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
  const stopForgetting = store && keepDays !== undefined ? forgetting(store, keepDays, say) : () => {};
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
