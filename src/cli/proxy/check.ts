import { checkOptions } from '../../proxy/config/check-options.ts';
import { type ModelConfig, type ProxyConfig, targetsOf } from '../../proxy/config/config.ts';
import { upstreamsOf } from '../../proxy/config/upstreams.ts';
import type { ClientKey } from '../../proxy/listen-options.ts';
import { type DetectedFormats, knownFormats } from '../../proxy/upstream/detect-formats.ts';
import { TextModes } from '../../proxy/upstream/text-mode.ts';
import { ConfigurationValidationError } from '../../tools/config-error.ts';
import { UsageError } from '../usage-error.ts';

export const defaultPort = 17645;

/** The keys of a configuration as a list. */
export const keysOf = (keys: ProxyConfig['keys'] = {}): ClientKey[] =>
  Object.entries(keys).map(([name, key]) => ({ name, ...key }));

/** The URL without user, password and query. */
export const shownUrl = (url: string): string => `${new URL(url).origin}${new URL(url).pathname}`;

/** API formats that need no request. */
const withoutRequests = async (url: string): Promise<DetectedFormats> =>
  knownFormats(url) ?? { formats: [], target: 'plain', why: 'API formats are detected at the start' };

/**
 * Validates the settings of a proxy without starting it or sending requests. Returns lines that describe what would run.
 *
 * @throws UsageError if they are invalid
 */
export async function checkSettings(
  { upstreams = {}, ...settings }: Omit<ProxyConfig, 'upstreams'> & Partial<Pick<ProxyConfig, 'upstreams'>>,
  { json, file }: { readonly json: boolean; readonly file: string | undefined },
): Promise<string[]> {
  const { models = {}, host = '127.0.0.1', port = defaultPort, token } = settings;
  const keys = keysOf(settings.keys);
  const { upstreams: rows, found } = await upstreamsOf({ upstreams, models }, withoutRequests).catch(asUsageError);
  try {
    const checked = rows.length > 0 ? rows : [{ url: 'http://127.0.0.1' }];
    checkOptions({ upstreams: checked, host, keys, ...(token !== undefined && { token }) });
    new TextModes(rows);
  } catch (error) {
    asUsageError(error);
  }
  const listening = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const servers = found.map(({ name, formats, why }) => ({
    name,
    urls: [upstreams[name]?.url ?? ''].flat().map(shownUrl),
    formats,
    why,
  }));
  const routes = Object.entries(models).map(([pattern, targets]) => ({
    pattern,
    targets: targetsOf(targets).map(targetText),
  }));
  if (json)
    return [JSON.stringify({ valid: true, listening, upstreams: servers, models: routes, keys: keys.map(limitsOf) })];
  return [
    `${file ?? 'The configuration'} is valid.`,
    `  listens at ${listening}${token === undefined && keys.length === 0 ? '' : ', requires a key'}`,
    ...servers.map(
      ({ name, urls, formats, why }) => `  upstream ${name}: ${urls.join(', ')} (${[...formats, why].join('; ')})`,
    ),
    ...(servers.length === 0 ? ['  upstream: a scripted model'] : []),
    ...routes.map(({ pattern, targets }) => `  model ${pattern}: ${targets.join(', then ')}`),
    ...keys.map(limitsOf).map(({ name, ...limits }) => {
      const words = Object.entries(limits).map(([limit, value]) => `${limit} ${value}`);
      return `  key ${name}${words.length > 0 ? `: ${words.join(', ')}` : ''}`;
    }),
  ];
}

const targetText = ({ upstream, model }: ModelConfig): string =>
  model === undefined ? upstream : `${upstream} as ${model}`;

/** A key without its secret. */
const limitsOf = ({ key: _, ...shown }: ClientKey): Omit<ClientKey, 'key'> => shown;

function asUsageError(error: unknown): never {
  if (ConfigurationValidationError.isInstance(error)) throw new UsageError(error.message);
  throw error;
}
