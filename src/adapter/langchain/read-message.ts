import type { InvalidToolCall, ToolCall } from '@langchain/core/messages/tool';
import { equal } from '../../json/equal.ts';
import { isObject } from '../../json/value.ts';
import { wholeTurn } from '../../provider/whole-turn.ts';
import type { AssistantPart, CallPart, TurnResponse } from '../../turn/turn.ts';
import type { Answer, IsForeign } from './answer.ts';
import { finishOfMessage } from './finish-of-message.ts';
import { markOf } from './mark.ts';
import { shownArguments } from './shown-arguments.ts';

/**
 * The words and the calls of an answer. Calls stand with the text the model wrote wherever the message still holds it,
 * because the framework's own reading closes what was cut off and keeps one of two values for a key.
 */
export function readMessage(message: Answer, isForeign: IsForeign = () => false): TurnResponse {
  const calls = callsOf(message).filter((call) => !isForeign(call));
  const parts: AssistantPart[] = [...textsOf(message).map((text) => ({ type: 'text', text }) as const), ...calls];
  const finish = finishOfMessage(message, calls.length > 0);
  // The format matters only for what has no word in the middle shape, and that stays in the message.
  return wholeTurn('openai-chat', {}, parts, { finish });
}

/** The words of an answer, block by block. */
export function textsOf({ content }: Answer): string[] {
  if (typeof content === 'string') return content === '' ? [] : [content];
  return content.flatMap((block) => (block.type === 'text' && typeof block.text === 'string' ? [block.text] : []));
}

/** The calls of an answer, those the framework could not read among them, in the order the model made them. */
export function callsOf(message: Answer): CallPart[] {
  const { tool_calls: read = [], invalid_tool_calls: unread = [] } = message;
  const written = writtenCalls(message);
  const taken = new Set<WrittenCall>();
  // Servers give one id to several calls, so that each text is taken once: by the call that was not read, which has it, first.
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

/** Whether a call is there only to show one that was refused, and stands among the others with its text. */
const isShown = ({ id, args }: ToolCall, refused: InvalidToolCall): boolean =>
  id !== undefined && id === refused.id && equal(args, shownArguments(refused.args));

interface WrittenCall {
  readonly id: string | undefined;
  readonly text: string | undefined;
}

/** What the model wrote for each call, from wherever a provider's package keeps it. */
function writtenCalls(message: Answer): WrittenCall[] {
  const chunks = 'tool_call_chunks' in message ? (message.tool_call_chunks ?? []) : [];
  if (chunks.length > 0) return chunks.map(({ id, args }) => ({ id, text: args }));
  const listed = [message.additional_kwargs.tool_calls, message.response_metadata.output].find(Array.isArray) ?? [];
  return listed.filter(isObject).flatMap((one): WrittenCall[] => {
    const { arguments: text } = isObject(one.function) ? one.function : one;
    const id = one.call_id ?? one.id;
    return typeof id === 'string' ? [{ id, text: typeof text === 'string' ? text : undefined }] : [];
  });
}
