import { ToolmendError } from '../../json/toolmend-error.ts';
import { checkArgument, isObject } from '../../json/value.ts';
import { ConfigurationValidationError } from '../../tools/config-error.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import { messageOf } from '../tool-result.ts';
import { Server } from './server.ts';
import type { McpAddress, McpCommand, McpServer, McpServerOptions, McpSettings } from './settings.ts';
import { settingsFaults } from './settings-faults.ts';

/**
 * Connects to an MCP server over stdio or HTTP, and provides its tools.
 *
 * @example
 * const files = await mcpServer({ name: 'files', command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'] });
 * const helper = agent({ model, tools: files.tools });
 * await files.close();
 */
export async function mcpServer(settings: McpSettings, options: McpServerOptions = {}): Promise<McpServer> {
  const faults = settingsFaults(settings, options);
  const [first] = faults;
  if (first) {
    const message = `The MCP server can't be set up: ${first.message}. ${first.fix}.`;
    throw new ConfigurationValidationError(message, { configType: 'mcp', field: first.field, faults });
  }
  const server = new Server(settings, options);
  try {
    await server.connect();
  } catch (error) {
    await server.close();
    const said = server.complaints && ` Its last output: ${server.complaints}`;
    throw new ToolmendError(
      'connection_failed',
      `The MCP server '${settings.name}' could not be reached: ${messageOf(error)}.${said}`,
      {
        cause: error,
      },
    );
  }
  return server;
}

/** Servers by name, as in the `mcpServers` of configuration files, with optional `options`. */
export type McpConfig = Readonly<
  Record<string, (Omit<McpCommand, 'name'> | Omit<McpAddress, 'name'>) & { readonly options?: McpServerOptions }>
>;

/** Several connected servers. */
export interface McpServers {
  readonly servers: readonly McpServer[];
  /** The tools of all connected servers. */
  readonly tools: Tool[];
  /** Servers that couldn't be reached, and why. */
  readonly failed: readonly { readonly name: string; readonly error: Error }[];
  addTo(toolbox: Toolbox): void;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Connects to several servers in parallel. A server that can't be reached is reported in `failed`.
 *
 * @example
 * const { tools, failed } = await mcpServers({
 *   files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'] },
 *   docs: { url: 'https://example.com/mcp', options: { include: ['search_*'] } },
 * });
 */
export async function mcpServers(config: McpConfig, options: McpServerOptions = {}): Promise<McpServers> {
  checkArgument(isObject(config), 'config', 'servers by name', config);
  const names = Object.keys(config);
  const tries = await Promise.allSettled(
    Object.entries(config).map(([name, { options: own, ...settings }]) =>
      mcpServer({ ...settings, name }, { ...options, ...own }),
    ),
  );
  const servers = tries.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  const failed = tries.flatMap((one, index) =>
    one.status === 'rejected' ? [{ name: names[index] ?? '', error: one.reason as Error }] : [],
  );
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.close()));
  };
  return {
    servers,
    failed,
    close,
    get tools() {
      return servers.flatMap(({ tools }) => tools);
    },
    addTo: (toolbox) => {
      for (const server of servers) server.addTo(toolbox);
    },
    [Symbol.asyncDispose]: close,
  };
}
