import type { JsonObject, JsonValue } from '../../../json/value.ts';
import type { Message, OpaquePart, ResultPart, SystemMessage, UserMessage } from '../../../model/index.ts';
import { WireError, writeErrorText } from '../errors.ts';
import { present, unreadFields } from '../passthrough-fields.ts';
import type { Warning } from '../types.ts';
import { mustBeObject } from '../validate.ts';
import { asPassthrough, format, layOver, ownFields, passthroughOf, textOr } from './fields.ts';
import { type ContentPart, itemType, readContent, readItem, writeContent, writeItems } from './items.ts';

/** Reads `input`: a string or items. Consecutive items of the model form one message, and so do consecutive results. */
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
  return messages.length === 1 && only && couldBeText(only) ? [{ ...only, ...asPassthrough({}) }] : messages;
}

/** Whether a conversation is one plain text, which can be sent as a string. */
const couldBeText = (message: Message): message is UserMessage => {
  const [part] = message.parts;
  return (
    message.role === 'user' &&
    !message.passthrough &&
    message.parts.length === 1 &&
    part?.type === 'text' &&
    !part.passthrough
  );
};

/** What an item belongs to. A message stands alone; output and results are grouped. */
type Side = 'message' | 'answer' | 'results';

const roles: Readonly<Record<string, Side>> = {
  __proto__: null as never,
  user: 'message',
  system: 'message',
  developer: 'message',
  assistant: 'answer',
};

/** Input items other than messages that don't end in `_output`. */
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
    return { role, parts: content, ...passthroughOf({ ...unreadFields(item, ['role', 'content']), ...nothing }) };
  }
  // The role marks that this text was an item, not `instructions`.
  const parts: SystemMessage['parts'] = content.map((part, index) =>
    part.type === 'media' ? { type: 'opaque', format, value: { part: mediaAt(item, index) } } : part,
  );
  return { role: 'system', parts, ...asPassthrough({ ...unreadFields(item, ['content']), ...nothing }) };
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
    ...passthroughOf(item, [
      'type',
      ...(typeof callId === 'string' ? ['call_id'] : []),
      ...(typeof name === 'string' ? ['name'] : []),
      ...(output === null ? [] : ['output']),
    ]),
  };
}

/** Writes a conversation as `instructions` and `input`. */
export function writeMessages(messages: readonly Message[], warnings: Warning[]): JsonObject {
  const [first] = messages;
  const instructions = first && instructionsOf(first);
  const from = instructions === undefined ? 0 : 1;
  const rest = messages.slice(from);
  return present({ instructions, input: inputOf(rest, from, warnings) });
}

/** The text of a leading system message without passthrough fields. */
function instructionsOf(message: Message): string | undefined {
  const [part] = message.parts;
  if (message.role !== 'system' || message.parts.length !== 1 || part?.type !== 'text') return undefined;
  return ownFields(message) || ownFields(part) ? undefined : part.text;
}

function inputOf(messages: readonly Message[], from: number, warnings: Warning[]): JsonValue | undefined {
  if (messages.length === 0) return undefined;
  const [only] = messages;
  if (messages.length === 1 && only && couldBeText(only))
    return only.parts[0]?.type === 'text' ? only.parts[0].text : '';
  return messages.flatMap((message, index) => {
    const where = `messages.${from + index}`;
    if (message.role === 'assistant') return writeItems(message.parts, briefly, warnings, `${where}.parts`);
    const items =
      message.role === 'system' ? [writeSystem(message, warnings, where)] : writeUser(message, warnings, where);
    return items.filter((item) => !isSilent(item, message, warnings, where));
  });
}

/** Whether a message became empty; the API rejects an empty list. */
function isSilent({ content }: JsonObject, message: Message, warnings: Warning[], where: string): boolean {
  if (!Array.isArray(content) || content.length > 0 || ownFields(message)) return false;
  if (message.parts.length === 0 && !message.passthrough) return false;
  warnings.push({ where, what: 'Empty messages are rejected; left out' });
  return true;
}

/** Writes a single plain text as a string instead of a list. */
function briefly(item: JsonObject): JsonObject {
  const [part] = Array.isArray(item.content) ? item.content : [];
  if (!part || typeof part !== 'object' || Array.isArray(part)) return item;
  const plain = part.type === 'output_text' && Object.keys(part).length === 2;
  return plain && typeof part.text === 'string' ? { ...item, content: part.text } : item;
}

const writeSystem = (message: SystemMessage, warnings: Warning[], where: string): JsonObject =>
  layOver({ role: 'system', content: writeContent(message.parts, warnings, `${where}.parts`) }, message);

function writeUser(message: UserMessage, warnings: Warning[], where: string): JsonObject[] {
  const items: JsonObject[] = [];
  let said: ContentPart[] = [];
  let passthrough = message.passthrough;
  const flush = (): void => {
    if (said.length === 0 && message.parts.length > 0) return;
    const content = writeContent(said, warnings, `${where}.parts`);
    items.push(layOver({ role: 'user', content }, { passthrough }));
    said = [];
    passthrough = undefined;
  };
  message.parts.forEach((part, index) => {
    const place = `${where}.parts.${index}`;
    const item = part.type === 'result' ? writeResult(part, warnings, place) : asItem(part);
    if (!item) {
      said.push(part as ContentPart);
      return;
    }
    flush();
    items.push(item);
  });
  flush();
  return items;
}

/** An opaque item. Opaque parts of content are inside `part`. */
function asItem(part: UserMessage['parts'][number]): JsonObject | undefined {
  if (part.type !== 'opaque' || part.format !== format) return undefined;
  const { value } = part;
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !('part' in value) ? value : undefined;
}

function writeResult(part: ResultPart, warnings: Warning[], where: string): JsonObject {
  const { callId, name, isError } = part;
  if (isError)
    warnings.push({ where: `${where}.isError`, what: 'This API format cannot flag errors; the text says so' });
  const output = writeContent(isError ? writeErrorText(part.content) : part.content, warnings, `${where}.content`);
  return layOver(present({ type: 'function_call_output', call_id: callId, name, output }), part);
}
