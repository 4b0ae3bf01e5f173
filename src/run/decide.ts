import { mend } from '../call/mend.ts';
import type { GoodOutcome } from '../call/outcome.ts';
import type { Approver, CallToDecide, Verdict } from '../exec/permission.ts';
import { messageOf } from '../exec/tool-result.ts';
import { givenUp, untilAborted } from '../exec/until-aborted.ts';
import { isObject } from '../json/value.ts';
import type { Decision } from '../log/decision.ts';
import type { RunFact } from '../log/event.ts';
import type { CallPart } from '../turn/turn.ts';
import { deny, refuse, stop } from './answer-call.ts';
import type { Invocation, InvokeOptions } from './invocation.ts';

/** Asks hooks, rules and people, in that order; the call as it may run, or what came of it instead. */
export async function decide(
  part: CallPart,
  outcome: GoodOutcome,
  options: InvokeOptions,
): Promise<GoodOutcome | Invocation> {
  const hooked = await hook(part, outcome, options);
  if ('state' in hooked) return hooked;
  const call = toDecide(part, hooked);
  const verdict = judged(options, call);
  if (verdict.type === 'allow') return hooked;
  if (verdict.type === 'deny') return deny(part, hooked, verdict.reason, options);

  const { reason, rule } = verdict;
  const { name, input, tool } = hooked;
  let { decision } = options;
  if (!decision) {
    const asked: RunFact = { type: 'approval.asked', callId: part.id, name, input, effect: tool.effect, reason };
    await options.record?.commit(asked);
    const said = await ask(options, { ...call, reason, rule });
    if (said === givenUp) return stop(part, hooked, options);
    decision = said;
    if (!decision) return { state: 'approval_required', outcome: hooked };
    options.record?.note({ type: 'approval.given', callId: part.id, decision });
  }
  if (decision.type === 'deny') return deny(part, hooked, decision.reason ?? 'The user said no', options);
  if (decision.type === 'allow') {
    if (decision.always) remember(options, rule);
    return hooked;
  }
  if (decision.type !== 'edit') return deny(part, hooked, 'The answer to the question was no decision', options);
  const edited = await checkAgain(part, hooked, decision.input, options);
  if ('state' in edited) return edited;
  // What never runs does not run because somebody wrote it into an edit.
  const again = judged(options, toDecide(part, edited));
  return again.type === 'deny' ? deny(part, edited, again.reason, options) : edited;
}

/** What the rules say. Where they fail nobody said yes, so the answer is no. */
function judged({ permissions }: InvokeOptions, call: CallToDecide): Verdict {
  try {
    const verdict = permissions ? permissions.decide(call) : allowed;
    return verdicts.has(verdict?.type) ? verdict : { type: 'deny', reason: 'the rules gave no verdict' };
  } catch (error) {
    return { type: 'deny', reason: `the rules failed: ${messageOf(error)}` };
  }
}

const allowed: Verdict = { type: 'allow' };
const verdicts: ReadonlySet<unknown> = new Set<Verdict['type']>(['allow', 'deny', 'ask']);

/** A rule that can't be remembered is asked about again: this call was allowed all the same. */
function remember({ permissions }: InvokeOptions, rule: string): void {
  try {
    permissions?.remember(rule);
  } catch {}
}

async function ask(
  { approve, signal }: InvokeOptions,
  call: Parameters<Approver>[0],
): Promise<Decision | undefined | typeof givenUp> {
  try {
    return await untilAborted(approve?.(call, { signal: signal ?? new AbortController().signal }), signal);
  } catch (error) {
    // Nobody said yes, so the answer is no.
    return { type: 'deny', reason: `The approval failed: ${messageOf(error)}` };
  }
}

async function hook(part: CallPart, outcome: GoodOutcome, options: InvokeOptions): Promise<GoodOutcome | Invocation> {
  let said: unknown;
  try {
    said = await untilAborted(options.hooks?.before?.(toDecide(part, outcome)), options.signal);
  } catch (error) {
    return deny(part, outcome, `A hook failed: ${messageOf(error)}`, options);
  }
  if (said === givenUp) return stop(part, outcome, options);
  if (!isObject(said)) return outcome;
  if (said.deny !== undefined && said.deny !== false) return deny(part, outcome, messageOf(said.deny), options);
  return 'input' in said ? checkAgain(part, outcome, said.input, options) : outcome;
}

/** Edited arguments are checked as a model's are: an edit may be wrong too. */
function checkAgain(
  part: CallPart,
  outcome: GoodOutcome,
  input: unknown,
  options: InvokeOptions,
): GoodOutcome | Promise<Invocation> {
  const again = mend({ id: part.id, name: outcome.name, arguments: input }, options.toolbox, options.policy);
  if (again.status === 'invalid') return refuse(part, { ...again, raw: outcome.raw }, options);
  return { ...again, raw: outcome.raw };
}

const toDecide = (part: CallPart, { tool, name, input }: GoodOutcome): CallToDecide => ({
  ...{ callId: part.id, tool, name, input },
});
