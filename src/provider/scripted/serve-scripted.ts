import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonValue } from '../../json/value.ts';
import type { Format, TurnRequest } from '../../turn/turn.ts';
import { routeOf } from '../route-of.ts';
import { readBody } from './read-body.ts';
import type { Script } from './script.ts';
import { sendTurn } from './send-turn.ts';
import type { ServedTurn } from './served-turn.ts';

/** Settings of a scripted server. */
export interface ServeOptions {
  /** Any that is free unless it is said. */
  readonly port?: number;
}

/** One request that reached the server. */
export interface ServedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: JsonValue | undefined;
  /** The wire it came in, and what it asked. */
  readonly format?: Format;
  readonly question?: TurnRequest;
  /** When the client left before the answer was whole, by the clock of `performance.now()`. */
  leftAt?: number;
}

/** A server that plays a script. */
export interface ScriptedServer {
  /** `http://127.0.0.1:` and the port. */
  readonly url: string;
  readonly port: number;
  /** What was asked, in order. */
  readonly requests: readonly ServedRequest[];
  close(): Promise<void>;
}

/**
 * Serves a scripted model on the loopback interface, in the wire of every provider, so that their own clients can talk
 * to it: `/v1/chat/completions`, `/v1/responses`, `/v1/messages`, `/v1beta/models/…:generateContent` and
 * `:streamGenerateContent`, `/api/chat`.
 *
 * @example
 * const server = await serveScripted([{ calls: [{ name: 'now' }] }, 'It is noon.']);
 * const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none' });
 */
export async function serveScripted(
  script: Script<ServedTurn>,
  { port = 0 }: ServeOptions = {},
): Promise<ScriptedServer> {
  const requests: ServedRequest[] = [];
  let turns = 0;
  const next = async (question: TurnRequest): Promise<{ turn: ServedTurn | undefined; number: number }> => {
    const number = turns;
    turns += 1;
    return { number, turn: typeof script === 'function' ? await script(question, number) : script[number] };
  };
  const server = createServer((request, response) => {
    serve(request, response, requests, next).catch((error) => response.destroy(error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}`,
    port: taken,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  requests: ServedRequest[],
  next: (question: TurnRequest) => Promise<{ turn: ServedTurn | undefined; number: number }>,
): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://127.0.0.1').pathname;
  const route = request.method === 'POST' ? routeOf(path) : undefined;
  const body = await readBody(request);
  const came = { path, headers: request.headers, body };
  if (!route) {
    requests.push(came);
    const message = `Nothing is served at ${request.method} ${path}`;
    response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }));
    return;
  }
  const { provider, address } = route;
  let question: TurnRequest;
  try {
    question = provider.readRequest(body, address);
  } catch (error) {
    const refused = provider.writeError({ kind: 'request', message: messageOf(error), retryable: false, status: 400 });
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(refused));
    return;
  }
  const record: ServedRequest = { ...came, format: provider.format, question };
  requests.push(record);
  const left = new AbortController();
  response.on('close', () => {
    if (response.writableFinished) return;
    record.leftAt = performance.now();
    left.abort();
  });
  const { turn, number } = await next(question);
  await sendTurn(turn, number, { provider, question, response, signal: left.signal });
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
