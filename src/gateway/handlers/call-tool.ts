import type { ClientCapabilities } from '@modelcontextprotocol/client';
import { equal, isObject } from '../../json/value.ts';
import type { Approval, ApprovalRequested, Decision, RunFact } from '../../log/events.ts';
import { effectLabels, shownArguments } from '../../log/shown/shown-arguments.ts';
import { visible } from '../../log/shown/visible.ts';
import { invoke } from '../../run/invoke/invoke.ts';
import type { RequestContext, Wire } from '../rpc.ts';
import type { ExposedTool } from '../servers/tool-list.ts';
import type { Session } from '../session.ts';
import { ActiveCall, type Round } from './active-call.ts';
import { callResult, runCall } from './call-result.ts';

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
      toolbox,
      permissions: session.permissions,
      signal: call.signal,
      policy: session.options.config.policy,
      timeout: Number.POSITIVE_INFINITY,
      always: session.always,
      before: session.lastCalls?.before,
      decision: denied,
      record: { note: (fact) => facts.push(fact), commit: async (fact) => void facts.push(fact) },
      approve: () => {
        if (decision && isAbout(round?.approval, requested())) return forRule(decision, round?.approval, requested());
        return canElicit(call.asked.capabilities) ? undefined : nobody;
      },
      attempt: (tool) => session.failed(tool, call.asked),
      // The toolbox and the exposed tools belong to the same offer, so each tool is exposed.
      execute: (tool, input, { signal }) => runCall(call, outward.get(tool.name) as ExposedTool, input, signal),
    });
    session.lastCalls?.note(part, invocation.outcome);
    if (invocation.outcome.status !== 'invalid') session.succeeded(invocation.outcome.name);
    session.options.record?.({ call: part, facts, begun, client: session.options.front.info });
    const [about, approval] = [aboutOf(part), requested()];
    if (invocation.state === 'approval_required' && approval) {
      const server = outward.get(approval.name)?.server;
      return approvalRequired(session, call, { about, approval, server });
    }
    return callResult(session, call, invocation, { about, approval, decision });
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

/** An `always` covers the rule that the user was shown. If another rule asks by now, only this call is allowed. */
const forRule = (decision: Decision, shown: Approval | undefined, asked: ApprovalRequested | undefined): Decision =>
  decision.type === 'allow' && shown?.rule !== asked?.rule ? { ...decision, always: false } : decision;

const forServer = (
  asked: RequestContext,
  { state }: Round,
): Pick<RequestContext, 'inputResponses' | 'requestState'> => ({
  inputResponses: answersBeside(asked.inputResponses),
  requestState: state,
});

/** Asks the client for the user's approval. The call waits until the client returns with a decision. */
function approvalRequired(
  session: Session,
  { asked }: ActiveCall,
  {
    about,
    approval,
    server,
  }: Pick<Round, 'about'> & {
    readonly approval: ApprovalRequested;
    readonly server: string | undefined;
  },
): Wire {
  const inputRequests = requestApproval(approval, { server, always: session.always !== undefined });
  const requestState = session.rounds.keep({ about, approval, state: asked.requestState });
  return { resultType: 'input_required', inputRequests, requestState };
}

const key = 'toolmend_approval';

/** Whether the client can ask its user. */
const canElicit = ({ elicitation }: ClientCapabilities): boolean =>
  // Older clients don't declare a mode.
  elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);

/**
 * The request to approve a call, as input that the client must provide.
 *
 * @param options.server the server that runs the call
 * @param options.always whether the user can allow all calls of this kind
 */
export function requestApproval(
  { name, input, effect, reason }: Pick<ApprovalRequested, 'name' | 'input' | 'effect' | 'reason'>,
  { server, always }: { readonly server?: string | undefined; readonly always: boolean },
): Wire {
  const answers = ['once', ...(always ? ['always'] : []), 'no'];
  const place = server === undefined ? '' : ` of the server '${visible(server)}'`;
  const head = `${effectLabels[effect]}: may ${visible(name)}${place} run? Approval is needed because ${visible(reason)}.`;
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
