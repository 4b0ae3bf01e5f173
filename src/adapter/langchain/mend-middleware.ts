import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { ToolCall } from '@langchain/core/messages/tool';
import type { AgentMiddleware } from 'langchain';
import { failureText } from '../../execute/result-part.ts';
import { toolResult } from '../../execute/tool-result.ts';
import { equal } from '../../json/value.ts';
import { nudge } from '../../mend/feedback/feedback.ts';
import { tool } from '../../tools/tool.ts';
import type { MendOptions } from '../mend-options.ts';
import { markOf } from './annotation.ts';
import { boundTools } from './bound-tools.ts';
import { mendMessage } from './mend-message.ts';
import { type ChatModel, MendingModel } from './mending-model.ts';
import { messageContext, optionsFor } from './message-context.ts';
import { historyArguments } from './message-fields.ts';
import { failedTurns, refuseCalls } from './refuse-calls.ts';

/** Settings of the middleware. */
export interface MiddlewareOptions extends MendOptions {
  /** After so many turns in a row without a valid call the run ends; 4 unless it is said. */
  readonly failedTurns?: number;
}

/**
 * Middleware for `createAgent`: the calls of each answer are mended before anything else sees them, those that can't be are
 * answered with what is wrong, and a tool that throws answers with its reason instead of its stack.
 *
 * @example
 * const agent = createAgent({ model, tools, middleware: [mendMiddleware()] });
 */
export function mendMiddleware({ failedTurns: turns = 4, ...options }: MiddlewareOptions = {}): AgentMiddleware {
  return {
    name: 'toolmend',
    async wrapModelCall(request, handler) {
      const { messages, runtime } = request;
      const model = await mendedModel(request.model, options, runtime.configurable);
      const { count, tool: failing } = failedTurns(messages);
      const alone = count === turns - 1 ? request.tools.filter(({ name }) => name === failing) : [];
      const tools = alone.length > 0 ? alone : request.tools;
      let answer: unknown = await handler({ ...request, model, tools });
      // An answer of nothing would end the run.
      for (let asked = 1; asked < turns && isNameless(answer); asked += 1) {
        const told = new HumanMessage(nudge(tools.map(({ name }) => String(name))));
        answer = await handler({ ...request, model, tools, messages: [...messages, told] });
      }
      // A structured response is the framework's own, and whole.
      if (!AIMessage.isInstance(answer)) return answer as AIMessage;
      const bound = boundTools(tools);
      const own = { ...options, context: () => messageContext(messages) };
      const reads = optionsFor(own, request, request.modelSettings);
      // A model that was wrapped has mended its answer, which still holds what was written, and told of its calls.
      const mended = (model as unknown) instanceof MendingModel ? answer : mendMessage(answer, bound, reads);
      return refuseCalls(mended, messages, bound, { policy: options.policy, turns }) as AIMessage;
    },
    async wrapToolCall(request, handler) {
      const { toolCall } = request;
      const refused = refusalOf(toolCall, request.state.messages as BaseMessage[]);
      if (refused !== undefined) return errorMessage(toolCall, refused);
      try {
        return noted(await handler(request), noteOf(toolCall, request.state.messages as BaseMessage[]));
      } catch (error) {
        if (isControl(error) || request.runtime.signal?.aborted) throw error;
        return errorMessage(toolCall, thrownText(toolCall.name, error));
      }
    },
  };
}

/** Whether an answer holds nothing but calls that named nothing, and were left out. */
const isNameless = (answer: unknown): boolean =>
  AIMessage.isInstance(answer) &&
  [answer.tool_calls, answer.invalid_tool_calls].every((calls = []) => calls.length === 0) &&
  answer.text.trim() === '' &&
  markOf(answer)?.dropped === true;

/** What of a call was ignored, which the model would otherwise believe was heeded. */
function noteOf({ id = '' }: ToolCall, messages: readonly BaseMessage[]): string | undefined {
  const last = messages.findLast((message) => AIMessage.isInstance(message));
  const notes = last && markOf(last)?.notes;
  return notes && Object.hasOwn(notes, id) ? notes[id] : undefined;
}

/** What the model is to be told of a call that was refused; nothing where a person has written it anew. */
function refusalOf({ id, args }: ToolCall, messages: readonly BaseMessage[]): string | undefined {
  const last = messages.findLast((message) => AIMessage.isInstance(message));
  const refused = last?.invalid_tool_calls?.find((call) => call.id !== undefined && call.id === id);
  return refused && equal(args, historyArguments(refused.args)) ? refused.error : undefined;
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

/** A model that is made when it is known what is configured, as one given by its name is. */
interface Configurable {
  _getModelInstance(config: { configurable?: Record<string, unknown> }): Promise<unknown>;
}

/** An agent's model with its answers mended; anything but a chat model is left as it is, and its whole answers are mended. */
async function mendedModel<M>(model: M, options: MendOptions, configurable?: Record<string, unknown>): Promise<M> {
  const made = isConfigurable(model) ? await model._getModelInstance({ ...(configurable && { configurable }) }) : model;
  const mends = made instanceof MendingModel || !isChatModel(made);
  return (mends ? made : new MendingModel(made, options)) as M;
}

const isConfigurable = (model: unknown): model is Configurable =>
  typeof model === 'object' && model !== null && '_getModelInstance' in model;

const isChatModel = (model: unknown): model is ChatModel =>
  typeof model === 'object' && model !== null && '_generate' in model && 'bindTools' in model;

/** A tool's answer with a note beside it. What steers the graph instead of answering stays as it is. */
function noted<T>(answer: T, note: string | undefined): T {
  if (note === undefined || !ToolMessage.isInstance(answer)) return answer;
  const { content } = answer;
  const text = `Note: ${note}`;
  answer.content = typeof content === 'string' ? `${content}\n${text}` : [...content, { type: 'text', text }];
  return answer;
}
