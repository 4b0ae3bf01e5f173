import type { TurnError } from '../../model/index.ts';

/**
 * Reads the delay a provider requests from `retry-after-ms` or `retry-after`, in milliseconds.
 *
 * @param now the current time, which dates are relative to
 * @returns undefined if neither header has a valid value
 */
export function retryAfter(headers: Pick<Headers, 'get'>, now = Date.now()): number | undefined {
  const exact = numberIn(headers.get('retry-after-ms'));
  if (exact !== undefined) return exact;
  const said = headers.get('retry-after');
  const seconds = numberIn(said);
  if (seconds !== undefined) return seconds * 1000;
  // `Date.parse` accepts plain numbers, but an HTTP date always contains letters.
  const date = said === null || !/[a-z]/i.test(said) ? Number.NaN : Date.parse(said);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function numberIn(text: string | null): number | undefined {
  if (text === null || !/^\s*\d+(\.\d+)?\s*$/.test(text)) return undefined;
  return Number(text);
}

/** When and how often a failed request is retried. */
export interface RetryOptions {
  /**
   * Maximum number of retries; 0 disables them.
   * @default 3
   */
  readonly times?: number;
  /**
   * First delay in milliseconds. It doubles with each retry.
   * @default 500
   */
  readonly base?: number;
  /**
   * Longest delay in milliseconds. If the provider requests a longer one, the turn fails.
   * @default 60_000
   */
  readonly longest?: number;
}

export const defaultRetry: Required<RetryOptions> = { times: 3, base: 500, longest: 60_000 };

/** The client's own timeouts. Whether to wait that long again is the caller's decision. */
const ownLimits = ['first_byte_timeout', 'idle_timeout'];

/**
 * Calculates the delay before the next attempt, in milliseconds.
 *
 * @param tries number of retries so far
 * @param chance random jitter from 0 to 1, so that clients that failed together don't retry together
 * @returns undefined if the request must not be retried
 */
export function retryDelay(
  error: TurnError,
  tries: number,
  { times, base, longest }: Required<RetryOptions>,
  chance = Math.random(),
): number | undefined {
  if (!error.retryable || tries >= times || ownLimits.includes(error.code ?? '')) return undefined;
  if (error.retryAfter !== undefined) return error.retryAfter <= longest ? error.retryAfter : undefined;
  return Math.min(longest, base * 2 ** tries) * (0.5 + chance / 2);
}
