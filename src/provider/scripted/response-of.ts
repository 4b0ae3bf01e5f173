import type { AssistantPart, TurnResponse } from '../../turn/turn.ts';
import type { Play, ScriptedTurn } from './script.ts';

/**
 * The answer that a turn of a script stands for.
 *
 * @param turn its number, from which calls without an id get theirs
 */
export function responseOf(play: Play, model: string, turn: number): TurnResponse {
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
