import type { LiveEvent, RunEvent } from '../../src/log/events.ts';

/** A response while it streams, before it is recorded. */
export interface Growing {
  readonly turn: number;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly callId: string; readonly name: string; readonly text: string }[];
}

/** Progress of running tools by call id. */
export type Progressing = Readonly<Record<string, string>>;

export interface Now {
  readonly growing?: Growing | undefined;
  readonly progress: Progressing;
  /** The message if the log can't be written. */
  readonly halted?: string;
}

/** Applies an event to the live state. Removes what is recorded. */
export function grow(now: Now, event: RunEvent | LiveEvent): Now {
  switch (event.type) {
    case 'text.delta':
      return change(now, event.turn, (one) => ({ ...one, text: one.text + event.text }));
    case 'reasoning.delta':
      return change(now, event.turn, (one) => ({ ...one, reasoning: one.reasoning + event.text }));
    case 'call.started':
      return change(now, event.turn, (one) => ({
        ...one,
        calls: [...one.calls, { callId: event.callId, name: event.name, text: '' }],
      }));
    case 'call.delta':
      return change(now, event.turn, (one) => ({ ...one, calls: withMore(one.calls, event) }));
    case 'tool.progressed':
      return { ...now, progress: { ...now.progress, [event.callId]: event.progress.message ?? 'under way' } };
    case 'run.halted':
      return { ...now, halted: event.message };
    case 'turn.completed':
    case 'turn.failed':
      return { ...now, growing: undefined };
    default:
      return now;
  }
}

function change(now: Now, turn: number, how: (growing: Growing) => Growing): Now {
  const one = now.growing?.turn === turn ? now.growing : { turn, text: '', reasoning: '', calls: [] };
  return { ...now, growing: how(one) };
}

/** Adds a piece of a call's arguments. A page opened later may have missed the start. */
function withMore(calls: Growing['calls'], { callId, text }: { callId: string; text: string }): Growing['calls'] {
  if (!calls.some((call) => call.callId === callId)) return [...calls, { callId, name: '', text: `…${text}` }];
  return calls.map((call) => (call.callId === callId ? { ...call, text: call.text + text } : call));
}
