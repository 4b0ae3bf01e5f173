import type { Readable } from 'node:stream';

/**
 * Hands on the pieces of a stream as they come, and waits where it is told to. Settles at the stream's end; rejects where it
 * breaks, or where a piece can't be taken.
 *
 * @param take gives what must be waited for before the next piece, if anything
 */
export function eachChunk(stream: Readable, take: (piece: Buffer) => Promise<void> | undefined): Promise<void> {
  // Listening costs a tenth of what a stream's own iterator does, and a long answer pays it for every token.
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      stream.destroy();
      reject(error);
    };
    stream.on('data', (piece: Buffer) => {
      try {
        const wait = take(piece);
        if (!wait) return;
        stream.pause();
        wait.then(() => stream.resume(), fail);
      } catch (error) {
        fail(error);
      }
    });
    stream.on('end', resolve).on('error', reject);
    stream.on('close', () => {
      if (!stream.readableEnded) reject(new Error('the connection was closed before its end'));
    });
  });
}
