import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { orderedIds } from '../../../mend/make-id.ts';
import type {
  AssistantMessage,
  Message,
  ResultPart,
  SystemMessage,
  UserMessage,
  WithPassthrough,
} from '../../../model/index.ts';
import { unreadFields } from '../passthrough-fields.ts';
import type { Warning } from '../types.ts';
import { mustBeList } from '../validate.ts';
import { hasId } from './calls.ts';
import { readPart, writePart, writeResult } from './content.ts';
import { asPassthrough, ownFields, passthroughOf, proto } from './fields.ts';

/** Reads `contents`. Calls without an id get one, and their results are matched by name and order. */
export function readMessages(contents: unknown): Message[] {
  const waiting: Waiting = new Map();
  const nextId = orderedIds();
  return mustBeList(contents, 'contents').map((value, index) => {
    const where = `contents.${index}`;
    const content = proto(value, where);
    return content.role === 'model'
      ? readAnswer(content, where, waiting, nextId)
      : readUser(content, where, waiting, nextId);
  });
}

/** Reads the system instruction: an object with parts, or a string as some clients send it. */
export function readSystem(value: unknown): SystemMessage[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string') return [{ role: 'system', parts: [{ type: 'text', text: value }] }];
  const content = proto(value, 'systemInstruction');
  const parts = mustBeList(content.parts, 'systemInstruction.parts');
  return [
    {
      role: 'system',
      parts: parts.map((part, index) => readPart('system', part, `systemInstruction.parts.${index}`)),
      ...passthroughOf(content, ['parts']),
    },
  ];
}

/** Reads the message of a candidate. Its calls may have no id yet. */
export function readCandidate(content: JsonObject, where: string): AssistantMessage {
  const parts = mustBeList(content.parts, `${where}.parts`);
  return {
    role: 'assistant',
    parts: parts.map((part, index) => readPart('model', part, `${where}.parts.${index}`)),
    ...aside(content, 'model'),
  };
}

/** Ids of calls without results, by name. */
type Waiting = Map<string, string[]>;

function readAnswer(content: JsonObject, where: string, waiting: Waiting, nextId: () => string): AssistantMessage {
  const message = readCandidate(content, where);
  // Results follow the calls of the last message, so earlier calls are no longer pending.
  waiting.clear();
  const parts = message.parts.map((part) => {
    if (part.type !== 'call' || part.id !== '') return part;
    const id = nextId();
    const ids = waiting.get(part.name);
    if (ids) ids.push(id);
    else waiting.set(part.name, [id]);
    return { ...part, id };
  });
  return { ...message, parts };
}

function readUser(content: JsonObject, where: string, waiting: Waiting, nextId: () => string): UserMessage {
  const parts = mustBeList(content.parts, `${where}.parts`).map((value, index) => {
    const part = readPart('user', value, `${where}.parts.${index}`);
    if (part.type !== 'result' || part.callId !== '') return part;
    return { ...part, callId: waiting.get(part.name ?? '')?.shift() ?? nextId() };
  });
  return { role: 'user', parts, ...aside(content, 'user') };
}

/** The fields of a message except its parts; none if it only has its role and parts. */
function aside(content: JsonObject, role: JsonValue): WithPassthrough {
  const parts = Array.isArray(content.parts) ? content.parts : undefined;
  const left: JsonObject = { ...unreadFields(content, ['parts']), ...(parts?.length === 0 && { parts }) };
  return parts && left.role === role && Object.keys(left).length === 1 ? {} : asPassthrough(left);
}

/** What is needed about a call to write its result. */
interface Called {
  readonly name: string;
  readonly withId: boolean;
}

/** Writes a conversation as `contents` and `systemInstruction`. */
export function writeMessages(messages: readonly Message[], warnings: Warning[]): JsonObject {
  const calls = new Map<string, Called>();
  const contents: JsonObject[] = [];
  const system: JsonObject[] = [];
  for (const [index, message] of messages.entries()) {
    const where = `messages.${index}`;
    const parts = writeParts(message, where, calls, warnings);
    if (message.role !== 'system') {
      const silent = parts.length === 0 && message.parts.length > 0 && !ownFields(message);
      if (silent) warnings.push({ where, what: 'Empty messages are rejected; left out' });
      else contents.push(content(message, parts));
      continue;
    }
    system.push({ parts, ...ownFields(message) });
    if (contents.length > 0)
      warnings.push({ where, what: 'Instructions must come before the conversation; moved there' });
  }
  return { contents, ...(system.length > 0 && { systemInstruction: joined(system) }) };
}

/** A message with its role and parts, or with its passthrough fields. */
export function content(message: Message, parts: JsonValue[]): JsonObject {
  const aside = ownFields(message);
  if (!aside) return { role: message.role === 'assistant' ? 'model' : 'user', parts };
  return { ...aside, ...(parts.length > 0 && { parts }) };
}

function writeParts(message: Message, where: string, calls: Map<string, Called>, warnings: Warning[]): JsonValue[] {
  return message.parts.flatMap((part, index): JsonValue[] => {
    const at = `${where}.parts.${index}`;
    if (part.type === 'result') return [resultOf(part, at, calls, warnings)];
    if (part.type === 'call') calls.set(part.id, { name: part.name, withId: hasId(part) });
    const wire = writePart(part, at, warnings);
    return wire === undefined ? [] : [wire];
  });
}

function resultOf(part: ResultPart, where: string, calls: Map<string, Called>, warnings: Warning[]): JsonObject {
  const call = calls.get(part.callId);
  const name = part.name || call?.name;
  if (!name) warnings.push({ where, what: 'The name of the tool is unknown; the call id is used instead' });
  for (const [index, inner] of part.content.entries()) {
    if (inner.type !== 'media' || !('file' in inner.source)) continue;
    warnings.push({ where: `${where}.content.${index}`, what: 'The file is stored by another provider; left out' });
  }
  return writeResult(part, name || part.callId, call?.withId ?? true);
}

/** Joins several system messages, because the API has one instruction. */
function joined([first, ...others]: readonly JsonObject[]): JsonObject {
  if (!first || others.length === 0) return first ?? {};
  return { ...first, parts: [first, ...others].flatMap(({ parts }) => (Array.isArray(parts) ? parts : [])) };
}
