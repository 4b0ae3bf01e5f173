import { isTyped, type Typed } from './typed.ts';

/** Maximum decompressed size of a link, because a small one can expand to gigabytes. */
const most = 2_000_000;

/** Compresses the input to a text for a URL. */
export async function pack(typed: Typed): Promise<string> {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(typed)), new CompressionStream('deflate-raw'));
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Decompresses the input of a link; undefined if it is damaged. */
export async function unpack(shared: string): Promise<Typed | undefined> {
  try {
    const binary = atob(shared.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    const value: unknown = JSON.parse(
      new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw'))),
    );
    return isTyped(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream) {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const part of new Blob([bytes]).stream().pipeThrough(stream)) {
    size += part.length;
    if (size > most) throw new RangeError('Too much');
    parts.push(part);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
