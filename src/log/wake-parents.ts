import { pausedEnds, type RunEvent } from './events.ts';
import { stateOf } from './fold.ts';
import type { RunState } from './state.ts';
import { SequenceTaken, type Store } from './store.ts';

/** The runs above a child, from its parent up. Ends at one that was deleted. */
export async function* parentsOf(store: Store, { started }: RunState): AsyncGenerator<RunState> {
  for (let parent = started?.parent; parent; ) {
    const state = await stateOf(store, parent.run);
    if (state.seq === 0) return;
    yield state;
    parent = state.started?.parent;
  }
}

/** The run that workers take for a run: itself, or the first of its parents. Without its parent, a child is on its own. */
export async function rootOf(store: Store, run: RunState): Promise<RunState> {
  let root = run;
  for await (const parent of parentsOf(store, run)) root = parent;
  return root;
}

/**
 * Appends events of a run together with those that let its paused parents continue: a parent waits for the result of its
 * child, and runs the child when it continues. A process that died between the two would leave the parents waiting.
 */
export async function appendAndWake(store: Store, state: RunState, events: readonly RunEvent[]): Promise<void> {
  const { waking, isActive } = await wakeEvents(store, state);
  await store.append([...events, ...waking]);
  // A parent that was active looks for ready children when it pauses, and may have done so before the append.
  if (isActive) await wakeAgain(store, state);
}

async function wakeAgain(store: Store, state: RunState): Promise<void> {
  const { waking } = await wakeEvents(store, state);
  try {
    if (waking.length > 0) await store.append(waking);
  } catch (error) {
    // Another process continues a parent.
    if (!SequenceTaken.isInstance(error)) throw error;
  }
}

/** The events that let paused parents continue, and whether another parent may be active. */
async function wakeEvents(
  store: Store,
  child: RunState,
): Promise<{ readonly waking: readonly RunEvent[]; readonly isActive: boolean }> {
  const waking: RunEvent[] = [];
  let isActive = false;
  let link = child.started?.parent;
  for await (const { run, seq, calls, ended, started } of parentsOf(store, child)) {
    const { callId = '' } = link ?? {};
    const call = calls.get(callId);
    const mayWait = call && !call.result && !call.received;
    if (mayWait && call.state === 'result_required' && pausedEnds.has(ended?.end))
      waking.push({ type: 'result.received', callId, again: true, run, seq: seq + 1, at: Date.now() });
    else if (mayWait) isActive = true;
    link = started?.parent;
  }
  return { waking, isActive };
}
