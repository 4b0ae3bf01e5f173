import { checkValue } from '../../json/check-value.ts';
import { defaultLimits } from '../../json/limits.ts';
import { ToolmendError } from '../../json/toolmend-error.ts';
import { equal, fieldName } from '../../json/value.ts';
import { type ApprovalDecided, type Decision, pausedEnds, type RunEvent } from '../events.ts';
import { isOver, stateOf } from '../fold.ts';
import { type RedactRun, redactEvent } from '../journal.ts';
import { isRedacted, redactor } from '../redact/redact.ts';
import type { RunState } from '../state.ts';
import { SequenceTaken, type Store } from '../store.ts';
import { appendAndWake } from './wake-parents.ts';

export interface DecideOptions {
  /** Removes secrets before recording. */
  readonly redact?: RedactRun | undefined;
  /**
   * Sequence number of the request that was decided.
   * @default any
   */
  readonly asked?: number | undefined;
  /** Id of the command that decided it. */
  readonly command?: string | undefined;
  /** Whether no process has the run although it isn't paused, because its worker died. */
  readonly isAbandoned?: boolean;
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
  const { redact = redactor({ env: process.env }), asked, command, isAbandoned = false } = options;
  for (let tries = 5; ; tries -= 1) {
    const state = await stateOf(store, run);
    const decided = storedDecision(state, callId, given, redact);
    const call = state.calls.get(callId);
    if (call?.state !== 'approval_required' || call.decision)
      throw new ToolmendError('not_waiting', `Call ${callId} of run ${run} is not waiting for approval`);
    checkIsNewest(state, callId, asked);
    // Writing to an active run would conflict with its process, and lose what its tools have done.
    if (isAbandoned ? isOver(state) : !pausedEnds.has(state.ended?.end)) throw notPaused(state);
    try {
      return await appendAndWake(store, state, [{ ...decided, ...(command !== undefined && { command }) }]);
    } catch (error) {
      if (!SequenceTaken.isInstance(error) || tries <= 1) throw error;
    }
  }
}

/**
 * Checks that a decision is about the newest request, because a newer one may have other arguments or another definition.
 *
 * @param asked sequence number of the request that was decided (default: any)
 */
export function checkIsNewest({ calls }: RunState, callId: string, asked: number | undefined): void {
  const newest = calls.get(callId)?.audit.findLast((step) => step.state === 'approval_required')?.seq;
  if (asked !== undefined && newest !== asked)
    throw new ToolmendError('not_waiting', 'The approval was requested again since. Review the new request.');
}

function notPaused({ run, ended }: RunState): ToolmendError {
  const why = ended
    ? `has ended as '${ended.end}'. Continue it first.`
    : 'is still running, or its process has died. Decide when it waits for approval, or resume it.';
  return new ToolmendError('not_waiting', `Run ${run} ${why}`);
}

/**
 * The decision as the log stores it.
 *
 * @throws ToolmendError `unstorable_edit` if edited arguments contain a secret or are not JSON: the tool would run with
 * others than approved
 */
export function storedDecision(
  { run, seq, started }: RunState,
  callId: string,
  given: Decision,
  redact: RedactRun,
): RunEvent<ApprovalDecided> {
  const fact = { type: 'approval.decided', callId, decision: given, run, seq: seq + 1, at: Date.now() } as const;
  checkDecision(given);
  if (given.type === 'edit') checkIsJson(given.input);
  const decided: RunEvent<ApprovalDecided> = redactEvent(fact, (event) =>
    redact(event, { run, context: started?.context }),
  );
  const { decision } = decided;
  if (given.type === 'edit' && (isRedacted(given.input) || !equal(decision, given)))
    throw new ToolmendError(
      'unstorable_edit',
      'The edited arguments contain a secret, which the log does not store. Edit them without it, or deny the call.',
    );
  return decided;
}

const limits = { ...defaultLimits, keys: Number.POSITIVE_INFINITY };

function checkIsJson(input: unknown): void {
  const { path = [], what = 'limit' } = checkValue(input, limits) ?? {};
  // A field that is undefined is one that is missing.
  if (what === 'limit' || (what === 'undefined' && typeof path.at(-1) === 'string')) return;
  throw new ToolmendError(
    'unstorable_edit',
    `The edited arguments can't be stored: ${fieldName(path)} is ${what}, which JSON cannot express. Edit them without it, or deny the call.`,
  );
}

/**
 * Checks a decision that a program passes.
 *
 * @throws ToolmendError `invalid_option` if it is none
 */
export function checkDecision(decision: Decision): void {
  if (['allow', 'deny', 'edit'].includes(decision?.type)) return;
  throw new ToolmendError(
    'invalid_option',
    `Invalid decision ${JSON.stringify(decision)}: expected { type: "allow" }, { type: "deny", reason } or { type: "edit", input }.`,
  );
}
