import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Format } from '../../model/index.ts';
import { paramsOf } from '../../provider/client/endpoint.ts';
import type { Upstream } from '../options.ts';

/** Hop-by-hop headers, and headers that each side sets itself. */
const ownOfConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'expect',
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

/** Headers in which clients of the API formats send their key. */
const keyHeaders = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'] as const;

interface ForwardOptions {
  /** Whether the response must be uncompressed, because it is read. */
  readonly plain: boolean;
  /** The API format that the request was translated to, so that headers of the client's don't apply. */
  readonly translatedTo?: Format | undefined;
  /** Whether the client's key is for another server. */
  readonly foreign?: boolean;
}

/** Headers of a request to an upstream: the client's own, with the upstream's key if the proxy has one. */
export function upstreamHeaders(
  request: Pick<IncomingMessage, 'headers' | 'url'>,
  upstream: Upstream,
  { plain, translatedTo, foreign = false }: ForwardOptions,
): OutgoingHttpHeaders {
  const passed = translatedTo ? translatedHeaders(request, translatedTo) : forwardHeaders(request.headers);
  // Keys of the proxy can only be found in a response that isn't compressed.
  if (plain || hasKey(upstream)) passed['accept-encoding'] = 'identity';
  if (foreign || hasKey(upstream)) for (const name in passed) if (isKeyName(name)) delete passed[name];
  return upstream.headers ? { ...passed, ...lowered(upstream.headers) } : passed;
}

/** Headers of a translated request. Other headers belong to the client's API format. */
function translatedHeaders(
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

/** Names of headers and parameters with a key, also those of gateways and private servers. */
const namesKey =
  /^cookie$|(?:^|[-_])(?:auth|authorization|(?:api|access|secret|subscription)?key|token|secret|password)$/i;

/** Names that end in the same words, but have no secret. */
const namesNoSecret = /^(?:x-)?(?:idempotency|cache|prompt[-_]cache|page|next[-_]page|continuation)[-_](?:key|token)$/i;

/** Whether a header or parameter has a key, by its name. `apiKey` is read as `api-key`. */
function isKeyName(name: string): boolean {
  const words = name.replace(/([a-z])([A-Z])/g, '$1-$2');
  return namesKey.test(words) && !namesNoSecret.test(words);
}

/** Whether the proxy has a key for an upstream. */
export const hasKey = ({ headers }: Pick<Upstream, 'headers'>): boolean =>
  headers !== undefined && Object.keys(headers).some(isKeyName);

/** The keys that the proxy has for an upstream, in headers and in the URL. */
export function ownKeys({ headers = {}, url }: Pick<Upstream, 'headers' | 'url'>): string[] {
  const named = Object.entries(headers).flatMap(([name, value]) =>
    isKeyName(name) ? [bare(value), basicCredentials(value).replace(/^[^:]*:/, '')] : [],
  );
  const { password, search } = /[?@]/.test(url) ? new URL(url) : { password: '', search: '' };
  const params = paramsOf(search.slice(1)).flatMap(({ name, value }) => (isKeyName(name) ? [value] : []));
  return [...named, ...params, decodeURIComponent(password)].filter((key) => key !== '');
}

/** A path without a client's key in its query, if the upstream has its own key or the key is for another server. */
export const forwardPath = (path: string, upstream: Upstream, foreign = false): string =>
  path.includes('?') && (foreign || hasKey(upstream)) ? withoutParams(path, ({ name }) => isKeyName(name)) : path;

type Param = ReturnType<typeof paramsOf>[number];

/** Removes parameters from the query. All others stay as they were written. */
function withoutParams(url: string, isRemoved: (param: Param) => boolean): string {
  const [path = '', query = ''] = url.split('?');
  const all = paramsOf(query);
  const kept = all.filter((param) => !isRemoved(param));
  if (kept.length === all.length) return url;
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

/**
 * Removes the proxy's token and the keys of its clients from a request, because they are for it only: headers and
 * parameters that contain one, in whatever form. Of a list or of cookies, only the entries that do.
 */
export function takeSecrets(request: Pick<IncomingMessage, 'headers' | 'url'>, secrets: ReadonlySet<string>): void {
  const { headers, url = '/' } = request;
  delete headers[tokenHeader];
  if (secrets.size === 0) return;
  const forms = [...new Set([...secrets].flatMap((secret) => [secret, encodeURIComponent(secret)]))];
  const isSecret = (value: string): boolean => {
    const text = `${value} ${basicCredentials(value)}`;
    return forms.some((secret) => text.includes(secret));
  };
  for (const name in headers) {
    const value = headers[name];
    if (typeof value !== 'string' || !isSecret(value)) continue;
    // Headers that a client repeats arrive as one.
    const separator = name === 'cookie' ? ';' : ',';
    const kept = value.split(separator).filter((one) => !isSecret(one));
    if (kept.length > 0) headers[name] = kept.join(separator).trim();
    else delete headers[name];
  }
  if (url.includes('?')) request.url = withoutParams(url, ({ value }) => isSecret(value));
}

/** The text of `Basic` credentials, which are encoded. */
function basicCredentials(value: string): string {
  const encoded = /\bbasic\s+([\w+/=-]+)/i.exec(value)?.[1];
  return encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
}

/** A key without its scheme. */
const bare = (value: string): string => value.trim().replace(/^(?:bearer|basic)\s+/i, '');
