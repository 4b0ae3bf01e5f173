import type { JsonObject } from '../../json/value.ts';
import type { Message, Part, ResultPart } from '../../turn/turn.ts';
import { sayError } from '../say-error.ts';
import type { Warning } from '../wire.ts';
import { writeAssistant } from './assistant.ts';
import { hasId } from './call.ts';
import { own } from './carried.ts';
import { writeImages } from './images.ts';

/** What is known of a call when its result is written. */
interface Called {
  readonly name: string;
  readonly withId: boolean;
}

/** The messages for a request: each result is a message of its own, before the words it stood beside. */
export function writeMessages(messages: readonly Message[], losses: Warning[]): JsonObject[] {
  const calls = new Map<string, Called>();
  return messages.flatMap((message, index): JsonObject[] => {
    const where = `messages.${index}`;
    if (message.role === 'assistant') {
      for (const part of message.parts) {
        if (part.type === 'call') calls.set(part.id, { name: part.name, withId: hasId(part) });
      }
      return [{ ...writeAssistant(message, where, losses), ...roleOf(message) }];
    }
    const results = message.parts.flatMap((part, place) =>
      part.type === 'result' ? [writeResult(part, `${where}.parts.${place}`, calls, losses)] : [],
    );
    const alone = results.length > 0 && results.length === message.parts.length;
    return alone ? results : [...results, plain(message, where, losses)];
  });
}

function plain(message: Exclude<Message, { role: 'assistant' }>, where: string, losses: Warning[]): JsonObject {
  const images = writeImages(message.parts, `${where}.parts`, losses);
  return { ...words(message.role, message.parts, own(message)), ...images, ...roleOf(message) };
}

function writeResult(
  part: ResultPart,
  where: string,
  calls: ReadonlyMap<string, Called>,
  losses: Warning[],
): JsonObject {
  const { tool_call_id: unnamed, tool_name: toolless, ...left } = own(part) ?? {};
  const call = calls.get(part.callId);
  const name = part.name ?? (toolless === null ? undefined : call?.name);
  if (part.isError) losses.push({ where: `${where}.isError`, what: 'Only the words of a result say that it failed' });
  return {
    ...words('tool', part.isError ? sayError(part.content) : part.content, left),
    ...(name !== undefined && { tool_name: name }),
    ...(unnamed !== null && call?.withId !== false && { tool_call_id: part.callId }),
    ...writeImages(part.content, `${where}.content`, losses),
    ...roleOf(part),
  };
}

/** A role, the words of the parts, and what was carried along. */
function words(role: string, parts: readonly Part[], carried: JsonObject = {}): JsonObject {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const { content, ...left } = carried;
  return { role, ...((content !== null || texts.length > 0) && { content: texts.join('\n') }), ...left };
}

/** The role as it came, where it came otherwise. */
function roleOf(carrying: Message | ResultPart): JsonObject {
  const role = own(carrying)?.role;
  return typeof role === 'string' ? { role } : {};
}
