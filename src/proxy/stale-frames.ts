import type { TurnEvent } from '../turn/turn.ts';
import { grows, startsCall } from './call-events.ts';
import type { Waiting } from './coming.ts';

/** Which frames must not go out as they came, because a call that is changed says anew what they say. */
export function staleFrames(waiting: readonly Waiting[], isChanged: (event: TurnEvent) => boolean): boolean[] {
  // Looked at from the end, so that it costs no more than there is: what each frame's words belong to comes after it.
  let start: TurnEvent | undefined;
  let growth: TurnEvent | undefined;
  const own = waiting
    .toReversed()
    .map(({ head, events }) => {
      start = events.find(startsCall) ?? start;
      growth = events.find(grows) ?? growth;
      const next = head === 'name' ? start : head === 'piece' ? growth : undefined;
      return next !== undefined && isChanged(next);
    })
    .toReversed();
  // A reader may wait with a call until the end: what stands between its name and itself is said again after it.
  let named = false;
  return waiting.map(({ head, events }, at) => {
    named = (named || (own[at] === true && head === 'name')) && !events.some(startsCall);
    return own[at] === true || named;
  });
}
