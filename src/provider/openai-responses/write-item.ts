import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { AssistantPart, CallPart, ReasoningPart, RefusalPart, TextPart } from '../../turn/turn.ts';
import { argumentsText, layOver, present } from '../carry.ts';
import { rest } from '../rest.ts';
import type { Warning } from '../wire.ts';
import { format, ownFields } from './format.ts';

/** Where a part goes: an item of its own, or the content of the message before it. */
export type WrittenPart = { readonly item: JsonObject; readonly fresh: boolean } | { readonly more: JsonValue };

/**
 * Writes one part of an answer. An item is `fresh` where nothing was carried along, so that whoever writes a whole
 * answer adds what the wire wants there; nothing comes of a part this wire has no word for.
 */
export function writeItem(part: AssistantPart, losses: Warning[], where: string): WrittenPart | undefined {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return writeMessage(part);
    case 'call':
      return own(part, writeCall(part));
    case 'reasoning':
      return writeReasoning(part, losses, where);
    case 'opaque':
      return part.format === format ? writeOpaque(part.value) : undefined;
    default:
      losses.push({ where, what: 'This wire has no media in an answer' });
      return undefined;
  }
}

const own = (part: CallPart | ReasoningPart, item: JsonObject): WrittenPart => ({
  item: layOver(format, item, part),
  fresh: !ownFields(part),
});

function writeMessage(part: TextPart | RefusalPart): WrittenPart {
  const fields = ownFields(part);
  const content = writeMessagePart(part);
  if (!fields) return { item: { role: 'assistant', content: [content] }, fresh: true };
  if (!isObject(fields.item)) return { more: content };
  const short = part.type === 'text' && fields.type === undefined;
  return { item: { ...fields.item, role: 'assistant', content: short ? part.text : [content] }, fresh: false };
}

/** A text or a refusal as a part of a message's content. */
export const writeMessagePart = (part: TextPart | RefusalPart): JsonObject => ({
  ...(part.type === 'text' ? { type: 'output_text', text: part.text } : { type: 'refusal', refusal: part.text }),
  ...rest(ownFields(part) ?? {}, ['item']),
});

const writeCall = (part: CallPart): JsonObject => ({
  type: 'function_call',
  call_id: part.id,
  name: part.name,
  arguments: argumentsText(part.arguments),
});

function writeReasoning(part: ReasoningPart, losses: Warning[], where: string): WrittenPart | undefined {
  const { text, id, seal } = part;
  if (seal && seal.format !== format) {
    losses.push({ where, what: `Thoughts signed by ${seal.format} mean nothing here, so left out` });
    return undefined;
  }
  const summary = text === '' ? [] : [{ type: 'summary_text', text }];
  return own(part, present({ type: 'reasoning', id, summary, encrypted_content: seal?.value }));
}

function writeOpaque(value: JsonValue): WrittenPart | undefined {
  if (!isObject(value)) return undefined;
  const inContent = value.type === undefined && value.part !== undefined;
  if (!inContent) return { item: value, fresh: false };
  const { part = null, item } = value;
  return isObject(item) ? { item: { ...item, role: 'assistant', content: [part] }, fresh: false } : { more: part };
}
