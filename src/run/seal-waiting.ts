import { openCalls } from '../log/history.ts';
import type { RunContext } from './run-context.ts';
import { settledCall } from './sealed-call.ts';

/** Gives every call that has none its one result, when what it waited for will not come: the run was stopped. */
export function settleWaiting({ state, journal }: Pick<RunContext, 'state' | 'journal'>, why: string): void {
  for (const record of openCalls(state)) {
    const was = record.state === 'approval_required' || record.state === 'approved' ? record.state : 'pending';
    const text = `The call did not run: ${why}. Make it again if it is still needed.`;
    journal.note(settledCall(record, was, text));
  }
}
