import { isObject } from '../../json/value.ts';
import type { ProxyConfig } from '../../proxy/proxy-config.ts';
import { readConfig } from '../../proxy/read-config.ts';
import { ConfigurationValidationError } from '../../tool/configuration-validation-error.ts';
import { readJsonFile } from '../read-json-file.ts';
import { UsageError } from '../usage-error.ts';
import type { ProxyValues } from './proxy-flags.ts';

/** Settings, before it is known where a script would be served. */
export type Settings = Omit<ProxyConfig, 'upstreams'> & Partial<Pick<ProxyConfig, 'upstreams'>>;

/** An address that is not asked, for settings without an upstream. */
const none = 'http://127.0.0.1:9';

/** What the options and the file of settings say together; options go first. */
export function settingsOf(values: ProxyValues, env: NodeJS.ProcessEnv): Settings {
  const { config, upstream, format, dialect, host, live, token } = values;
  if (config !== undefined && upstream !== undefined)
    throw new UsageError('--upstream and --config both say where to ask; give one of them');
  if (upstream === undefined && (format !== undefined || dialect !== undefined))
    throw new UsageError('--format and --dialect speak of an --upstream, and there is none');
  const file = config === undefined ? {} : readJsonFile(config).value;
  if (!isObject(file)) throw new UsageError(`${config}: settings are an object`);
  const one = upstream === undefined ? {} : { upstream: said({ url: upstream, format, dialect }) };
  const merged = {
    ...(config === undefined && { upstreams: upstream === undefined ? { scripted: { url: none } } : one }),
    ...file,
    ...said({ host, live, port: numberOf('port', values), retries: numberOf('retries', values) }),
    ...said({ token: tokenOf(token, env) }),
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

function tokenOf(name: string | undefined, env: NodeJS.ProcessEnv): string | undefined {
  if (name === undefined || env[name]) return name && env[name];
  throw new UsageError(`--token names a variable of the environment, and ${name} is not set`);
}

function logOf(values: ProxyValues): Pick<ProxyConfig, 'log'> {
  const { log, 'log-content': content } = values;
  if (log !== undefined && content !== undefined)
    throw new UsageError('--log and --log-content name the same thing; give one of them');
  const file = content ?? log;
  const keepDays = numberOf('keep-days', values);
  if (file === undefined && keepDays !== undefined)
    throw new UsageError('--keep-days speaks of a --log or --log-content, and there is none');
  if (file === undefined) return {};
  return { log: { file, content: content !== undefined, ...(keepDays !== undefined && { keepDays }) } };
}

function numberOf(name: 'port' | 'keep-days' | 'retries', values: ProxyValues): number | undefined {
  const word = values[name];
  if (word === undefined) return undefined;
  const number = word.trim() === '' ? Number.NaN : Number(word);
  if (!Number.isFinite(number) || number < 0) throw new UsageError(`--${name} is a number from 0, not '${word}'`);
  return number;
}

/** Only what was said. */
const said = <T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
