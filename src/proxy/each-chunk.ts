import type { Readable } from 'node:stream';

/**
 * Hands on the bytes of a stream as they come, and waits where it is told to. Settles at the stream's end; rejects where it
 * breaks, or where bytes can't be taken.
 *
 * @param take gives what must be waited for before more may come, if anything
 */
export function eachChunk(stream: Readable, take: (bytes: Buffer) => Promise<void> | undefined): Promise<void> {
  // Listening costs a tenth of what a stream's own iterator does, and a long answer pays it for every token.
  return new Promise((resolve, reject) => {
    let came: Buffer[] = [];
    const fail = (error: unknown): void => {
      stream.destroy();
      reject(error);
    };
    const hand = (): void => {
      const bytes = came.length === 1 ? (came[0] as Buffer) : Buffer.concat(came);
      came = [];
      try {
        const wait = take(bytes);
        if (!wait) return;
        stream.pause();
        wait.then(() => stream.resume(), fail);
      } catch (error) {
        fail(error);
      }
    };
    stream.on('data', (piece: Buffer) => {
      // What arrived together is taken together: each taking costs, and so does each writing that follows.
      if (came.push(piece) === 1) queueMicrotask(hand);
    });
    // Settled behind what came before: its end goes out together with the last of it.
    stream.on('end', () => queueMicrotask(resolve));
    stream.on('error', (error) => queueMicrotask(() => reject(error)));
    stream.on('close', () => {
      const broken = !stream.readableEnded && new Error('the connection was closed before its end');
      if (broken) queueMicrotask(() => reject(broken));
    });
  });
}
