import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type {
  MediaPart,
  OpaquePart,
  Passthrough,
  RefusalPart,
  TextPart,
  WithPassthrough,
} from '../../../model/index.ts';
import { WireError } from '../errors.ts';
import type { Warning } from '../types.ts';
import {
  asPassthrough,
  format,
  isString,
  isText,
  mergeOver,
  ownFields,
  passthroughOf,
  putBack,
  take,
} from './fields.ts';

/** Content of a message. */
export type ContentPart = TextPart | MediaPart | RefusalPart | OpaquePart;

/**
 * Removes the content from a message's fields and returns it as parts. Empty content has no parts, and passes through.
 *
 * @param media whether the role supports media; otherwise an empty passthrough marks each one
 */
export function readContent(rest: JsonObject, where: string, media: boolean): ContentPart[] {
  const { content } = rest;
  if (content === undefined || content === null) return [];
  if (!isString(content) && !Array.isArray(content))
    throw new WireError(`${where}.content`, 'must be text or a list of parts');
  if (content.length === 0) return [];
  delete rest.content;
  if (isString(content)) return [{ type: 'text', text: content }];
  const parts = content.map((one) => readPart(one, media));
  const [only] = parts;
  return parts.length === 1 && only?.type === 'text' ? [{ ...asPassthrough({}), ...only }] : parts;
}

function readPart(wire: JsonValue, media: boolean): ContentPart {
  const opaque: OpaquePart = { type: 'opaque', format, value: wire };
  if (!isObject(wire)) return opaque;
  const rest = { ...wire };
  delete rest.type;
  if (wire.type === 'text') {
    const text = take(rest, 'text', isString);
    return text === undefined ? opaque : { type: 'text', text, ...passthroughOf(rest) };
  }
  if (wire.type === 'refusal') {
    const text = take(rest, 'refusal', isString);
    return text === undefined ? opaque : { type: 'refusal', text, ...asPassthrough(rest) };
  }
  const read = readMedia(wire);
  return read ? { ...(!media && asPassthrough({})), ...read } : opaque;
}

/**
 * The remaining fields of a message. Without a passthrough, empty content is written as `empty`, its most common form.
 */
export function messagePassthrough(
  rest: JsonObject,
  content: readonly ContentPart[],
  empty: '' | null,
): { passthrough?: Passthrough } {
  if (content.length > 0) return passthroughOf(rest);
  const usual = rest.content === empty && Object.keys(rest).length === 1;
  return usual ? {} : asPassthrough(rest);
}

/** Location of a value, and where to record warnings. */
export interface Place {
  readonly where: string;
  readonly warnings: Warning[];
}

/** Writes content: a single plain text as a string, otherwise a list, or `empty` if there is none. */
export function writeContent(
  parts: readonly ContentPart[],
  message: WithPassthrough,
  empty: '' | null,
  place: Place,
): JsonObject {
  const written = parts.flatMap((part): { part: ContentPart; wire: JsonValue }[] => {
    const wire = writePart(part, place);
    return wire === undefined ? [] : [{ part, wire }];
  });
  const [first] = written;
  if (!first) return ownFields(message) ? {} : { content: empty };
  if (written.length === 1 && first.part.type === 'text' && !ownFields(first.part)) return { content: first.part.text };
  return { content: written.map(({ wire }) => wire) };
}

function writePart(part: ContentPart, { where, warnings }: Place): JsonValue | undefined {
  if (part.type === 'text') return mergeOver({ type: 'text', text: part.text }, part);
  if (part.type === 'refusal') return mergeOver({ type: 'refusal', refusal: part.text }, part);
  if (part.type === 'opaque') return part.format === format ? part.value : undefined;
  const wire = writeMedia(part);
  if (!wire) warnings.push({ where, what: `This API format supports ${part.mediaType} as data only; left out` });
  return wire;
}

const dataUrl = /^data:([^;,]+);base64,(.*)$/s;
/** Audio formats whose name isn't the subtype of their media type. */
const audioTypes = new Map([['mp3', 'audio/mpeg']]);
const audioFormats = new Map([
  ['audio/mpeg', 'mp3'],
  ['audio/x-wav', 'wav'],
]);

const audioFormat = (mediaType: string): string => audioFormats.get(mediaType) ?? mediaType.slice('audio/'.length);

/** Reads an image, audio or a file; undefined if the part is none of them. */
function readMedia(wire: JsonObject): MediaPart | undefined {
  const rest = { ...wire };
  const kind = take(rest, 'type', isText);
  const inner = kind === undefined ? undefined : rest[kind];
  if (kind === undefined || !isObject(inner)) return undefined;
  const left = { ...inner };
  const read = readers[kind]?.(left);
  if (!read) return undefined;
  putBack(rest, kind, left);
  return { type: 'media', ...read, ...passthroughOf(rest) };
}

type Read = Pick<MediaPart, 'mediaType' | 'source' | 'name'>;

/** Each reader removes the fields it understands from `left`. */
const readers: Readonly<Record<string, (left: JsonObject) => Read | undefined>> = {
  __proto__: null as never,
  image_url(left) {
    const url = take(left, 'url', isText);
    if (url === undefined) return undefined;
    return fromUrl(url) ?? { mediaType: 'image/*', source: { url } };
  },
  input_audio(left) {
    const data = take(left, 'data', isText);
    const word = take(left, 'format', isText);
    if (data === undefined || word === undefined) return undefined;
    const mediaType = audioTypes.get(word) ?? `audio/${word}`;
    if (audioFormat(mediaType) !== word) left.format = word;
    return { mediaType, source: { data } };
  },
  file(left) {
    const filename = take(left, 'filename', isText);
    const name = filename !== undefined && { name: filename };
    const held = fromUrl(left.file_data);
    if (held) {
      delete left.file_data;
      return { ...held, ...name };
    }
    const file = take(left, 'file_id', isText);
    return file === undefined ? undefined : { mediaType: '*/*', source: { file }, ...name };
  },
};

function fromUrl(url: unknown): Pick<MediaPart, 'mediaType' | 'source'> | undefined {
  const [, mediaType, data] = (isText(url) && dataUrl.exec(url)) || [];
  return mediaType === undefined || data === undefined ? undefined : { mediaType, source: { data } };
}

/** Writes an image, audio or a file; undefined if the API doesn't support it. */
function writeMedia(part: MediaPart): JsonObject | undefined {
  const written = bare(part);
  return written && mergeOver(written, part);
}

function bare({ mediaType, source, name }: MediaPart): JsonObject | undefined {
  if ('file' in source)
    return { type: 'file', file: { file_id: source.file, ...(name !== undefined && { filename: name }) } };
  const image = mediaType.startsWith('image/');
  if ('url' in source) return image ? { type: 'image_url', image_url: { url: source.url } } : undefined;
  const url = `data:${mediaType};base64,${source.data}`;
  if (image) return { type: 'image_url', image_url: { url } };
  if (mediaType.startsWith('audio/'))
    return { type: 'input_audio', input_audio: { data: source.data, format: audioFormat(mediaType) } };
  return { type: 'file', file: { file_data: url, ...(name !== undefined && { filename: name }) } };
}
