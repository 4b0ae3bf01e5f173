import type { TurnError, TurnErrorKind, TurnFailed } from '../../model/index.ts';

/** What came is not what the wire promises; says where and what was expected. */
export class WireError extends Error {
  override readonly name = 'WireError';
  /** Where in the body: `messages.0.content`. */
  readonly where: string;

  constructor(where: string, expected: string) {
    super(`${where || 'The body'} ${expected}`);
    this.where = where;
  }
}

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

/** What came is not what the wire promises. */
export const protocolError = (message: string, retryable = false): TurnError => ({
  kind: 'protocol',
  message,
  retryable,
});

/** The end of a turn of which nothing came. */
export const failedTurn = (error: TurnError): TurnFailed => ({
  type: 'turn.failed',
  error,
  response: { message: { role: 'assistant', parts: [] }, finish: 'error' },
});

const words = /enable-auto-tool-choice|does not support tools|tool choice requires|tools? (?:is|are) not supported/i;

/** Whether a server says that this model, as it is served, takes no tools. */
export const takesNoTools = ({ kind, message, status = 0 }: TurnError): boolean =>
  kind === 'request' && status >= 400 && words.test(message);
