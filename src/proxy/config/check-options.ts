import { isLoopback } from '../../execute/local-server.ts';
import { ConfigurationValidationError, type Fault } from '../../tools/config-error.ts';
import type { ListenOptions } from '../listen-options.ts';
import type { ProxyOptions } from '../options.ts';
import { hasKey } from '../request/headers.ts';

const shortest = 16;
const makeOne = 'Set a token of 16 characters or more, for example the output of: openssl rand -hex 24';

/** Throws if a configuration would expose the proxy without protection. */
export function checkOptions({ host = '127.0.0.1', token, keys = [], upstreams }: ProxyOptions & ListenOptions): void {
  const faults: Fault[] = [];
  const say = (field: string, message: string, fix: string): unknown => faults.push({ field, message, fix });
  if (upstreams.length === 0) say('upstreams', 'no upstream is configured', 'Add at least one');
  const all = upstreams.flatMap((one) => [one, ...(one.fallbacks ?? [])]);
  for (const url of all.flatMap((one) => [one.url, ...(one.alternates ?? [])]))
    if (!URL.canParse(url)) say('upstreams.url', `'${url}' is not a URL`, 'Write it as http://host:port');
  if (token !== undefined && token.length < shortest) say('token', 'the token is too short', makeOne);
  for (const { name, key } of keys)
    if (key.length < shortest) say(`keys.${name}`, 'the key is too short', makeOne.replace('token', 'key'));
  const secrets = [...(token === undefined ? [] : [token]), ...keys.map(({ key }) => key)];
  if (new Set(secrets).size < secrets.length) say('keys', 'two of the keys are the same', 'Use another key for each');
  const isOpen = token === undefined && keys.length === 0;
  if (isOpen && !isLoopback(host)) say('host', `other machines can reach ${host}, and no token is set`, makeOne);
  if (isOpen && all.some(hasKey))
    say('token', 'the proxy has API keys that any program on this machine could use, and no token is set', makeOne);
  const [first] = faults;
  if (first) {
    const { field, message, fix } = first;
    throw new ConfigurationValidationError(`${field}: ${message}. ${fix}`, { configType: 'proxy', field, faults });
  }
}
