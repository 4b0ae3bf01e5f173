import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { AssistantPart, CallPart, ReasoningPart } from '../../turn/turn.ts';
import { passthroughFields, present } from '../carry.ts';
import { mustBeObject } from '../must-be.ts';
import { rest } from '../rest.ts';
import { textOr } from './expect.ts';
import { format, passthrough } from './format.ts';

/** Reads one item on the model's side: its parts, in their order. What no row knows is kept whole. */
export function readItem(wire: unknown, where: string): AssistantPart[] {
  const item = mustBeObject(wire, where);
  return readers[itemType(item)]?.(item) ?? [{ type: 'opaque', format, value: item }];
}

/** An item's type; an item with a role and no type is a message. */
export const itemType = (item: JsonObject): string => textOr(item.type, typeof item.role === 'string' ? 'message' : '');

const readers: Readonly<Record<string, (item: JsonObject) => AssistantPart[] | undefined>> = {
  __proto__: null as never,
  message: readMessage,
  reasoning: (item) => [readReasoning(item)],
  function_call: (item) => [readCall(item)],
};

/** What a message's item says beside its content: it stands on the first of its parts, as `item`. */
export const itemFields = (item: JsonObject): JsonObject => rest(item, ['role', 'content']);

function readMessage(item: JsonObject): AssistantPart[] | undefined {
  const fields = itemFields(item);
  const plain = Object.keys(fields).length === 0;
  if (typeof item.content === 'string') {
    return [{ type: 'text', text: item.content, ...(!plain && passthrough({ item: fields })) }];
  }
  // An empty message would leave no part to stand on.
  if (!Array.isArray(item.content) || item.content.length === 0) return undefined;
  const parts = item.content.map((part, index) => readMessagePart(part, index === 0 ? fields : undefined));
  const [only] = parts;
  if (plain && parts.length === 1 && only?.type === 'refusal' && Object.keys(only.extra?.fields ?? {}).length === 1) {
    return [{ type: 'refusal', text: only.text }];
  }
  return parts;
}

/**
 * One part of a message's content. Its extra tells that it stood in a list, by its `type`, and whether it was the first
 * there, by `item`: a part without that goes on in the item before it.
 */
export function readMessagePart(part: JsonValue, item?: JsonObject): AssistantPart {
  const first: JsonObject = item ? { item } : {};
  if (isObject(part) && typeof part.text === 'string' && textTypes.has(part.type)) {
    return { type: 'text', text: part.text, ...passthrough({ ...rest(part, ['text']), ...first }) };
  }
  if (isObject(part) && part.type === 'refusal' && typeof part.refusal === 'string') {
    return { type: 'refusal', text: part.refusal, ...passthrough({ ...rest(part, ['type', 'refusal']), ...first }) };
  }
  return { type: 'opaque', format, value: { part, ...first } };
}

const textTypes: ReadonlySet<unknown> = new Set(['output_text', 'input_text', 'text']);

/** Reads a call. */
export function readCall(item: JsonObject): CallPart {
  const { call_id: callId, id, name } = item;
  return {
    type: 'call',
    id: textOr(callId, textOr(id, '')),
    name: textOr(name, ''),
    arguments: item.arguments ?? '',
    ...passthroughFields(format, item, ['type', 'call_id', 'name', 'arguments']),
  };
}

function readReasoning(item: JsonObject): ReasoningPart {
  const { id, summary, content, encrypted_content: sealed } = item;
  const text = texts(content) || texts(summary);
  const plain = content === undefined && isPlainSummary(summary);
  return {
    type: 'reasoning',
    text,
    ...present({ id: typeof id === 'string' ? id : undefined }),
    ...(typeof sealed === 'string' && { seal: { format, value: sealed } }),
    ...(typeof sealed === 'string' && text === '' && { hidden: true }),
    ...passthroughFields(format, item, [
      'type',
      ...(typeof id === 'string' ? ['id'] : []),
      ...(typeof sealed === 'string' ? ['encrypted_content'] : []),
      ...(plain ? ['summary'] : []),
    ]),
  };
}

/** The words of a list of summaries or thoughts. */
const texts = (list: JsonValue | undefined): string =>
  Array.isArray(list) ? list.map((one) => (isObject(one) ? textOr(one.text, '') : '')).join('\n\n') : '';

/** Whether the text alone leads back to this list. */
function isPlainSummary(list: JsonValue | undefined): boolean {
  if (!Array.isArray(list) || list.length > 1) return false;
  const [only] = list;
  if (only === undefined) return true;
  return isObject(only) && only.type === 'summary_text' && Boolean(only.text) && Object.keys(only).length === 2;
}
