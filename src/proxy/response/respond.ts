import type { IncomingMessage } from 'node:http';
import { readBody, TooLarge } from '../../execute/local-server/read-body.ts';
import type { TurnError } from '../../model/index.ts';
import { rescueCall } from '../../provider/client/rescue-call.ts';
import { takesNoTools } from '../../provider/wire/errors.ts';
import { rawCallText } from '../../provider/wire/unparsed-call.ts';
import type { TurnExchange } from '../request/exchange.ts';
import { forwardHeaders } from '../request/headers.ts';
import { jsonOf } from '../upstream/fetch-json.ts';
import { respondWithJson, sendResponse } from './json.ts';
import { respondWithStream } from './stream.ts';

/** Answers a turn with what came of it. False: the upstream takes no tools for this model, and is to be asked otherwise. */
export async function respond(exchange: TurnExchange, came: IncomingMessage): Promise<boolean> {
  if ((came.statusCode ?? 502) < 400) {
    const streamed = /event-stream|ndjson/.test(String(came.headers['content-type']));
    await (streamed ? respondWithStream : respondWithJson)(exchange, came);
    return true;
  }
  const { upstream, modes, model, asks, reads, question } = exchange;
  const refusal = await readRefusal(exchange, came);
  const { error } = refusal;
  if (asks === undefined && takesNoTools(error) && modes.refused(upstream, model, error.message)) return false;
  const saved = reads === undefined || rawCallText(error) === undefined ? undefined : rescueCall(error, question());
  if (saved) sendResponse(exchange, saved);
  else answerError(exchange, came, refusal);
  return true;
}

const longest = 8 * 1024 * 1024;

/** What an upstream said when it refused. */
interface Refusal {
  readonly bytes: Buffer;
  readonly error: TurnError;
}

/** Reads why an upstream refused. */
async function readRefusal({ wire }: TurnExchange, came: IncomingMessage): Promise<Refusal> {
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
function answerError(
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
