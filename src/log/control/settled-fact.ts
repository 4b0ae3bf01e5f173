import type { CallSettled, RunEnded } from '../events.ts';
import type { CallRecord } from '../state.ts';

export const unknownOutcome =
  'The program stopped while the tool ran, so it is not known whether the call took effect. Check before you repeat it.';

/** The event that gives a call its result without running it to the end. */
export function settledCall(
  call: Pick<CallSettled, 'callId' | 'name'>,
  was: CallSettled['was'],
  text: string,
): CallSettled {
  const { callId, name } = call;
  const result = { type: 'result', callId, name, content: [{ type: 'text', text }], isError: true } as const;
  return { type: 'call.settled', callId, name, was, result };
}

/** The result of a call whose process ended while its tool ran, and that must not run again. */
export const settleInterrupted = (record: CallRecord): CallSettled => settledCall(record, 'unknown', unknownOutcome);

/** The result of a pending call of a run that is stopped. */
export function settledFact(record: CallRecord, why: string): CallSettled {
  if (record.state === 'executing') return settleInterrupted(record);
  if (record.state === 'result_required') {
    const missing = record.received
      ? 'The run stopped before it used the result of the call'
      : 'No result has arrived for the call';
    const text = `${missing}: ${why}. It may still take effect. Check before you repeat it.`;
    return settledCall(record, record.state, text);
  }
  const was = record.state === 'approval_required' || record.state === 'approved' ? record.state : 'pending';
  return settledCall(record, was, `The call did not run: ${why}. Make it again if it is still needed.`);
}

/** The end of a run that is stopped. */
export const abortedFact = (message: string): RunEnded => ({ type: 'run.ended', end: 'aborted', message });
