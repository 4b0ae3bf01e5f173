import type { TurnError } from '../../turn/turn.ts';

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
