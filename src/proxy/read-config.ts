import { readFileSync } from 'node:fs';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { Fault } from '../tool/configuration-validation-error.ts';
import { readSettings, settingName } from '../tool/read-settings.ts';
import type { ProxyConfig } from './proxy-config.ts';

// The sources ship with the build, so that the schema stands in one place and editors can point at it.
const schemaFile = new URL('../../src/proxy/proxy-config.schema.json', import.meta.url);

/**
 * Reads settings: puts variables in, checks them against the published schema, and throws with every fault, where it is and
 * what to do about it.
 *
 * @param value the settings, parsed
 */
export const readConfig = (value: unknown, env: Readonly<Record<string, string | undefined>>): ProxyConfig =>
  readSettings<ProxyConfig>(value, {
    ...{ configType: 'proxy', published: 'proxy-config.schema.json', env, further: danglingNames },
    schema: JSON.parse(readFileSync(schemaFile, 'utf8')) as JsonSchema,
  });

/** Models that are sent to an upstream that is not there. */
function danglingNames({ upstreams, models = {} }: ProxyConfig): Fault[] {
  return Object.entries(models).flatMap(([pattern, model]) => {
    const name = typeof model === 'string' ? model : model.upstream;
    if (Object.hasOwn(upstreams, name)) return [];
    const fix = `There are: ${Object.keys(upstreams).join(', ')}`;
    return [{ field: settingName(['models', pattern]), message: `there is no upstream '${name}'`, fix }];
  });
}
