import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { orderedIds } from '../../../mend/make-id.ts';
import type {
  AssistantMessage,
  AssistantPart,
  CallPart,
  MediaPart,
  Message,
  Part,
  ResultPart,
  SystemMessage,
  UserMessage,
} from '../../../model/index.ts';
import { asReceived, mendedArguments } from '../arguments.ts';
import { writeErrorText } from '../errors.ts';
import { isEmpty, passthroughFor, unreadFields } from '../passthrough-fields.ts';
import type { Warning } from '../types.ts';
import { mustBeList, mustBeObject, mustBeText } from '../validate.ts';

/** Passthrough of this API format. A null marks a field that was missing. */
export const { passthroughOf, asPassthrough, ownFields, ownObject } = passthroughFor('ollama');

/** Reads messages. Consecutive results form one message, and are matched to their calls by id, name or order. */
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
    const left = { ...unreadFields(wire, ['role', 'content']), ...contentless(wire), ...otherRole(wire, 'system') };
    return { role, parts, ...passthroughOf(left) } satisfies SystemMessage;
  }
  const left = { ...unreadFields(wire, ['role', 'content', 'images']), ...emptied(wire), ...otherRole(wire, 'user') };
  return {
    role: 'user',
    parts: [...parts, ...readImages(wire.images, where)],
    ...passthroughOf(left),
  } satisfies UserMessage;
}

/** Reads a result. New servers name the call, older ones the tool, and the oldest neither. */
function readResult(wire: JsonObject, where: string, waiting: WaitingCalls): ResultPart {
  const { tool_call_id: id, tool_name: name } = wire;
  const named = typeof name === 'string' && name !== '';
  const given = typeof id === 'string' && id !== '';
  return {
    type: 'result',
    callId: waiting.take(given ? id : undefined, named ? name : undefined),
    ...(named && { name }),
    content: [...readText(wire, where), ...readImages(wire.images, where)],
    ...passthroughOf({
      ...unreadFields(wire, ['role', 'content', 'images', 'tool_call_id', 'tool_name']),
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

/** A role that is spelled differently or unknown. */
const otherRole = ({ role }: JsonObject, plain: string): JsonObject => (role === plain ? {} : { role: role ?? null });

function withRole(message: Message, wire: JsonObject, plain: string): object {
  const role = otherRole(wire, plain);
  return isObject(message.passthrough) || 'role' in role
    ? passthroughOf({ ...message.passthrough?.fields, ...role })
    : {};
}

/** What is needed about a call to write its result. */
interface Called {
  readonly name: string;
  readonly withId: boolean;
}

/** Writes messages. Each result becomes a message, before the text next to it. */
export function writeMessages(messages: readonly Message[], warnings: Warning[]): JsonObject[] {
  const calls = new Map<string, Called>();
  return messages.flatMap((message, index): JsonObject[] => {
    const where = `messages.${index}`;
    if (message.role === 'assistant') {
      for (const part of message.parts) {
        if (part.type === 'call') calls.set(part.id, { name: part.name, withId: hasId(part) });
      }
      return [{ ...writeAssistant(message, where, warnings), ...roleOf(message) }];
    }
    const results = message.parts.flatMap((part, place) =>
      part.type === 'result' ? [writeResult(part, `${where}.parts.${place}`, calls, warnings)] : [],
    );
    const alone = results.length > 0 && results.length === message.parts.length;
    return alone ? results : [...results, plain(message, where, warnings)];
  });
}

function plain(message: Exclude<Message, { role: 'assistant' }>, where: string, warnings: Warning[]): JsonObject {
  const images = writeImages(message.parts, `${where}.parts`, warnings);
  return { ...words(message.role, message.parts, ownFields(message)), ...images, ...roleOf(message) };
}

function writeResult(
  part: ResultPart,
  where: string,
  calls: ReadonlyMap<string, Called>,
  warnings: Warning[],
): JsonObject {
  const { tool_call_id: unnamed, tool_name: toolless, ...left } = ownFields(part) ?? {};
  const call = calls.get(part.callId);
  const name = part.name ?? (toolless === null ? undefined : call?.name);
  if (part.isError)
    warnings.push({ where: `${where}.isError`, what: 'This API format cannot flag errors; the text says so' });
  return {
    ...words('tool', part.isError ? writeErrorText(part.content) : part.content, left),
    ...(name !== undefined && { tool_name: name }),
    ...(unnamed !== null && call?.withId !== false && { tool_call_id: part.callId }),
    ...writeImages(part.content, `${where}.content`, warnings),
    ...roleOf(part),
  };
}

/** A message with a role, the text of its parts and passthrough fields. */
function words(role: string, parts: readonly Part[], carried: JsonObject = {}): JsonObject {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const { content, ...left } = carried;
  return { role, ...((content !== null || texts.length > 0) && { content: texts.join('\n') }), ...left };
}

/** The role as received, if it was different. */
function roleOf(carrying: Message | ResultPart): JsonObject {
  const role = ownFields(carrying)?.role;
  return typeof role === 'string' ? { role } : {};
}

/** Calls without results, to match results that have no id. */
class WaitingCalls {
  readonly #ids = new Set<string>();
  readonly #names = new Map<string, string[]>();
  readonly #nextId = orderedIds();

  /** Adds a call, with a new id if it has none. */
  add(call: CallPart): CallPart {
    const id = call.id || this.#nextId();
    this.#ids.add(id);
    const sameName = this.#names.get(call.name);
    if (sameName) sameName.push(id);
    else this.#names.set(call.name, [id]);
    return id === call.id ? call : { ...call, id };
  }

  /** The call of a result: by id, else the first of that tool, else the first call. */
  take(id: string | undefined, name: string | undefined): string {
    const found = id ?? (name === undefined ? this.#first() : this.#next(name)) ?? this.#nextId();
    this.#ids.delete(found);
    return found;
  }

  #first(): string | undefined {
    const [first] = this.#ids;
    return first;
  }

  #next(name: string): string | undefined {
    const ids = this.#names.get(name);
    while (ids && ids.length > 0) {
      const id = ids.shift();
      if (id !== undefined && this.#ids.has(id)) return id;
    }
    return undefined;
  }
}

const known = ['role', 'content', 'thinking', 'tool_calls', 'images'];

/** Reads an assistant message: reasoning, text and calls, in this order. */
export function readAssistant(wire: JsonObject, where: string): AssistantMessage {
  const thinking = mustBeText(wire.thinking, `${where}.thinking`);
  const text = mustBeText(wire.content, `${where}.content`);
  const calls = mustBeList(wire.tool_calls, `${where}.tool_calls`);
  const parts: AssistantPart[] = [
    ...(thinking === '' ? [] : [{ type: 'reasoning' as const, text: thinking }]),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...readImages(wire.images, where),
    ...calls.map((call, index) => readCall(call, `${where}.tool_calls.${index}`)),
  ];
  return { role: 'assistant', parts, ...passthroughOf({ ...unreadFields(wire, known), ...emptied(wire) }) };
}

/** Empty fields, and content that is missing. */
function emptied(wire: JsonObject): JsonObject {
  const fields: JsonObject = {};
  if (wire.content === undefined || wire.content === null) fields.content = null;
  if (wire.thinking === '') fields.thinking = '';
  for (const key of ['tool_calls', 'images']) {
    const list = wire[key];
    if (Array.isArray(list) && list.length === 0) fields[key] = list;
  }
  return fields;
}

/**
 * Writes an assistant message. Separate reasoning and text parts are joined.
 *
 * @param separator what is written between them: nothing in a response, as in a stream
 */
export function writeAssistant(
  message: AssistantMessage,
  where: string,
  warnings: Warning[],
  separator: '' | '\n' = '\n',
): JsonObject {
  const thoughts: string[] = [];
  const texts: string[] = [];
  const calls: JsonValue[] = [];
  for (const [index, part] of message.parts.entries()) {
    const at = `${where}.parts.${index}`;
    if (part.type === 'reasoning' && !part.hidden) thoughts.push(part.text);
    if (part.type === 'refusal') warnings.push({ where: at, what: 'A refusal was written as plain text' });
    if (part.type === 'text' || part.type === 'refusal') texts.push(part.text);
    if (part.type !== 'call') continue;
    const { wire, what } = writeCall(part);
    if (what !== undefined) warnings.push({ where: `${at}.arguments`, what });
    calls.push(wire);
  }
  const { content, ...left } = ownFields(message) ?? {};
  return {
    role: 'assistant',
    ...((content !== null || texts.length > 0) && { content: texts.join(separator) }),
    ...left,
    ...(thoughts.length > 0 && { thinking: thoughts.join(separator) }),
    ...writeImages(message.parts, `${where}.parts`, warnings),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/** Reads a call. Older servers give it no id; it is then empty and assigned later. */
export function readCall(value: unknown, where: string): CallPart {
  const wire = mustBeObject(value, where);
  const inner = mustBeObject(wire.function, `${where}.function`);
  const id = typeof wire.id === 'string' ? wire.id : '';
  const left = {
    ...unreadFields(inner, ['name', 'arguments']),
    ...((inner.arguments === undefined || inner.arguments === null) && { arguments: null }),
  };
  return {
    type: 'call',
    id,
    name: mustBeText(inner.name, `${where}.function.name`),
    arguments: asReceived(inner.arguments ?? {}),
    ...passthroughOf({
      ...unreadFields(wire, ['id', 'function']),
      ...(id === '' && { id: null }),
      ...(!isEmpty(left) && { function: left }),
    }),
  };
}

/** Whether the call had an id when received. Otherwise results are matched by name and order. */
const hasId = (part: CallPart): boolean => ownFields(part)?.id !== null;

/** Writes a call, and reports how its arguments were changed. */
function writeCall(part: CallPart): { wire: JsonObject; what?: string } {
  const { object: args, ...told } = mendedArguments(part.arguments);
  const { id: _, function: __, ...outer } = ownFields(part) ?? {};
  const { arguments: none, ...inner } = ownObject(part, 'function') ?? {};
  const bare = none === null && isEmpty(args);
  return {
    wire: {
      ...(hasId(part) && { id: part.id }),
      ...outer,
      function: { ...inner, name: part.name, ...(!bare && { arguments: args }) },
    },
    ...told,
  };
}

/** Reads images: base64 without a media type. */
export const readImages = (images: unknown, where: string): MediaPart[] =>
  mustBeList(images, `${where}.images`).map((data, index) => ({
    type: 'media',
    mediaType: 'image/*',
    source: { data: mustBeText(data, `${where}.images.${index}`) },
  }));

/** Writes images. Other media, and images by URL, are not supported. */
function writeImages(parts: readonly Part[], where: string, warnings: Warning[]): { images?: JsonValue[] } {
  const images: JsonValue[] = [];
  for (const [index, part] of parts.entries()) {
    if (part.type !== 'media') continue;
    if ('data' in part.source && part.mediaType.startsWith('image/')) images.push(part.source.data);
    else warnings.push({ where: `${where}.${index}`, what: 'Only image data can be sent; left out' });
  }
  return images.length > 0 ? { images } : {};
}
