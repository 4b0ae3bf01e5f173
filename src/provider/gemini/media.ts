import type { JsonObject } from '../../json/value.ts';
import type { MediaPart } from '../../turn/turn.ts';
import { mustBeText } from '../must-be.ts';
import { isEmpty, rest } from '../rest.ts';
import { carried, ownObject } from './carried.ts';
import { proto } from './proto.ts';

/** Media stand in one of two fields: bytes or an address. */
const kinds = [
  { field: 'inlineData', holds: 'data', source: (data: string) => ({ data }) },
  { field: 'fileData', holds: 'fileUri', source: (url: string) => ({ url }) },
] as const;

const anyType = '*/*';

/** The medium in a part of the wire; nothing where there is none. */
export function readMedia(wire: JsonObject, where: string): MediaPart | undefined {
  const kind = kinds.find(({ field }) => wire[field] !== undefined && wire[field] !== null);
  if (!kind) return undefined;
  const { field, holds, source } = kind;
  const inner = proto(wire[field], `${where}.${field}`);
  const { mimeType, displayName } = inner;
  const typed = typeof mimeType === 'string' && !mimeType.endsWith('/*');
  const named = typeof displayName === 'string';
  const left = rest(inner, [holds, ...(typed ? ['mimeType'] : []), ...(named ? ['displayName'] : [])]);
  return {
    type: 'media',
    mediaType: typeof mimeType === 'string' ? mimeType : anyType,
    source: source(mustBeText(inner[holds], `${where}.${field}.${holds}`)),
    ...(named && { name: displayName }),
    ...carried({ ...rest(wire, [field]), ...(!isEmpty(left) && { [field]: left }) }),
  };
}

/** A medium as a part of the wire; nothing where another provider holds the file. */
export function writeMedia(part: MediaPart): JsonObject | undefined {
  const { source, mediaType, name } = part;
  if ('file' in source) return undefined;
  const field = 'data' in source ? 'inlineData' : 'fileData';
  const inner: JsonObject = {
    // The service takes no type with a star: it looks for itself then.
    ...(!mediaType.endsWith('/*') && { mimeType: mediaType }),
    ...('data' in source ? { data: source.data } : { fileUri: source.url }),
    ...(name !== undefined && { displayName: name }),
  };
  return {
    ...(part.extra?.format === 'gemini' && part.extra.fields),
    [field]: { ...inner, ...ownObject(part, field) },
  };
}
