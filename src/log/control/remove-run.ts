import { setTimeout as pause } from 'node:timers/promises';
import { pausedEnds, type RunEvent } from '../events.ts';
import { isOver, stateOf } from '../fold.ts';
import { appendForLoaded, stopActive } from '../journal.ts';
import type { RunState } from '../state.ts';
import { SequenceTaken, type Store } from '../store.ts';
import { abortedFact } from './settled-fact.ts';
import { childEnds, wakeEvents } from './wake-parents.ts';

/** Why a run that is deleted ends. */
export const deleted = 'The run is deleted';

/** Time for a run to stop before it is deleted, in milliseconds. */
export const cancelTime = 2000;

/**
 * Ends a run before it is deleted, and cancels its children. A process that still has it can't write it any more. A
 * parent that waits for it gets a failure, and doesn't start it again.
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

/** The failure for the parent of a run that waits for it. */
async function parentEvents(store: Store, { run: child, started }: RunState): Promise<RunEvent[]> {
  if (!started?.parent) return [];
  const { run, callId } = started.parent;
  for (const until = performance.now() + cancelTime; ; await pause(50)) {
    const parent = await stateOf(store, run);
    const call = parent.calls.get(callId);
    if (call?.state !== 'result_required' || call.received || call.result) return [];
    if (pausedEnds.has(parent.ended?.end)) {
      const value = { ok: false, error: `The run ${child} was deleted` };
      const received = { type: 'result.received', callId, value, run, seq: parent.seq + 1, at: Date.now() } as const;
      return [received, ...(await wakeEvents(store, parent)).waking];
    }
    // It runs other calls, and pauses after them.
    if (performance.now() >= until) return [];
  }
}
