import type { Readable } from 'node:stream';

/** More came than may come. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** All bytes of a stream, up to a limit: what is longer is not read on. */
export async function readBody(stream: Readable, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > limit) throw new TooLarge(`more than ${limit} bytes`);
    pieces.push(piece);
  }
  return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
}
