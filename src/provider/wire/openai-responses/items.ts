import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { makeId } from '../../../mend/make-id.ts';
import type {
  AssistantPart,
  CallPart,
  MediaPart,
  OpaquePart,
  ReasoningPart,
  RefusalPart,
  TextPart,
} from '../../../model/index.ts';
import { argumentsText, asReceived } from '../arguments.ts';
import { WireError } from '../errors.ts';
import { present, unreadFields } from '../passthrough-fields.ts';
import type { Warning } from '../types.ts';
import { mustBeObject } from '../validate.ts';
import { asPassthrough, format, layOver, ownFields, passthroughOf, textOr } from './fields.ts';

/** Reads an item of the model's output as parts. Unknown items stay opaque. */
export function readItem(wire: unknown, where: string): AssistantPart[] {
  const item = mustBeObject(wire, where);
  return readers[itemType(item)]?.(item) ?? [{ type: 'opaque', format, value: item }];
}

/** Type of an item; one with a role and no type is a message. */
export const itemType = (item: JsonObject): string => textOr(item.type, typeof item.role === 'string' ? 'message' : '');

const readers: Readonly<Record<string, (item: JsonObject) => AssistantPart[] | undefined>> = {
  __proto__: null as never,
  message: readMessage,
  reasoning: (item) => [readReasoning(item)],
  function_call: (item) => [readCall(item)],
};

/** The fields of a message item except its content. The first part keeps them as `item`. */
export const itemFields = (item: JsonObject): JsonObject => unreadFields(item, ['role', 'content']);

function readMessage(item: JsonObject): AssistantPart[] | undefined {
  const fields = itemFields(item);
  const plain = Object.keys(fields).length === 0;
  if (typeof item.content === 'string') {
    return [{ type: 'text', text: item.content, ...(!plain && asPassthrough({ item: fields })) }];
  }
  // An empty message has no part that could keep the fields.
  if (!Array.isArray(item.content) || item.content.length === 0) return undefined;
  const parts = item.content.map((part, index) => readMessagePart(part, index === 0 ? fields : undefined));
  const [only] = parts;
  if (
    plain &&
    parts.length === 1 &&
    only?.type === 'refusal' &&
    Object.keys(only.passthrough?.fields ?? {}).length === 1
  ) {
    return [{ type: 'refusal', text: only.text }];
  }
  return parts;
}

/**
 * Reads a part of a message's content. In its passthrough, `type` means that it was in a list, and `item` that it was
 * the first there; a part without `item` continues the previous item.
 */
export function readMessagePart(part: JsonValue, item?: JsonObject): AssistantPart {
  const first: JsonObject = item ? { item } : {};
  if (isObject(part) && typeof part.text === 'string' && textTypes.has(part.type)) {
    return { type: 'text', text: part.text, ...asPassthrough({ ...unreadFields(part, ['text']), ...first }) };
  }
  if (isObject(part) && part.type === 'refusal' && typeof part.refusal === 'string') {
    return {
      type: 'refusal',
      text: part.refusal,
      ...asPassthrough({ ...unreadFields(part, ['type', 'refusal']), ...first }),
    };
  }
  return { type: 'opaque', format, value: { part, ...first } };
}

const textTypes: ReadonlySet<unknown> = new Set(['output_text', 'input_text', 'text']);

/** Reads a call. */
export function readCall(item: JsonObject): CallPart {
  const { call_id: callId, id, name } = item;
  return {
    type: 'call',
    id: textOr(callId, textOr(id, '')),
    name: textOr(name, ''),
    arguments: asReceived(item.arguments ?? ''),
    ...passthroughOf(item, ['type', 'call_id', 'name', 'arguments']),
  };
}

function readReasoning(item: JsonObject): ReasoningPart {
  const { id, summary, content, encrypted_content: sealed } = item;
  const text = texts(content) || texts(summary);
  const plain = content === undefined && isPlainSummary(summary);
  return {
    type: 'reasoning',
    text,
    ...present({ id: typeof id === 'string' ? id : undefined }),
    ...(typeof sealed === 'string' && { signature: { format, value: sealed } }),
    ...(typeof sealed === 'string' && text === '' && { hidden: true }),
    ...passthroughOf(item, [
      'type',
      ...(typeof id === 'string' ? ['id'] : []),
      ...(typeof sealed === 'string' ? ['encrypted_content'] : []),
      ...(plain ? ['summary'] : []),
    ]),
  };
}

/** Text of a list of summaries or reasoning parts. */
const texts = (list: JsonValue | undefined): string =>
  Array.isArray(list) ? list.map((one) => (isObject(one) ? textOr(one.text, '') : '')).join('\n\n') : '';

/**
 * Gives an item another id if an earlier item has the same. A call without one gets an id if its events refer to it.
 *
 * @param used the ids of earlier items, to which its own is added
 */
export function withOwnId(item: JsonObject, used: Set<string>, isStreamed = false): JsonObject {
  const { id, type } = item;
  const isMissing = isStreamed && type === 'function_call' && (typeof id !== 'string' || id === '');
  const isUsed = typeof id === 'string' && used.has(id);
  const own = isMissing || isUsed ? { ...item, id: makeId(`${/^[a-z]+_/.exec(String(id))?.[0] ?? 'fc_'}`) } : item;
  if (typeof own.id === 'string') used.add(own.id);
  return own;
}

/** Whether writing the text alone would reproduce this list. */
function isPlainSummary(list: JsonValue | undefined): boolean {
  if (!Array.isArray(list) || list.length > 1) return false;
  const [only] = list;
  if (only === undefined) return true;
  return isObject(only) && only.type === 'summary_text' && Boolean(only.text) && Object.keys(only).length === 2;
}

/** Where a part goes: into a new item, or into the content of the previous message. */
type WrittenPart = { readonly item: JsonObject; readonly fresh: boolean } | { readonly more: JsonValue };

/**
 * Writes a part. An item is `fresh` if it has no passthrough, so that the caller adds required fields. Returns
 * undefined if the API can't express the part.
 */
export function writeItem(part: AssistantPart, warnings: Warning[], where: string): WrittenPart | undefined {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return writeMessage(part);
    case 'call':
      return own(part, writeCall(part));
    case 'reasoning':
      return writeReasoning(part, warnings, where);
    case 'opaque':
      return part.format === format ? writeOpaque(part.value) : undefined;
    default:
      warnings.push({ where, what: 'This API format has no media in responses' });
      return undefined;
  }
}

const own = (part: CallPart | ReasoningPart, item: JsonObject): WrittenPart => ({
  item: layOver(item, part),
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

/** A text or a refusal as message content. */
const writeMessagePart = (part: TextPart | RefusalPart): JsonObject => ({
  ...(part.type === 'text' ? { type: 'output_text', text: part.text } : { type: 'refusal', refusal: part.text }),
  ...unreadFields(ownFields(part) ?? {}, ['item']),
});

const writeCall = (part: CallPart): JsonObject => ({
  type: 'function_call',
  call_id: part.id,
  name: part.name,
  arguments: argumentsText(part.arguments),
});

function writeReasoning(part: ReasoningPart, warnings: Warning[], where: string): WrittenPart | undefined {
  const { text, id, signature } = part;
  if (signature && signature.format !== format) {
    warnings.push({ where, what: `Reasoning signed by ${signature.format} is not valid here; left out` });
    return undefined;
  }
  const summary = text === '' ? [] : [{ type: 'summary_text', text }];
  return own(part, present({ type: 'reasoning', id, summary, encrypted_content: signature?.value }));
}

function writeOpaque(value: JsonValue): WrittenPart | undefined {
  if (!isObject(value)) return undefined;
  const inContent = value.type === undefined && value.part !== undefined;
  if (!inContent) return { item: value, fresh: false };
  const { part = null, item } = value;
  return isObject(item) ? { item: { ...item, role: 'assistant', content: [part] }, fresh: false } : { more: part };
}

/**
 * Writes parts as items.
 *
 * @param dress adds the fields that the API requires to a fresh item
 */
export function writeItems(
  parts: readonly AssistantPart[],
  dress: (item: JsonObject) => JsonObject,
  warnings: Warning[],
  where: string,
): JsonObject[] {
  const items: JsonObject[] = [];
  parts.forEach((part, index) => {
    const written = writeItem(part, warnings, `${where}.${index}`);
    if (!written) return;
    if ('item' in written) {
      items.push(written.fresh ? dress(written.item) : written.item);
      return;
    }
    const content = items.at(-1)?.role === 'assistant' ? items.at(-1)?.content : undefined;
    if (Array.isArray(content)) content.push(written.more);
    else items.push(dress({ role: 'assistant', content: [written.more] }));
  });
  return items;
}

/** Content of a user message or a tool result. */
export type ContentPart = TextPart | MediaPart | OpaquePart;

/** Reads content that is a string or a list. */
export function readContent(value: JsonValue | undefined, where: string): ContentPart[] {
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new WireError(where, 'must be a string or a list');
  const parts = value.map((part, index) => readPart(mustBeObject(part, `${where}.${index}`)));
  const [only] = parts;
  // An empty passthrough marks that a single text was in a list.
  return parts.length === 1 && only?.type === 'text' && !only.passthrough ? [{ ...only, ...asPassthrough({}) }] : parts;
}

function readPart(part: JsonObject): ContentPart {
  const media = mediaReaders[String(part.type)]?.(part);
  return media ?? { type: 'opaque', format, value: { part } };
}

const mediaReaders: Readonly<Record<string, (part: JsonObject) => ContentPart | undefined>> = {
  __proto__: null as never,
  input_text: (part) => readText(part, ['type', 'text']),
  output_text: (part) => readText(part, ['text']),
  text: (part) => readText(part, ['text']),
  input_image: readImage,
  input_file: readFile,
};

const readText = (part: JsonObject, known: readonly string[]): ContentPart | undefined =>
  typeof part.text === 'string' ? { type: 'text', text: part.text, ...passthroughOf(part, known) } : undefined;

function readImage(part: JsonObject): ContentPart | undefined {
  const { image_url: link, file_id: file } = part;
  // In the Chat API the URL is inside an object, and some clients send that here too.
  const url = isObject(link) && typeof link.url === 'string' ? link.url : link;
  if (typeof url === 'string') {
    const known = typeof link === 'string' ? ['type', 'image_url'] : ['type'];
    return { type: 'media', ...fromUrl(url, 'image/*'), ...passthroughOf(part, known) };
  }
  if (typeof file !== 'string') return undefined;
  return {
    type: 'media',
    mediaType: 'image/*',
    source: { file },
    ...passthroughOf(part, ['type', 'file_id']),
  };
}

const fileType = 'application/octet-stream';

function readFile(part: JsonObject): ContentPart | undefined {
  const { file_data: data, file_url: url, file_id: file, filename } = part;
  const name = typeof filename === 'string' ? { name: filename } : {};
  const read = (body: Pick<MediaPart, 'mediaType' | 'source'>, key: string): MediaPart => ({
    type: 'media',
    ...body,
    ...name,
    ...passthroughOf(part, ['type', key, ...(typeof filename === 'string' ? ['filename'] : [])]),
  });
  if (typeof data === 'string') {
    if (data.startsWith('data:')) return read(fromUrl(data, fileType), 'file_data');
    // Base64 without a media type: keeps `file_data` to write it unchanged.
    return read({ mediaType: fileType, source: { data } }, '');
  }
  if (typeof url === 'string') return read({ mediaType: fileType, source: { url } }, 'file_url');
  return typeof file === 'string' ? read({ mediaType: fileType, source: { file } }, 'file_id') : undefined;
}

const dataUrl = /^data:([^;,]+);base64,/;

function fromUrl(url: string, mediaType: string): Pick<MediaPart, 'mediaType' | 'source'> {
  const found = url.startsWith('data:') ? dataUrl.exec(url) : null;
  if (!found) return { mediaType, source: { url } };
  return { mediaType: found[1] ?? mediaType, source: { data: url.slice(found[0].length) } };
}

/** Writes the content of a user message or a tool result: a plain text as a string, anything else as a list. */
export function writeContent(parts: readonly ContentPart[], warnings: Warning[], where: string): JsonValue {
  const [only] = parts;
  if (parts.length === 1 && only?.type === 'text' && !ownFields(only)) {
    return only.text;
  }
  return parts.flatMap((part, index) => writePart(part, warnings, `${where}.${index}`) ?? []);
}

function writePart(part: ContentPart, warnings: Warning[], where: string): JsonObject | undefined {
  if (part.type === 'opaque') {
    return part.format === format && isObject(part.value) && isObject(part.value.part) ? part.value.part : undefined;
  }
  const written = part.type === 'text' ? { type: 'input_text', text: part.text } : writeMedia(part);
  if (!written)
    warnings.push({
      where,
      what: `This API format does not support ${part.type === 'media' ? part.mediaType : part.type}`,
    });
  return written && layOver(written, part);
}

function writeMedia({ mediaType, source, name }: MediaPart): JsonObject | undefined {
  if (/^(audio|video)\//.test(mediaType)) return undefined;
  const image = mediaType.startsWith('image/');
  const type = image ? 'input_image' : 'input_file';
  const filename = image ? undefined : name;
  if ('file' in source) return present({ type, file_id: source.file, filename });
  if ('url' in source) return present({ type, [image ? 'image_url' : 'file_url']: source.url, filename });
  const url = `data:${mediaType};base64,${source.data}`;
  return present({ type, [image ? 'image_url' : 'file_data']: url, filename });
}

/** Adds the fields that the API requires in responses: an id, a status, and lists even if empty. */
export function dressItem(item: JsonObject): JsonObject {
  if (item.type === 'reasoning') return { id: makeId('rs_'), ...item };
  if (item.type === 'function_call') return { id: makeId('fc_'), status: 'completed', ...item };
  const content = Array.isArray(item.content) ? item.content.map(dressPart) : [];
  return { id: makeId('msg_'), type: 'message', status: 'completed', ...item, content };
}

const dressPart = (part: JsonValue): JsonValue =>
  isObject(part) && part.type === 'output_text' ? { annotations: [], logprobs: [], ...part } : part;
