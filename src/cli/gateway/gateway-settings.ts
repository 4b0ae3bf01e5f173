import { dirname, join } from 'node:path';
import type { GatewayConfig } from '../../gateway/gateway-config.ts';
import { readGatewayConfig } from '../../gateway/read-gateway-config.ts';
import { isObject } from '../../json/value.ts';
import { ConfigurationValidationError } from '../../tool/configuration-validation-error.ts';
import { readJsonFile } from '../read-json-file.ts';
import { logOf, numberOf, tokenOf, withoutUndefined } from '../server-flags.ts';
import { UsageError } from '../usage-error.ts';
import type { GatewayValues } from './gateway-flags.ts';

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
