import { equal } from '../json/value.ts';
import type { Decision, RunEvent } from './events.ts';
import { fold } from './fold.ts';
import { isRedacted, redactor } from './redact/redact.ts';
import { SequenceTaken, type Store } from './store.ts';

/** Thrown if a decision can't be recorded. */
export class NotWaiting extends Error {}

/** Thrown for an edit that can't be recorded completely. The call stays pending. */
export class UnstorableEdit extends Error {}

export interface DecideOptions {
  /** Removes secrets before recording. */
  readonly redact?: <T>(value: T) => T;
  /**
   * Sequence number of the request that was decided.
   * @default any
   */
  readonly asked?: number | undefined;
}

/**
 * Records a decision about a pending call of a paused run, once. The next process that resumes the run applies it.
 * Retries if another process writes the run at the same moment.
 */
export async function decideApproval(
  store: Store,
  run: string,
  callId: string,
  given: Decision,
  options: DecideOptions = {},
): Promise<void> {
  const { redact = redactor({ env: process.env }), asked } = options;
  const decision = redact(given);
  if (given.type === 'edit' && (isRedacted(given.input) || !equal(decision, given)))
    throw new UnstorableEdit('The edited arguments hold a secret, which is not kept, so that they could not run');
  for (let tries = 3; ; tries -= 1) {
    const events: RunEvent[] = [];
    for await (const event of store.read(run)) events.push(event);
    const state = fold(events);
    const call = state.calls.get(callId);
    if (call?.state !== 'approval_required' || call.decision)
      throw new NotWaiting('This call is not waiting for approval');
    // A newer request may have other arguments or another definition.
    if (asked !== undefined && call.audit.findLast((step) => step.state === 'approval_required')?.seq !== asked)
      throw new NotWaiting('It was asked anew since; look at what it is now');
    // Writing to an active run would conflict with its process, and lose what its tools have done.
    if (state.ended?.end !== 'awaiting_approval')
      throw new NotWaiting('The run is still at work; decide when it has come to rest');
    try {
      await store.append([{ type: 'approval.decided', callId, decision, run, seq: state.seq + 1, at: Date.now() }]);
      return;
    } catch (error) {
      if (!(error instanceof SequenceTaken) || tries <= 1) throw error;
    }
  }
}
