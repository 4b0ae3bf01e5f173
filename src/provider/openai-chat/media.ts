import { isObject, type JsonObject } from '../../json/value.ts';
import type { MediaPart } from '../../turn/turn.ts';
import { isText, lay, leave, putBack, take } from './take.ts';

const dataUrl = /^data:([^;,]+);base64,(.*)$/s;
/** Sounds whose name on this wire is not the second half of their media type. */
const audioTypes = new Map([['mp3', 'audio/mpeg']]);
const audioFormats = new Map([
  ['audio/mpeg', 'mp3'],
  ['audio/x-wav', 'wav'],
]);

const audioFormat = (mediaType: string): string => audioFormats.get(mediaType) ?? mediaType.slice('audio/'.length);

/** Reads an image, a sound or a file; nothing where the part is none of them. */
export function readMedia(wire: JsonObject): MediaPart | undefined {
  const rest = { ...wire };
  const kind = take(rest, 'type', isText);
  const inner = kind === undefined ? undefined : rest[kind];
  if (kind === undefined || !isObject(inner)) return undefined;
  const left = { ...inner };
  const read = readers[kind]?.(left);
  if (!read) return undefined;
  putBack(rest, kind, left);
  return { type: 'media', ...read, ...leave(rest) };
}

type Read = Pick<MediaPart, 'mediaType' | 'source' | 'name'>;

/** Each takes out of `left` what it understands. */
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

/** Writes an image, a sound or a file; nothing where this wire has no place for it. */
export function writeMedia(part: MediaPart): JsonObject | undefined {
  const written = bare(part);
  return written && lay(written, part);
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
