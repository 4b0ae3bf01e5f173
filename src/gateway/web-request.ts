import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A request of Node's as the web's, without its body: that is read before. */
export function webRequest(request: IncomingMessage, response: ServerResponse): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    // The token is for the gateway: nothing behind this point has any use for it.
    if (value !== undefined && name !== 'authorization') headers.set(name, String(value));
  }
  const left = new AbortController();
  response.on('close', () => left.abort());
  const { method = 'GET', url = '/' } = request;
  return new Request(new URL(url, 'http://gateway'), { method, headers, signal: left.signal });
}

/** Sends an answer of the web's as Node's, piece by piece. */
export async function sendWeb(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (!answer.body) {
    response.end();
    return;
  }
  response.flushHeaders();
  // A client that leaves has seen what it wanted to see.
  await pipeline(Readable.fromWeb(answer.body as never), response).catch(() => response.destroy());
}
