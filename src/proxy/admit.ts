import type { IncomingMessage } from 'node:http';
import type { TurnError } from '../turn/turn.ts';
import { shownKeys, showsToken } from './shown-keys.ts';

/** Who may ask. */
export interface Admission {
  readonly token?: string | undefined;
  /** Names a request may call this machine by; any where the proxy listens to other machines. */
  readonly hosts?: ReadonlySet<string> | undefined;
}

type Rule = (request: IncomingMessage, admission: Admission) => readonly [status: number, message: string] | undefined;

/** What is asked of every request, in this order. */
const rules: readonly Rule[] = [
  // A browser says where its page is from, and only browsers do: no page has any business here.
  ({ headers }) =>
    headers.origin !== undefined || (headers['sec-fetch-site'] ?? 'none') !== 'none'
      ? [403, 'Web pages may not ask this proxy']
      : undefined,
  // A page whose name was bent to this machine still calls it by that name.
  ({ headers }, { hosts }) =>
    hosts && !hosts.has(nameOf(headers.host ?? ''))
      ? [403, `This proxy does not go by the name '${nameOf(headers.host ?? '')}'; the setting 'hosts' gives it names`]
      : undefined,
  ({ method }) => (method === 'OPTIONS' || method === 'TRACE' ? [405, `${method} is not answered here`] : undefined),
  ({ url = '' }) => (isPath(url) ? undefined : [400, 'The address of a request is a path, without steps upwards']),
];

/** Says why a request is not let in; nothing where it is. */
export function admit(request: IncomingMessage, admission: Admission): TurnError | undefined {
  for (const rule of rules) {
    const [status, message] = rule(request, admission) ?? [];
    if (status !== undefined && message !== undefined) return { kind: 'request', message, retryable: false, status };
  }
  return undefined;
}

/** Says that the token is missing; nothing where it is shown, or none is wanted. */
export function missesToken(request: IncomingMessage, { token }: Admission): TurnError | undefined {
  if (token === undefined || showsToken(shownKeys(request), token)) return undefined;
  const message = 'This proxy wants its token, as the key of your client or in the header x-toolmend-token';
  return { kind: 'request', message, retryable: false, status: 401 };
}

const nameOf = (host: string): string => host.replace(/:\d+$/, '').toLowerCase();

/** Steps upwards would leave the path an upstream was given with, key and all. */
function isPath(url: string): boolean {
  const [path = ''] = url.split('?');
  if (!path.startsWith('/') || path.startsWith('//') || path.includes('\\')) return false;
  return !/(?:^|\/)(?:[.]|%2e){1,2}(?:\/|$)/i.test(path) && isText(path);
}

function isText(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
