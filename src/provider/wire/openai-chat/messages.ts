import { isObject, type JsonObject } from '../../../json/value.ts';
import { makeId } from '../../../mend/make-id.ts';
import type {
  AssistantMessage,
  AssistantPart,
  CallPart,
  MediaPart,
  Message,
  ResultPart,
  UserMessage,
} from '../../../model/index.ts';
import { WireError, writeErrorText } from '../errors.ts';
import { withOwnSignature } from '../passthrough-fields.ts';
import type { Warning } from '../types.ts';
import {
  callEntries,
  isForeign,
  isFunctionCall,
  isOpaqueCall,
  nameAndArguments,
  readCall,
  readFunctionCall,
  readReasoning,
  writeCall,
  writeReasoning,
} from './calls.ts';
import { type ContentPart, messagePassthrough, type Place, readContent, writeContent } from './content.ts';
import { format, isText, listAt, mergeOver, objectAt, ownFields, take } from './fields.ts';

/** Reads a conversation. Consecutive results form one message. */
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

/** Reads a system, developer or user message. The developer role becomes system and passes through. */
function readSaid(given: JsonObject, where: string): Message {
  const rest = { ...given };
  const { role } = rest;
  if (role !== 'system' && role !== 'developer' && role !== 'user')
    throw new WireError(`${where}.role`, 'must be system, developer, user, assistant, tool or function');
  if (role !== 'developer') delete rest.role;
  const user = role === 'user';
  const content = readContent(rest, where, user);
  const left = messagePassthrough(rest, content, '');
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
    ...messagePassthrough(rest, content, ''),
  };
}

/** The call of a result without an id: the next call of its name, or the next call. */
const answered = ({ name }: JsonObject, unanswered: readonly CallPart[]): string | undefined =>
  unanswered.find((call) => !isText(name) || call.name === name)?.id;

function addResult(messages: Message[], result: ResultPart): void {
  const before = messages.at(-1);
  const together =
    before?.role === 'user' && before.parts.length > 0 && before.parts.every(({ type }) => type === 'result');
  if (together) messages[messages.length - 1] = { ...before, parts: [...before.parts, result] };
  else messages.push({ role: 'user', parts: [result] });
}

/** Writes a conversation. Each result becomes a message. */
export function writeMessages(messages: readonly Message[], warnings: Warning[]): JsonObject[] {
  return messages.flatMap((message, index) => {
    const place = { where: `messages.${index}`, warnings };
    if (message.role === 'assistant') return [writeAssistant(message, place)];
    if (message.role === 'user') return writeUser(message, place);
    return [{ ...mergeOver({ role: 'system' }, message), ...writeContent(message.parts, message, '', place) }];
  });
}

/** Writes results first, because they must directly follow the calls. Their media follow in a user message. */
function writeUser(message: UserMessage, place: Place): JsonObject[] {
  const results = message.parts.flatMap((part, index) => (part.type === 'result' ? [{ part, index }] : []));
  const written = results.map(({ part, index }) =>
    writeResult(part, { ...place, where: `${place.where}.parts.${index}` }),
  );
  const words = [
    ...results.flatMap(({ part }) => movedMedia(part)),
    ...message.parts.filter((part) => part.type !== 'result'),
  ];
  if (words.length === 0 && results.length > 0) return written;
  return [...written, { ...mergeOver({ role: 'user' }, message), ...writeContent(words, message, '', place) }];
}

const movedMedia = ({ content }: ResultPart): MediaPart[] =>
  content.filter((part) => part.type === 'media').filter((part) => !ownFields(part));

/** Reads an assistant message, from the history or a response. */
export function readAssistant(wire: JsonObject, where: string, functionCallId: () => string): AssistantMessage {
  const rest = { ...wire };
  if (rest.role === 'assistant') delete rest.role;
  const thoughts = readReasoning(rest);
  const content = readContent(rest, where, false);
  const refusal = take(rest, 'refusal', isText);
  const calls = readCalls(rest, where, functionCallId);
  const refused: AssistantPart[] = refusal === undefined ? [] : [{ type: 'refusal', text: refusal }];
  return {
    role: 'assistant',
    parts: [...thoughts, ...content, ...refused, ...calls],
    ...messagePassthrough(rest, content, null),
  };
}

function readCalls(rest: JsonObject, where: string, functionCallId: () => string): AssistantPart[] {
  const { tool_calls: listed, function_call: one } = rest;
  const calls: AssistantPart[] = [];
  const entries = callEntries(listed);
  if (entries.length > 0) {
    calls.push(...entries.map((call, index) => readCall(call, `${where}.tool_calls.${index}`)));
    delete rest.tool_calls;
  }
  if (isObject(one)) {
    calls.push(readFunctionCall(one, functionCallId()));
    delete rest.function_call;
  }
  return calls;
}

/**
 * Writes an assistant message: reasoning, text and calls, which the API has in this order only.
 *
 * @param answer whether this is a response, whose content is a string; a history can have a list
 */
export function writeAssistant(message: AssistantMessage, place: Place, answer = false): JsonObject {
  const parts = answer ? message.parts.map((part) => withOwnSignature(format, part)) : message.parts;
  const words = parts.filter((part, index) => isContent(part) || lost(part, index, place));
  const calls = parts.filter((part) => part.type === 'call');
  const last = calls.findLast(isFunctionCall);
  const listed = parts.flatMap((part) => {
    if (part.type === 'call') return isFunctionCall(part) ? [] : [writeCall(part)];
    return isOpaqueCall(part) ? [part.value] : [];
  });
  const refusal = parts.flatMap((part) => (part.type === 'refusal' && !ownFields(part) ? [part.text] : [])).join('');
  sayOrder(parts, place);
  const thoughts = writeReasoning(parts.filter((part) => part.type === 'reasoning'));
  // Null content is only valid next to something else.
  const nothing =
    parts.length > 0 && listed.length === 0 && !last && refusal === '' && Object.keys(thoughts).length === 0;
  const content = writeContent(answer ? joined(words) : words, message, nothing && !answer ? '' : null, place);
  return {
    ...mergeOver({ role: 'assistant' }, message),
    ...content,
    ...thoughts,
    ...(refusal !== '' && { refusal }),
    ...(listed.length > 0 && { tool_calls: listed }),
    ...(last && { function_call: nameAndArguments(last) }),
  };
}

/** Whether a part belongs to the content. Refusals and media do only if they came from there. */
const isContent = (part: AssistantPart): part is ContentPart => {
  if (part.type === 'refusal' || part.type === 'media') return ownFields(part) !== undefined;
  return part.type === 'text' || (part.type === 'opaque' && !isOpaqueCall(part));
};

function lost(part: AssistantPart, index: number, { where, warnings }: Place): part is never {
  const what =
    part.type === 'media'
      ? 'This API format has no media in responses; left out'
      : part.type === 'reasoning' && isForeign(part) && part.text !== ''
        ? 'Reasoning with a signature of another provider is not valid here; left out'
        : undefined;
  if (what !== undefined) warnings.push({ where: `${where}.parts.${index}`, what });
  return false;
}

function sayOrder(parts: readonly AssistantPart[], { where, warnings }: Place): void {
  const firstCall = parts.findIndex(({ type }) => type === 'call');
  const late = parts.findIndex(({ type }, index) => firstCall >= 0 && index > firstCall && type === 'text');
  if (late >= 0)
    warnings.push({
      where: `${where}.parts.${late}`,
      what: 'In this API format, text after a call is written before it',
    });
}

/** Joins adjacent plain texts. */
function joined(words: readonly ContentPart[]): readonly ContentPart[] {
  const plain = words.every((part) => part.type === 'text' && !ownFields(part));
  if (!plain || words.length < 2) return words;
  return [{ type: 'text', text: words.map((part) => ('text' in part ? part.text : '')).join('') }];
}

/** Writes a result. The API can't flag errors, so the text says so; media are sent separately. */
function writeResult(part: ResultPart, { where, warnings }: Place): JsonObject {
  const own = ownFields(part);
  const kept = part.content.filter((one) => one.type !== 'media' || ownFields(one));
  if (kept.length < part.content.length)
    warnings.push({ where, what: 'In this API format, results contain text only: media follow in a separate message' });
  const content = part.isError ? writeErrorText(kept) : kept;
  if (part.isError)
    warnings.push({ where: `${where}.isError`, what: 'This API format cannot flag errors; the text says so' });
  const head = own?.role === 'function' ? { role: 'function' } : { role: 'tool', tool_call_id: part.callId };
  return { ...mergeOver(head, part), ...writeContent(content, part, '', { where, warnings }) };
}
