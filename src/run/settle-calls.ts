import { untilAborted } from '../execute/run-tool.ts';
import { isObject } from '../json/value.ts';
import { settledFact } from '../log/control/settled-fact.ts';
import type { CallSettled } from '../log/events.ts';
import { openCalls, recordedCalls } from '../log/fold.ts';
import type { CallRecord, RunState } from '../log/state.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import type { RunContext } from './context.ts';

/** What a child run has used. */
export type ChildUsage = Pick<CallSettled, 'usage' | 'cost'>;

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
 * the process ends. Returns what the child runs have used, by call.
 */
export async function cancelWaiting(
  state: RunState,
  why: string,
  toolbox: Toolbox,
): Promise<ReadonlyMap<string, ChildUsage>> {
  const recorded = recordedCalls(state);
  return cancelCalls(
    openCalls(state).filter((record) => !recorded.includes(record)),
    why,
    toolbox,
  );
}

/** The same for some calls. Failures of executors don't matter to the run. */
export async function cancelCalls(
  records: readonly CallRecord[],
  why: string,
  toolbox: Toolbox,
): Promise<ReadonlyMap<string, ChildUsage>> {
  const used = new Map<string, ChildUsage>();
  const cancelled = records.map(async ({ state, name, callId, waiting, began }) => {
    const key = state === 'result_required' ? waiting?.key : began?.child;
    if (key === undefined) return;
    const { executor } = toolbox.get(name) ?? {};
    const left = await executor?.cancel?.(key, why);
    if (executor?.childOf && isObject(left)) used.set(callId, left as ChildUsage);
  });
  if (cancelled.length > 0) await untilAborted(Promise.allSettled(cancelled), AbortSignal.timeout(cancelTime));
  return used;
}
