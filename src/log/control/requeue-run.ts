import { ToolmendError } from '../../json/toolmend-error.ts';
import { pausedEnds, type RunEvent } from '../events.ts';
import { fold } from '../fold.ts';
import type { RunState } from '../state.ts';
import type { Store } from '../store.ts';

/** Folds a run from its store. Without events, the run doesn't exist. */
export async function stateOf(store: Store, run: string): Promise<RunState> {
  const events: RunEvent[] = [];
  for await (const event of store.read(run)) events.push(event);
  return fold(events);
}

/** The state of a run. Throws if the store doesn't have it. */
export async function existingState(store: Store, run: string): Promise<RunState> {
  const state = await stateOf(store, run);
  if (state.seq > 0) return state;
  throw new ToolmendError('unknown_run', `There is no run ${run} in this store. List the runs to find its id.`);
}

/**
 * Records that a queued run continues: one that is dead, whose attempts are counted from 0 again, or one that has ended.
 * Workers find it in the log and add it to their queue.
 */
export async function requeueRun(store: Store, run: string): Promise<void> {
  const { seq, ended, started } = await existingState(store, run);
  if (!started?.queued)
    throw new ToolmendError(
      'not_queued',
      `The run ${run} was not submitted to workers. Continue it with 'toolmend runs resume ${run}'.`,
    );
  // Continuing an ended run must be in the log, too. One that is paused continues by itself.
  if (ended && !pausedEnds.has(ended.end))
    await store.append([{ type: 'run.resumed', run, seq: seq + 1, at: Date.now() }]);
}
