import type { Provider } from '../wire.ts';

/** What a body is, by how it begins: servers get its type wrong. */
export type BodyKind = 'stream' | 'whole' | 'html' | 'compressed' | 'other';

const enough = 8;

/**
 * Tells a stream from a whole answer, a web page and anything else; nothing where more must come first.
 *
 * @param head the first bytes
 * @param ended no more will come
 */
export function sniff(framing: Provider['framing'], head: Uint8Array, ended: boolean): BodyKind | undefined {
  if (head[0] === 0x1f && (head[1] ?? 0x8b) === 0x8b) return 'compressed';
  const text = new TextDecoder().decode(head.subarray(0, 2000)).trimStart();
  if (text.length < enough && !ended) return undefined;
  if (text.startsWith('<')) return 'html';
  if (/^[[{]/.test(text)) return framing === 'ndjson' && text.startsWith('{') ? 'stream' : 'whole';
  return framing === 'sse' && /^(?:data|event|id|retry)\s*:|^:/.test(text) ? 'stream' : 'other';
}
