import { AIMessage } from '@langchain/core/messages';
import type { InvalidToolCall, ToolCall } from '@langchain/core/messages/tool';
import { equal, isObject } from '../../json/value.ts';
import { feedback } from '../../mend/feedback/feedback.ts';
import type { CheckedCall, MendedParts } from '../../mend/mend-call.ts';
import type { BadOutcome } from '../../mend/outcome.ts';
import type { AssistantPart, CallPart, TurnResponse } from '../../model/index.ts';
import { completeTurn } from '../../provider/wire/turn-assembler.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import { mendTurn, type ResponseOptions } from '../mend-turn.ts';
import { marked, markOf, notesOf, type RefusedCall } from './annotation.ts';
import type { BoundTools } from './bound-tools.ts';
import { finishOfMessage, historyArguments, type IsForeign, isNoObject, type ModelMessage } from './message-fields.ts';
import { rewriteCalls, rewriteText } from './rewrite-content.ts';

/** Mends the calls of a complete response, including those in text. Without tools there is nothing to mend. */
export function mendMessage(
  message: ModelMessage,
  { toolbox, isForeign }: BoundTools,
  options: ResponseOptions = {},
): ModelMessage | AIMessage {
  if (toolbox.size === 0) return message;
  const response = readMessage(message, isForeign);
  const mended = mendTurn(response, toolbox, options);
  const ids = new Set(callsOf(message).map(({ id }) => id));
  // Two calls with one id would share a result, so the second got a new id.
  const own = mended.calls.every(({ part }) => ids.has(part.id));
  const same = own && !mended.changed && !response.ignored && (message.invalid_tool_calls ?? []).length === 0;
  if (same && mended.calls.every(({ outcome }) => outcome.status !== 'invalid')) return message;
  return writeMessage(message, mended, toolbox, isForeign);
}

/**
 * Converts a message. Calls use the model's original text if it is available, because the framework's parser completes
 * truncated text and drops duplicate keys.
 */
export function readMessage(message: ModelMessage, isForeign: IsForeign = () => false): TurnResponse {
  const calls = callsOf(message).filter((call) => !isForeign(call));
  const parts: AssistantPart[] = [...textsOf(message).map((text) => ({ type: 'text', text }) as const), ...calls];
  const finish = finishOfMessage(message, calls.length > 0);
  // The format only matters for passthrough fields, which stay in the message.
  return completeTurn('openai-chat', {}, parts, { finish });
}

/** The text of a message, by block. */
function textsOf({ content }: ModelMessage): string[] {
  if (typeof content === 'string') return content === '' ? [] : [content];
  return content.flatMap((block) => (block.type === 'text' && typeof block.text === 'string' ? [block.text] : []));
}

/** The calls of a message, including those that the framework couldn't parse, in the model's order. */
export function callsOf(message: ModelMessage): CallPart[] {
  const { tool_calls: read = [], invalid_tool_calls: unread = [] } = message;
  const written = writtenCalls(message);
  const taken = new Set<WrittenCall>();
  // Servers use one id for several calls, so each text is used once, first by the call that couldn't be parsed.
  const take = (id: string, text?: string): WrittenCall | undefined => {
    const fits = (one: WrittenCall): boolean => one.id === id && (text === undefined || one.text === text);
    const found = id === '' ? undefined : written.find((one) => !taken.has(one) && fits(one));
    if (found) taken.add(found);
    return found;
  };
  const known = new Map(markOf(message)?.refused.map(({ id, found }) => [id, found]));
  const placed = ({ id = '', name = '' }: Pick<ToolCall, 'id' | 'name'>, given: unknown, from?: WrittenCall) => {
    const found = known.get(id);
    const call: CallPart = { type: 'call', id, name, arguments: given, ...(found && { found }) };
    return { call, at: from ? written.indexOf(from) : written.length };
  };
  const bad = unread.map((one) =>
    placed({ ...one, name: one.name ?? '' }, one.args ?? '', take(one.id ?? '', one.args)),
  );
  const good = read
    .filter((one) => !unread.some((other) => isShown(one, other)))
    .map((one) => {
      const from = take(one.id ?? '');
      return placed(one, from?.text ?? one.args, from);
    });
  return [...good, ...bad].sort((one, other) => one.at - other.at).map(({ call }) => call);
}

/** Whether a call only shows a refused one, which is also listed with its text. */
const isShown = ({ id, args }: ToolCall, refused: InvalidToolCall): boolean =>
  id !== undefined && id === refused.id && equal(args, historyArguments(refused.args));

interface WrittenCall {
  readonly id: string | undefined;
  readonly text: string | undefined;
}

/** The original text of each call, from wherever the provider package stores it. */
function writtenCalls(message: ModelMessage): WrittenCall[] {
  const chunks = 'tool_call_chunks' in message ? (message.tool_call_chunks ?? []) : [];
  if (chunks.length > 0) return chunks.map(({ id, args }) => ({ id, text: args }));
  const listed = [message.additional_kwargs.tool_calls, message.response_metadata.output].find(Array.isArray) ?? [];
  return listed.filter(isObject).flatMap((one): WrittenCall[] => {
    const { arguments: text } = isObject(one.function) ? one.function : one;
    const id = one.call_id ?? one.id;
    return typeof id === 'string' ? [{ id, text: typeof text === 'string' ? text : undefined }] : [];
  });
}

/** The message with mended calls. A call that couldn't be parsed is listed as invalid, with its feedback. */
function writeMessage(message: ModelMessage, mended: MendedParts, toolbox: Toolbox, isForeign: IsForeign): AIMessage {
  const { calls, response } = mended;
  const foreign = (message.tool_calls ?? []).filter(isForeign);
  const tool_calls = [...foreign, ...calls.filter((call) => !isNoObject(call)).map(toolCallOf)];
  const unread = calls.filter(isNoObject);
  const refused = unread.map((call) => refusedCall(call, toolbox));
  const invalid_tool_calls = unread.map((call, at) => invalidCallOf(call, refused[at]?.error));
  const words = response.message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const thoughts = response.message.parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : []));
  const gone = new Set(callsOf(message).map(({ id }) => id));
  for (const { id } of [...tool_calls, ...invalid_tool_calls]) if (id) gone.delete(id);
  const rest = rewriteCalls(rewriteText(message, textsOf(message), words, thoughts), tool_calls, gone);
  const { id, name, usage_metadata } = message;
  return new AIMessage({
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(usage_metadata !== undefined && { usage_metadata }),
    ...rest,
    response_metadata: marked(rest.response_metadata, {
      refused,
      finish: response.finish,
      notes: notesOf(calls),
      ignored: response.ignored !== undefined,
    }),
    tool_calls,
    invalid_tool_calls,
  });
}

/** A call in the framework's format: mended, or as an object of the received arguments. */
export const toolCallOf = ({ part, outcome }: CheckedCall): ToolCall => ({
  type: 'tool_call',
  id: part.id,
  name: outcome.name,
  args: outcome.status !== 'invalid' && isObject(outcome.input) ? outcome.input : historyArguments(part.arguments),
});

/** A call that must not run, and why. */
export function refusedCall({ part, outcome }: CheckedCall, toolbox: Toolbox, told?: string): RefusedCall {
  const error = told ?? feedback(outcome as BadOutcome, { toolbox }).text;
  return { id: part.id, error, ...(part.found && { found: part.found }) };
}

/** The same in the framework's format, with the text of the call. */
export function invalidCallOf({ part }: CheckedCall, error: string | undefined): InvalidToolCall {
  const { arguments: given } = part;
  const args = typeof given === 'string' ? given : JSON.stringify(given);
  return { type: 'invalid_tool_call', id: part.id, name: part.name, args, ...(error && { error }) };
}
