import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** Headers that hold for one connection, or that each side sets itself. */
const ownOfConnection = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'host', 'content-length', 'expect'],
]);

/** The headers to pass on: all but those of the connection and those it names itself. */
export function forwardHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = String(headers.connection ?? '')
    .toLowerCase()
    .split(/\s*,\s*/);
  const passed: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(headers)) {
    // What an upstream allows web pages to do is no word of ours.
    const allowsPages = name.startsWith('access-control-');
    if (value !== undefined && !ownOfConnection.has(name) && !named.includes(name) && !allowsPages)
      passed[name] = value;
  }
  return passed;
}

/** Headers that hold a client's key; they never go to an upstream that has a key of its own. */
export const keyHeaders = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'] as const;
