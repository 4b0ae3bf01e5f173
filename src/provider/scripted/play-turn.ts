import type { AssistantPart, TurnError, TurnEvent, TurnResponse } from '../../model/index.ts';
import { pause } from '../client/abort.ts';
import { failedTurn } from '../wire/errors.ts';
import { eventsOf } from '../wire/events-of.ts';
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
    if (pace > 0 && event.type === 'part.delta') await pause(pace, signal);
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

/**
 * The answer that a turn of a script stands for.
 *
 * @param turn its number, from which calls without an id get theirs
 */
function responseOf(play: Play, model: string, turn: number): TurnResponse {
  if (typeof play === 'string') return responseOf({ text: play }, model, turn);
  if ('message' in play) return play;
  const parts = play.parts ?? partsOf(play, turn);
  return {
    id: play.id ?? `turn_${turn + 1}`,
    model,
    message: { role: 'assistant', parts },
    finish: play.finish ?? (parts.some(({ type }) => type === 'call') ? 'tool_calls' : 'stop'),
    ...(play.usage && { usage: play.usage }),
  };
}

function partsOf({ reasoning, text, calls = [] }: ScriptedTurn, turn: number): AssistantPart[] {
  return [
    ...(reasoning === undefined ? [] : [{ type: 'reasoning' as const, text: reasoning }]),
    ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
    ...calls.map((call, index) => ({
      type: 'call' as const,
      id: `call_${turn + 1}_${index + 1}`,
      arguments: '{}',
      ...call,
    })),
  ];
}
