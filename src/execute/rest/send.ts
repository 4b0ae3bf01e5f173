import { setTimeout as sleep } from 'node:timers/promises';
import type { ToolContext } from '../../tools/tool.ts';
import { FetchError } from '../safe-fetch/fetch-error.ts';
import { safeFetch } from '../safe-fetch/safe-fetch.ts';
import { breakerOf } from './circuit-breaker.ts';
import { headerText, type RestRequest } from './request.ts';
import { type ReadBody, readUpTo } from './response.ts';
import type { RestAuth, RestRetry, RestSettings } from './settings.ts';

/** The result of a request. */
export type ServiceReply =
  | { readonly type: 'answered'; readonly response: Response; readonly body: ReadBody }
  | { readonly type: 'failed'; readonly error: FetchError }
  /** The service kept failing and is skipped for this many milliseconds. */
  | { readonly type: 'resting'; readonly wait: number };

/** Statuses that may go away with a retry. */
const passing = (status: number): boolean => status === 408 || status === 429 || (status >= 500 && status !== 501);

/**
 * Sends a request, with retries where they are safe. Throws only if the caller aborts.
 *
 * @param again whether the request may be sent twice
 */
export async function askService(
  request: RestRequest,
  settings: RestSettings,
  { signal, progress }: Pick<ToolContext, 'signal' | 'progress'>,
  again: boolean,
): Promise<ServiceReply> {
  for (let tries = 0; ; tries += 1) {
    const answer = await askOnce(request, settings, signal);
    const wait = again && mayPass(answer) ? retryWait(tries, settings.retry, asked(answer)) : undefined;
    if (wait === undefined) return answer;
    const why =
      answer.type === 'answered' ? `it responded with status ${answer.response.status}` : 'it could not be reached';
    progress({ message: `Retrying in ${Math.ceil(wait / 1000)} s: ${why}` });
    await sleep(wait, undefined, { signal });
  }
}

async function askOnce(request: RestRequest, settings: RestSettings, signal: AbortSignal): Promise<ServiceReply> {
  const { breaker: limits, timeout = 30_000, allow = [], response: { maxBytes = 5 * 1024 * 1024 } = {} } = settings;
  const breaker = limits === false ? undefined : breakerOf(request.url.origin);
  const wait = breaker?.enter(limits || {}) ?? 0;
  if (wait > 0) return { type: 'resting', wait };
  try {
    const { method, headers, body } = request;
    const response = await safeFetch(request.url, { method, headers, body, signal, timeout, allow });
    const read = await readUpTo(response, maxBytes);
    if (response.status >= 500) breaker?.failed(limits || {});
    else breaker?.succeeded();
    return { type: 'answered', response, body: read };
  } catch (thrown) {
    if (signal.aborted) {
      breaker?.left();
      throw signal.reason;
    }
    const error = FetchError.isInstance(thrown)
      ? thrown
      : new FetchError('network', 'The response was interrupted', brokeOff);
    if (error.kind === 'timeout' || error.kind === 'network') breaker?.failed(limits || {});
    else breaker?.left();
    return { type: 'failed', error };
  }
}

const brokeOff = { systemCode: 'ECONNRESET', retryable: true };

const mayPass = (answer: ServiceReply): boolean =>
  (answer.type === 'answered' && passing(answer.response.status)) ||
  (answer.type === 'failed' && answer.error.retryable);

const asked = (answer: ServiceReply): number | undefined =>
  answer.type === 'answered' ? retryAfter(answer.response.headers) : undefined;

/** Credentials with the secrets to redact, or the environment variable that is unusable. */
type Credentials =
  | { readonly type: 'ready'; readonly headers: Readonly<Record<string, string>>; readonly secrets: readonly string[] }
  | { readonly type: 'missing'; readonly variable: string }
  /** The value is not valid in a header. */
  | { readonly type: 'unusable'; readonly variable: string };

/** Reads credentials from the environment at each call. */
export function credentials(
  auth: RestAuth | readonly RestAuth[] = [],
  env: Readonly<Record<string, string | undefined>> = process.env,
): Credentials {
  const headers: Record<string, string> = {};
  const secrets: string[] = [];
  for (const one of [auth].flat() as RestAuth[]) {
    const secret = env[one.env]?.trim();
    if (!secret) return { type: 'missing', variable: one.env };
    const userEnv = one.type === 'basic' ? one.userEnv : undefined;
    const user = userEnv === undefined ? undefined : env[userEnv]?.trim();
    if (userEnv !== undefined && !user) return { type: 'missing', variable: userEnv };
    const [name, value, shown] = header(one, secret, user);
    if (!headerText.test(value)) return { type: 'unusable', variable: one.env };
    headers[name] = value;
    secrets.push(secret, shown);
  }
  return { type: 'ready', headers, secrets: [...new Set(secrets)] };
}

/** The header, and the secret part of it. */
function header(
  auth: RestAuth,
  secret: string,
  user: string | undefined,
): [name: string, value: string, shown: string] {
  if (auth.type === 'bearer') return ['authorization', `Bearer ${secret}`, secret];
  if (auth.type === 'header') return [auth.name.toLowerCase(), `${auth.prefix ?? ''}${secret}`, secret];
  const pair = Buffer.from(`${user ?? auth.user ?? ''}:${secret}`).toString('base64');
  return ['authorization', `Basic ${pair}`, pair];
}

const defaults: Required<RestRetry> = { times: 2, base: 500, longest: 20_000 };

/**
 * Calculates the delay before a retry in milliseconds; undefined if there is none.
 *
 * @param tries number of retries so far
 * @param asked delay requested by the service
 * @param chance random jitter from 0 to 1, so that clients that failed together don't retry together
 */
export function retryWait(
  tries: number,
  settings: RestRetry | false = {},
  asked?: number,
  chance = Math.random(),
): number | undefined {
  if (settings === false) return undefined;
  const { times, base, longest } = { ...defaults, ...settings };
  if (tries >= times) return undefined;
  if (asked !== undefined) return asked <= longest ? asked : undefined;
  return Math.min(longest, base * 2 ** tries) * (0.5 + chance / 2);
}

/** The delay in `Retry-After`: seconds or a date. */
export function retryAfter(headers: Headers, now = Date.now()): number | undefined {
  const said = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(said)) return Number(said) * 1000;
  // `Date.parse` accepts plain numbers, but an HTTP date always contains letters.
  const date = /[a-z]/i.test(said) ? Date.parse(said) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
