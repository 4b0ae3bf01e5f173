import type { IncomingMessage } from 'node:http';
import type { JsonValue } from '../../json/value.ts';

const most = 64_000_000;

/** The JSON of a request; nothing where it is none, or is larger than anybody would send. */
export async function readBody(request: IncomingMessage): Promise<JsonValue | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > most) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return undefined;
  }
}
