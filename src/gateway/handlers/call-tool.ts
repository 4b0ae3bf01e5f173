import type { ClientCapabilities, UrlElicitationRequiredError } from '@modelcontextprotocol/client';
import { equal, isObject } from '../../json/value.ts';
import type { Approval, ApprovalRequested, Decision, RunFact } from '../../log/events.ts';
import { effectLabels, shownArguments, visible } from '../../log/shown-arguments.ts';
import type { Outcome } from '../../mend/outcome.ts';
import { invoke } from '../../run/invoke/invoke.ts';
import type { Invocation } from '../../run/invoke/types.ts';
import type { RequestContext } from '../request-context.ts';
import type { Wire } from '../rpc.ts';
import type { ExposedTool } from '../servers/tool-list.ts';
import type { Session } from '../session.ts';
import { ActiveCall, type Round } from './active-call.ts';
import { needsInput, replyIn, runCall, urisIn } from './run-call.ts';

/** Mends, checks and runs a call. Problems become a result for the model, never a protocol error. */
export async function callTool(session: Session, params: Wire, asked: RequestContext): Promise<Wire> {
  const round = session.rounds.take(asked.requestState);
  const call = round?.call ?? new ActiveCall(asked);
  if (round?.call) call.resume(asked);
  else call.done = perform(session, call, params, round);
  const next = await call.next();
  if ('result' in next) return next.result;
  return { resultType: 'input_required', inputRequests: next.questions, requestState: session.rounds.keep({ call }) };
}

/** Runs a call and records it. */
async function perform(session: Session, call: ActiveCall, params: Wire, round: Round | undefined): Promise<Wire> {
  const name = typeof params.name === 'string' ? params.name : '';
  const part = { id: call.id, name, arguments: params.arguments ?? {} };
  const decision = decisionOn(part, call.asked, round);
  if (round) call.asked = { ...call.asked, ...forServer(call.asked, round) };
  // A denial is final, even if the rules have changed.
  const denied = decision?.type === 'deny' ? decision : undefined;
  const facts: RunFact[] = denied ? [{ type: 'approval.decided', callId: part.id, decision: denied }] : [];
  const requested = (): ApprovalRequested | undefined => facts.findLast((fact) => fact.type === 'approval.requested');
  const begun = Date.now();
  const { toolbox, outward } = session.offer;
  session.underway.add(call);
  try {
    const invocation = await invoke(part, {
      ...{ toolbox, permissions: session.permissions, signal: call.signal },
      ...{ policy: session.options.config.policy, timeout: Number.POSITIVE_INFINITY },
      ...{ always: session.always, before: session.lastCalls?.before, decision: denied },
      record: { note: (fact) => facts.push(fact), commit: async (fact) => void facts.push(fact) },
      approve: () => {
        if (decision && isAbout(round?.approval, requested())) return decision;
        return canElicit(call.asked.capabilities) ? undefined : nobody;
      },
      attempt: (tool) => session.failed(tool, call.asked),
      // The toolbox and the exposed tools belong to the same offer, so each tool is exposed.
      execute: (tool, input, { signal }) => runCall(call, outward.get(tool.name) as ExposedTool, input, signal),
    });
    session.lastCalls?.note(part, invocation.outcome);
    if (invocation.outcome.status !== 'invalid') session.succeeded(invocation.outcome.name);
    session.options.record?.({ call: part, facts, begun, client: session.options.front.info });
    return resultOf(session, call, invocation, { about: aboutOf(part), approval: requested(), decision });
  } finally {
    session.underway.delete(call);
  }
}

const nobody: Decision = {
  type: 'deny',
  reason: "it needs the user's approval, and the client does not support elicitation",
};

type Sent = { readonly name: string; readonly arguments: unknown };

/** The user's decision about this call, if the client returns with it. */
function decisionOn(sent: Sent, { inputResponses }: RequestContext, round: Round | undefined): Decision | undefined {
  if (round?.about === undefined || round.about !== aboutOf(sent)) return undefined;
  return round.decision ?? decisionIn(inputResponses);
}

/** Serializes a call; undefined if its arguments are nested too deeply. */
function aboutOf({ name, arguments: given }: Sent): string | undefined {
  try {
    return JSON.stringify([name, given]);
  } catch {
    return undefined;
  }
}

/** Whether the call to run is the one the user was asked about: the same mended arguments and the same definition. */
const isAbout = (approval: Approval | undefined, asked: ApprovalRequested | undefined): boolean =>
  approval !== undefined &&
  asked !== undefined &&
  approval.name === asked.name &&
  approval.fingerprint === asked.fingerprint &&
  equal(approval.input, asked.input);

const forServer = (
  asked: RequestContext,
  { state }: Round,
): Pick<RequestContext, 'inputResponses' | 'requestState'> => ({
  inputResponses: answersBeside(asked.inputResponses),
  requestState: state,
});

/** The call, the approval it needed and the user's decision. */
interface Standing extends Pick<Round, 'about' | 'decision'> {
  readonly approval: ApprovalRequested | undefined;
}

/** The result for the client: the server's response, a request for input, or the reason why the call didn't run. */
function resultOf(session: Session, call: ActiveCall, invocation: Invocation, standing: Standing): Wire {
  const { state, outcome, result, value } = invocation;
  const { about, approval, decision } = standing;
  const reply = replyIn(value);
  if (reply && 'visit' in reply) return visitFirst(session, call, reply.visit, standing);
  if (reply && needsInput(reply.result)) {
    if (!decision) return reply.result;
    const { requestState } = reply.result;
    const kept = typeof requestState === 'string' ? { state: requestState } : {};
    return { ...reply.result, requestState: session.rounds.keep({ ...standing, ...kept }) };
  }
  if (reply) {
    if (call.behind) for (const uri of urisIn(reply.result)) session.own(uri, call.behind);
    return withNote(reply.result, outcome);
  }
  if (state === 'approval_required' && approval) {
    const inputRequests = requestApproval(approval, { always: session.always !== undefined });
    const kept = session.rounds.keep({ about, approval, state: call.asked.requestState });
    return { resultType: 'input_required', inputRequests, requestState: kept };
  }
  const text = result?.content.flatMap((one) => (one.type === 'text' ? one.text : [])).join('\n') ?? '';
  const missing = outcome.status === 'invalid' && outcome.errorType === 'unknown_tool' ? session.troubles : [];
  const content = [text, ...missing].map((words) => ({ type: 'text', text: words }));
  return { content, isError: true, ...(value && !value.ok && { _meta: { 'toolmend/result': value } }) };
}

/** Adds a note about what mending removed to a result. */
function withNote(result: Wire, outcome: Outcome): Wire {
  if (outcome.status === 'invalid' || outcome.note === undefined) return result;
  const content = Array.isArray(result.content) ? result.content : [];
  return { ...result, content: [...content, { type: 'text', text: `Note: ${outcome.note}` }] };
}

/** Sends the user to a URL first: with an error in the older protocol, with a request for input in the newer one. */
function visitFirst(session: Session, { asked }: ActiveCall, visit: UrlElicitationRequiredError, round: Round): Wire {
  if (asked.reachable) throw visit;
  const questions = visit.elicitations.map(({ message, url }, at) => {
    return [`visit_${at}`, { method: 'elicitation/create', params: { mode: 'url', message, url } }] as const;
  });
  const requestState = session.rounds.keep(round);
  return { resultType: 'input_required', inputRequests: Object.fromEntries(questions), requestState };
}

const key = 'toolmend_approval';

/** Whether the client can ask its user. */
const canElicit = ({ elicitation }: ClientCapabilities): boolean =>
  // Older clients don't declare a mode.
  elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);

/**
 * The request to approve a call, as input that the client must provide.
 *
 * @param options.always whether the user can allow all calls of this kind
 */
export function requestApproval(
  { name, input, effect, reason }: Pick<ApprovalRequested, 'name' | 'input' | 'effect' | 'reason'>,
  { always }: { readonly always: boolean },
): Wire {
  const answers = ['once', ...(always ? ['always'] : []), 'no'];
  const head = `${effectLabels[effect]}: may ${visible(name)} run? Approval is needed because ${visible(reason)}.`;
  const params = {
    mode: 'form',
    message: `${head}\n\n${shownArguments(input)}`,
    requestedSchema: {
      type: 'object',
      properties: {
        answer: { type: 'string', title: 'May it run?', enum: answers, default: 'no' },
      },
      required: ['answer'],
    },
  };
  return { [key]: { method: 'elicitation/create', params } };
}

/** The user's decision; undefined if there is none. */
function decisionIn(answers: Wire | undefined): Decision | undefined {
  const said = answers?.[key];
  if (!isObject(said)) return undefined;
  const answer = said.action === 'accept' && isObject(said.content) ? said.content.answer : 'no';
  if (answer === 'once' || answer === 'always') return { type: 'allow', always: answer === 'always', by: 'the user' };
  return { type: 'deny', reason: 'The user refused', by: 'the user' };
}

/** The responses that are for the server. */
function answersBeside(answers: Wire | undefined): Wire | undefined {
  if (!answers || !(key in answers)) return answers;
  const { [key]: _, ...rest } = answers;
  return Object.keys(rest).length > 0 ? rest : undefined;
}
