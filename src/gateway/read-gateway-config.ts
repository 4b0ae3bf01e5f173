import { readFileSync } from 'node:fs';
import { settingsFaults } from '../exec/mcp/settings-faults.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { Fault } from '../tool/configuration-validation-error.ts';
import { readSettings } from '../tool/read-settings.ts';
import type { GatewayConfig } from './gateway-config.ts';

// The sources ship with the build, so that the schema stands in one place and editors can point at it.
const schemaFile = new URL('../../src/gateway/gateway-config.schema.json', import.meta.url);

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
