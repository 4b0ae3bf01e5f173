import { isObject, type JsonObject } from '../../json/value.ts';
import type { Message, ResultPart, SystemMessage, UserMessage } from '../../turn/turn.ts';
import { mustBeList, mustBeObject, mustBeText } from '../must-be.ts';
import { rest } from '../rest.ts';
import { emptied, readAssistant } from './assistant.ts';
import { carried } from './carried.ts';
import { readImages } from './images.ts';
import { WaitingCalls } from './waiting-calls.ts';

/** The messages of a request. Results that follow each other stand in one message, and find their calls by id, name or order. */
export function readMessages(wire: unknown): Message[] {
  const waiting = new WaitingCalls();
  const messages: Message[] = [];
  let results: ResultPart[] | undefined;
  for (const [index, value] of mustBeList(wire, 'messages').entries()) {
    const where = `messages.${index}`;
    const message = mustBeObject(value, where);
    const role = mustBeText(message.role, `${where}.role`).toLowerCase();
    if (role !== 'tool') {
      results = undefined;
      messages.push(readMessage(role, message, where, waiting));
      continue;
    }
    if (!results) {
      results = [];
      messages.push({ role: 'user', parts: results });
    }
    results.push(readResult(message, where, waiting));
  }
  return messages;
}

function readMessage(role: string, wire: JsonObject, where: string, waiting: WaitingCalls): Message {
  if (role === 'assistant') {
    const message = readAssistant(wire, where);
    const parts = message.parts.map((part) => (part.type === 'call' ? waiting.add(part) : part));
    return { ...message, parts, ...withRole(message, wire, 'assistant') };
  }
  const parts = readText(wire, where);
  if (role === 'system') {
    const left = { ...rest(wire, ['role', 'content']), ...contentless(wire), ...otherRole(wire, 'system') };
    return { role, parts, ...carried(left) } satisfies SystemMessage;
  }
  const left = { ...rest(wire, ['role', 'content', 'images']), ...emptied(wire), ...otherRole(wire, 'user') };
  return { role: 'user', parts: [...parts, ...readImages(wire.images, where)], ...carried(left) } satisfies UserMessage;
}

/** What came of a call: the newest servers name the call, others the tool, and the oldest nothing. */
function readResult(wire: JsonObject, where: string, waiting: WaitingCalls): ResultPart {
  const { tool_call_id: id, tool_name: name } = wire;
  const named = typeof name === 'string' && name !== '';
  const given = typeof id === 'string' && id !== '';
  return {
    type: 'result',
    callId: waiting.take(given ? id : undefined, named ? name : undefined),
    ...(named && { name }),
    content: [...readText(wire, where), ...readImages(wire.images, where)],
    ...carried({
      ...rest(wire, ['role', 'content', 'images', 'tool_call_id', 'tool_name']),
      ...emptied(wire),
      ...(!given && { tool_call_id: null }),
      ...(!named && { tool_name: null }),
      ...otherRole(wire, 'tool'),
    }),
  };
}

const readText = (wire: JsonObject, where: string): { type: 'text'; text: string }[] => {
  const text = mustBeText(wire.content, `${where}.content`);
  return text === '' ? [] : [{ type: 'text', text }];
};

const contentless = (wire: JsonObject): JsonObject => (typeof wire.content === 'string' ? {} : { content: null });

/** A role in other letters than ours leads back to, or one we do not know. */
const otherRole = ({ role }: JsonObject, plain: string): JsonObject => (role === plain ? {} : { role: role ?? null });

function withRole(message: Message, wire: JsonObject, plain: string): object {
  const role = otherRole(wire, plain);
  return isObject(message.extra) || 'role' in role ? carried({ ...message.extra?.fields, ...role }) : {};
}
