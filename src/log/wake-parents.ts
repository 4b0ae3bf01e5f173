import { setTimeout as pause } from 'node:timers/promises';
import { pausedEnds } from './events.ts';
import { stateOf } from './fold.ts';
import type { RunState } from './state.ts';
import { SequenceTaken, type Store } from './store.ts';

/** Time for a parent that still runs other calls to pause, in milliseconds. */
const patience = 10_000;
const interval = 100;

/**
 * Lets the parents of a child run continue, after a decision or a result was recorded for it: a parent waits for the
 * result of its child, and runs the child when it continues.
 */
export async function wakeParents(store: Store, { started }: RunState): Promise<void> {
  for (let parent = started?.parent; parent; ) parent = (await wake(store, parent.run, parent.callId)).started?.parent;
}

async function wake(store: Store, run: string, callId: string): Promise<RunState> {
  for (const until = performance.now() + patience; ; await pause(interval)) {
    const state = await stateOf(store, run);
    const call = state.calls.get(callId);
    const mayWait = call && !call.result && !call.received;
    if (!mayWait || performance.now() >= until) return state;
    if (call.state !== 'result_required' || !pausedEnds.has(state.ended?.end)) continue;
    try {
      await store.append([{ type: 'result.received', callId, again: true, run, seq: state.seq + 1, at: Date.now() }]);
      return state;
    } catch (error) {
      if (!SequenceTaken.isInstance(error)) throw error;
    }
  }
}
