import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Format } from '../../model/index.ts';
import { paramsOf } from '../../provider/client/endpoint.ts';
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
 * @param crossed the API format that the request was translated to, so that headers of the client's don't apply
 */
export function upstreamHeaders(
  request: Pick<IncomingMessage, 'headers' | 'url'>,
  { headers: own }: Upstream,
  { plain, crossed }: { readonly plain: boolean; readonly crossed?: Format | undefined },
): OutgoingHttpHeaders {
  const passed = crossed ? crossing(request, crossed) : forwardHeaders(request.headers);
  if (plain) passed['accept-encoding'] = 'identity';
  if (!own) return passed;
  for (const name of keyHeaders) delete passed[name];
  return { ...passed, ...lowered(own) };
}

/** Headers of a translated request. Other headers belong to the client's API format. */
function crossing(
  { headers, url = '/' }: Pick<IncomingMessage, 'headers' | 'url'>,
  format: Format,
): OutgoingHttpHeaders {
  const key = keyHeaders.map((name) => headers[name]).find((value) => value !== undefined) ?? keysIn(url)[0];
  const text = String(key ?? '');
  return {
    'content-type': 'application/json',
    accept: '*/*',
    ...(format === 'anthropic' && { 'anthropic-version': '2023-06-01' }),
    ...(text && (format === 'gemini' ? geminiKey(text) : commonKey(text))),
  };
}

/** A key becomes a bearer token, which most servers accept. */
const commonKey = (text: string): OutgoingHttpHeaders => ({
  authorization: /^\w+ /.test(text) ? text : `Bearer ${text}`,
  'x-api-key': text.replace(/^\w+ /, ''),
});

/** Gemini rejects an API key as a bearer token. Access tokens have a prefix of their own. */
const geminiKey = (text: string): OutgoingHttpHeaders =>
  /^(?:\w+ )?ya29\./.test(text)
    ? { authorization: /^\w+ /.test(text) ? text : `Bearer ${text}` }
    : { 'x-goog-api-key': text.replace(/^\w+ /, '') };

/** Keys in the query, as Gemini clients send them. */
const keysIn = (url: string): string[] =>
  url.includes('key=')
    ? paramsOf(url.split('?')[1] ?? '').flatMap(({ name, value }) => (name === 'key' ? [value] : []))
    : [];

/** Whether the proxy has a key for an upstream. */
export const hasKey = ({ headers = {} }: Pick<Upstream, 'headers'>): boolean =>
  Object.keys(headers).some((name) => (keyHeaders as readonly string[]).includes(name.toLowerCase()));

/** A path without a client's key in its query, if the upstream has its own key. */
export const forwardPath = (path: string, upstream: Upstream): string =>
  path.includes('key=') && hasKey(upstream) ? withoutKeys(path, () => true) : path;

/** Removes keys from the query. All other parameters stay as they were written. */
function withoutKeys(url: string, removed: (key: string) => boolean): string {
  const [path = '', query = ''] = url.split('?');
  const kept = paramsOf(query).filter(({ name, value }) => name !== 'key' || !removed(value));
  return kept.length > 0 ? `${path}?${kept.map(({ raw }) => raw).join('&')}` : path;
}

const lowered = (headers: Readonly<Record<string, string>>): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Header for the proxy's token, so that a client can send its upstream key too. */
const tokenHeader = 'x-toolmend-token';

/** All keys in a request, from the headers and the URL that clients use. */
export function clientKeys({ headers, url = '/' }: Pick<IncomingMessage, 'headers' | 'url'>): string[] {
  const named = [tokenHeader, ...keyHeaders].flatMap((name) => headers[name] ?? []);
  return [...named.map(bare), ...keysIn(url)].filter((key) => key !== '');
}

/** Removes the token from a request, because it is for the proxy only. */
export function takeToken(request: Pick<IncomingMessage, 'headers' | 'url'>, token: string | undefined): void {
  const { headers, url = '/' } = request;
  delete headers[tokenHeader];
  if (token === undefined) return;
  for (const name of keyHeaders) if (bare(String(headers[name] ?? '')) === token) delete headers[name];
  if (!url.includes('key=')) return;
  request.url = withoutKeys(url, (key) => key === token);
}

/** A key without its scheme. */
const bare = (value: string): string => value.replace(/^(?:bearer|basic)\s+/i, '').trim();
