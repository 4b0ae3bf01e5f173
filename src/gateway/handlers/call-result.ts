import type { UrlElicitationRequiredError } from '@modelcontextprotocol/client';
import { toolRefusal } from '../../execute/mcp/failure.ts';
import { fromMcpResult } from '../../execute/mcp/from-mcp-result.ts';
import { messageOf, type ToolResult, toolOutput } from '../../execute/tool-result.ts';
import { isObject } from '../../json/value.ts';
import type { Outcome } from '../../mend/outcome.ts';
import type { Invocation } from '../../run/invoke/types.ts';
import type { Wire } from '../rpc.ts';
import type { CallReply, ServerLink } from '../servers/server-link.ts';
import type { ExposedTool } from '../servers/tool-list.ts';
import type { Session } from '../session.ts';
import type { ActiveCall, Round } from './active-call.ts';

/** A server's response, unchanged. */
type Reply = Exclude<CallReply, { readonly failure: object }>;

/**
 * Runs a checked call on its server. The log uses the output; the client gets the original response (see `replyIn`).
 */
export async function runCall(
  call: ActiveCall,
  { behind, own, offered }: ExposedTool,
  input: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  if (!offered?.good) return notNow(behind, own);
  call.behind = behind;
  const reply = await behind.call(offered, input, { asked: call.asked, signal });
  if ('failure' in reply) return reply.failure;
  try {
    return { ...loggedOutput(reply), reply };
  } catch (error) {
    // The client still gets a result that can't be parsed here.
    return { ok: false, error: messageOf(error), errorType: 'runtime', data: { reply } };
  }
}

/** The original response of the server; undefined if there is none. */
export const replyIn = (value: ToolResult | undefined): Reply | undefined =>
  (value?.data as { readonly reply?: Reply } | undefined)?.reply;

function loggedOutput(reply: Reply): object {
  if ('visit' in reply) return toolOutput({ content: [{ type: 'text', text: reply.visit.message }], isError: true });
  if (!needsInput(reply.result)) return fromMcpResult({ content: [], ...reply.result });
  return toolOutput({ content: [{ type: 'text', text: 'The server needs more input' }] });
}

/** Whether a server needs input before it continues. */
export const needsInput = (result: Wire): boolean => result.resultType === 'input_required';

/**
 * Explains why a known tool can't be called. Lists the server's tools again first, because the tool may have been
 * accepted or the server started.
 */
async function notNow(behind: ServerLink, own: string): Promise<unknown> {
  try {
    await behind.look();
  } catch {
    const error = `${own} was not called: its server '${behind.name}' can't be reached: ${behind.trouble ?? 'no response'}`;
    const recommendations = ['Continue without this tool, or try again later'];
    return { ok: false, error, errorType: 'runtime', retryable: true, recommendations };
  }
  const now = behind.offered.find((offered) => offered.own === own);
  if (!now) return toolRefusal(own, 'removed');
  if (!now.good) return toolRefusal(own, 'changed');
  const error = `${own} was not called: it has only just become available`;
  return { ok: false, error, errorType: 'runtime', retryable: true, recommendations: ['Make the same call again'] };
}

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
