import { toolRefusal } from '../../execute/mcp/failure.ts';
import { fromMcpResult } from '../../execute/mcp/from-mcp-result.ts';
import { messageOf, type ToolResult, toolOutput } from '../../execute/tool-result.ts';
import type { Wire } from '../rpc.ts';
import type { CallReply, ServerLink } from '../servers/server-link.ts';
import type { ExposedTool } from '../servers/tool-list.ts';
import type { ActiveCall } from './active-call.ts';

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
