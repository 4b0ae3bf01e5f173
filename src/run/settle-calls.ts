import { untilAborted } from '../execute/run-tool.ts';
import { isObject } from '../json/value.ts';
import { settledCall, settledFact } from '../log/control/settled-fact.ts';
import type { CallSettled } from '../log/events.ts';
import { openCalls, recordedCalls } from '../log/fold.ts';
import type { CallRecord, RunState } from '../log/state.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import type { RunContext } from './context.ts';

/** What a child run has used. */
export type ChildUsage = Pick<CallSettled, 'usage' | 'cost'>;

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
  used: ReadonlyMap<string, ChildUsage> = new Map(),
): void {
  const recorded = recordedCalls(state);
  for (const record of openCalls(state))
    if (!recorded.includes(record)) journal.note({ ...settledFact(record, why), ...used.get(record.callId) });
}

/** Time for executors to cancel what calls wait for, in milliseconds. */
const cancelTime = 5000;

/**
 * Tells the executors that results are no longer needed, before the log says so: a child run must not be left waiting if
 * the process ends. Their failures don't matter to the run. Returns what the child runs have used, by call.
 */
export async function cancelWaiting(
  state: RunState,
  why: string,
  toolbox: Toolbox,
): Promise<ReadonlyMap<string, ChildUsage>> {
  const used = new Map<string, ChildUsage>();
  const recorded = recordedCalls(state);
  const cancelled = openCalls(state).map(async (record) => {
    const { name, waiting, began } = record;
    const key = record.state === 'result_required' ? waiting?.key : began?.child;
    if (key === undefined || recorded.includes(record)) return;
    const { executor } = toolbox.get(name) ?? {};
    const left = await executor?.cancel?.(key, why);
    if (executor?.childOf && isObject(left)) used.set(record.callId, left as ChildUsage);
  });
  if (cancelled.length > 0) await untilAborted(Promise.allSettled(cancelled), AbortSignal.timeout(cancelTime));
  return used;
}
