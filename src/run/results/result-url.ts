import { createHmac, timingSafeEqual } from 'node:crypto';
import { checkArgument, isObject } from '../../json/value.ts';

/** How result URLs are made. */
export interface ResultUrls {
  /** Base URL of the server with the result handler: `https://agents.example.com`. */
  readonly url: string;
  /** Signs the URLs. At least 32 characters, and the same for the handler. */
  readonly secret: string;
  /**
   * How long a URL is valid, in milliseconds.
   * @default 7 days
   */
  readonly expiresIn?: number;
}

const week = 7 * 86_400_000;
const shortestSecret = 32;

/** Throws unless a secret is long enough. */
export const checkSecret = (secret: unknown): void =>
  checkArgument(
    typeof secret === 'string' && secret.length >= shortestSecret,
    'secret',
    `a string of at least ${shortestSecret} characters`,
    typeof secret === 'string' ? `${secret.length} characters` : typeof secret,
  );

/**
 * Creates the URL that accepts the result of a call: `POST /runs/RUN/calls/CALL`. It is signed and expires, and works
 * once, because a call gets one result.
 */
export function resultUrl(urls: ResultUrls, run: string, callId: string): string {
  checkArgument(isObject(urls), 'options', '{ url, secret }', urls);
  const { url, secret, expiresIn = week } = urls;
  checkArgument(typeof url === 'string' && URL.canParse(url), 'url', 'a URL such as https://example.com', url);
  checkSecret(secret);
  const isTime = typeof expiresIn === 'number' && expiresIn > 0 && Number.isFinite(expiresIn);
  checkArgument(isTime, 'expiresIn', 'a positive number of milliseconds', String(expiresIn));
  const base = url.endsWith('/') ? url.slice(0, -1) : url;
  const expires = Date.now() + expiresIn;
  const query = new URLSearchParams({ expires: String(expires), signature: sign(secret, run, callId, expires) });
  return `${base}/runs/${encodeURIComponent(run)}/calls/${encodeURIComponent(callId)}?${query}`;
}

/** A request to a result URL: the call, or why it isn't accepted. */
export type CheckedUrl =
  | { readonly type: 'call'; readonly run: string; readonly callId: string }
  | { readonly type: 'other' | 'forged' | 'expired' };

/** Checks the signature and the expiry of a result URL. A prefix before `/runs/` is ignored. */
export function checkResultUrl(address: URL, secret: string, now = Date.now()): CheckedUrl {
  const [, run, callId] = /\/runs\/([^/]+)\/calls\/([^/]+)$/.exec(address.pathname)?.map(decoded) ?? [];
  if (run === undefined || callId === undefined) return { type: 'other' };
  const expires = Number(address.searchParams.get('expires') ?? Number.NaN);
  if (!Number.isFinite(expires)) return { type: 'forged' };
  const signature = Buffer.from(address.searchParams.get('signature') ?? '', 'base64url');
  const expected = Buffer.from(sign(secret, run, callId, expires), 'base64url');
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return { type: 'forged' };
  return expires > now ? { type: 'call', run, callId } : { type: 'expired' };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const sign = (secret: string, run: string, callId: string, expires: number): string =>
  createHmac('sha256', secret)
    .update(JSON.stringify([run, callId, expires]))
    .digest('base64url');

/** Throws unless the options for result URLs are usable. */
export function checkResultUrls(options: ResultUrls): void {
  checkArgument(isObject(options), 'resultUrls', '{ url, secret }', options);
  resultUrl(options, 'run', 'call');
}
