import type { TurnError, TurnEvent } from '../../turn/turn.ts';
import { pause } from '../client/pause.ts';
import { eventsOf } from '../events-of.ts';
import { failedTurn } from '../failed-turn.ts';
import { responseOf } from './response-of.ts';
import type { Play, ScriptedTurn } from './script.ts';

/** Plays one turn of a script as it stands, at its pace. */
export async function* playTurn(
  play: Play,
  model: string,
  turn: number,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent> {
  const { delay = 0, pace = 0, chunk, error } = mannerOf(play);
  const response = responseOf(play, model, turn);
  if (delay > 0) await pause(delay, signal);
  if (error && response.message.parts.length === 0) return yield failedTurn(failureOf(error));
  for (const event of eventsOf(response, chunk)) {
    if (pace > 0 && event.type === 'part.grew') await pause(pace, signal);
    if (signal.aborted) return yield failedTurn(aborted);
    yield error && event.type === 'turn.finished' ? failedTurn(failureOf(error)) : event;
  }
}

const mannerOf = (play: Play): ScriptedTurn => (typeof play === 'string' || 'message' in play ? {} : play);

const failureOf = (error: NonNullable<ScriptedTurn['error']>): TurnError => ({
  kind: 'server',
  retryable: false,
  ...error,
});

const aborted: TurnError = { kind: 'aborted', message: 'The turn was aborted', retryable: false };
