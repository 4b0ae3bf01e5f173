import { isObject } from '../../json/value.ts';
import { type ProxyConfig, readConfig } from '../../proxy/config/config.ts';
import { ConfigurationValidationError } from '../../tools/config-error.ts';
import { logOf, numberOf, tokenOf, withoutUndefined } from '../shared/flags.ts';
import { readConfigFile } from '../shared/read-json-file.ts';
import { UsageError } from '../usage-error.ts';

/** The configuration, before the URL of a scripted upstream is known. */
type Settings = Omit<ProxyConfig, 'upstreams'> & Partial<Pick<ProxyConfig, 'upstreams'>>;

/** A URL that is never requested, for a configuration without upstreams. */
const none = 'http://127.0.0.1:9';

/** Merges options and the configuration file. Options have precedence. */
export function settingsOf(values: ProxyValues, env: NodeJS.ProcessEnv): Settings {
  const { config, upstream, format, dialect, host, live: dryRun, token } = values;
  if (config !== undefined && upstream !== undefined)
    throw new UsageError('Use either --upstream or --config, not both');
  if (upstream === undefined && (format !== undefined || dialect !== undefined))
    throw new UsageError('--format and --dialect require --upstream');
  if (values['num-ctx'] !== undefined && format !== 'ollama')
    throw new UsageError('--num-ctx requires --format ollama, the only API format with this setting');
  const file = config === undefined ? {} : readConfigFile(config);
  if (!isObject(file)) throw new UsageError(`${config}: expected a JSON object`);
  const tokens = numberOf('num-ctx', values);
  const defaults = tokens === undefined ? undefined : { options: { num_ctx: tokens } };
  const one =
    upstream === undefined ? {} : { upstream: withoutUndefined({ url: upstream, format, dialect, defaults }) };
  const merged = {
    ...(config === undefined && { upstreams: upstream === undefined ? { scripted: { url: none } } : one }),
    ...file,
    ...withoutUndefined({ host, dryRun, streamArguments: values['stream-arguments'] }),
    ...withoutUndefined({ port: numberOf('port', values), retries: numberOf('retries', values) }),
    ...withoutUndefined({ token: tokenOf(token, env) }),
    ...logOf(values),
  };
  const settings = checked(merged, env, config);
  if (config !== undefined || upstream !== undefined) return settings;
  const { upstreams: _, ...rest } = settings;
  return rest;
}

function checked(value: object, env: NodeJS.ProcessEnv, file: string | undefined): ProxyConfig {
  try {
    return readConfig(value, env);
  } catch (error) {
    if (!ConfigurationValidationError.isInstance(error)) throw error;
    throw new UsageError(file === undefined ? error.message : error.message.replace(/^/gm, `${file}: `));
  }
}

/** Options of `toolmend proxy` for `parseArgs`. */
export const proxyFlags = {
  upstream: { type: 'string' },
  format: { type: 'string' },
  dialect: { type: 'string' },
  'num-ctx': { type: 'string' },
  port: { type: 'string' },
  host: { type: 'string' },
  token: { type: 'string' },
  live: { type: 'boolean' },
  'stream-arguments': { type: 'boolean' },
  retries: { type: 'string' },
  config: { type: 'string' },
  check: { type: 'boolean' },
  log: { type: 'string' },
  'log-content': { type: 'string' },
  'keep-days': { type: 'string' },
  'no-inspector': { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Their values. */
type ProxyValues = {
  readonly [K in keyof typeof proxyFlags]?: (typeof proxyFlags)[K]['type'] extends 'boolean' ? boolean : string;
};
