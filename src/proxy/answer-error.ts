import type { IncomingMessage } from 'node:http';
import type { TurnExchange } from './exchange.ts';
import { readBody } from './read-body.ts';

const longest = 1024 * 1024;

/** Passes on an error of an upstream of another wire, in the client's words. */
export async function answerError({ response, client, wire, id }: TurnExchange, came: IncomingMessage): Promise<void> {
  const status = came.statusCode ?? 502;
  const bytes = await readBody(came, longest);
  const error = { ...wire.readError(status, parsed(bytes)), status };
  const body = Buffer.from(JSON.stringify(client.writeError(error)));
  const wait = came.headers['retry-after'];
  response.writeHead(status, {
    ...{ 'content-type': 'application/json', 'content-length': body.length, 'x-toolmend-id': id },
    ...(wait !== undefined && { 'retry-after': wait }),
  });
  response.end(body);
}

function parsed(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
