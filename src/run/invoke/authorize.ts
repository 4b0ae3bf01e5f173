import type { ApprovalRequest, AskReason, CallToDecide, PermissionDecision } from '../../execute/permission-rules.ts';
import { abandoned, untilAborted } from '../../execute/run-tool.ts';
import { messageOf } from '../../execute/tool-result.ts';
import { equal, isObject, ownCopy } from '../../json/value.ts';
import { alwaysKey, type Decision } from '../../log/events.ts';
import { mend } from '../../mend/mend.ts';
import type { GoodOutcome, Outcome } from '../../mend/outcome.ts';
import type { CallPart } from '../../model/index.ts';
import { toolFingerprint } from '../../tools/tool.ts';
import { deny, refuse, stop } from './respond.ts';
import { type ApprovalProposal, askOnce, type Settled, settleDecision } from './settle-decision.ts';
import type { Invocation, InvokeOptions } from './types.ts';

/**
 * Applies hooks, permission rules and the approver, in this order. Returns the call to run, or its result if it doesn't
 * run. A recorded decision is final: hooks don't run again, and no rule overrides it. If it doesn't cover the call,
 * approval is requested again.
 */
export async function authorize(
  part: CallPart,
  outcome: Outcome,
  options: InvokeOptions,
): Promise<GoodOutcome | Invocation> {
  const { decision, approval } = options;
  if (decision && (approval || decision.type === 'deny'))
    return carryOn(part, settleDecision(part, outcome, approval ?? approvalOf(outcome), decision, options), options);
  if (approval) return carryOn(part, askOnce(part, outcome, approval, options), options);
  if (outcome.status === 'invalid') return refuse(part, outcome, options);
  const hooked = options.hooks?.before || options.signal?.aborted ? await hook(part, outcome, options) : outcome;
  if ('state' in hooked) return hooked;
  const verdict = options.permissions ? judged(options, toDecide(part, hooked, options)) : allowed;
  if (verdict.type === 'deny') return deny(part, hooked, verdict.reason, options);
  const asking = openReason(verdict, hooked, options);
  // Without the approval request, the caller guarantees that the decision is about this call.
  if (decision?.type === 'allow' && !equal(hooked.input, outcome.input)) {
    const { rule } = asking ?? { rule: hooked.name };
    return request(part, { outcome: hooked, reason: 'a hook has changed it since it was allowed', rule }, options);
  }
  if (decision) return carryOn(part, settleDecision(part, hooked, approvalOf(hooked), decision, options), options);
  return asking ? request(part, { outcome: hooked, ...asking }, options) : hooked;
}

/** The first rule that requires approval of a call and isn't covered by an `always`. */
function openReason(
  verdict: PermissionDecision,
  { tool }: GoodOutcome,
  { always }: InvokeOptions,
): AskReason | undefined {
  if (verdict.type !== 'ask') return undefined;
  const fingerprint = always && toolFingerprint(tool);
  const open = [verdict, ...(verdict.others ?? [])].find(
    ({ rule }) => fingerprint === undefined || !always?.has(alwaysKey(rule, fingerprint)),
  );
  return open && { rule: open.rule, reason: open.reason };
}

const approvalOf = (outcome: Outcome) => ({
  name: outcome.name,
  input: outcome.input,
  ...(outcome.tool && { fingerprint: toolFingerprint(outcome.tool) }),
});

/** Carries out a decision. */
async function carryOn(part: CallPart, settled: Settled, options: InvokeOptions): Promise<GoodOutcome | Invocation> {
  switch (settled.type) {
    case 'run': {
      // A denied call doesn't run even if it was allowed before or edited.
      const verdict = judged(options, toDecide(part, settled.outcome, options));
      return verdict.type === 'deny' ? deny(part, settled.outcome, verdict.reason, options) : settled.outcome;
    }
    case 'deny':
      return deny(part, settled.outcome, settled.reason, options);
    case 'refuse':
      return refuse(part, settled.outcome, options);
    case 'again':
      return request(part, settled.proposal, options);
  }
}

/** Maximum number of invalid edits returned to an approver in a row. After that the call stays pending. */
const mostEdits = 20;

/** Requests approval until there is a usable decision, or none for now. */
async function request(
  part: CallPart,
  first: ApprovalProposal,
  options: InvokeOptions,
): Promise<GoodOutcome | Invocation> {
  let proposal = first;
  for (let tries = 0; ; tries += 1) {
    const { outcome, reason, rule, problems } = proposal;
    const { name, input, tool } = outcome;
    const approval = { name, input, rule, fingerprint: toolFingerprint(tool) };
    const told = { reason, ...(problems && { problems }) };
    const callId = part.id;
    await options.record?.commit({ type: 'approval.requested', callId, ...approval, effect: tool.effect, ...told });
    const isOver = tries > mostEdits || options.decided?.() !== undefined;
    const said = isOver ? undefined : await ask(options, { ...toDecide(part, outcome, options), rule, ...told });
    // Another process may have decided in the meantime. A recorded decision is final.
    const recorded = options.decided?.();
    if (said === abandoned && recorded?.type !== 'deny') return stop(part, outcome, options);
    const decision = recorded ?? (said === abandoned ? undefined : ownCopy(said));
    if (!decision) return { state: 'approval_required', outcome };
    const settled = settleDecision(part, outcome, approval, decision, options);
    const isReturned = settled.type === 'again' && settled.proposal.problems !== undefined;
    // An invalid edit is not a decision: it is returned, and the request stays open.
    if (!recorded && !isReturned) {
      options.record?.note({ type: 'approval.decided', callId, decision });
      if (decision.type === 'allow' && decision.always) options.always?.add(alwaysKey(rule, approval.fingerprint));
    }
    if (settled.type !== 'again') return carryOn(part, settled, options);
    proposal = settled.proposal;
  }
}

/** The decision of the permission rules. Denies if they throw. */
function judged({ permissions }: InvokeOptions, call: CallToDecide): PermissionDecision {
  try {
    const verdict = permissions ? permissions.decide({ ...call, input: ownCopy(call.input) }) : allowed;
    return isDecision(verdict) ? verdict : { type: 'deny', reason: 'the rules returned no decision' };
  } catch (error) {
    return { type: 'deny', reason: `the rules failed: ${messageOf(error)}` };
  }
}

const allowed: PermissionDecision = { type: 'allow' };
const verdicts: ReadonlySet<unknown> = new Set<PermissionDecision['type']>(['allow', 'deny', 'ask']);

/** Whether rules written in JavaScript returned a decision. */
function isDecision(verdict: PermissionDecision | undefined): boolean {
  if (!verdict || !verdicts.has(verdict.type)) return false;
  const others: unknown = verdict.type === 'ask' ? verdict.others : undefined;
  return (
    others === undefined ||
    (Array.isArray(others) && others.every((one) => isObject(one) && typeof one.rule === 'string'))
  );
}

async function ask(
  { approve, signal }: InvokeOptions,
  call: ApprovalRequest,
): Promise<Decision | undefined | typeof abandoned> {
  try {
    return await untilAborted(
      approve?.({ ...call, input: ownCopy(call.input) }, { signal: signal ?? new AbortController().signal }),
      signal,
    );
  } catch (error) {
    // Denies if the approver throws.
    return { type: 'deny', reason: `The approval failed: ${messageOf(error)}` };
  }
}

async function hook(part: CallPart, outcome: GoodOutcome, options: InvokeOptions): Promise<GoodOutcome | Invocation> {
  let said: unknown;
  try {
    const call = toDecide(part, outcome, options);
    said = await untilAborted(options.hooks?.before?.({ ...call, input: ownCopy(call.input) }), options.signal);
  } catch (error) {
    return deny(part, outcome, `A hook failed: ${messageOf(error)}`, options);
  }
  if (said === abandoned) return stop(part, outcome, options);
  if (!isObject(said)) return outcome;
  if (said.deny !== undefined && said.deny !== false) return deny(part, outcome, messageOf(said.deny), options);
  return said.input !== undefined ? checkAgain(part, outcome, ownCopy(said.input), options) : outcome;
}

/** Validates the arguments from a hook like those of a model. */
function checkAgain(
  part: CallPart,
  outcome: GoodOutcome,
  input: unknown,
  options: InvokeOptions,
): GoodOutcome | Promise<Invocation> {
  const again = mend(
    { id: part.id, name: outcome.name, arguments: input, repeated: true },
    options.toolbox,
    options.policy,
  );
  if (again.status === 'invalid') return refuse(part, { ...again, raw: outcome.raw }, options);
  return { ...again, raw: outcome.raw };
}

const toDecide = (
  part: CallPart,
  { tool, name, input }: GoodOutcome,
  { run, context }: InvokeOptions,
): CallToDecide => ({
  callId: part.id,
  tool,
  name,
  input,
  ...(run !== undefined && { run }),
  ...(context !== undefined && { context: ownCopy(context) }),
});
