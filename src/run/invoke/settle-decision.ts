import type { Problem } from '../../json/problem.ts';
import { equal } from '../../json/value.ts';
import type { Approval, Decision } from '../../log/events.ts';
import { mend } from '../../mend/mend.ts';
import type { BadOutcome, GoodOutcome, Outcome } from '../../mend/outcome.ts';
import type { CallPart } from '../../model/index.ts';
import { toolFingerprint } from '../../tools/tool.ts';
import type { InvokeOptions } from './types.ts';

/** A call to approve, and why. */
export interface ApprovalProposal {
  readonly outcome: GoodOutcome;
  readonly reason: string;
  readonly rule: string;
  /** Why the previous edit is invalid. */
  readonly problems?: readonly Problem[];
}

/** The effect of a decision, given the current tools. */
export type Settled =
  | { readonly type: 'run'; readonly outcome: GoodOutcome }
  | { readonly type: 'deny'; readonly outcome: Outcome; readonly reason: string }
  /** The approved call is no longer valid. */
  | { readonly type: 'refuse'; readonly outcome: BadOutcome }
  /** The decision doesn't cover the call that would run. */
  | { readonly type: 'again'; readonly proposal: ApprovalProposal };

type Checking = Pick<InvokeOptions, 'toolbox' | 'policy'>;

/**
 * Checks a decision against the current tools. Only the approved input runs, with the approved definition; a denial
 * needs neither.
 *
 * @param outcome the call as it would run without a decision
 */
export function settleDecision(
  part: CallPart,
  outcome: Outcome,
  approval: Approval,
  decision: Decision,
  options: Checking,
): Settled {
  if (decision.type === 'deny') return { type: 'deny', outcome, reason: denialReason(decision) };
  if (decision.type !== 'allow' && decision.type !== 'edit')
    return { type: 'deny', outcome, reason: 'The approver returned an invalid decision' };

  const tool = options.toolbox.get(approval.name);
  if (!tool) return asNow(outcome, approval);
  const asked = askedCall(part, outcome, approval, options);
  const edited = decision.type === 'edit' ? exactCall(part, approval.name, decision.input, options) : undefined;
  const wanted = edited ?? asked;
  const rule = approval.rule ?? approval.name;

  if (approval.fingerprint !== toolFingerprint(tool)) {
    const good = [wanted, asked].find((one) => one.status !== 'invalid');
    if (!good) return { type: 'refuse', outcome: asked as BadOutcome };
    const reason = approval.fingerprint
      ? 'its definition has changed since it was allowed'
      : 'there is no record of the definition that was approved';
    return { type: 'again', proposal: { outcome: good, reason, rule } };
  }
  if (wanted.status !== 'invalid') return { type: 'run', outcome: { ...wanted, raw: outcome.raw } };
  if (asked.status === 'invalid') return { type: 'refuse', outcome: { ...asked, raw: outcome.raw } };
  const reason = 'the edited arguments do not match its schema';
  return { type: 'again', proposal: { outcome: asked, reason, rule, problems: wanted.problems } };
}

/** Why a person denied a call. */
export const denialReason = ({ reason }: Extract<Decision, { type: 'deny' }>): string => reason ?? 'The user refused';

/** Repeats the approval request of a pending call in another process. */
export function askOnce(part: CallPart, outcome: Outcome, approval: Approval, options: Checking): Settled {
  if (!options.toolbox.get(approval.name)) return asNow(outcome, approval);
  const asked = askedCall(part, outcome, approval, options);
  if (asked.status === 'invalid') return { type: 'refuse', outcome: { ...asked, raw: outcome.raw } };
  const { rule = approval.name, reason = 'no decision has been made yet' } = approval;
  return { type: 'again', proposal: { outcome: { ...asked, raw: outcome.raw }, reason, rule } };
}

/** The call that was approved. */
function askedCall(part: CallPart, outcome: Outcome, { name, input }: Approval, options: Checking): Outcome {
  const tool = options.toolbox.get(name);
  const isSame = outcome.status !== 'invalid' && outcome.tool === tool && equal(outcome.input, input);
  return isSame ? outcome : exactCall(part, name, input, options);
}

/** The approved tool no longer exists. If the call now resolves to another tool, approval is requested for that one. */
function asNow(outcome: Outcome, { rule, name }: Approval): Settled {
  if (outcome.status === 'invalid') return { type: 'refuse', outcome };
  const reason = `${name}, which approval was requested for, no longer exists`;
  return { type: 'again', proposal: { outcome, reason, rule: rule ?? name } };
}

/** A call with exactly these arguments. Arguments written by a person are not mended. */
export function exactCall(
  { id }: Pick<CallPart, 'id'>,
  name: string,
  input: unknown,
  { toolbox, policy }: Checking,
): Outcome {
  // `repeated` skips the checks for doubtful values, because a person has read them.
  const raw = { id, name, arguments: input, repeated: true };
  const outcome = mend(raw, toolbox, { ...policy, minCertainty: 'lossless' });
  if (outcome.status === 'invalid' || equal(outcome.input, input)) return outcome;
  const { tool, repairs } = outcome;
  const message = 'Root object would be changed before the call runs; write the arguments exactly';
  const problems: Problem[] = [{ path: [], code: 'type', message }];
  return { status: 'invalid', errorType: 'validation', raw, tool, name: tool.name, input, repairs, problems };
}
