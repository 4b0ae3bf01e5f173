import { outputOf } from '../../execute/mcp/output.ts';
import { refusal } from '../../execute/mcp/refusal.ts';
import { toolOutput } from '../../execute/tool-result.ts';
import { isObject } from '../../json/value.ts';
import type { Wire } from '../rpc.ts';
import type { ServerLink } from '../servers/server-link.ts';
import type { ExposedTool } from '../servers/tool-list.ts';
import type { ActiveCall } from './active-call.ts';

/** Runs a checked call at its server. The answer is kept as it came; what is given back is for the log. */
export async function runCall(
  call: ActiveCall | undefined,
  { behind, own, offered }: ExposedTool,
  input: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  if (!call) throw new Error('The call is not under way');
  if (!offered?.good) return notNow(behind, own);
  call.behind = behind;
  const answer = await behind.call(offered, input, { asked: call.asked, signal });
  if ('failure' in answer) return answer.failure;
  if ('visit' in answer) {
    call.visit = answer.visit;
    return { ok: false, error: answer.visit.message, errorType: 'logical', retryable: true };
  }
  call.result = answer.result;
  if (needsInput(answer.result)) return toolOutput({ content: [{ type: 'text', text: 'The server asks for more' }] });
  return outputOf({ content: [], ...answer.result });
}

/** Whether a server wants to know something before it goes on. */
export const needsInput = (result: Wire): boolean => result.resultType === 'input_required';

/** The resources a result speaks of. */
export function urisIn({ content }: Wire): unknown[] {
  if (!Array.isArray(content)) return [];
  return content.filter(isObject).flatMap((block) => {
    if (block.type === 'resource_link') return [block.uri];
    return block.type === 'resource' && isObject(block.resource) ? [block.resource.uri] : [];
  });
}

/** Why a tool that is known is not called; looks again first, since somebody may have accepted it, or started its server. */
async function notNow(behind: ServerLink, own: string): Promise<unknown> {
  try {
    await behind.look();
  } catch {
    const error = `${own} was not called: its server '${behind.name}' can't be reached: ${behind.trouble ?? 'it is silent'}`;
    const recommendations = ['Go on without this tool, or try again later'];
    return { ok: false, error, errorType: 'runtime', retryable: true, recommendations };
  }
  const now = behind.offered.find((offered) => offered.own === own);
  if (!now) return refusal(own, 'removed');
  if (!now.good) return refusal(own, 'changed');
  const error = `${own} was not called: it has only now become available`;
  return { ok: false, error, errorType: 'runtime', retryable: true, recommendations: ['Make the same call again'] };
}
