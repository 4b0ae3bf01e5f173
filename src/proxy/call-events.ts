import { isObject } from '../json/value.ts';
import type { TurnEvent } from '../turn/turn.ts';

/** Whether a call begins. */
export const startsCall = (event: TurnEvent): boolean => event.type === 'part.started' && event.part.type === 'call';

/** Whether a part goes on. */
export const grows = (event: TurnEvent): boolean => event.type === 'part.grew';

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

/** What a chunk of the chat wire says of a call: the reader may wait for more before it says so. */
export type ChunkHead = 'name' | 'piece' | undefined;

export function headOf(chunk: unknown): ChunkHead {
  const choices = isObject(chunk) && Array.isArray(chunk.choices) ? chunk.choices : [];
  const calls = choices.flatMap((choice) =>
    isObject(choice) && isObject(choice.delta) && Array.isArray(choice.delta.tool_calls) ? choice.delta.tool_calls : [],
  );
  // Calls in free text begin at once.
  const functions = calls.filter((call) => isObject(call) && call.type !== 'custom' && !isObject(call.custom));
  if (functions.length === 0) return undefined;
  return functions.some((call) => isObject(call) && (call.id || (isObject(call.function) && call.function.name)))
    ? 'name'
    : 'piece';
}
