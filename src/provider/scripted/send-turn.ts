import type { ServerResponse } from 'node:http';
import type { TurnError, TurnEvent, TurnRequest } from '../../turn/turn.ts';
import { pause } from '../client/pause.ts';
import { failedTurn } from '../failed-turn.ts';
import { kindStatus } from '../status-kind.ts';
import type { Provider } from '../wire.ts';
import { playTurn } from './play-turn.ts';
import { scriptIsOver } from './scripted.ts';
import { cutOf, isRaw, type RawTurn, type ServedTurn } from './served-turn.ts';

/** What an answer is sent in reply to, and where. */
export interface Reply {
  readonly provider: Provider;
  readonly question: TurnRequest;
  readonly response: ServerResponse;
  /** Given when the client leaves. */
  readonly signal: AbortSignal;
}

/** Sends a turn in the wire that was asked in: streamed, whole, as an error, or raw. */
export async function sendTurn(turn: ServedTurn | undefined, number: number, reply: Reply): Promise<void> {
  const { provider, question, response, signal } = reply;
  if (turn !== undefined && isRaw(turn)) return sendRaw(turn, reply);
  const events = turn === undefined ? overAt(number) : playTurn(turn, question.model || 'scripted', number, signal);
  const out = new Outlet(response, turn === undefined ? Infinity : cutOf(turn));
  // What came unasked in one wire is streamed in the other: only the reader of the request knows.
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

/** Where the bytes of an answer go, until the connection is cut or the client has left. */
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

  /** Writes as much as may be written, and waits for a reader that is slow. */
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

  /** Cuts the connection; what was written goes out before. */
  kill(): void {
    const { socket } = this.#response;
    if (socket) socket.end(() => socket.destroy());
    else this.#response.destroy();
  }
}
