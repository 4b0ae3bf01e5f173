import type { IncomingMessage } from 'node:http';

/** What a request brought, or the status it is refused with. */
export type JsonBody = { readonly value: unknown } | { readonly status: 400 | 413 };

/** Reads a body of JSON up to a size; the rest of a larger one is not read. */
export async function readJsonBody(request: IncomingMessage, most: number): Promise<JsonBody> {
  if (Number(request.headers['content-length'] ?? 0) > most) return { status: 413 };
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > most) return { status: 413 };
    pieces.push(piece);
  }
  try {
    return { value: JSON.parse(Buffer.concat(pieces).toString('utf8')) };
  } catch {
    return { status: 400 };
  }
}
