import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { AssistantMessage, Carrying, Message, SystemMessage, UserMessage } from '../../turn/turn.ts';
import { makeId } from '../make-id.ts';
import { mustBeList } from '../must-be.ts';
import { rest } from '../rest.ts';
import { always, carried } from './carried.ts';
import { proto } from './proto.ts';
import { readPart } from './read-part.ts';

/** The messages of `contents`. Calls without an id are given one, and their results find it by name and order. */
export function readMessages(contents: unknown): Message[] {
  const waiting = new Map<string, string[]>();
  return mustBeList(contents, 'contents').map((value, index) => {
    const where = `contents.${index}`;
    const content = proto(value, where);
    return content.role === 'model' ? readAnswer(content, where, waiting) : readUser(content, where, waiting);
  });
}

/** The instructions: an object with parts, or plain text as some clients send it. */
export function readSystem(value: unknown): SystemMessage[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string') return [{ role: 'system', parts: [{ type: 'text', text: value }] }];
  const content = proto(value, 'systemInstruction');
  const parts = mustBeList(content.parts, 'systemInstruction.parts');
  return [
    {
      role: 'system',
      parts: parts.map((part, index) => readPart('system', part, `systemInstruction.parts.${index}`)),
      ...carried(rest(content, ['parts'])),
    },
  ];
}

/** The message a candidate holds; its calls may still be without an id. */
export function readCandidate(content: JsonObject, where: string): AssistantMessage {
  const parts = mustBeList(content.parts, `${where}.parts`);
  return {
    role: 'assistant',
    parts: parts.map((part, index) => readPart('model', part, `${where}.parts.${index}`)),
    ...aside(content, 'model'),
  };
}

function readAnswer(content: JsonObject, where: string, waiting: Map<string, string[]>): AssistantMessage {
  const message = readCandidate(content, where);
  // Results stand after the calls they answer, so calls of earlier answers wait no more.
  waiting.clear();
  const parts = message.parts.map((part) => {
    if (part.type !== 'call' || part.id !== '') return part;
    const id = makeId();
    const ids = waiting.get(part.name);
    if (ids) ids.push(id);
    else waiting.set(part.name, [id]);
    return { ...part, id };
  });
  return { ...message, parts };
}

function readUser(content: JsonObject, where: string, waiting: Map<string, string[]>): UserMessage {
  const parts = mustBeList(content.parts, `${where}.parts`).map((value, index) => {
    const part = readPart('user', value, `${where}.parts.${index}`);
    if (part.type !== 'result' || part.callId !== '') return part;
    return { ...part, callId: waiting.get(part.name ?? '')?.shift() ?? makeId() };
  });
  return { role: 'user', parts, ...aside(content, 'user') };
}

/** What a message says beside its parts: carried whole, unless it is the plain role and there are parts. */
function aside(content: JsonObject, role: JsonValue): Carrying {
  const parts = Array.isArray(content.parts) ? content.parts : undefined;
  const left: JsonObject = { ...rest(content, ['parts']), ...(parts?.length === 0 && { parts }) };
  return parts && left.role === role && Object.keys(left).length === 1 ? {} : always(left);
}
