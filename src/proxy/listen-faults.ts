import { isLoopback } from '../exec/door/loopback.ts';
import { ConfigurationValidationError, type Fault } from '../tool/configuration-validation-error.ts';
import { keyHeaders } from './forward-headers.ts';
import type { ListenOptions } from './listen-options.ts';
import type { ProxyOptions } from './proxy-options.ts';

const shortest = 16;
const makeOne = 'Set a token of 16 characters or more, for example the output of: openssl rand -hex 24';

/** Throws where a proxy would be open to people it should not be open to. */
export function refuseOpenDoors({ host = '127.0.0.1', token, upstreams }: ProxyOptions & ListenOptions): void {
  const faults: Fault[] = [];
  const say = (field: string, message: string, fix: string): unknown => faults.push({ field, message, fix });
  if (upstreams.length === 0) say('upstreams', 'there is no upstream', 'Name at least one');
  if (token !== undefined && token.length < shortest) say('token', 'the token can be guessed', makeOne);
  if (token === undefined && !isLoopback(host)) say('host', `others can reach ${host}, and there is no token`, makeOne);
  if (token === undefined && upstreams.some(holdsKey))
    say('token', 'the proxy holds keys that anybody on this machine could use', makeOne);
  const [first] = faults;
  if (first) {
    const { field, message, fix } = first;
    throw new ConfigurationValidationError(`${field}: ${message}. ${fix}`, { configType: 'proxy', field, faults });
  }
}

const holdsKey = ({ headers = {} }: ProxyOptions['upstreams'][number]): boolean =>
  Object.keys(headers).some((name) => (keyHeaders as readonly string[]).includes(name.toLowerCase()));
