import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { hasToken } from '../execute/local-server.ts';

/** Who may access the inspector. */
export interface PageGuard {
  /** Accepted host names. */
  readonly hosts: ReadonlySet<string>;
  /** Required once in the URL; after that a cookie replaces it. */
  readonly token?: string | undefined;
}

/** The response to a request that is refused or redirected. */
export interface Rejection {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const cookieName = 'toolmend-inspector';

/**
 * Why a request is refused; undefined if it isn't. Only the inspector's own page may send requests: another page could
 * read the log, or approve calls on the user's behalf.
 */
export function rejectionOf(request: IncomingMessage, { hosts, token }: PageGuard): Rejection | undefined {
  const { headers, method = 'GET', url = '/' } = request;
  const host = headers.host ?? '';
  const name = host.replace(/:\d+$/, '').toLowerCase();
  if (!hosts.has(name)) return { status: 403, message: `This inspector does not accept the host name '${name}'` };
  const from = headers['sec-fetch-site'] ?? 'none';
  const own =
    headers.origin === undefined || headers.origin === `http://${host}` || headers.origin === `https://${host}`;
  // Other pages may only link here.
  const visit =
    method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  if (!own || !(from === 'none' || from === 'same-origin' || visit)) {
    return { status: 403, message: "Only the inspector's page may send this request" };
  }
  return token === undefined ? undefined : withoutToken(headers, url, token);
}

function withoutToken(headers: IncomingMessage['headers'], url: string, token: string): Rejection | undefined {
  const { pathname, searchParams } = new URL(url, 'http://inspector');
  const shown = searchParams.get('token');
  if (shown !== null && hasToken([shown], token)) {
    const cookie = `${cookieName}=${seal(token)}; Path=/inspector; HttpOnly; SameSite=Strict`;
    // Two slashes at the start would be the address of another host.
    const path = pathname.replace(/^\/+/, '/');
    return { status: 303, message: 'Come in', headers: { location: path, 'set-cookie': cookie } };
  }
  const cookies = (headers.cookie ?? '').split(/;\s*/);
  const given = [
    ...cookies.flatMap((pair) => (pair.startsWith(`${cookieName}=`) ? [pair.slice(cookieName.length + 1)] : [])),
    ...[headers['x-toolmend-token'], headers.authorization?.replace(/^bearer\s+/i, '')].flatMap((shownToken) =>
      typeof shownToken === 'string' ? [seal(shownToken)] : [],
    ),
  ];
  if (hasToken(given, seal(token))) return undefined;
  return { status: 401, message: 'This inspector requires a token: open /inspector/?token=YOUR_TOKEN once' };
}

/** Hash of the token for the cookie. */
const seal = (token: string): string => createHash('sha256').update(`inspector ${token}`).digest('hex');
