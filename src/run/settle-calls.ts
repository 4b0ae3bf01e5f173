import type { CallSettled } from '../log/events.ts';
import { openCalls, recordedCalls } from '../log/fold.ts';
import type { CallRecord } from '../log/state.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import type { RunContext } from './context.ts';

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

export const unknownOutcome =
  'The program stopped while the tool ran, so it is not known whether the call took effect. Check before you repeat it.';

/** The result of a call whose process ended while its tool ran, and that must not run again. */
export const settleInterrupted = (record: CallRecord): CallSettled => settledCall(record, 'unknown', unknownOutcome);

const incomplete =
  'The call did not run: its arguments contained a secret, which is not stored, and the process that knew it has ended. ' +
  'Make the call again with the value itself.';

/** The result of a call that can't run because part of its arguments was redacted in the log. */
export const settleRedacted = (record: CallRecord): CallSettled => settledCall(record, 'pending', incomplete);

const elsewhere =
  'No result arrives for the call: it belongs to the run that this one was forked from. Make it again if it is still needed.';

/** The result of a call of a fork that waited for a child of the original run. */
export const settleChild = (record: CallRecord): CallSettled => settledCall(record, 'result_required', elsewhere);

/** Gives every pending call a result when the run is stopped, except those whose result or denial is recorded. */
export function settleWaiting(
  { state, journal }: Pick<RunContext, 'state' | 'journal'>,
  why: string,
  toolbox: Toolbox,
): void {
  const recorded = recordedCalls(state);
  for (const record of openCalls(state)) {
    if (recorded.includes(record)) continue;
    if (record.state === 'executing') {
      journal.note(settleInterrupted(record));
      continue;
    }
    if (record.state === 'result_required') {
      const text = `No result has arrived for the call: ${why}. It may still take effect. Check before you repeat it.`;
      journal.note(settledCall(record, record.state, text));
      cancel(record, why, toolbox);
      continue;
    }
    const was = record.state === 'approval_required' || record.state === 'approved' ? record.state : 'pending';
    const text = `The call did not run: ${why}. Make it again if it is still needed.`;
    journal.note(settledCall(record, was, text));
  }
}

/** Tells the executor that its result is no longer needed. Its failure doesn't matter to the run. */
function cancel({ name, waiting }: CallRecord, why: string, toolbox: Toolbox): void {
  const executor = toolbox.get(name)?.executor;
  if (!executor?.cancel || waiting?.key === undefined) return;
  const { key } = waiting;
  Promise.resolve()
    .then(() => executor.cancel?.(key, why))
    .catch(() => {});
}
