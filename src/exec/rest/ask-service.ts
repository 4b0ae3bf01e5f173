import { setTimeout as sleep } from 'node:timers/promises';
import type { ToolContext } from '../../tool/tool.ts';
import { FetchError } from '../safe-fetch/fetch-error.ts';
import { safeFetch } from '../safe-fetch/safe-fetch.ts';
import { breakerOf } from './breaker.ts';
import { type ReadBody, readBody } from './read-body.ts';
import type { RestRequest } from './rest-request.ts';
import type { RestSettings } from './rest-settings.ts';
import { retryAfter, retryWait } from './retry-wait.ts';

/** What came of asking a service. */
export type Answer =
  | { readonly type: 'answered'; readonly response: Response; readonly body: ReadBody }
  | { readonly type: 'failed'; readonly error: FetchError }
  /** It kept failing, and is left alone for so many milliseconds. */
  | { readonly type: 'resting'; readonly wait: number };

/** Answers that may be others in a while. */
const passing = (status: number): boolean => status === 408 || status === 429 || (status >= 500 && status !== 501);

/**
 * Asks a service, again where that is safe and may help. Throws only when the caller has left.
 *
 * @param again whether the request may be sent twice
 */
export async function askService(
  request: RestRequest,
  settings: RestSettings,
  { signal, progress }: Pick<ToolContext, 'signal' | 'progress'>,
  again: boolean,
): Promise<Answer> {
  for (let tries = 0; ; tries += 1) {
    const answer = await askOnce(request, settings, signal);
    const wait = again && mayPass(answer) ? retryWait(tries, settings.retry, asked(answer)) : undefined;
    if (wait === undefined) return answer;
    const why = answer.type === 'answered' ? `it answered ${answer.response.status}` : 'it could not be reached';
    progress({ message: `Asking again in ${Math.ceil(wait / 1000)} s: ${why}` });
    await sleep(wait, undefined, { signal });
  }
}

async function askOnce(request: RestRequest, settings: RestSettings, signal: AbortSignal): Promise<Answer> {
  const { breaker: limits, timeout = 30_000, allow = [], response: { maxBytes = 5 * 1024 * 1024 } = {} } = settings;
  const breaker = limits === false ? undefined : breakerOf(request.url.origin);
  const wait = breaker?.enter(limits || {}) ?? 0;
  if (wait > 0) return { type: 'resting', wait };
  try {
    const { method, headers, body } = request;
    const response = await safeFetch(request.url, { method, headers, body, signal, timeout, allow });
    const read = await readBody(response, maxBytes);
    if (response.status >= 500) breaker?.failed(limits || {});
    else breaker?.succeeded();
    return { type: 'answered', response, body: read };
  } catch (thrown) {
    if (signal.aborted) {
      breaker?.left();
      throw signal.reason;
    }
    const error = FetchError.isInstance(thrown) ? thrown : new FetchError('network', 'The answer broke off', brokeOff);
    if (error.kind === 'timeout' || error.kind === 'network') breaker?.failed(limits || {});
    else breaker?.left();
    return { type: 'failed', error };
  }
}

const brokeOff = { code: 'ECONNRESET', retryable: true };

const mayPass = (answer: Answer): boolean =>
  (answer.type === 'answered' && passing(answer.response.status)) ||
  (answer.type === 'failed' && answer.error.retryable);

const asked = (answer: Answer): number | undefined =>
  answer.type === 'answered' ? retryAfter(answer.response.headers) : undefined;
