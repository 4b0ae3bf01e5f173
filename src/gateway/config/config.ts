import { readFileSync } from 'node:fs';
import type { McpAddress, McpCommand } from '../../execute/mcp/settings.ts';
import { settingsFaults } from '../../execute/mcp/settings-faults.ts';
import type { PermissionOptions } from '../../execute/permissions.ts';
import type { JsonSchema } from '../../schema/types.ts';
import type { Fault } from '../../tools/config-error.ts';
import { readSettings } from '../../tools/read-config.ts';
import type { Policy } from '../../tools/tool.ts';

/** A file of settings, as MCP hosts have it. `${env:NAME}` in any text stands for a variable of the environment. */
export interface GatewayConfig {
  readonly $schema?: string;
  /** The servers behind the gateway, by name. */
  readonly mcpServers: Readonly<Record<string, ServerConfig>>;
  /** Which calls may run, by the names clients see. */
  readonly permissions?: PermissionOptions;
  /** What may be done with calls. */
  readonly policy?: Policy;
  /** The file that holds what was accepted of each server; beside the settings unless it is said. */
  readonly pins?: string;
  /** Over HTTP: where to listen, under which names, and what clients must show. */
  readonly host?: string;
  readonly port?: number;
  readonly hosts?: readonly string[];
  readonly token?: string;
  readonly log?: GatewayLog;
}

/** A server behind the gateway. */
export type ServerConfig = (Omit<McpCommand, 'name'> | Omit<McpAddress, 'name'>) & ServerOptions;

/** What may be said of any server. */
export interface ServerOptions {
  /** What hosts write beside an address or a command; which of the two is there decides. */
  readonly type?: string;
  readonly disabled?: boolean;
  /** Only tools whose own names fit one of these; `*` stands for any text. */
  readonly include?: readonly string[];
  /** No tool whose own name fits one of these. */
  readonly exclude?: readonly string[];
  /** Other names for some of its tools and prompts, by their own. */
  readonly rename?: Readonly<Record<string, string>>;
  /** Stands before the names of all others. */
  readonly prefix?: string;
  /** Whether its word counts that a tool only reads. Default false. */
  readonly trusted?: boolean;
  /** Tools that were not there before may be called at once. Default true; false makes them wait to be accepted. */
  readonly acceptNew?: boolean;
  /** Which of its calls may run, by their own names. */
  readonly permissions?: PermissionOptions;
  /** How long one call may take, in milliseconds; the client decides unless it is said. */
  readonly timeout?: number;
  /** How long connecting may take, tries and waits together. Default 30 seconds. */
  readonly connectTimeout?: number;
}

/** What is kept of calls. */
export interface GatewayLog {
  /** A SQLite file. */
  readonly file?: string;
  /** Whether it holds what was called with and answered, not only the names. */
  readonly content?: boolean;
  readonly keepDays?: number;
}

// The sources ship with the build, so that the schema stands in one place and editors can point at it.
const schemaFile = new URL('../gateway-config.schema.json', import.meta.url);

/**
 * Reads settings: puts variables in, checks them against the published schema, and throws with every fault, where it is and
 * what to do about it.
 *
 * @param value the settings, parsed
 */
export const readGatewayConfig = (value: unknown, env: Readonly<Record<string, string | undefined>>): GatewayConfig =>
  readSettings<GatewayConfig>(value, {
    ...{ configType: 'gateway', published: 'gateway-config.schema.json', env, further: serverFaults },
    schema: JSON.parse(readFileSync(schemaFile, 'utf8')) as JsonSchema,
  });

function serverFaults({ mcpServers }: GatewayConfig): Fault[] {
  return Object.entries(mcpServers).flatMap(([name, server]) =>
    settingsFaults({ ...server, name }, server).map((fault) => ({
      ...fault,
      field: fault.field === 'name' ? `mcpServers.${name}` : `mcpServers.${name}.${fault.field}`,
    })),
  );
}
