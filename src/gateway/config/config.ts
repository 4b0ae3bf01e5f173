import type { McpAddress, McpCommand } from '../../execute/mcp/settings.ts';
import { settingsFaults } from '../../execute/mcp/settings-faults.ts';
import type { PermissionOptions } from '../../execute/permission-rules.ts';
import type { JsonSchema } from '../../schema/types.ts';
import type { Fault } from '../../tools/config-error.ts';
import { readSettings } from '../../tools/read-config.ts';
import type { Policy } from '../../tools/tool.ts';
import schema from '../gateway-config.schema.json' with { type: 'json' };

/**
 * The gateway's configuration file, in the format of MCP hosts. `${env:NAME}` in any string is replaced by an
 * environment variable.
 */
export interface GatewayConfig {
  readonly $schema?: string;
  /** The MCP servers by name. */
  readonly mcpServers: Readonly<Record<string, ServerConfig>>;
  /** Permission rules, by exposed tool names. */
  readonly permissions?: PermissionOptions;
  /** Mending policy. */
  readonly policy?: Policy;
  /**
   * File with the accepted tool definitions.
   * @default next to the configuration file
   */
  readonly pins?: string;
  /** HTTP: address, port, allowed host names, and the token that clients must send. */
  readonly host?: string;
  readonly port?: number;
  readonly hosts?: readonly string[];
  readonly token?: string;
  readonly log?: GatewayLog;
}

/** A server of the gateway. */
export type ServerConfig = (Omit<McpCommand, 'name'> | Omit<McpAddress, 'name'>) & ServerOptions;

/** Options of any server. */
export interface ServerOptions {
  /** Written by MCP hosts. Ignored: either `url` or `command` decides. */
  readonly type?: string;
  readonly disabled?: boolean;
  /** Only tools whose own name matches one of these; `*` matches any text. */
  readonly include?: readonly string[];
  /** No tools whose own name matches one of these. */
  readonly exclude?: readonly string[];
  /** New names for tools and prompts, by their own names. */
  readonly rename?: Readonly<Record<string, string>>;
  /** Prefix for the names of all other tools. */
  readonly prefix?: string;
  /**
   * Whether to trust the server's claim that a tool is read-only.
   * @default false
   */
  readonly trusted?: boolean;
  /**
   * Whether tools and prompts that are added later can be used immediately, or must be accepted first.
   * @default false
   */
  readonly acceptNew?: boolean;
  /** Permission rules, by the server's own tool names. */
  readonly permissions?: PermissionOptions;
  /**
   * Timeout of a call in milliseconds.
   * @default none; the client decides
   */
  readonly timeout?: number;
  /**
   * Time to connect in milliseconds, including retries.
   * @default 30_000
   */
  readonly connectTimeout?: number;
}

/** How calls are logged. */
export interface GatewayLog {
  /** A SQLite file. */
  readonly file?: string;
  /** Whether to log arguments and results, not only names. */
  readonly content?: boolean;
  readonly keepDays?: number;
}

/**
 * Reads a configuration: replaces variables and validates it against the published schema. Throws an error that lists
 * every problem, with its location and a fix.
 *
 * @param value the parsed configuration
 */
export const readGatewayConfig = (value: unknown, env: Readonly<Record<string, string | undefined>>): GatewayConfig =>
  readSettings<GatewayConfig>(value, {
    configType: 'gateway',
    published: 'gateway-config.schema.json',
    env,
    further: serverFaults,
    schema: schema as JsonSchema,
  });

function serverFaults({ mcpServers }: GatewayConfig): Fault[] {
  return Object.entries(mcpServers).flatMap(([name, server]) =>
    settingsFaults({ ...server, name }, server).map((fault) => ({
      ...fault,
      field: fault.field === 'name' ? `mcpServers.${name}` : `mcpServers.${name}.${fault.field}`,
    })),
  );
}
