import type { UrlElicitationRequiredError } from '@modelcontextprotocol/client';
import { isObject } from '../../json/value.ts';
import type { Outcome } from '../../mend/outcome.ts';
import type { Invocation } from '../../run/invoke/types.ts';
import type { Wire } from '../rpc.ts';
import type { Session } from '../session.ts';
import type { ActiveCall, Round } from './active-call.ts';
import { needsInput, replyIn } from './run-call.ts';

/** The call, the approval it needed and the user's decision. */
type Standing = Pick<Round, 'about' | 'approval' | 'decision'>;

/** The result for the client: the server's response, a request for input, or the reason why the call didn't run. */
export function callResult(session: Session, call: ActiveCall, invocation: Invocation, standing: Standing): Wire {
  const reply = replyIn(invocation.value);
  if (!reply) return errorResult(session, invocation);
  if ('visit' in reply) return visitFirst(session, call, reply.visit, standing);
  if (needsInput(reply.result)) {
    if (!standing.decision) return reply.result;
    const { requestState } = reply.result;
    const kept = typeof requestState === 'string' ? { state: requestState } : {};
    return { ...reply.result, requestState: session.rounds.keep({ ...standing, ...kept }) };
  }
  if (call.behind) for (const uri of urisIn(reply.result)) session.own(uri, call.behind);
  return withNote(reply.result, invocation.outcome);
}

/** The result of a call without a response. For an unknown tool, it also lists the servers that can't be reached. */
function errorResult(session: Session, { outcome, result, value }: Invocation): Wire {
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

/** URIs of the resources in a result. */
function urisIn({ content }: Wire): unknown[] {
  if (!Array.isArray(content)) return [];
  return content.filter(isObject).flatMap((block) => {
    if (block.type === 'resource_link') return [block.uri];
    return block.type === 'resource' && isObject(block.resource) ? [block.resource.uri] : [];
  });
}
