import { UsageError } from './usage-error.ts';

const longest = 64 * 1024 * 1024;

/** All that comes through a stream, as text. */
export async function readAll(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > longest) throw new UsageError(`the text is longer than ${longest / 1024 / 1024} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
