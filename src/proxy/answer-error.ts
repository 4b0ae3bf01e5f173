import type { IncomingMessage } from 'node:http';
import type { TurnError } from '../turn/turn.ts';
import type { TurnExchange } from './exchange.ts';
import { forwardHeaders } from './forward-headers.ts';
import { jsonOf } from './json-of.ts';
import { readBody, TooLarge } from './read-body.ts';

const longest = 8 * 1024 * 1024;

/** What an upstream said when it refused. */
export interface Refusal {
  readonly bytes: Buffer;
  readonly error: TurnError;
}

/** Reads why an upstream refused. */
export async function readRefusal({ wire }: TurnExchange, came: IncomingMessage): Promise<Refusal> {
  const status = came.statusCode ?? 502;
  const bytes = await readBody(came, longest).catch((error: unknown) => {
    // It is the upstream's fault, and not the client's.
    throw error instanceof TooLarge ? new Error(`its error has ${error.message}`) : error;
  });
  const value = jsonOf(bytes);
  const error = wire.readError(status, value === undefined ? bytes.toString('utf8') : value);
  return { bytes, error: { ...error, status } };
}

/** Passes on an error: as it came, or, from an upstream of another wire, in the client's words. */
export function answerError(
  { response, client, wire, id }: TurnExchange,
  came: IncomingMessage,
  { bytes, error }: Refusal,
): void {
  const crossed = client !== wire;
  const body = crossed ? Buffer.from(JSON.stringify(client.writeError(error))) : bytes;
  const wait = came.headers['retry-after'];
  const headers = crossed
    ? { 'content-type': 'application/json', ...(wait !== undefined && { 'retry-after': wait }) }
    : forwardHeaders(came.headers);
  response.writeHead(came.statusCode ?? 502, { ...headers, 'content-length': body.length, 'x-toolmend-id': id });
  response.end(body);
}
