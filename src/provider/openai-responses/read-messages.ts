import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Message, OpaquePart, ResultPart, SystemMessage, UserMessage } from '../../turn/turn.ts';
import { passthroughFields, present } from '../carry.ts';
import { mustBeObject } from '../must-be.ts';
import { rest } from '../rest.ts';
import { WireError } from '../wire-error.ts';
import { textOr } from './expect.ts';
import { format, passthrough } from './format.ts';
import { readContent } from './read-content.ts';
import { itemType, readItem } from './read-item.ts';

/**
 * Reads `input`: a text, or items. Items the model wrote one after the other are one answer; results one after the
 * other are one message.
 */
export function readMessages(input: JsonValue | undefined, where: string): Message[] {
  if (typeof input === 'string') return [{ role: 'user', parts: [{ type: 'text', text: input }] }];
  if (input === undefined || input === null) return [];
  if (!Array.isArray(input)) throw new WireError(where, 'must be a string or a list of items');
  const messages: Message[] = [];
  let open: { side: Side; parts: unknown[] } | undefined;
  input.forEach((value, index) => {
    const item = mustBeObject(value, `${where}.${index}`);
    const side = sideOf(item);
    if (side === 'message') {
      open = undefined;
      messages.push(readMessage(item, `${where}.${index}`));
      return;
    }
    if (open?.side !== side) {
      const parts: never[] = [];
      open = { side, parts };
      messages.push(side === 'answer' ? { role: 'assistant', parts } : { role: 'user', parts });
    }
    open.parts.push(...(side === 'answer' ? readItem(item, '') : [readResult(item, `${where}.${index}`)]));
  });
  const [only] = messages;
  return messages.length === 1 && only && couldBeText(only) ? [{ ...only, ...passthrough({}) }] : messages;
}

/** Whether a conversation is one plain text, for which the wire has a shorter way. */
export const couldBeText = (message: Message): message is UserMessage => {
  const [part] = message.parts;
  return (
    message.role === 'user' && !message.extra && message.parts.length === 1 && part?.type === 'text' && !part.extra
  );
};

/** Who speaks in an item: a message stands alone, answers and results run on. */
type Side = 'message' | 'answer' | 'results';

const roles: Readonly<Record<string, Side>> = {
  __proto__: null as never,
  user: 'message',
  system: 'message',
  developer: 'message',
  assistant: 'answer',
};

/** What reaches the model beside messages, and does not end in `_output`. */
const given: ReadonlySet<string> = new Set([
  'mcp_approval_response',
  'compaction_trigger',
  'additional_tools',
  'configuration_update',
]);

function sideOf(item: JsonObject): Side {
  const type = itemType(item);
  if (type === 'message') return roles[String(item.role)] ?? 'results';
  return type.endsWith('_output') || given.has(type) ? 'results' : 'answer';
}

function readMessage(item: JsonObject, where: string): Message {
  const { role } = item;
  const content = readContent(item.content, `${where}.content`);
  const nothing: JsonObject = item.content === null ? { content: null } : {};
  if (role === 'user') {
    const fields = { ...rest(item, ['role', 'content']), ...nothing };
    return { role, parts: content, ...(Object.keys(fields).length > 0 && passthrough(fields)) };
  }
  // The role tells that these words stood among the items, and not in `instructions`.
  const parts: SystemMessage['parts'] = content.map((part, index) =>
    part.type === 'media' ? { type: 'opaque', format, value: { part: mediaAt(item, index) } } : part,
  );
  return { role: 'system', parts, ...passthrough({ ...rest(item, ['content']), ...nothing }) };
}

const mediaAt = (item: JsonObject, index: number): JsonValue =>
  (Array.isArray(item.content) ? item.content[index] : undefined) ?? null;

function readResult(item: JsonObject, where: string): ResultPart | OpaquePart {
  if (item.type !== 'function_call_output') return { type: 'opaque', format, value: item };
  const { call_id: callId, name, output } = item;
  return {
    type: 'result',
    callId: textOr(callId, ''),
    ...present({ name: typeof name === 'string' ? name : undefined }),
    content: readContent(output, `${where}.output`),
    ...passthroughFields(format, item, [
      'type',
      ...(typeof callId === 'string' ? ['call_id'] : []),
      ...(typeof name === 'string' ? ['name'] : []),
      ...(output === null ? [] : ['output']),
    ]),
  };
}
