import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../src/json/value.ts';

/** What the server says to the next who asks. */
export interface Played {
  readonly status?: number;
  readonly type: 'application/json' | 'text/event-stream' | 'application/x-ndjson';
  readonly body: string | Uint8Array;
}

/** A server on this machine that plays one answer and remembers what it was asked. */
export interface Loopback extends AsyncDisposable {
  readonly url: string;
  readonly asked: { readonly path: string; readonly body: JsonObject }[];
  play(answer: Played): void;
}

export async function loopback(): Promise<Loopback> {
  const asked: { path: string; body: JsonObject }[] = [];
  let answer: Played = { type: 'application/json', body: '{}' };
  const server = createServer(async (request, response) => {
    asked.push({ path: request.url ?? '', body: JSON.parse(await textOf(request)) });
    response.writeHead(answer.status ?? 200, { 'content-type': answer.type }).end(answer.body);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    play(next) {
      answer = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
