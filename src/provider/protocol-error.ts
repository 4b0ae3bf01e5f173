import type { TurnError } from '../turn/turn.ts';

/** What came is not what the wire promises. */
export const protocolError = (message: string, retryable = false): TurnError => ({
  kind: 'protocol',
  message,
  retryable,
});
