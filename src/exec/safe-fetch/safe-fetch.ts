/**
 * `fetch` for addresses that somebody else chose. Each connection goes to an address that was checked; nothing else of the
 * project is needed here.
 */
import { checkUrl } from './check-url.ts';
import { FetchError } from './fetch-error.ts';
import { guardedLookup, type Resolve } from './guarded-lookup.ts';
import { redirected } from './redirected.ts';
import { type Sending, sendOnce } from './send-once.ts';
import { trustOf } from './trust.ts';

export type { Resolve, Resolved } from './guarded-lookup.ts';

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
