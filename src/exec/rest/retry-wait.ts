import type { RestRetry } from './rest-settings.ts';

const defaults: Required<RestRetry> = { times: 2, base: 500, longest: 20_000 };

/**
 * How long to wait before a request is sent again, in milliseconds; undefined where it is not.
 *
 * @param tries how often it was sent already, less one
 * @param asked how long the service wants us to wait
 * @param chance a number from 0 to 1 that keeps clients which failed together from coming back together
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

/** The wait a service asks for in `Retry-After`: seconds, or a date. */
export function retryAfter(headers: Headers, now = Date.now()): number | undefined {
  const said = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(said)) return Number(said) * 1000;
  // Without letters it is no date of HTTP, though the parser would take it for one.
  const date = /[a-z]/i.test(said) ? Date.parse(said) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
