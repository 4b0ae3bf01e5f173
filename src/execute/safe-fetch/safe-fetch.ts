/**
 * `fetch` for untrusted URLs. Each connection goes to an address that was checked. Doesn't depend on the rest of the
 * project.
 */

import { lookup } from 'node:dns/promises';
import { Agent, type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps, Agent as SecureAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { networkCauses } from '../../provider/client/errors.ts';
import { checkAddress, checkUrl } from './check-url.ts';
import { FetchError } from './fetch-error.ts';
import { type Trust, trustOf } from './trust.ts';

/** Options of a request. */
export interface SafeFetchOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>> | Headers;
  readonly body?: string | Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Total timeout including redirects and body, in milliseconds.
   * @default 60_000
   */
  readonly timeout?: number;
  /**
   * Timeout of one connection.
   * @default 10_000
   */
  readonly connectTimeout?: number;
  /**
   * Hosts that may be reached although they aren't public: `localhost:3000`, `api.test`, `*.api.test`, `10.0.0.0/8`.
   */
  readonly allow?: readonly string[];
  /**
   * Maximum number of redirects.
   * @default 5
   */
  readonly maxRedirects?: number;
  /** Resolves hosts instead of the system. */
  readonly resolve?: Resolve;
}

/**
 * Fetches from public addresses only. Resolved addresses are checked when connecting, for each redirect. Credentials
 * are not sent to another origin, and proxy variables are ignored. Throws a `FetchError`, or the reason of the caller's
 * signal.
 *
 * @example
 * const response = await safeFetch('https://example.com/page', { timeout: 5000 });
 */
export async function safeFetch(address: string | URL, options: SafeFetchOptions = {}): Promise<Response> {
  const { timeout = 60_000, connectTimeout: connect = 10_000, maxRedirects = 5, signal } = options;
  const trust = trustOf(options.allow ?? []);
  const end = performance.now() + timeout;
  let sending = firstOf(address, options);
  for (let hops = 0; ; hops += 1) {
    signal?.throwIfAborted();
    checkUrl(sending.url, trust);
    const lookup = guardedLookup(sending.url, trust, options.resolve);
    const response = await sendOnce(sending, { lookup, connect, left: end - performance.now(), signal });
    const next = redirected(sending, response);
    if (!next) return Object.defineProperty(response, 'url', { value: sending.url.href });
    await response.body?.cancel().catch(() => {});
    if (hops >= maxRedirects) throw new FetchError('redirect', `${sending.url.host} redirects more than ${hops} times`);
    sending = next;
  }
}

function firstOf(address: string | URL, { method = 'GET', headers = {}, body }: SafeFetchOptions): Sending {
  const text = String(address);
  if (!URL.canParse(text)) throw new FetchError('invalid', 'Invalid URL: expected https://host/path');
  return { url: new URL(text), method: method.toUpperCase(), headers: new Headers(headers), body };
}

const redirects = [301, 302, 303, 307, 308];
/** Headers that may be sent to another origin. All others may contain credentials. */
const harmless = ['accept', 'accept-language', 'user-agent'];

/** The request for a redirect; undefined if the response isn't one. Nothing intended for one origin goes to another. */
function redirected(sent: Sending, response: Response): Sending | undefined {
  if (!redirects.includes(response.status)) return undefined;
  const location = response.headers.get('location');
  if (location === null) return undefined;
  const host = sent.url.host;
  if (!URL.canParse(location, sent.url.href)) {
    throw new FetchError('redirect', `${host} redirects to an invalid URL`);
  }
  const url = new URL(location, sent.url);
  const reads = sent.method === 'GET' || sent.method === 'HEAD';
  const again = reads || response.status >= 307;
  const bodyless = !again || sent.body === undefined;
  const away = url.origin !== sent.url.origin;
  if (away && again && !(reads && bodyless)) {
    throw new FetchError('redirect', `${host} redirects to ${url.host}, another origin; the request is not sent there`);
  }
  const headers = new Headers();
  for (const [name, value] of sent.headers) {
    const kept = away ? harmless.includes(name) : !bodyless || !name.startsWith('content-');
    if (kept) headers.set(name, value);
  }
  return { url, method: again ? sent.method : 'GET', headers, ...(!bodyless && { body: sent.body }) };
}

/** One request, before redirects. */
interface Sending {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string | Uint8Array | undefined;
}

interface SendOptions {
  readonly lookup: LookupFunction;
  /** Connect timeout in milliseconds. */
  readonly connect: number;
  /** Time left for the complete response. */
  readonly left: number;
  readonly signal?: AbortSignal | undefined;
}

/** Own agents, because the global ones reuse unchecked sockets and may use a proxy. */
const agents = { 'http:': new Agent({ keepAlive: false }), 'https:': new SecureAgent({ keepAlive: false }) };

/**
 * Sends one request, and resolves to its response while the body still streams. The timeouts also apply to the body.
 */
export function sendOnce({ url, method, headers, body }: Sending, options: SendOptions): Promise<Response> {
  const { lookup, connect, left, signal } = options;
  const secure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    let message: IncomingMessage | undefined;
    const stop = (reason: unknown): void => {
      reject(reason);
      message?.destroy(reason as Error);
      asked.destroy(reason as Error);
    };
    const onAbort = (): void => stop(signal?.reason);
    const late = new FetchError('timeout', `${url.host}: no complete response in time`);
    const timer = setTimeout(() => stop(late), Math.min(left, longestTimer));
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const sent = { 'accept-encoding': 'identity', ...Object.fromEntries(headers) };
    const agent = secure ? agents['https:'] : agents['http:'];
    const asked = (secure ? overHttps : overHttp)(url, { method, headers: sent, agent, lookup }, (came) => {
      message = came;
      // A slow reader may still be reading after the request was closed.
      came.on('close', done);
      try {
        resolve(responseOf(came));
      } catch (error) {
        stop(new FetchError('network', `${url.host} sent an invalid HTTP response`, { cause: error }));
      }
    });
    signal?.addEventListener('abort', onAbort, { once: true });
    asked.on('close', () => message ?? done());
    asked.on('error', (error) => reject(networkError(error, url.host)));
    asked.on('socket', (socket) => {
      const unmade = new FetchError('timeout', `${url.host}: no connection within ${connect} ms`);
      const waiting = setTimeout(() => stop(unmade), connect);
      const there = (): void => clearTimeout(waiting);
      socket.once(secure ? 'secureConnect' : 'connect', there).once('close', there);
    });
    asked.end(body);
  });
}

const longestTimer = 2 ** 31 - 1;
const decoders = new Set<string | undefined>(['gzip', 'deflate']);
const bodiless = [204, 205, 304];

/** Decompresses the body, because some servers compress it without being asked. */
function responseOf(message: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = message;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  const about = { status, headers, ...(/^[\t\x20-\x7e]*$/.test(statusText) && { statusText }) };
  if (bodiless.includes(status)) {
    message.resume();
    return new Response(null, about);
  }
  const body = Readable.toWeb(message) as ReadableStream<Uint8Array<ArrayBuffer>>;
  const encoding = headers.get('content-encoding')?.trim().toLowerCase();
  if (!decoders.has(encoding)) return new Response(body, about);
  headers.delete('content-encoding');
  return new Response(body.pipeThrough(new DecompressionStream(encoding as 'gzip' | 'deflate')), about);
}

/** A resolved address. */
export interface Resolved {
  readonly address: string;
  readonly family: number;
}

/** Resolves a host. */
export type Resolve = (host: string) => Promise<readonly Resolved[]>;

const bySystem: Resolve = (host) => lookup(host, { all: true });

/**
 * The lookup of a socket, which connects to exactly the addresses that were checked, so that DNS can't change in
 * between. One blocked address blocks the host.
 */
function guardedLookup(url: URL, trust: Trust, resolve: Resolve = bySystem): LookupFunction {
  const checked = async (host: string): Promise<{ address: string; family: number }[]> => {
    const found = [...(await resolve(host))];
    for (const { address } of found) checkAddress(url, address, trust);
    if (found.length === 0) throw new FetchError('network', `${host} has no address`, { systemCode: 'ENOTFOUND' });
    return found;
  };
  return (host, options, callback) => {
    checked(host).then(
      (found) => {
        if (options.all) callback(null, found);
        else callback(null, found[0]?.address ?? '', found[0]?.family);
      },
      (error: Error) => callback(error, []),
    );
  };
}

/** Describes a failed connection by its host only, because system errors may contain the complete URL. */
function networkError(thrown: unknown, host: string): FetchError {
  const error = rootCause(thrown);
  if (FetchError.isInstance(error)) return error;
  const systemCode =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const [why, retryable] = networkCauses[systemCode ?? ''] ?? ['the connection failed', false];
  const kind = systemCode === 'ETIMEDOUT' ? 'timeout' : 'network';
  const words = `${host}: ${why}${systemCode === undefined ? '' : ` (${systemCode})`}`;
  return new FetchError(kind, words, { systemCode, cause: thrown, retryable });
}

/** The first error if several addresses of a host failed. */
const rootCause = (thrown: unknown): unknown =>
  thrown instanceof AggregateError && thrown.errors.length > 0 ? thrown.errors[0] : thrown;
