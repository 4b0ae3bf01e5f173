import type { TurnError, TurnFailed } from '../turn/turn.ts';

/** The end of a turn of which nothing came. */
export const failedTurn = (error: TurnError): TurnFailed => ({
  type: 'turn.failed',
  error,
  response: { message: { role: 'assistant', parts: [] }, finish: 'error' },
});
