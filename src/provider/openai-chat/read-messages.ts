import type { JsonObject } from '../../json/value.ts';
import type { CallPart, Message, ResultPart } from '../../turn/turn.ts';
import { makeId } from '../make-id.ts';
import { WireError } from '../wire-error.ts';
import { readAssistant } from './read-assistant.ts';
import { leftOfMessage, readContent } from './read-content.ts';
import { isText, listAt, objectAt, take } from './take.ts';

/** Reads a conversation. Results that follow each other answer one turn, so they stand in one message. */
export function readMessages(wire: unknown): Message[] {
  const messages: Message[] = [];
  let unanswered: CallPart[] = [];
  for (const [index, one] of listAt(wire, 'messages').entries()) {
    const where = `messages.${index}`;
    const given = objectAt(one, where);
    const role = given.role;
    if (role === 'tool' || role === 'function') {
      const result = readResult(given, where, unanswered);
      unanswered = unanswered.filter(({ id }) => id !== result.callId);
      addResult(messages, result);
      continue;
    }
    const message =
      role === 'assistant' ? readAssistant(given, where, () => `call_function_${index}`) : readSaid(given, where);
    if (message.role === 'assistant') unanswered = message.parts.filter((part) => part.type === 'call');
    messages.push(message);
  }
  return messages;
}

/** Words to the model; a developer's are the system's, and the role is carried. */
function readSaid(given: JsonObject, where: string): Message {
  const rest = { ...given };
  const { role } = rest;
  if (role !== 'system' && role !== 'developer' && role !== 'user')
    throw new WireError(`${where}.role`, 'must be system, developer, user, assistant, tool or function');
  if (role !== 'developer') delete rest.role;
  const user = role === 'user';
  const content = readContent(rest, where, user);
  const left = leftOfMessage(rest, content, '');
  const words = content.filter((part) => part.type !== 'refusal');
  if (user) return { role, parts: words, ...left };
  return { role: 'system', parts: words.filter((part) => part.type !== 'media'), ...left };
}

function readResult(given: JsonObject, where: string, unanswered: readonly CallPart[]): ResultPart {
  const rest = { ...given };
  if (rest.role === 'tool') delete rest.role;
  const callId = take(rest, 'tool_call_id', isText) ?? answered(rest, unanswered) ?? makeId();
  const content = readContent(rest, where, false);
  return {
    type: 'result',
    callId,
    ...(isText(rest.name) && { name: rest.name }),
    content: content.filter((part) => part.type !== 'refusal'),
    ...leftOfMessage(rest, content, ''),
  };
}

/** The call a result without an id answers: the next of its name, or the next of all where it has no name. */
const answered = ({ name }: JsonObject, unanswered: readonly CallPart[]): string | undefined =>
  unanswered.find((call) => !isText(name) || call.name === name)?.id;

function addResult(messages: Message[], result: ResultPart): void {
  const before = messages.at(-1);
  const together =
    before?.role === 'user' && before.parts.length > 0 && before.parts.every(({ type }) => type === 'result');
  if (together) messages[messages.length - 1] = { ...before, parts: [...before.parts, result] };
  else messages.push({ role: 'user', parts: [result] });
}
