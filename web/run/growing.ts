import type { LiveEvent, RunEvent } from '../../src/log/events.ts';

/** What a model is saying right now, before any of it is on record. */
export interface Growing {
  readonly turn: number;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly callId: string; readonly name: string; readonly text: string }[];
}

/** What runs right now, by call. */
export type Progressing = Readonly<Record<string, string>>;

export interface Now {
  readonly growing?: Growing | undefined;
  readonly progress: Progressing;
  /** The log can't be written. */
  readonly halted?: string;
}

/** Moves what is seen right now on by one event; what is on record is taken out of it. */
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
    case 'turn.broken':
      return { ...now, growing: undefined };
    default:
      return now;
  }
}

function change(now: Now, turn: number, how: (growing: Growing) => Growing): Now {
  const one = now.growing?.turn === turn ? now.growing : { turn, text: '', reasoning: '', calls: [] };
  return { ...now, growing: how(one) };
}

/** A call with a further piece of its arguments. Who came later has not seen it start. */
function withMore(calls: Growing['calls'], { callId, text }: { callId: string; text: string }): Growing['calls'] {
  if (!calls.some((call) => call.callId === callId)) return [...calls, { callId, name: '', text: `…${text}` }];
  return calls.map((call) => (call.callId === callId ? { ...call, text: call.text + text } : call));
}
