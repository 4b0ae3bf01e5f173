import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { forwardHeaders, keyHeaders } from './forward-headers.ts';
import type { Upstream } from './proxy-options.ts';

/**
 * The headers of a request to an upstream: the client's own, with the upstream's key in place of the client's where the
 * proxy holds one.
 *
 * @param plain the answer must come uncompressed, because it is read
 * @param crossed it was translated: what the client said for its own wire means nothing there
 */
export function upstreamHeaders(
  headers: IncomingHttpHeaders,
  { headers: own }: Upstream,
  { plain, crossed }: { readonly plain: boolean; readonly crossed: boolean },
): OutgoingHttpHeaders {
  const passed = crossed ? crossing(headers) : forwardHeaders(headers);
  if (plain) passed['accept-encoding'] = 'identity';
  if (!own) return passed;
  for (const name of keyHeaders) delete passed[name];
  return { ...passed, ...lowered(own) };
}

/** A key is carried over as a bearer token, which most servers take; the rest is of the other wire. */
function crossing(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const key = keyHeaders.map((name) => headers[name]).find((value) => value !== undefined);
  const text = String(key ?? '');
  return {
    'content-type': 'application/json',
    accept: '*/*',
    ...(text && {
      authorization: /^\w+ /.test(text) ? text : `Bearer ${text}`,
      'x-api-key': text.replace(/^\w+ /, ''),
    }),
  };
}

const lowered = (headers: Readonly<Record<string, string>>): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
