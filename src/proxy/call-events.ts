import { isObject } from '../json/value.ts';
import type { TurnEvent } from '../turn/turn.ts';

export const startsCall = (event: TurnEvent): boolean => event.type === 'part.started' && event.part.type === 'call';

/** Argument text that came with a call's beginning, as what it is: the first piece of it. */
export function spread(event: TurnEvent): TurnEvent[] {
  if (event.type !== 'part.started' || event.part.type !== 'call') return [event];
  const { index, part } = event;
  const { arguments: text } = part;
  if (typeof text !== 'string' || text === '') return [event];
  return [
    { ...event, part: { ...part, arguments: '' } },
    { type: 'part.grew', index, text },
  ];
}

/** Whether a chunk of the chat wire names a call; the reader waits for more of its name before it says so. */
export function namesCall(chunk: unknown): boolean {
  const choices = isObject(chunk) && Array.isArray(chunk.choices) ? chunk.choices : [];
  return choices.some((choice) => isObject(choice) && isObject(choice.delta) && Array.isArray(choice.delta.tool_calls));
}
