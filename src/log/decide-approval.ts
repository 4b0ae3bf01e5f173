import { equal } from '../json/value.ts';
import type { Decision, RunEvent } from './events.ts';
import { fold } from './fold.ts';
import { isRedacted, redactor } from './redact/redact.ts';
import { SequenceTaken, type Store } from './store.ts';

/** Why a decision could not be taken. */
export class NotWaiting extends Error {}

/** An edit that could be recorded only in part. The call still waits. */
export class UnstorableEdit extends Error {}

export interface DecideOptions {
  /** Takes secrets out of what is recorded. */
  readonly redact?: <T>(value: T) => T;
  /** The number of the request that was answered; any, unless it is said. */
  readonly asked?: number | undefined;
}

/**
 * Records what a person said, once, about a call of a run that rests until somebody does. Whoever takes the run up next goes
 * by it; where somebody else writes the run at this moment, it is looked at once more.
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
    // Since the request that a person saw, another may have been put: with other arguments, or another definition.
    if (asked !== undefined && call.audit.findLast((step) => step.state === 'approval_required')?.seq !== asked)
      throw new NotWaiting('It was asked anew since; look at what it is now');
    // Whoever is at work on the run would lose it to this event, and with it what its tools have done.
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
