import { isObject } from '../../json/value.ts';
import { wholeTurn } from '../../provider/whole-turn.ts';
import type { AssistantPart, CallPart, TurnResponse } from '../../turn/turn.ts';
import type { Answer, IsForeign } from './answer.ts';
import { finishOfMessage } from './finish-of-message.ts';
import { markOf } from './mark.ts';

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
  const order = (id: string | undefined): number => {
    const at = written.findIndex((one) => one.id === id);
    return at < 0 ? written.length : at;
  };
  // A call that was refused stands in both lists, and there its text is in the second.
  const refused = new Set(unread.map(({ id }) => id).filter((id) => id !== undefined));
  const found = new Map(markOf(message)?.refused.map((call) => [call.id, call.found]));
  const calls = [...read.filter(({ id }) => !refused.has(id ?? '')), ...unread].map(({ id = '', name = '', args }) => {
    const text = refused.has(id) ? undefined : written.find((one) => one.id === id && id !== '')?.text;
    const known = found.get(id);
    return { type: 'call', id, name, arguments: text ?? args ?? '', ...(known && { found: known }) } as const;
  });
  return calls.sort((one, other) => order(one.id) - order(other.id));
}

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
