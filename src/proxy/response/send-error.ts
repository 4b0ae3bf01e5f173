import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { TurnError } from '../../model/index.ts';
import { kindStatus } from '../../provider/wire/errors.ts';
import { routeOf } from '../../provider/wire/route.ts';
import type { Provider } from '../../provider/wire/types.ts';

/** Answers with an error in the words of the wire that was asked in; one that comes too late for words ends the connection. */
export function sendError(response: ServerResponse, url: string, error: TurnError): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const wire = URL.canParse(url, 'http://proxy') ? wireAt(new URL(url, 'http://proxy').pathname) : undefined;
  const body = JSON.stringify(wire ? wire.writeError(error) : { error: { message: error.message } });
  const status = error.status ?? kindStatus[error.kind];
  const headers: OutgoingHttpHeaders = { 'content-type': 'application/json' };
  // What is left of a body that is too large is not read, so that the connection can't be used again.
  if (status === 413) headers.connection = 'close';
  if (error.retryAfter !== undefined) headers['retry-after'] = String(Math.ceil(error.retryAfter / 1000));
  response.writeHead(status, headers).end(body);
}

/** An address that can't be decoded is refused too, and in nobody's words. */
function wireAt(path: string): Provider | undefined {
  try {
    return routeOf(path)?.provider;
  } catch {
    return undefined;
  }
}
