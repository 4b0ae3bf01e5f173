import { eventsOf } from '../provider/events-of.ts';
import type { TurnEvent, TurnResponse } from '../turn/turn.ts';

/**
 * The last events of a turn, those that nobody has heard yet, with its calls as another answer has them.
 *
 * @param response the turn with other calls in the places of those that came
 */
export function withReplaced(events: readonly TurnEvent[], response: TurnResponse): TurnEvent[] {
  const replaced = new Set<number>();
  return events.flatMap((event): TurnEvent[] => {
    if (event.type === 'turn.finished') return [{ ...event, response }];
    if (!('index' in event)) return [event];
    const { index } = event;
    const part = response.message.parts[index];
    if (event.type !== 'part.started') return replaced.has(index) ? [] : [event];
    if (event.part.type !== 'call' || !part) return [event];
    replaced.add(index);
    const whole = eventsOf({ message: { role: 'assistant', parts: [part] }, finish: 'tool_calls' });
    return [...whole].flatMap((one) => ('index' in one ? [{ ...one, index }] : []));
  });
}
