import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Message, ResultPart } from '../../turn/turn.ts';
import type { Warning } from '../wire.ts';
import { hasId } from './call.ts';
import { own } from './carried.ts';
import { writeResult } from './result.ts';
import { writePart } from './write-part.ts';

/** What is known of a call when its result is written. */
interface Called {
  readonly name: string;
  readonly withId: boolean;
}

/** `contents` and `systemInstruction` for a conversation. */
export function writeMessages(messages: readonly Message[], losses: Warning[]): JsonObject {
  const calls = new Map<string, Called>();
  const contents: JsonObject[] = [];
  const system: JsonObject[] = [];
  for (const [index, message] of messages.entries()) {
    const where = `messages.${index}`;
    const parts = writeParts(message, where, calls, losses);
    if (message.role !== 'system') {
      const silent = parts.length === 0 && message.parts.length > 0 && !own(message);
      if (silent) losses.push({ where, what: 'A message with nothing in it is refused, so it was left out' });
      else contents.push(content(message, parts));
      continue;
    }
    system.push({ parts, ...own(message) });
    if (contents.length > 0)
      losses.push({ where, what: 'Instructions stand before the conversation, so it was moved there' });
  }
  return { contents, ...(system.length > 0 && { systemInstruction: joined(system) }) };
}

/** A message for the wire: its role, or what was carried instead, and its parts. */
export function content(message: Message, parts: JsonValue[]): JsonObject {
  const aside = own(message);
  if (!aside) return { role: message.role === 'assistant' ? 'model' : 'user', parts };
  return { ...aside, ...(parts.length > 0 && { parts }) };
}

function writeParts(message: Message, where: string, calls: Map<string, Called>, losses: Warning[]): JsonValue[] {
  return message.parts.flatMap((part, index): JsonValue[] => {
    const at = `${where}.parts.${index}`;
    if (part.type === 'result') return [resultOf(part, at, calls, losses)];
    if (part.type === 'call') calls.set(part.id, { name: part.name, withId: hasId(part) });
    const wire = writePart(part, at, losses);
    return wire === undefined ? [] : [wire];
  });
}

function resultOf(part: ResultPart, where: string, calls: Map<string, Called>, losses: Warning[]): JsonObject {
  const call = calls.get(part.callId);
  const name = part.name || call?.name;
  if (!name) losses.push({ where, what: 'The name of the tool is not known, so the id of the call stands for it' });
  for (const [index, inner] of part.content.entries()) {
    if (inner.type !== 'media' || !('file' in inner.source)) continue;
    losses.push({ where: `${where}.content.${index}`, what: 'A file that another provider holds was left out' });
  }
  return writeResult(part, name || part.callId, call?.withId ?? true);
}

/** The wire has room for one set of instructions: several are put together. */
function joined([first, ...others]: readonly JsonObject[]): JsonObject {
  if (!first || others.length === 0) return first ?? {};
  return { ...first, parts: [first, ...others].flatMap(({ parts }) => (Array.isArray(parts) ? parts : [])) };
}
