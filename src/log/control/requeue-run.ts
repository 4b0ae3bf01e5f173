import { ToolmendError } from '../../json/toolmend-error.ts';
import { pausedEnds } from '../events.ts';
import { existingState } from '../fold.ts';
import type { Store } from '../store.ts';

/**
 * Records that a queued run continues: one that is dead, whose attempts are counted from 0 again, or one that has ended.
 * Workers find it in the log and add it to their queue.
 */
export async function requeueRun(store: Store, run: string): Promise<void> {
  const { seq, ended, started } = await existingState(store, run);
  if (started?.parent)
    throw new ToolmendError(
      'not_queued',
      `The run ${run} is a child of the run ${started.parent.run}, which runs it. Queue that one again.`,
    );
  if (!started?.queued)
    throw new ToolmendError(
      'not_queued',
      `The run ${run} was not submitted to workers. Continue it with 'toolmend runs resume ${run}'.`,
    );
  // Continuing an ended run must be in the log, too. One that is paused continues by itself.
  if (ended && !pausedEnds.has(ended.end))
    await store.append([{ type: 'run.resumed', run, seq: seq + 1, at: Date.now() }]);
}
