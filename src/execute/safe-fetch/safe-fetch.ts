/**
 * `fetch` for addresses that somebody else chose. Each connection goes to an address that was checked; nothing else of the
 * project is needed here.
 */

import { lookup } from 'node:dns/promises';
import { Agent, type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps, Agent as SecureAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { networkCauses } from '../../provider/client/network-causes.ts';
import { checkAddress, checkUrl } from './check-url.ts';
import { FetchError } from './fetch-error.ts';
import { type Trust, trustOf } from './trust.ts';

/** What a request may say. */
export interface SafeFetchOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>> | Headers;
  readonly body?: string | Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How long all of it may take, redirects and body included, in milliseconds. Default 60,000. */
  readonly timeout?: number;
  /** How long one connection may take. Default 10,000. */
  readonly connectTimeout?: number;
  /** What may be reached though it is not public: `localhost:3000`, `api.test`, `*.api.test`, `10.0.0.0/8`. */
  readonly allow?: readonly string[];
  /** How many redirects are followed. Default 5. */
  readonly maxRedirects?: number;
  /** Looks hosts up instead of the system. */
  readonly resolve?: Resolve;
}

/**
 * Fetches from public addresses alone. What a host's name leads to is checked as the connection is made, at each redirect
 * anew; credentials stay at their origin; proxies of the environment are not used. Throws a `FetchError`, or the reason
 * of the caller's own signal.
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
  if (!URL.canParse(text)) throw new FetchError('invalid', 'That is no address: write it whole, as https://host/path');
  return { url: new URL(text), method: method.toUpperCase(), headers: new Headers(headers), body };
}

const redirects = [301, 302, 303, 307, 308];
/** What may be told to a host that was not asked for: everything else may be a credential. */
const harmless = ['accept', 'accept-language', 'user-agent'];

/** The request a redirect asks for; undefined where the answer is none. Nothing that was meant for one origin goes to another. */
function redirected(sent: Sending, response: Response): Sending | undefined {
  if (!redirects.includes(response.status)) return undefined;
  const location = response.headers.get('location');
  if (location === null) return undefined;
  const host = sent.url.host;
  if (!URL.canParse(location, sent.url.href)) {
    throw new FetchError('redirect', `${host} redirects to what is no address`);
  }
  const url = new URL(location, sent.url);
  const reads = sent.method === 'GET' || sent.method === 'HEAD';
  const again = reads || response.status >= 307;
  const bodyless = !again || sent.body === undefined;
  const away = url.origin !== sent.url.origin;
  if (away && again && !(reads && bodyless)) {
    throw new FetchError('redirect', `${host} redirects to ${url.host}, another origin, where the request is not sent`);
  }
  const headers = new Headers();
  for (const [name, value] of sent.headers) {
    const kept = away ? harmless.includes(name) : !bodyless || !name.startsWith('content-');
    if (kept) headers.set(name, value);
  }
  return { url, method: again ? sent.method : 'GET', headers, ...(!bodyless && { body: sent.body }) };
}

/** One request, before anything is followed. */
interface Sending {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string | Uint8Array | undefined;
}

interface SendOptions {
  readonly lookup: LookupFunction;
  /** How long a connection may take, in milliseconds. */
  readonly connect: number;
  /** How long there is for the whole answer. */
  readonly left: number;
  readonly signal?: AbortSignal | undefined;
}

/** Ways of our own: the common ones keep sockets that nobody checked, and may go through a proxy of the environment. */
const agents = { 'http:': new Agent({ keepAlive: false }), 'https:': new SecureAgent({ keepAlive: false }) };

/** Sends one request and gives its answer as `fetch` would, its body still on the way; its limits hold for the body too. */
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
    const late = new FetchError('timeout', `${url.host}: no whole answer in time`);
    const timer = setTimeout(() => stop(late), Math.min(left, longestTimer));
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const sent = { 'accept-encoding': 'identity', ...Object.fromEntries(headers) };
    const agent = secure ? agents['https:'] : agents['http:'];
    const asked = (secure ? overHttps : overHttp)(url, { method, headers: sent, agent, lookup }, (came) => {
      message = came;
      // A slow reader is still busy with it when the request has long been closed.
      came.on('close', done);
      try {
        resolve(responseOf(came));
      } catch (error) {
        stop(new FetchError('network', `${url.host} answered what is no HTTP`, { cause: error }));
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

/** Compressed bodies were not asked for, but some servers send nothing else. */
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

/** An address a name leads to. */
export interface Resolved {
  readonly address: string;
  readonly family: number;
}

/** Looks a host up. */
export type Resolve = (host: string) => Promise<readonly Resolved[]>;

const bySystem: Resolve = (host) => lookup(host, { all: true });

/**
 * The lookup a socket makes as it connects: it gets the very addresses that were checked, so that a name can't lead
 * elsewhere between the check and the connection. One bad address among good ones refuses the host.
 */
function guardedLookup(url: URL, trust: Trust, resolve: Resolve = bySystem): LookupFunction {
  const checked = async (host: string): Promise<{ address: string; family: number }[]> => {
    const found = [...(await resolve(host))];
    for (const { address } of found) checkAddress(url, address, trust);
    if (found.length === 0) throw new FetchError('network', `${host} has no address`, { code: 'ENOTFOUND' });
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

/** A connection that failed, told by its host alone: what a system says may hold the whole address. */
function networkError(thrown: unknown, host: string): FetchError {
  const error = rootCause(thrown);
  if (FetchError.isInstance(error)) return error;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const [why, retryable] = networkCauses[code ?? ''] ?? ['the connection failed', false];
  const kind = code === 'ETIMEDOUT' ? 'timeout' : 'network';
  const words = `${host}: ${why}${code === undefined ? '' : ` (${code})`}`;
  return new FetchError(kind, words, { code, cause: thrown, retryable });
}

/** Several addresses of one host were tried, and each failed. */
const rootCause = (thrown: unknown): unknown =>
  thrown instanceof AggregateError && thrown.errors.length > 0 ? thrown.errors[0] : thrown;
