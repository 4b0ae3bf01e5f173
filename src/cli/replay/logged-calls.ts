import type { CallAccepted, CallMended, CallRefused, RunEvent } from '../../log/event.ts';
import type { FinishReason } from '../../turn/turn.ts';

/** A call as it was judged when it was made. */
export interface LoggedCall {
  readonly event: RunEvent<CallAccepted | CallMended | CallRefused>;
  /** How its message ended, where that says something of this call. */
  readonly finish: FinishReason | undefined;
  /** The tools there were. */
  readonly tools: readonly string[];
}

/** The calls of a run as a model wrote them, each judged first; what was edited afterwards is no model's. */
export function loggedCalls(events: Iterable<RunEvent>): LoggedCall[] {
  const found = new Map<string, LoggedCall>();
  const finishes = new Map<string, FinishReason>();
  let tools: readonly string[] = [];
  for (const event of events) {
    if (event.type === 'run.started') tools = event.tools;
    else if (event.type === 'turn.answered') {
      const last = event.response.message.parts.findLast((part) => part.type === 'call');
      if (last) finishes.set(last.id, event.response.finish);
    } else if (event.type === 'call.accepted' || event.type === 'call.mended' || event.type === 'call.refused') {
      if (!found.has(event.callId)) found.set(event.callId, { event, finish: finishes.get(event.callId), tools });
    }
  }
  return [...found.values()];
}
