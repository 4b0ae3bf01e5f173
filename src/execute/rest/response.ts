import { readStrict } from '../../json/read-json.ts';
import type { Redact } from '../../json/redact-secrets.ts';
import { hasOwn, isObject } from '../../json/value.ts';
import { toolOutput } from '../tool-result.ts';
import type { RestResponse } from './settings.ts';

/** The tool's output for a successful response. */
export function restOutput(content: Content, { at, pick }: RestResponse = {}, note: (text: string) => void): unknown {
  if (content.type === 'none') return undefined;
  if (content.type === 'picture') {
    const { mediaType, data } = content;
    return toolOutput({ content: [{ type: 'media', mediaType, source: { data } }] });
  }
  if (content.type === 'bytes')
    return `The response is ${content.size} bytes of ${content.mediaType}, which can't be shown.`;
  if (content.type === 'text') {
    if (at !== undefined || pick)
      note('The complete response is returned: it could not be parsed as JSON without loss.');
    return content.text;
  }
  const part = at === undefined ? content.value : pointed(content.value, at);
  if (part === undefined) {
    note(`The complete response is returned: it has nothing at ${at}.`);
    return content.value;
  }
  return pick ? picked(part, pick) : part;
}

/** Resolves a JSON pointer. */
function pointed(value: unknown, pointer: string): unknown {
  let here = value;
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof here !== 'object' || here === null || !hasOwn(here, key)) return undefined;
    here = (here as Record<string, unknown>)[key];
  }
  return here;
}

function picked(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => picked(item, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(names.filter((name) => hasOwn(value, name)).map((name) => [name, value[name]]));
}

/** The content of a body. */
export type Content =
  | { readonly type: 'none' }
  | { readonly type: 'json'; readonly value: unknown }
  | { readonly type: 'text'; readonly text: string; readonly mediaType: string }
  | { readonly type: 'picture'; readonly mediaType: string; readonly data: string }
  | { readonly type: 'bytes'; readonly mediaType: string; readonly size: number };

const pictures = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const textual = /^text\/|[/+](json|xml|javascript|ecmascript|yaml|x-yaml|csv|graphql|x-www-form-urlencoded|x-ndjson)$/;

/**
 * Reads a body by its content type, or by its first characters if there is none. Removes secrets here, because
 * shortening a text later could leave half of one.
 */
export function readContent(headers: Headers, { bytes, cut }: ReadBody, clean: Redact): Content {
  if (bytes.length === 0) return { type: 'none' };
  const [written = '', ...parameters] = (headers.get('content-type') ?? '').split(';');
  const mediaType = written.trim().toLowerCase();
  const packed = !['', 'identity'].includes(headers.get('content-encoding')?.trim().toLowerCase() ?? '');
  if (pictures.has(mediaType) && !cut && !packed) {
    return { type: 'picture', mediaType, data: Buffer.from(bytes).toString('base64') };
  }
  const text = packed ? undefined : textOf(bytes, mediaType, parameters);
  if (text === undefined) return { type: 'bytes', mediaType: mediaType || 'an unknown type', size: bytes.length };
  // If parsing would change something (a long number, a duplicate key), the text is kept.
  const json = cut || (mediaType !== '' && !mediaType.endsWith('json')) ? undefined : readStrict(text);
  return json ? { type: 'json', value: clean(json.value) } : { type: 'text', text: clean(text, { cut }), mediaType };
}

function textOf(bytes: Uint8Array, mediaType: string, parameters: readonly string[]): string | undefined {
  try {
    if (mediaType === '') return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!textual.test(mediaType)) return undefined;
    const charset = parameters.map((one) => /^\s*charset\s*=\s*"?([^"\s]+)/i.exec(one)?.[1]).find(Boolean);
    return new TextDecoder(charset ?? 'utf-8').decode(bytes);
  } catch {
    // An unknown charset, or binary data.
    return mediaType === '' ? undefined : new TextDecoder().decode(bytes);
  }
}

/** A body, possibly truncated. */
export interface ReadBody {
  readonly bytes: Uint8Array;
  /** Whether it was longer than the limit. */
  readonly cut: boolean;
}

/** Reads a body up to a limit, and stops the download there. */
export async function readUpTo(response: Response, most: number): Promise<ReadBody> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    const room = most - size;
    pieces.push(piece.subarray(0, room));
    size += Math.min(piece.length, room);
    // Leaving the loop cancels the stream, which closes the connection.
    if (piece.length > room) return { bytes: Buffer.concat(pieces), cut: true };
  }
  return { bytes: Buffer.concat(pieces), cut: false };
}
