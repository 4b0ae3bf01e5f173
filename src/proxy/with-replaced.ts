import { eventsOf } from '../provider/events-of.ts';
import type { TurnEvent, TurnResponse } from '../turn/turn.ts';

/**
 * The last events of a turn, those that nobody has heard yet, with its calls as another answer has them.
 *
 * @param response the turn with other calls in the places of those that came
 */
export function withReplaced(events: readonly TurnEvent[], response: TurnResponse): TurnEvent[] {
  return events.flatMap((event): TurnEvent[] => {
    if (event.type === 'turn.finished') return [{ ...event, response }];
    const part = 'index' in event ? response.message.parts[event.index] : undefined;
    if (!('index' in event) || part?.type !== 'call') return [event];
    if (event.type !== 'part.started') return [];
    const { index } = event;
    const whole = eventsOf({ message: { role: 'assistant', parts: [part] }, finish: 'tool_calls' });
    return [...whole].flatMap((one) => ('index' in one ? [{ ...one, index }] : []));
  });
}
