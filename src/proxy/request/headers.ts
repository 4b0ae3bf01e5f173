import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Upstream } from '../options.ts';

/** Headers that hold for one connection, or that each side sets itself. */
const ownOfConnection = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'host', 'content-length', 'expect'],
]);

/** The headers to pass on: all but those of the connection and those it names itself. */
export function forwardHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const { connection = '' } = headers;
  const named = usual.test(connection) ? [] : connection.toLowerCase().split(/\s*,\s*/);
  const passed: OutgoingHttpHeaders = {};
  for (const name in headers) {
    // What an upstream allows web pages to do is no word of ours.
    const stays = ownOfConnection.has(name) || named.includes(name) || name.startsWith('access-control-');
    if (!stays && headers[name] !== undefined) passed[name] = headers[name];
  }
  return passed;
}

/** Most connections name nothing of their own. */
const usual = /^(?:keep-alive|close)?$/i;

/** Headers that hold a client's key; they never go to an upstream that has a key of its own. */
export const keyHeaders = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'] as const;

/**
 * The headers of a request to an upstream: the client's own, with the upstream's key in place of the client's where the
 * proxy holds one.
 *
 * @param plain the answer must come uncompressed, because it is read
 * @param crossed it was translated: what the client said for its own wire means nothing there
 */
export function upstreamHeaders(
  headers: IncomingHttpHeaders,
  { headers: own }: Upstream,
  { plain, crossed }: { readonly plain: boolean; readonly crossed: boolean },
): OutgoingHttpHeaders {
  const passed = crossed ? crossing(headers) : forwardHeaders(headers);
  if (plain) passed['accept-encoding'] = 'identity';
  if (!own) return passed;
  for (const name of keyHeaders) delete passed[name];
  return { ...passed, ...lowered(own) };
}

/** A key is carried over as a bearer token, which most servers take; the rest is of the other wire. */
function crossing(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const key = keyHeaders.map((name) => headers[name]).find((value) => value !== undefined);
  const text = String(key ?? '');
  return {
    'content-type': 'application/json',
    accept: '*/*',
    ...(text && {
      authorization: /^\w+ /.test(text) ? text : `Bearer ${text}`,
      'x-api-key': text.replace(/^\w+ /, ''),
    }),
  };
}

const lowered = (headers: Readonly<Record<string, string>>): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** A header for the proxy's own token, so that a client's key for the upstream can go beside it. */
const tokenHeader = 'x-toolmend-token';

/** Every key a request shows, as clients of the several wires show theirs: in a header, or in the address. */
export function clientKeys({ headers, url = '/' }: Pick<IncomingMessage, 'headers' | 'url'>): string[] {
  const named = [tokenHeader, ...keyHeaders].flatMap((name) => headers[name] ?? []);
  const inAddress = url.includes('key=') ? new URL(url, 'http://proxy').searchParams.getAll('key') : [];
  return [...named.map(bare), ...inAddress].filter((key) => key !== '');
}

/** Takes the token out of a request, wherever it stands: it is for the proxy alone. */
export function takeToken(request: Pick<IncomingMessage, 'headers' | 'url'>, token: string | undefined): void {
  const { headers, url = '/' } = request;
  delete headers[tokenHeader];
  if (token === undefined) return;
  for (const name of keyHeaders) if (bare(String(headers[name] ?? '')) === token) delete headers[name];
  if (!url.includes('key=')) return;
  const [path = '', query = ''] = url.split('?');
  const kept = new URLSearchParams(query);
  kept.delete('key', token);
  request.url = kept.size > 0 ? `${path}?${kept}` : path;
}

/** A key without the word before it. */
const bare = (value: string): string => value.replace(/^(?:bearer|basic)\s+/i, '').trim();
