import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { MediaPart } from '../../turn/turn.ts';
import { layOver, present } from '../carry.ts';
import type { Warning } from '../wire.ts';
import { format, ownFields } from './format.ts';
import type { ContentPart } from './read-content.ts';

/** Writes the content of a user's message or a tool's result: a plain text as such, all else as a list. */
export function writeContent(parts: readonly ContentPart[], losses: Warning[], where: string): JsonValue {
  const [only] = parts;
  if (parts.length === 1 && only?.type === 'text' && !ownFields(only)) {
    return only.text;
  }
  return parts.flatMap((part, index) => writePart(part, losses, `${where}.${index}`) ?? []);
}

function writePart(part: ContentPart, losses: Warning[], where: string): JsonObject | undefined {
  if (part.type === 'opaque') {
    return part.format === format && isObject(part.value) && isObject(part.value.part) ? part.value.part : undefined;
  }
  const written = part.type === 'text' ? { type: 'input_text', text: part.text } : writeMedia(part);
  if (!written)
    losses.push({ where, what: `This wire takes no ${part.type === 'media' ? part.mediaType : part.type}` });
  return written && layOver(format, written, part);
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
