import { readStrict } from '../../json/json.ts';
import type { Blot } from './blot.ts';
import type { ReadBody } from './read-body.ts';

/** What a body holds. */
export type Content =
  | { readonly type: 'none' }
  | { readonly type: 'json'; readonly value: unknown }
  | { readonly type: 'text'; readonly text: string; readonly mediaType: string }
  | { readonly type: 'picture'; readonly mediaType: string; readonly data: string }
  | { readonly type: 'bytes'; readonly mediaType: string; readonly size: number };

const pictures = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const textual = /^text\/|[/+](json|xml|javascript|ecmascript|yaml|x-yaml|csv|graphql|x-www-form-urlencoded|x-ndjson)$/;

/**
 * Tells what a body holds by the type the service gives it, and by its look where it gives none. Secrets are taken out here,
 * before anything shortens a text and leaves half of one.
 */
export function readContent(headers: Headers, { bytes, cut }: ReadBody, clean: Blot): Content {
  if (bytes.length === 0) return { type: 'none' };
  const [written = '', ...parameters] = (headers.get('content-type') ?? '').split(';');
  const mediaType = written.trim().toLowerCase();
  const packed = !['', 'identity'].includes(headers.get('content-encoding')?.trim().toLowerCase() ?? '');
  if (pictures.has(mediaType) && !cut && !packed) {
    return { type: 'picture', mediaType, data: Buffer.from(bytes).toString('base64') };
  }
  const text = packed ? undefined : textOf(bytes, mediaType, parameters);
  if (text === undefined) return { type: 'bytes', mediaType: mediaType || 'of no type', size: bytes.length };
  // Where reading would change something (a number too long, a key given twice), the text stays as it came.
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
    // A charset that nobody knows, or bytes that are no text.
    return mediaType === '' ? undefined : new TextDecoder().decode(bytes);
  }
}
