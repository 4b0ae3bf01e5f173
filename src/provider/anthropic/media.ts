import { isObject, type JsonObject } from '../../json/value.ts';
import type { MediaPart } from '../../turn/turn.ts';
import { present } from '../carry.ts';
import { lay, lose, type Pen, rest } from './pen.ts';

type Source = Pick<MediaPart, 'mediaType' | 'source'>;

/** An `image` or `document` block; nothing where its source is of another kind, which stays opaque. */
export function readMedia(block: JsonObject): MediaPart | undefined {
  const image = block.type === 'image';
  const read = isObject(block.source) ? readSource(block.source, image) : undefined;
  if (!read) return undefined;
  const named = !image && typeof block.title === 'string';
  return {
    type: 'media',
    ...read,
    ...(named && { name: block.title as string }),
    ...rest(block, ['type', 'source', ...(named ? ['title'] : [])]),
  };
}

/** A source with a field we do not know is not read, so that nothing of it is lost. */
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

/** An image or a document; nothing for sounds and films, which this wire does not take. */
export function writeMedia(pen: Pen, where: string, part: MediaPart): JsonObject | undefined {
  const { mediaType, name, source } = part;
  if (pen.assistant || /^(audio|video)\//.test(mediaType)) {
    lose(pen, where, `${mediaType} cannot be ${pen.assistant ? 'an answer' : 'sent'} here, left out`);
    return undefined;
  }
  if (mediaType.startsWith('image/')) {
    if (name !== undefined) lose(pen, `${where}.name`, 'An image has no name here');
    return lay({ type: 'image', source: writeSource(mediaType, source) }, part);
  }
  const text = 'data' in source && mediaType.startsWith('text/');
  if (text && mediaType !== 'text/plain') lose(pen, `${where}.mediaType`, `${mediaType} is sent as text/plain`);
  const written = text ? plainText(source.data) : writeSource(mediaType, source);
  if (!written) {
    lose(pen, where, 'A text whose bytes are no base64, left out');
    return undefined;
  }
  return lay(present({ type: 'document', source: written, title: name }), part);
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
