import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { TurnError } from '../../model/index.ts';
import { kindStatus } from '../../provider/wire/errors.ts';
import { routeOf } from '../../provider/wire/route.ts';
import type { Provider } from '../../provider/wire/types.ts';

/** Sends an error in the API format of the request. After the headers were sent, closes the connection instead. */
export function sendError(response: ServerResponse, url: string, error: TurnError): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const wire = URL.canParse(url, 'http://proxy') ? wireAt(new URL(url, 'http://proxy').pathname) : undefined;
  const body = JSON.stringify(wire ? wire.writeError(error) : { error: { message: error.message } });
  const status = error.status ?? kindStatus[error.kind];
  const headers: OutgoingHttpHeaders = { 'content-type': 'application/json' };
  // The rest of a body that is too large isn't read, so the connection can't be reused.
  if (status === 413) headers.connection = 'close';
  if (error.retryAfter !== undefined) headers['retry-after'] = String(Math.ceil(error.retryAfter / 1000));
  response.writeHead(status, headers).end(body);
}

/** The API format of a path; undefined if the path can't be decoded. */
function wireAt(path: string): Provider | undefined {
  try {
    return routeOf(path)?.provider;
  } catch {
    return undefined;
  }
}
