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
import { ActiveCall } from './active-call.ts';
import type { Round } from './pending-rounds.ts';
import { needsInput, replyIn, runCall, urisIn } from './run-call.ts';

/** Mends, checks and runs a call. Whatever is wrong with it is a result that a model can use, never an error. */
export async function callTool(session: Session, params: Wire, asked: RequestContext): Promise<Wire> {
  const round = session.rounds.take(asked.requestState);
  const call = round?.call ?? new ActiveCall(asked);
  if (round?.call) call.resume(asked);
  else call.done = carryOut(session, call, params, round);
  const next = await call.next();
  if ('result' in next) return next.result;
  return { resultType: 'input_required', inputRequests: next.questions, requestState: session.rounds.keep({ call }) };
}

/** What a person was asked about a call, and said. */
interface Answered {
  /** The request, once there is one: it may be asked anew. */
  asked: ApprovalRequested | undefined;
  readonly decision: Decision | undefined;
}

async function carryOut(session: Session, call: ActiveCall, params: Wire, round: Round | undefined): Promise<Wire> {
  const name = typeof params.name === 'string' ? params.name : '';
  const part = { id: call.id, name, arguments: params.arguments ?? {} };
  const decision = decisionOn(part, call.asked, round);
  const answered: Answered = { asked: undefined, decision };
  if (round) call.asked = { ...call.asked, ...forServer(call.asked, round) };
  const facts: RunFact[] = [];
  const keep = (fact: RunFact): unknown => {
    if (fact.type === 'approval.requested') answered.asked = fact;
    return facts.push(fact);
  };
  // A no is carried out whatever the rules say by now.
  const denied = decision?.type === 'deny' ? decision : undefined;
  if (denied) keep({ type: 'approval.decided', callId: part.id, decision: denied });
  const begun = Date.now();
  const { toolbox, outward } = session.offer;
  session.underway.add(call);
  try {
    const invocation = await invoke(part, {
      ...{ toolbox, permissions: session.permissions, signal: call.signal },
      ...{ policy: session.options.config.policy, timeout: Number.POSITIVE_INFINITY },
      ...{ always: session.always, before: session.lastCalls?.before, decision: denied },
      record: { note: keep, commit: async (fact) => void keep(fact) },
      approve: () => {
        if (decision && isAbout(round?.approval, answered.asked)) return decision;
        return canElicit(call.asked.capabilities) ? undefined : nobody;
      },
      attempt: (tool) => session.failed(tool, call.asked),
      // Both are of one offer, so that what was found in the toolbox is exposed.
      execute: (tool, input, { signal }) => runCall(call, outward.get(tool.name) as ExposedTool, input, signal),
    });
    session.lastCalls?.note(part, invocation.outcome);
    if (invocation.outcome.status !== 'invalid') session.succeeded(invocation.outcome.name);
    session.options.record?.({ call: part, facts, begun, client: session.options.front.info });
    return resultOf(session, call, invocation, answered, part);
  } finally {
    session.underway.delete(call);
  }
}

const nobody: Decision = {
  type: 'deny',
  reason: 'it needs the approval of the user, and the client does not support elicitation',
};

type Sent = { readonly name: string; readonly arguments: unknown };

/** What a person said to the very call that comes back. */
function decisionOn(sent: Sent, { inputResponses }: RequestContext, round: Round | undefined): Decision | undefined {
  if (round?.about === undefined || round.about !== aboutOf(sent)) return undefined;
  return round.decision ?? decisionIn(inputResponses);
}

/** Undefined for arguments that are nested deeper than can be written. */
function aboutOf({ name, arguments: given }: Sent): string | undefined {
  try {
    return JSON.stringify([name, given]);
  } catch {
    return undefined;
  }
}

/** Whether what would run is what a person was asked about: the arguments as mended, under the same definition. */
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

function resultOf(session: Session, call: ActiveCall, invocation: Invocation, answered: Answered, sent: Sent): Wire {
  const { state, outcome, result, value } = invocation;
  const { asked, decision } = answered;
  const reply = replyIn(value);
  if (reply && 'visit' in reply)
    return visitFirst(session, call, reply.visit, { about: aboutOf(sent), approval: asked, decision });
  if (reply && needsInput(reply.result)) {
    if (!decision) return reply.result;
    const { requestState } = reply.result;
    const kept = typeof requestState === 'string' ? { state: requestState } : {};
    const about = aboutOf(sent);
    return { ...reply.result, requestState: session.rounds.keep({ about, approval: asked, decision, ...kept }) };
  }
  if (reply) {
    if (call.behind) for (const uri of urisIn(reply.result)) session.own(uri, call.behind);
    return withNote(reply.result, outcome);
  }
  if (state === 'approval_required' && asked) {
    const inputRequests = requestApproval(asked, { always: session.always !== undefined });
    const kept = session.rounds.keep({ about: aboutOf(sent), approval: asked, state: call.asked.requestState });
    return { resultType: 'input_required', inputRequests, requestState: kept };
  }
  const text = result?.content.flatMap((one) => (one.type === 'text' ? one.text : [])).join('\n') ?? '';
  const missing = outcome.status === 'invalid' && outcome.errorType === 'unknown_tool' ? session.troubles : [];
  const content = [text, ...missing].map((words) => ({ type: 'text', text: words }));
  return { content, isError: true, ...(value && !value.ok && { _meta: { 'toolmend/result': value } }) };
}

/** A key that was left out is told beside the result, which is otherwise not touched. */
function withNote(result: Wire, outcome: Outcome): Wire {
  if (outcome.status === 'invalid' || outcome.note === undefined) return result;
  const content = Array.isArray(result.content) ? result.content : [];
  return { ...result, content: [...content, { type: 'text', text: `Note: ${outcome.note}` }] };
}

/** In the older protocol the client is told by an error; in the newer one by what it must answer before it comes back. */
function visitFirst(session: Session, { asked }: ActiveCall, visit: UrlElicitationRequiredError, round: Round): Wire {
  if (asked.reachable) throw visit;
  const questions = visit.elicitations.map(({ message, url }, at) => {
    return [`visit_${at}`, { method: 'elicitation/create', params: { mode: 'url', message, url } }] as const;
  });
  const requestState = session.rounds.keep(round);
  return { resultType: 'input_required', inputRequests: Object.fromEntries(questions), requestState };
}

const key = 'toolmend_approval';

/** Whether a person can be asked through the client. */
const canElicit = ({ elicitation }: ClientCapabilities): boolean =>
  // Clients of before there were kinds of questions say no kind.
  elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);

/**
 * The question whether a call may run, as what the client must answer before it goes on.
 *
 * @param options.always whether a person may say so for all calls of this kind
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

/** What a person said to it; undefined where nobody was asked. */
function decisionIn(answers: Wire | undefined): Decision | undefined {
  const said = answers?.[key];
  if (!isObject(said)) return undefined;
  const answer = said.action === 'accept' && isObject(said.content) ? said.content.answer : 'no';
  if (answer === 'once' || answer === 'always') return { type: 'allow', always: answer === 'always', by: 'the user' };
  return { type: 'deny', reason: 'The user said no', by: 'the user' };
}

/** The answers that are for the server. */
function answersBeside(answers: Wire | undefined): Wire | undefined {
  if (!answers || !(key in answers)) return answers;
  const { [key]: _, ...rest } = answers;
  return Object.keys(rest).length > 0 ? rest : undefined;
}
