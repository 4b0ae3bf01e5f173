import type { IncomingMessage } from 'node:http';
import { readBody } from '../../execute/local-server.ts';
import { redactSecrets } from '../../json/redact-secrets.ts';
import { hasCode, ToolmendError } from '../../json/toolmend-error.ts';
import type { TurnError } from '../../model/index.ts';
import { excerpt } from '../../provider/client/endpoint.ts';
import { retryAfter } from '../../provider/client/retry.ts';
import { failedTurn } from '../../provider/wire/errors.ts';
import { wires } from '../../provider/wire/route.ts';
import type { Exchange, TurnExchange } from '../request/exchange.ts';
import { clientKeys, forwardHeaders, ownKeys } from '../request/headers.ts';
import { jsonOf } from '../upstream/http.ts';
import { overflowFor } from '../upstream/refusals.ts';

/** The message for the log about an error response. Some servers repeat the key that they refuse. */
export function refusedBecause({ request, upstream }: Exchange, status: number, reason: string): string {
  const clean = redactSecrets([...ownKeys(upstream), ...clientKeys(request)]);
  return `The upstream responded with status ${status}: ${excerpt(clean(reason), 300)}`;
}

/** The body of an error. */
const errorBody = (came: IncomingMessage): Promise<Buffer> =>
  readBody(came, longest).catch((error: unknown) => {
    // The upstream is at fault, not the client.
    throw hasCode(error, 'too_large')
      ? new ToolmendError('connection_failed', `its error response has ${error.message}`)
      : error;
  });

const reasonSize = 4000;
const longest = 8 * 1024 * 1024;

/** Reads the reason of an error while it is forwarded. */
export function reasonIn(came: IncomingMessage): () => string {
  const pieces: Buffer[] = [];
  let size = 0;
  came.on('data', (piece: Buffer) => {
    if (size < reasonSize) pieces.push(piece);
    size += piece.length;
  });
  return () => (came.headers['content-encoding'] === undefined ? reasonOf(Buffer.concat(pieces)) : 'compressed');
}

/** The reason in the body of an error. */
function reasonOf(bytes: Buffer): string {
  const value = jsonOf(bytes);
  return value === undefined ? bytes.toString('utf8') : wires['openai-chat'].readError(0, value).message;
}

/** An error response of an upstream. */
export interface Refusal {
  readonly bytes: Buffer;
  readonly error: TurnError;
}

/** Reads an error response. */
export async function readRefusal(exchange: TurnExchange, came: IncomingMessage): Promise<Refusal> {
  const { wire } = exchange;
  const status = came.statusCode ?? 502;
  const bytes = await errorBody(came);
  const value = jsonOf(bytes);
  const error = wire.readError(status, value === undefined ? bytes.toString('utf8') : value);
  const wait = waitIn(came);
  return { bytes, error: { ...error, status, ...(wait !== undefined && { retryAfter: wait }) } };
}

/** The pause that an upstream requests in its headers, in milliseconds. */
export const waitIn = ({ headers }: IncomingMessage): number | undefined =>
  retryAfter({ get: (name) => String(headers[name] ?? '') || null });

/** Forwards an error unchanged, or in the client's API format. */
export function sendRefusal(
  exchange: TurnExchange,
  came: Pick<IncomingMessage, 'headers' | 'statusCode'>,
  { bytes, error }: Refusal,
): void {
  const { response, client, wire, id } = exchange;
  const crossed = client !== wire;
  const overflow = crossed ? overflowFor(client.format, error) : undefined;
  if (overflow && client.format === 'openai-responses' && exchange.streams) {
    streamError(exchange, overflow);
    return;
  }
  const told = overflow ?? error;
  const body = crossed ? Buffer.from(JSON.stringify(client.writeError(told))) : bytes;
  const wait = came.headers['retry-after'];
  const headers = crossed
    ? { 'content-type': 'application/json', ...(wait !== undefined && { 'retry-after': wait }) }
    : forwardHeaders(came.headers);
  const status = overflow?.status ?? came.statusCode ?? 502;
  response.writeHead(status, { ...headers, 'content-length': body.length, 'x-toolmend-id': id });
  response.end(body);
}

/** Sends an error inside a stream, where Codex looks for the code of a prompt that is too long. */
function streamError({ response, client, id }: TurnExchange, error: TurnError): void {
  const writer = client.writeStream();
  const text = writer.write({ type: 'turn.started' }) + writer.write(failedTurn(error));
  response.writeHead(200, { 'content-type': 'text/event-stream', 'x-toolmend-id': id }).end(text);
}
