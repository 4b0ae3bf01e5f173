import type { ErrorType } from '../call/outcome.ts';
import type { CallRecord } from '../log/call-record.ts';
import type { RunEvent } from '../log/event.ts';
import type { RunState } from '../log/run-state.ts';
import { tellEach } from '../log/tell-each.ts';

/** Something went wrong in a run. */
export interface RunError {
  /** Where: a tool or a call to one, the model, the log, or closing up. */
  readonly phase: 'tool' | 'model' | 'storage' | 'close';
  readonly message: string;
  readonly detail: {
    readonly callId?: string;
    readonly tool?: string;
    readonly errorType?: ErrorType | string;
    readonly recommendations?: readonly string[];
    /** What was thrown, where it was. */
    readonly cause?: unknown;
  };
}

/** What can be listened for by name. */
export interface RunListeners {
  error: (error: RunError) => void;
  /** A call has its result, good or bad. */
  tool_executed: (call: CallRecord) => void;
  end: (end: Extract<RunEvent, { type: 'run.ended' }>) => void;
}

type Sets = { readonly [K in keyof RunListeners]: ReadonlySet<RunListeners[K]> };

/** Tells whoever listens by name about an event that is on record. */
export function tell(event: RunEvent, state: RunState, listeners: Sets): void {
  const error = errorOf(event);
  if (error) tellEach(listeners.error, error);
  if ('result' in event) {
    const record = state.calls.get(event.callId);
    if (record) tellEach(listeners.tool_executed, record);
  }
  if (event.type === 'run.ended') tellEach(listeners.end, event);
}

function errorOf(event: RunEvent): RunError | undefined {
  if (event.type === 'turn.broken') {
    return { phase: 'model', message: event.error.message, detail: { errorType: event.error.kind } };
  }
  if (event.type === 'call.refused' || (event.type === 'tool.finished' && !event.ok)) {
    const { callId, name: tool, errorType = 'runtime', recommendations = [] } = event;
    const message = event.result.content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
    return { phase: 'tool', message, detail: { callId, tool, errorType, recommendations } };
  }
  if (event.type === 'call.denied') {
    const { callId, name: tool, reason: message } = event;
    return { phase: 'tool', message, detail: { callId, tool, errorType: 'denied' } };
  }
  return undefined;
}
