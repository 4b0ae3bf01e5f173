import { ToolmendError } from '../json/toolmend-error.ts';
import { equal } from '../json/value.ts';
import { type Decision, pausedEnds } from './events.ts';
import { stateOf } from './fold.ts';
import { isRedacted, redactor } from './redact/redact.ts';
import { SequenceTaken, type Store } from './store.ts';
import { wakeParents } from './wake-parents.ts';

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
  const decision = storedDecision(given, redact);
  for (let tries = 3; ; tries -= 1) {
    const state = await stateOf(store, run);
    const call = state.calls.get(callId);
    if (call?.state !== 'approval_required' || call.decision)
      throw new ToolmendError('not_waiting', `Call ${callId} of run ${run} is not waiting for approval`);
    // A newer request may have other arguments or another definition.
    if (asked !== undefined && call.audit.findLast((step) => step.state === 'approval_required')?.seq !== asked)
      throw new ToolmendError('not_waiting', 'The approval was requested again since. Review the new request.');
    // Writing to an active run would conflict with its process, and lose what its tools have done.
    if (!pausedEnds.has(state.ended?.end))
      throw new ToolmendError('not_waiting', `Run ${run} is still running. Decide when it waits for approval.`);
    try {
      await store.append([{ type: 'approval.decided', callId, decision, run, seq: state.seq + 1, at: Date.now() }]);
      return await wakeParents(store, state);
    } catch (error) {
      if (!(error instanceof SequenceTaken) || tries <= 1) throw error;
    }
  }
}

/**
 * The decision as the log stores it.
 *
 * @throws ToolmendError `unstorable_edit` if edited arguments contain a secret: the tool would run with others than approved
 */
export function storedDecision(given: Decision, redact: <T>(value: T) => T): Decision {
  const decision = redact(given);
  if (given.type === 'edit' && (isRedacted(given.input) || !equal(decision, given)))
    throw new ToolmendError(
      'unstorable_edit',
      'The edited arguments contain a secret, which the log does not store. Edit them without it, or deny the call.',
    );
  return decision;
}
