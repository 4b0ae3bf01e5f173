import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonValue } from '../../json/value.ts';
import type { Format, TurnError, TurnEvent, TurnRequest } from '../../model/index.ts';
import { pause } from '../client/abort.ts';
import { failedTurn, kindStatus } from '../wire/errors.ts';
import { routeOf } from '../wire/route.ts';
import type { Provider } from '../wire/types.ts';
import { checkIsScript, isRaw, type RawTurn, type Script, type ServedTurn, truncatedAfter } from './script.ts';
import { playTurn, scriptIsOver } from './scripted.ts';

/** Options of a scripted server. */
export interface ServeOptions {
  /** @default any free port */
  readonly port?: number;
}

/** A request that the server received. */
export interface ServedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: JsonValue | undefined;
  /** The API format of the request, and its content. */
  readonly format?: Format;
  readonly question?: TurnRequest;
  /** When the client disconnected before the response was complete, from `performance.now()`. */
  leftAt?: number;
}

/** A server that plays a script. */
export interface ScriptedServer {
  /** `http://127.0.0.1:` and the port. */
  readonly url: string;
  readonly port: number;
  /** The requests, in order of arrival. */
  readonly requests: readonly ServedRequest[];
  close(): Promise<void>;
}

/**
 * Serves a scripted model on the loopback interface in every provider's API format, so that their own clients can
 * connect: `/v1/chat/completions`, `/v1/responses`, `/v1/messages`, `/v1beta/models/…:generateContent` and
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
  checkIsScript(script);
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
  const body = await jsonOf(request);
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

/** The request that a response belongs to, and where to send it. */
export interface Reply {
  readonly provider: Provider;
  readonly question: TurnRequest;
  readonly response: ServerResponse;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Sends a turn in the API format of the request: streamed, complete, as an error, or raw. */
export async function sendTurn(turn: ServedTurn | undefined, number: number, reply: Reply): Promise<void> {
  const { provider, question, response, signal } = reply;
  if (turn !== undefined && isRaw(turn)) return sendRaw(turn, reply);
  const events = turn === undefined ? overAt(number) : playTurn(turn, question.model || 'scripted', number, signal);
  const out = new Outlet(response, turn === undefined ? Infinity : truncatedAfter(turn));
  // Formats differ in whether they stream by default, so the parsed request decides.
  if (question.stream) await stream(events, provider, out);
  else await whole(events, provider, out);
}

async function* overAt(number: number): AsyncGenerator<TurnEvent> {
  yield failedTurn(scriptIsOver(number));
}

const types = { sse: 'text/event-stream', ndjson: 'application/x-ndjson' } as const;

async function stream(events: AsyncIterable<TurnEvent>, provider: Provider, out: Outlet): Promise<void> {
  const writer = provider.writeStream();
  for await (const event of events) {
    if (event.type === 'turn.failed' && !out.begun) return refuse(event.error, provider, out);
    out.head(200, { 'content-type': types[provider.framing], 'cache-control': 'no-cache' });
    await out.write(writer.write(event));
  }
  out.end();
}

async function whole(events: AsyncIterable<TurnEvent>, provider: Provider, out: Outlet): Promise<void> {
  for await (const event of events) {
    if (event.type === 'turn.failed') return refuse(event.error, provider, out);
    if (event.type !== 'turn.finished') continue;
    out.head(200, { 'content-type': 'application/json' });
    await out.write(JSON.stringify(provider.writeResponse(event.response).wire));
    out.end();
  }
}

async function refuse(error: TurnError, provider: Provider, out: Outlet): Promise<void> {
  const { retryAfter, status = kindStatus[error.kind] } = error;
  const wait = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter / 1000) };
  out.head(status, { 'content-type': 'application/json', ...wait });
  await out.write(JSON.stringify(provider.writeError(error)));
  out.end();
}

async function sendRaw(turn: RawTurn, { response, signal }: Reply): Promise<void> {
  const { raw, status = 200, headers = { 'content-type': 'text/event-stream' }, delay = 0, pace = 0, kill } = turn;
  const out = new Outlet(response, Infinity);
  if (delay > 0) await pause(delay, signal);
  out.head(status, headers);
  for (const piece of typeof raw === 'string' || raw instanceof Uint8Array ? [raw] : raw) {
    if (pace > 0) await pause(pace, signal);
    await out.write(piece);
  }
  if (kill) out.kill();
  else out.end();
}

/** Writes a response until the connection is closed or the client disconnects. */
class Outlet {
  readonly #response: ServerResponse;
  #left: number;
  begun = false;

  constructor(response: ServerResponse, cut: number) {
    this.#response = response;
    this.#left = cut;
  }

  head(status: number, headers: Readonly<Record<string, string>>): void {
    if (this.begun) return;
    this.begun = true;
    this.#response.writeHead(status, headers).flushHeaders();
  }

  /** Writes up to the byte limit, and waits for slow readers. */
  async write(piece: string | Uint8Array): Promise<void> {
    const response = this.#response;
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    if (bytes.length === 0 || response.destroyed) return;
    const sent = bytes.length <= this.#left ? bytes : bytes.subarray(0, this.#left);
    this.#left -= sent.length;
    const free = response.write(sent);
    if (this.#left <= 0) this.kill();
    else if (!free) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
  }

  end(): void {
    if (!this.#response.destroyed) this.#response.end();
  }

  /** Closes the connection after everything written has been sent. */
  kill(): void {
    const { socket } = this.#response;
    if (socket) socket.end(() => socket.destroy());
    else this.#response.destroy();
  }
}

const most = 64_000_000;

/** Parses the JSON of a request; undefined if it is invalid or too large. */
async function jsonOf(request: IncomingMessage): Promise<JsonValue | undefined> {
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
