import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { ToolCall } from '@langchain/core/messages/tool';
import type { AgentMiddleware } from 'langchain';
import { failureText } from '../../exec/result-part.ts';
import { toolResult } from '../../exec/tool-result.ts';
import { tool } from '../../tool/tool.ts';
import type { MendOptions } from '../mend-options.ts';
import { boundTools } from './bound-tools.ts';
import { mendMessage } from './mend-message.ts';
import { refuseCalls } from './refuse-calls.ts';

/**
 * Middleware for `createAgent`: the calls of each answer are mended before anything else sees them, those that can't be are
 * answered with what is wrong, and a tool that throws answers with its reason instead of its stack.
 *
 * @example
 * const agent = createAgent({ model, tools, middleware: [mendMiddleware()] });
 */
export function mendMiddleware(options: MendOptions = {}): AgentMiddleware {
  return {
    name: 'toolmend',
    async wrapModelCall(request, handler) {
      const tools = boundTools(request.tools);
      const answer: unknown = await handler(request);
      if (!AIMessage.isInstance(answer)) return answer as AIMessage;
      return refuseCalls(mendMessage(answer, tools, options), request.messages, tools, options.policy) as AIMessage;
    },
    async wrapToolCall(request, handler) {
      const { toolCall } = request;
      const refused = refusalOf(toolCall, request.state.messages as BaseMessage[]);
      if (refused !== undefined) return errorMessage(toolCall, refused);
      try {
        return await handler(request);
      } catch (error) {
        if (isControl(error) || request.runtime.signal?.aborted) throw error;
        return errorMessage(toolCall, thrownText(toolCall.name, error));
      }
    },
  };
}

/** What the model is to be told of a call that was refused. */
function refusalOf(call: ToolCall, messages: readonly BaseMessage[]): string | undefined {
  const last = messages.findLast((message) => AIMessage.isInstance(message));
  return last?.invalid_tool_calls?.find(({ id }) => id !== undefined && id === call.id)?.error;
}

const errorMessage = ({ id = '', name }: ToolCall, content: string): ToolMessage =>
  new ToolMessage({ content, name, tool_call_id: id, status: 'error' });

/** Interrupts and the like are thrown to steer the graph, and are no failure of a tool. */
const isControl = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'is_bubble_up' in error && error.is_bubble_up === true;

/** What the model reads of a tool that threw. The framework wraps errors of its own around a tool's, stack and all. */
function thrownText(name: string, error: unknown): string {
  const own = error instanceof Error && 'toolError' in error ? error.toolError : error;
  const result = toolResult({ type: 'threw', error: own }, tool({ name, description: '' }));
  return result.ok ? '' : failureText(result);
}
