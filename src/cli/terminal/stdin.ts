import { StringDecoder } from 'node:string_decoder';
import { UsageError } from '../usage-error.ts';

const longest = 64 * 1024 * 1024;

/** Reads a stream as text. */
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

/** Maximum length of a line. For a longer one `undefined` is yielded, which bounds memory. */
export const longestLine = 64 * 1024 * 1024;

/** The lines of a stream, grouped by chunk. Handles characters that are split across chunks. */
export async function* readLines(
  stream: AsyncIterable<Buffer | string>,
  longest = longestLine,
): AsyncGenerator<(string | undefined)[]> {
  const decoder = new StringDecoder('utf8');
  let parts: string[] = [];
  let size = 0;
  const whole = (last: string): string | undefined => {
    const isTooLong = size + last.length > longest;
    const line = isTooLong ? undefined : parts.length === 0 ? last : parts.join('') + last;
    parts = [];
    size = 0;
    return line;
  };
  for await (const chunk of stream) {
    const pieces = (typeof chunk === 'string' ? chunk : decoder.write(chunk)).split('\n');
    const open = pieces.pop() as string;
    const lines = pieces.map(whole);
    if (lines.length > 0) yield lines;
    size += open.length;
    if (size <= longest) parts.push(open);
    else parts = [];
  }
  const end = decoder.end();
  if (size + end.length > 0) yield [whole(end)];
}
