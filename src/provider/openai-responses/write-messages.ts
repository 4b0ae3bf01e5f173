import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Message, ResultPart, SystemMessage, UserMessage } from '../../turn/turn.ts';
import { layOver, present } from '../carry.ts';
import { sayError } from '../say-error.ts';
import type { Warning } from '../wire.ts';
import { format, ownFields } from './format.ts';
import type { ContentPart } from './read-content.ts';
import { couldBeText } from './read-messages.ts';
import { writeContent } from './write-content.ts';
import { writeItems } from './write-items.ts';

/** Writes a conversation as `instructions` and `input`, each where there is something to say. */
export function writeMessages(messages: readonly Message[], losses: Warning[]): JsonObject {
  const [first] = messages;
  const instructions = first && instructionsOf(first);
  const from = instructions === undefined ? 0 : 1;
  const rest = messages.slice(from);
  return present({ instructions, input: inputOf(rest, from, losses) });
}

/** What stands before everything, in one text. */
function instructionsOf(message: Message): string | undefined {
  const [part] = message.parts;
  if (message.role !== 'system' || message.parts.length !== 1 || part?.type !== 'text') return undefined;
  return ownFields(message) || ownFields(part) ? undefined : part.text;
}

function inputOf(messages: readonly Message[], from: number, losses: Warning[]): JsonValue | undefined {
  if (messages.length === 0) return undefined;
  const [only] = messages;
  if (messages.length === 1 && only && couldBeText(only))
    return only.parts[0]?.type === 'text' ? only.parts[0].text : '';
  return messages.flatMap((message, index) => {
    const where = `messages.${from + index}`;
    if (message.role === 'assistant') return writeItems(message.parts, briefly, losses, `${where}.parts`);
    const items = message.role === 'system' ? [writeSystem(message, losses, where)] : writeUser(message, losses, where);
    return items.filter((item) => !isSilent(item, message, losses, where));
  });
}

/** Whether nothing is left of a message from elsewhere: an empty list is refused. */
function isSilent({ content }: JsonObject, message: Message, losses: Warning[], where: string): boolean {
  if (!Array.isArray(content) || content.length > 0 || ownFields(message)) return false;
  if (message.parts.length === 0 && !message.extra) return false;
  losses.push({ where, what: 'A message with nothing in it is refused, so it was left out' });
  return true;
}

/** An answer's words need no list where nothing else is said of them. */
function briefly(item: JsonObject): JsonObject {
  const [part] = Array.isArray(item.content) ? item.content : [];
  if (!part || typeof part !== 'object' || Array.isArray(part)) return item;
  const plain = part.type === 'output_text' && Object.keys(part).length === 2;
  return plain && typeof part.text === 'string' ? { ...item, content: part.text } : item;
}

const writeSystem = (message: SystemMessage, losses: Warning[], where: string): JsonObject =>
  layOver(format, { role: 'system', content: writeContent(message.parts, losses, `${where}.parts`) }, message);

function writeUser(message: UserMessage, losses: Warning[], where: string): JsonObject[] {
  const items: JsonObject[] = [];
  let said: ContentPart[] = [];
  let extra = message.extra;
  const flush = (): void => {
    if (said.length === 0 && message.parts.length > 0) return;
    const content = writeContent(said, losses, `${where}.parts`);
    items.push(layOver(format, { role: 'user', content }, extra ? { extra } : {}));
    said = [];
    extra = undefined;
  };
  message.parts.forEach((part, index) => {
    const place = `${where}.parts.${index}`;
    const item = part.type === 'result' ? writeResult(part, losses, place) : asItem(part);
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

/** An item that was kept whole; parts of a content are kept inside `part`. */
function asItem(part: UserMessage['parts'][number]): JsonObject | undefined {
  if (part.type !== 'opaque' || part.format !== format) return undefined;
  const { value } = part;
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !('part' in value) ? value : undefined;
}

function writeResult(part: ResultPart, losses: Warning[], where: string): JsonObject {
  const { callId, name, isError } = part;
  if (isError) losses.push({ where: `${where}.isError`, what: 'This wire has no mark for an error: the text says it' });
  const output = writeContent(isError ? sayError(part.content) : part.content, losses, `${where}.content`);
  return layOver(format, present({ type: 'function_call_output', call_id: callId, name, output }), part);
}
