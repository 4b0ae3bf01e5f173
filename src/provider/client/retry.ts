import type { TurnError } from '../../model/index.ts';

/**
 * How long a provider asks to wait, in milliseconds, from the headers of its answer; nothing where it does not say.
 *
 * @param now the time a date is counted from
 */
export function retryAfter(headers: Headers, now = Date.now()): number | undefined {
  const exact = numberIn(headers.get('retry-after-ms'));
  if (exact !== undefined) return exact;
  const said = headers.get('retry-after');
  const seconds = numberIn(said);
  if (seconds !== undefined) return seconds * 1000;
  // Without letters it is no date of HTTP, though the parser would take it for one.
  const date = said === null || !/[a-z]/i.test(said) ? Number.NaN : Date.parse(said);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function numberIn(text: string | null): number | undefined {
  if (text === null || !/^\s*\d+(\.\d+)?\s*$/.test(text)) return undefined;
  return Number(text);
}

/** When a turn that failed is asked for again. */
export interface RetryOptions {
  /** How often at most, after the first time; 3 unless it is said, 0 for never. */
  readonly times?: number;
  /** The first wait, in milliseconds, doubled each time; 500 unless it is said. */
  readonly base?: number;
  /** The longest wait, in milliseconds; 60,000 unless it is said. A provider that asks for a longer one ends the turn. */
  readonly longest?: number;
}

export const defaultRetry: Required<RetryOptions> = { times: 3, base: 500, longest: 60_000 };

/** Limits of our own that were reached: to wait as long once more is for the caller to decide. */
const ownLimits = ['first_byte_timeout', 'idle_timeout'];

/**
 * How long to wait before a turn is asked for again, in milliseconds; nothing where it is not to be asked again.
 *
 * @param tries how often it was asked for already, less one
 * @param chance a number from 0 to 1 that keeps clients which failed together from coming back together
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
