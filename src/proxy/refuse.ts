import type { ServerResponse } from 'node:http';
import { routeOf } from '../provider/route-of.ts';
import { kindStatus } from '../provider/status-kind.ts';
import type { TurnError } from '../turn/turn.ts';

/** Answers with an error in the words of the wire that was asked in; one that comes too late for words ends the connection. */
export function refuse(response: ServerResponse, url: string, error: TurnError): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const wire = routeOf(new URL(url, 'http://proxy').pathname)?.provider;
  const body = JSON.stringify(wire ? wire.writeError(error) : { error: { message: error.message } });
  const status = error.status ?? kindStatus[error.kind];
  // What is left of a body that is too large is not read, so that the connection can't be used again.
  const close = status === 413 ? { connection: 'close' } : {};
  response.writeHead(status, { 'content-type': 'application/json', ...close }).end(body);
}
