import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { ToolCall } from '@langchain/core/messages/tool';
import type { AgentMiddleware } from 'langchain';
import { failureText } from '../../execute/result-part.ts';
import { toolResult } from '../../execute/tool-result.ts';
import { checkArgument, equal, isObject } from '../../json/value.ts';
import { nudge } from '../../mend/feedback/feedback.ts';
import { tool } from '../../tools/tool.ts';
import type { MendOptions } from '../mend-turn.ts';
import { markOf } from './annotation.ts';
import { boundTools } from './bound-tools.ts';
import { mendMessage } from './mend-message.ts';
import { type ChatModel, MendingModel } from './mending-model.ts';
import { messageContext, optionsFor } from './message-context.ts';
import { historyArguments } from './message-fields.ts';
import { failedTurns, refuseCalls } from './refuse-calls.ts';

/** Options of the middleware. */
export interface MiddlewareOptions extends MendOptions {
  /**
   * Number of turns in a row without a valid call after which the run ends.
   * @default 4
   */
  readonly failedTurns?: number;
}

/**
 * Middleware for `createAgent`: mends the calls of each response, responds to invalid ones with feedback, and turns
 * errors of tools into messages without a stack trace.
 *
 * @example
 * const agent = createAgent({ model, tools, middleware: [mendMiddleware()] });
 */
export function mendMiddleware(settings: MiddlewareOptions = {}): AgentMiddleware {
  checkArgument(isObject(settings), 'options', 'an object', settings);
  const { failedTurns: turns = 4, ...options } = settings;
  return {
    name: 'toolmend',
    async wrapModelCall(request, handler) {
      const { messages, runtime } = request;
      const model = await mendedModel(request.model, options, runtime.configurable);
      const { count, tool: failing } = failedTurns(messages);
      const alone = count === turns - 1 ? request.tools.filter(({ name }) => name === failing) : [];
      const tools = alone.length > 0 ? alone : request.tools;
      let answer: unknown = await handler({ ...request, model, tools });
      // An empty response would end the run.
      for (let asked = 1; asked < turns && isNameless(answer); asked += 1) {
        const told = new HumanMessage(nudge(tools.map(({ name }) => String(name))));
        answer = await handler({ ...request, model, tools, messages: [...messages, told] });
      }
      // A structured response belongs to the framework and is complete.
      if (!AIMessage.isInstance(answer)) return answer as AIMessage;
      const bound = boundTools(tools);
      const own = { ...options, context: () => messageContext(messages) };
      const reads = optionsFor(own, request, request.modelSettings);
      // A wrapped model has already mended its response and reported its calls.
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

/** Whether a response only consists of unnamed calls, which were ignored. */
const isNameless = (answer: unknown): boolean =>
  AIMessage.isInstance(answer) &&
  [answer.tool_calls, answer.invalid_tool_calls].every((calls = []) => calls.length === 0) &&
  answer.text.trim() === '' &&
  markOf(answer)?.ignored === true;

/** The note about ignored arguments of a call. */
function noteOf({ id = '' }: ToolCall, messages: readonly BaseMessage[]): string | undefined {
  const last = messages.findLast((message) => AIMessage.isInstance(message));
  const notes = last && markOf(last)?.notes;
  return notes && Object.hasOwn(notes, id) ? notes[id] : undefined;
}

/** The feedback for a refused call; undefined if a person has rewritten it. */
function refusalOf({ id, args }: ToolCall, messages: readonly BaseMessage[]): string | undefined {
  const last = messages.findLast((message) => AIMessage.isInstance(message));
  const refused = last?.invalid_tool_calls?.find((call) => call.id !== undefined && call.id === id);
  return refused && equal(args, historyArguments(refused.args)) ? refused.error : undefined;
}

const errorMessage = ({ id = '', name }: ToolCall, content: string): ToolMessage =>
  new ToolMessage({ content, name, tool_call_id: id, status: 'error' });

/** Interrupts and similar errors control the graph, and aren't failures of a tool. */
const isControl = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'is_bubble_up' in error && error.is_bubble_up === true;

/** The message for a tool that threw. The framework wraps a tool's error with its stack trace. */
function thrownText(name: string, error: unknown): string {
  const own = error instanceof Error && 'toolError' in error ? error.toolError : error;
  const result = toolResult({ type: 'threw', error: own }, tool({ name, description: '' }));
  return result.ok ? '' : failureText(result);
}

/** A model that is created when its configuration is known, such as one given by name. */
interface Configurable {
  _getModelInstance(config: { configurable?: Record<string, unknown> }): Promise<unknown>;
}

/** Wraps an agent's model. Anything but a chat model stays unchanged, and its complete responses are mended. */
async function mendedModel<M>(model: M, options: MendOptions, configurable?: Record<string, unknown>): Promise<M> {
  const made = isConfigurable(model) ? await model._getModelInstance({ ...(configurable && { configurable }) }) : model;
  const mends = made instanceof MendingModel || !isChatModel(made);
  return (mends ? made : new MendingModel(made, options)) as M;
}

const isConfigurable = (model: unknown): model is Configurable =>
  typeof model === 'object' && model !== null && '_getModelInstance' in model;

const isChatModel = (model: unknown): model is ChatModel =>
  typeof model === 'object' && model !== null && '_generate' in model && 'bindTools' in model;

/** Adds a note to a tool's message. Control values stay unchanged. */
function noted<T>(answer: T, note: string | undefined): T {
  if (note === undefined || !ToolMessage.isInstance(answer)) return answer;
  const { content } = answer;
  const text = `Note: ${note}`;
  answer.content = typeof content === 'string' ? `${content}\n${text}` : [...content, { type: 'text', text }];
  return answer;
}
