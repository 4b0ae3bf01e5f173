import { setTimeout as pause } from 'node:timers/promises';
import { pausedEnds, type RunEvent } from '../events.ts';
import { isOver, stateOf } from '../fold.ts';
import { appendForLoaded, isActive, stopActive } from '../journal.ts';
import type { RunState } from '../state.ts';
import { SequenceTaken, type Store } from '../store.ts';
import { abortedFact, settledCall } from './settled-fact.ts';
import { childEnds, wakeEvents } from './wake-parents.ts';

/** Why a run that is deleted ends. */
export const deleted = 'The run is deleted';

/** Time for a run to stop before it is deleted, in milliseconds. */
export const cancelTime = 2000;

/**
 * Ends a run before it is deleted, and cancels its children. A process that still has it can't write it any more. A
 * parent that waits for it or was running it gets a failure, and doesn't start it again.
 */
export async function endBeforeRemoval(store: Store, run: string): Promise<void> {
  const stopping = stopActive(store, run, deleted);
  if (stopping) await Promise.race([stopping.catch(() => {}), pause(cancelTime, undefined, { ref: false })]);
  for (let tries = 5; ; tries -= 1) {
    const state = await stateOf(store, run);
    if (state.seq === 0) return;
    const events: RunEvent[] = await parentEvents(store, state);
    if (!isOver(state)) events.push({ ...abortedFact(deleted), run, seq: state.seq + 1, at: Date.now() });
    // A run that is dead has calls without a result, whose children may wait.
    events.push(...(await childEnds(store, state, deleted)));
    try {
      if (events.length > 0) await appendForLoaded(store, events);
      return;
    } catch (error) {
      if (!SequenceTaken.isInstance(error) || tries <= 1) throw error;
    }
  }
}

const unknown = (error: string): string =>
  `${error}. It is not known what it has done. Check before you make the call again.`;

/** The failure for the parent of a run that waits for it, or was running it when its process died. */
async function parentEvents(store: Store, { run: child, started }: RunState): Promise<RunEvent[]> {
  if (!started?.parent) return [];
  const { run, callId } = started.parent;
  const error = `The run ${child} was deleted`;
  for (const until = performance.now() + cancelTime; ; await pause(50)) {
    const parent = await stateOf(store, run);
    const call = parent.calls.get(callId);
    if (!call || call.received || call.result) return [];
    const next = { run, seq: parent.seq + 1, at: Date.now() };
    const isWaiting = call.state === 'result_required';
    if (isWaiting && pausedEnds.has(parent.ended?.end)) {
      const received = { type: 'result.received', callId, value: { ok: false, error }, ...next } as const;
      return [received, ...(await wakeEvents(store, parent)).waking];
    }
    // It runs other calls, and pauses after them. If it was running the child, its process has died or can't reach it.
    if (performance.now() >= until)
      return isWaiting || isActive(store, run) ? [] : [{ ...settledCall(call, 'unknown', unknown(error)), ...next }];
  }
}
