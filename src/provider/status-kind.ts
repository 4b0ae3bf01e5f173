import type { TurnError, TurnErrorKind } from '../turn/turn.ts';

/** Statuses that mean something of their own; others go by their hundreds. */
const known: Readonly<Record<number, TurnErrorKind>> = { 408: 'timeout', 429: 'rate_limit', 504: 'timeout' };

/** What an HTTP status says went wrong, and whether the same request may succeed later. */
export function statusKind(status: number): Pick<TurnError, 'kind' | 'retryable' | 'status'> {
  const kind = known[status] ?? (status >= 500 ? 'server' : status >= 400 ? 'request' : 'protocol');
  return { kind, retryable: kind !== 'request' && kind !== 'protocol', status };
}

/** The status that says best what went wrong, where the error came without one. */
export const kindStatus: Readonly<Record<TurnErrorKind, number>> = {
  network: 502,
  timeout: 504,
  aborted: 499,
  request: 400,
  rate_limit: 429,
  server: 500,
  protocol: 502,
};
