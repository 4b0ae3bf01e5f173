import { setTimeout as pause } from 'node:timers/promises';
import { ToolmendError } from '../../json/toolmend-error.ts';
import { checkArgument } from '../../json/value.ts';
import { appendAndWake } from '../../log/control/wake-parents.ts';
import { pausedEnds } from '../../log/events.ts';
import { existingState, isOverdue, stateOf, waitingCalls } from '../../log/fold.ts';
import { type RedactRun, redactEvent } from '../../log/journal.ts';
import { redactor } from '../../log/redact/redact.ts';
import type { CallRecord, RunState } from '../../log/state.ts';
import { SequenceTaken, type Store } from '../../log/store.ts';
import type { Tool } from '../../tools/tool.ts';
import { receivedResult } from '../invoke/receive-result.ts';

/** Options of `recordResult`. */
export interface RecordResultOptions {
  /** Removes secrets before recording. */
  readonly redact?: RedactRun | undefined;
  /** Finds the tool of a call, to check the result with its own schema instead of the recorded one. */
  readonly tool?: ((name: string) => Tool | undefined) | undefined;
  /**
   * Time to wait for other calls of the run that are still running, in milliseconds.
   * @default 10_000
   */
  readonly patience?: number;
}

/** Interval between reads of a run that is active, in milliseconds. */
const interval = 100;

/**
 * Records the result of a waiting call of a paused run, once. The next process that resumes the run uses it. Waits for
 * a run that is active, because writing to it would conflict with its process.
 *
 * @param call id of the call, or the key that its tool returned with `pending()`
 */
export async function recordResult(
  store: Store,
  run: string,
  call: string,
  result: unknown,
  options: RecordResultOptions = {},
): Promise<void> {
  checkArgument(typeof store?.read === 'function', 'store', 'a store, such as memoryStore()', store);
  const { redact = redactor({ env: process.env }), tool, patience = 10_000 } = options;
  const until = performance.now() + patience;
  for (;;) {
    const state = await existingState(store, run);
    const record = findWaiting(state, call);
    const received = record && receivedResult(record, result, tool?.(record.name));
    if (received && pausedEnds.has(state.ended?.end)) {
      const event = { ...received, run, seq: state.seq + 1, at: Date.now() };
      try {
        const { context } = state.started ?? {};
        return await appendAndWake(store, state, [redactEvent(event, (one) => redact(one, { run, context }))]);
      } catch (error) {
        if (!SequenceTaken.isInstance(error)) throw error;
      }
    } else if (!record && !mayWait(state, call)) throw notWaiting(run, call);
    if (performance.now() >= until)
      throw new ToolmendError('run_active', `Run ${run} is still running other calls. Send the result again later.`);
    await pause(interval);
  }
}

/** Whether a call waits for its result. One whose time limit is over gets that as its result. */
export const isWaiting = (record: CallRecord | undefined): boolean =>
  record?.state === 'result_required' && !record.received && !record.result && !isOverdue(record, Date.now());

/** The call that waits for a result from outside, by its id or key. That of an agent comes from the child run. */
export function findWaiting({ calls }: RunState, call: string): CallRecord | undefined {
  const isFree = (record: CallRecord): boolean => isWaiting(record) && record.began?.child === undefined;
  const byId = calls.get(call);
  if (byId && isFree(byId)) return byId;
  return [...calls.values()].find((record) => isFree(record) && record.waiting?.key === call);
}

/** Whether a call is about to wait: a webhook can be faster than the tool that requested it. */
export function mayWait(state: RunState, call: string): boolean {
  const record = state.calls.get(call);
  if (record) return record.state === 'executing' && !state.ended;
  return !state.ended && [...state.calls.values()].some((one) => one.state === 'executing');
}

export const notWaiting = (run: string, call: string, what = 'a result'): ToolmendError =>
  new ToolmendError('not_waiting', `No call ${call} is waiting for ${what} in run ${run}.`);

/** Throws the error of a decision or a result that was not stored, for example because another process was faster. */
export async function rejectLate(error: unknown, store: Store, run: string, callId: string): Promise<never> {
  if (!SequenceTaken.isInstance(error)) throw error;
  const state = await stateOf(store, run);
  const isOpen = waitingCalls(state).some((call) => call.callId === callId) || findWaiting(state, callId);
  throw isOpen ? error : notWaiting(run, callId, 'a decision or a result');
}
