import type { McpServer, McpServerOptions, McpSettings } from '../../execute/mcp/settings.ts';
import { messageOf } from '../../execute/tool-result.ts';
import { isObject } from '../../json/value.ts';
import { ConfigurationValidationError } from '../../tools/config-error.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import { readJsonFile } from '../shared/read-json-file.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { UsageError } from '../usage-error.ts';

export interface LoadMcpOptions {
  readonly env: Terminal['env'];
  /** Called for each server that can't be reached; the others are still used. */
  readonly note: (text: string) => void;
}

/** Connects to the MCP servers of several files, and adds their tools. Returns a function that disconnects. */
export async function loadMcp(
  files: readonly string[],
  toolbox: Toolbox,
  { env, note }: LoadMcpOptions,
): Promise<() => Promise<void>> {
  const entries = files.flatMap((file) => entriesOf(file, env));
  const tried = await Promise.allSettled(entries.map((entry) => connect(entry, note)));
  const open = tried.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value] : []));
  const leave = async (): Promise<void> => {
    await Promise.all(open.map((server) => server.close()));
  };
  const wrong = tried.find((one) => one.status === 'rejected');
  if (wrong) {
    await leave();
    throw wrong.reason;
  }
  for (const server of open) {
    server.addTo(toolbox);
    for (const { name, faults } of server.refused) {
      note(`${server.name}: skipped the tool ${name}: ${faults[0]?.message ?? 'invalid definition'}`);
    }
  }
  return leave;
}

interface Entry {
  readonly file: string;
  readonly settings: McpSettings;
  readonly options: McpServerOptions;
}

/** The servers of a file in the common format, with optional `include`, `exclude` and `trusted`. */
function entriesOf(file: string, env: Terminal['env']): Entry[] {
  const { value } = readJsonFile(file);
  const listed = isObject(value) ? (value.mcpServers ?? value.servers) : undefined;
  if (!isObject(listed)) throw new UsageError(`${file}: missing "mcpServers"`);
  return Object.entries(listed).flatMap(([name, given]) => {
    if (!isObject(given)) throw new UsageError(`${file}: the server '${name}' must be an object`);
    if (given.disabled === true) return [];
    const entry = filledIn(given, env, `${file}: the server '${name}'`) as Record<string, unknown>;
    const { command, args, env: variables, cwd, url, headers, include, exclude, trusted } = entry;
    const where = command === undefined ? { url, headers } : { command, args, env: variables, cwd };
    // The file is untrusted; the server's own checks report invalid values.
    const settings = { name, ...said(where) } as unknown as McpSettings;
    return [{ file, settings, options: said({ include, exclude, trusted }) as McpServerOptions }];
  });
}

const said = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const variable = /\$\{(\w+)(?::-([^}]*))?\}/g;

/** Replaces environment variables: `${NAME}` or `${NAME:-default}`. */
function filledIn(value: unknown, env: Terminal['env'], where: string): unknown {
  if (typeof value === 'string') {
    return value.replace(variable, (_, name: string, otherwise: string | undefined) => {
      const found = env[name] ?? otherwise;
      if (found === undefined) throw new UsageError(`${where} uses the environment variable ${name}, which is not set`);
      return found;
    });
  }
  if (Array.isArray(value)) return value.map((item) => filledIn(item, env, where));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filledIn(inner, env, where)]));
}

async function connect(
  { file, settings, options }: Entry,
  note: (text: string) => void,
): Promise<McpServer | undefined> {
  const { mcpServer } = await import('../../execute/mcp/mcp-server.ts');
  try {
    return await mcpServer(settings, options);
  } catch (error) {
    if (error instanceof ConfigurationValidationError) throw new UsageError(`${file}: ${error.message}`);
    note(messageOf(error));
    return undefined;
  }
}
