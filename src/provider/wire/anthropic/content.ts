import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { makeId } from '../../../mend/make-id.ts';
import type {
  CallPart,
  MediaPart,
  OpaquePart,
  Part,
  ReasoningPart,
  ResultPart,
  TextPart,
} from '../../../model/index.ts';
import { asReceived, mendedArguments } from '../arguments.ts';
import { WireError } from '../errors.ts';
import { present } from '../passthrough-fields.ts';
import { mustBeObject } from '../validate.ts';
import { asPassthrough, format, layOver, ownFields, type Pen, passthroughOf, warn } from './fields.ts';

type ReadBlock = (block: JsonObject) => Part | undefined;

/** Blocks that the common format can express. Others, and invalid ones, stay opaque. */
const readers = new Map<unknown, ReadBlock>([
  [
    'text',
    (block) =>
      typeof block.text === 'string'
        ? { type: 'text', text: block.text, ...passthroughOf(block, ['type', 'text']) }
        : undefined,
  ],
  ['thinking', readThinking],
  [
    'redacted_thinking',
    (block) =>
      typeof block.data === 'string'
        ? {
            type: 'reasoning',
            text: '',
            hidden: true,
            signature: { format, value: block.data },
            ...passthroughOf(block, ['type', 'data']),
          }
        : undefined,
  ],
  [
    'tool_use',
    (block) => ({
      type: 'call',
      id: typeof block.id === 'string' && block.id !== '' ? block.id : makeId(),
      name: typeof block.name === 'string' ? block.name : '',
      arguments: asReceived(block.input ?? {}),
      ...passthroughOf(block, ['type', 'id', 'name', 'input']),
    }),
  ],
  ['tool_result', readResult],
  ['image', readMedia],
  ['document', readMedia],
]);

/** Reads a content block. */
export const readBlock = (block: JsonObject): Part => readers.get(block.type)?.(block) ?? opaque(block);

const opaque = (value: JsonValue): OpaquePart => ({ type: 'opaque', format, value });

/**
 * Reasoning without a signature has a passthrough, even if empty, so that it is only sent back to where it came from.
 */
function readThinking(block: JsonObject): Part | undefined {
  const { thinking: text, signature } = block;
  if (typeof text !== 'string') return undefined;
  if (typeof signature === 'string' && signature !== '')
    return {
      type: 'reasoning',
      text,
      signature: { format, value: signature },
      ...passthroughOf(block, ['type', 'thinking', 'signature']),
    };
  return {
    type: 'reasoning',
    text,
    ...asPassthrough({}),
    ...passthroughOf(block, ['type', 'thinking']),
  };
}

/** Reads a result. Content that is empty or not a list passes through, because missing content isn't written. */
function readResult(block: JsonObject): Part | undefined {
  const { tool_use_id: callId, content, is_error: isError } = block;
  if (typeof callId !== 'string') return undefined;
  const told = typeof content === 'string' || (Array.isArray(content) && content.length > 0);
  const known = [
    'type',
    'tool_use_id',
    ...(told ? ['content'] : []),
    ...(typeof isError === 'boolean' ? ['is_error'] : []),
  ];
  return {
    type: 'result',
    callId,
    content: told ? readContent(content, 'content', ['text', 'media']) : [],
    ...(typeof isError === 'boolean' && { isError }),
    ...passthroughOf(block, known),
  } as Part;
}

/**
 * Reads content: a string or blocks. An empty passthrough marks a single text in a list, and an empty list, so that
 * they are written the same way.
 *
 * @param kinds the parts that are allowed here; others stay opaque
 */
export function readContent<P extends Part = TextPart | MediaPart | OpaquePart>(
  content: JsonValue | undefined,
  where: string,
  kinds: readonly Part['type'][],
): P[] {
  if (typeof content === 'string') return [{ type: 'text', text: content } as P];
  if (!Array.isArray(content)) throw new WireError(where, 'must be a string or a list of blocks');
  return content.map((item, index) => {
    const block = mustBeObject(item, `${where}.${index}`);
    const part = readBlock(block);
    if (!kinds.includes(part.type)) return opaque(block) as P;
    const marked = part.type === 'text' && !part.passthrough && (content.length === 1 || part.text === '');
    return (marked ? { ...part, ...asPassthrough({}) } : part) as P;
  });
}

/** Writes a content block; undefined, with a warning, if the API can't express the part. */
export function writeBlock(pen: Pen, where: string, part: Part): JsonObject | undefined {
  switch (part.type) {
    case 'text':
      return layOver({ type: 'text', text: part.text }, part);
    case 'refusal':
      warn(pen, where, 'A refusal is sent as plain text');
      return layOver({ type: 'text', text: part.text }, part);
    case 'media':
      return writeMedia(pen, where, part);
    case 'reasoning':
      return writeReasoning(pen, where, part);
    case 'call':
      return writeCall(pen, where, part);
    case 'result':
      return writeResult(pen, where, part);
    case 'opaque':
      return part.format === format && isObject(part.value) ? part.value : undefined;
  }
}

/** Writes content as blocks, or as a string for a single plain text. */
export function writeContent(pen: Pen, where: string, parts: readonly Part[]): string | JsonObject[] {
  const [only] = parts;
  if (parts.length === 1 && only?.type === 'text' && !ownFields(only)) return only.text;
  return parts.flatMap((part, index): JsonObject[] => {
    // Empty text blocks are rejected, but other APIs have them next to calls.
    if (part.type === 'text' && part.text === '' && !ownFields(part)) return [];
    const block = writeBlock(pen, `${where}.${index}`, part);
    return block ? [block] : [];
  });
}

function writeReasoning(pen: Pen, where: string, part: ReasoningPart): JsonObject | undefined {
  const { text, signature, hidden } = part;
  if (signature?.format === format) {
    const block = hidden
      ? { type: 'redacted_thinking', data: signature.value }
      : { type: 'thinking', thinking: text, signature: signature.value };
    return layOver(block, part);
  }
  if (ownFields(part)) return layOver({ type: 'thinking', thinking: text }, part);
  if (pen.answer && text !== '') return layOver({ type: 'thinking', thinking: text, signature: '' }, part);
  warn(pen, where, 'Reasoning without a signature of this provider is rejected; left out');
  return undefined;
}

function writeCall(pen: Pen, where: string, part: CallPart): JsonObject {
  const { object: input, what } = mendedArguments(part.arguments);
  if (what !== undefined) warn(pen, `${where}.arguments`, what);
  return layOver({ type: 'tool_use', id: part.id, name: part.name, input }, part);
}

function writeResult(pen: Pen, where: string, part: ResultPart): JsonObject {
  const { callId, content, isError } = part;
  const written = content.length > 0 ? writeContent(pen, `${where}.content`, content) : '';
  const block = present({
    type: 'tool_result',
    tool_use_id: callId,
    content: written.length > 0 || isPlain(content) ? written : undefined,
    is_error: isError,
  });
  return layOver(block, part);
}

const isPlain = (content: ResultPart['content']): boolean =>
  content.length === 1 && content.every((part): part is TextPart => part.type === 'text');

type Source = Pick<MediaPart, 'mediaType' | 'source'>;

/** Reads an `image` or `document` block; undefined for unknown sources, which stay opaque. */
function readMedia(block: JsonObject): MediaPart | undefined {
  const image = block.type === 'image';
  const read = isObject(block.source) ? readSource(block.source, image) : undefined;
  if (!read) return undefined;
  const named = !image && typeof block.title === 'string';
  return {
    type: 'media',
    ...read,
    ...(named && { name: block.title as string }),
    ...passthroughOf(block, ['type', 'source', ...(named ? ['title'] : [])]),
  };
}

/** Ignores a source with unknown fields, so that none of them is lost. */
function readSource(source: JsonObject, image: boolean): Source | undefined {
  const { type, media_type: mediaType, data, url, file_id: file } = source;
  const fields = Object.keys(source).length;
  if (type === 'base64' && typeof mediaType === 'string' && typeof data === 'string' && fields === 3)
    return { mediaType, source: { data } };
  if (type === 'text' && mediaType === 'text/plain' && typeof data === 'string' && fields === 3 && data.isWellFormed())
    return { mediaType, source: { data: toBase64(data) } };
  if (type === 'url' && typeof url === 'string' && fields === 2)
    return { mediaType: image ? 'image/*' : 'application/pdf', source: { url } };
  if (type === 'file' && typeof file === 'string' && fields === 2)
    return { mediaType: image ? 'image/*' : 'application/*', source: { file } };
  return undefined;
}

/** Writes an image or a document; undefined for audio and video, which the API doesn't support. */
function writeMedia(pen: Pen, where: string, part: MediaPart): JsonObject | undefined {
  const { mediaType, name, source } = part;
  if (pen.assistant || /^(audio|video)\//.test(mediaType)) {
    warn(pen, where, `${mediaType} cannot be ${pen.assistant ? 'part of a response' : 'sent'} here; left out`);
    return undefined;
  }
  if (mediaType.startsWith('image/')) {
    if (name !== undefined) warn(pen, `${where}.name`, 'Images have no name in this API format');
    return layOver({ type: 'image', source: writeSource(mediaType, source) }, part);
  }
  const text = 'data' in source && mediaType.startsWith('text/');
  if (text && mediaType !== 'text/plain') warn(pen, `${where}.mediaType`, `${mediaType} is sent as text/plain`);
  const written = text ? plainText(source.data) : writeSource(mediaType, source);
  if (!written) {
    warn(pen, where, 'The text is not valid base64; left out');
    return undefined;
  }
  return layOver(present({ type: 'document', source: written, title: name }), part);
}

function plainText(base64: string): JsonObject | undefined {
  try {
    return { type: 'text', media_type: 'text/plain', data: fromBase64(base64) };
  } catch {
    return undefined;
  }
}

const toBase64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));

const fromBase64 = (base64: string): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));

function writeSource(mediaType: string, source: MediaPart['source']): JsonObject {
  if ('data' in source) return { type: 'base64', media_type: mediaType, data: source.data };
  return 'url' in source ? { type: 'url', url: source.url } : { type: 'file', file_id: source.file };
}
