import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Upstream } from '../options.ts';

/** Hop-by-hop headers, and headers that each side sets itself. */
const ownOfConnection = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'host', 'content-length', 'expect'],
]);

/** Headers to forward: all except hop-by-hop headers and those named in `connection`. */
export function forwardHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const { connection = '' } = headers;
  const named = usual.test(connection) ? [] : connection.toLowerCase().split(/\s*,\s*/);
  const passed: OutgoingHttpHeaders = {};
  for (const name in headers) {
    // CORS headers of an upstream don't apply to the proxy.
    const stays = ownOfConnection.has(name) || named.includes(name) || name.startsWith('access-control-');
    if (!stays && headers[name] !== undefined) passed[name] = headers[name];
  }
  return passed;
}

/** Common values, which name no header. */
const usual = /^(?:keep-alive|close)?$/i;

/** Headers with a client's key. They are never sent to an upstream with its own key. */
export const keyHeaders = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'] as const;

/**
 * Headers of a request to an upstream: the client's own, with the upstream's key if the proxy has one.
 *
 * @param plain whether the response must be uncompressed, because it is read
 * @param crossed whether the request was translated, so that headers of the client's API format don't apply
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

/** A key becomes a bearer token, which most servers accept. Other headers belong to the client's API format. */
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

/** Header for the proxy's token, so that a client can send its upstream key too. */
const tokenHeader = 'x-toolmend-token';

/** All keys in a request, from the headers and the URL that clients use. */
export function clientKeys({ headers, url = '/' }: Pick<IncomingMessage, 'headers' | 'url'>): string[] {
  const named = [tokenHeader, ...keyHeaders].flatMap((name) => headers[name] ?? []);
  const inAddress = url.includes('key=') ? new URL(url, 'http://proxy').searchParams.getAll('key') : [];
  return [...named.map(bare), ...inAddress].filter((key) => key !== '');
}

/** Removes the token from a request, because it is for the proxy only. */
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

/** A key without its scheme. */
const bare = (value: string): string => value.replace(/^(?:bearer|basic)\s+/i, '').trim();
