import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { MediaPart, OpaquePart, TextPart } from '../../turn/turn.ts';
import { passthroughFields } from '../carry.ts';
import { mustBeObject } from '../must-be.ts';
import { WireError } from '../wire-error.ts';
import { format, passthrough } from './format.ts';

/** What a user's message and a tool's result are made of. */
export type ContentPart = TextPart | MediaPart | OpaquePart;

/** Reads content that is a text or a list. */
export function readContent(value: JsonValue | undefined, where: string): ContentPart[] {
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new WireError(where, 'must be a string or a list');
  const parts = value.map((part, index) => readPart(mustBeObject(part, `${where}.${index}`)));
  const [only] = parts;
  // A lone text could have stood without a list, so it bears a mark that it did not.
  return parts.length === 1 && only?.type === 'text' && !only.extra ? [{ ...only, ...passthrough({}) }] : parts;
}

function readPart(part: JsonObject): ContentPart {
  const media = readers[String(part.type)]?.(part);
  return media ?? { type: 'opaque', format, value: { part } };
}

const readers: Readonly<Record<string, (part: JsonObject) => ContentPart | undefined>> = {
  __proto__: null as never,
  input_text: (part) => readText(part, ['type', 'text']),
  output_text: (part) => readText(part, ['text']),
  text: (part) => readText(part, ['text']),
  input_image: readImage,
  input_file: readFile,
};

const readText = (part: JsonObject, known: readonly string[]): ContentPart | undefined =>
  typeof part.text === 'string'
    ? { type: 'text', text: part.text, ...passthroughFields(format, part, known) }
    : undefined;

function readImage(part: JsonObject): ContentPart | undefined {
  const { image_url: link, file_id: file } = part;
  // The older wire keeps the address in an object, and clients that grew up with it still send that.
  const url = isObject(link) && typeof link.url === 'string' ? link.url : link;
  if (typeof url === 'string') {
    const known = typeof link === 'string' ? ['type', 'image_url'] : ['type'];
    return { type: 'media', ...fromUrl(url, 'image/*'), ...passthroughFields(format, part, known) };
  }
  if (typeof file !== 'string') return undefined;
  return {
    type: 'media',
    mediaType: 'image/*',
    source: { file },
    ...passthroughFields(format, part, ['type', 'file_id']),
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
    ...passthroughFields(format, part, ['type', key, ...(typeof filename === 'string' ? ['filename'] : [])]),
  });
  if (typeof data === 'string') {
    if (data.startsWith('data:')) return read(fromUrl(data, fileType), 'file_data');
    // Base64 without its type: the bytes are known, and `file_data` is kept so that it is written as it came.
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
