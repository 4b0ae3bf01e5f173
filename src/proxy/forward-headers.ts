import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** Headers that hold for one connection, or that each side sets itself. */
const ownOfConnection = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'host', 'content-length', 'expect'],
]);

/** The headers to pass on: all but those of the connection and those it names itself. */
export function forwardHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const { connection = '' } = headers;
  const named = usual.test(connection) ? [] : connection.toLowerCase().split(/\s*,\s*/);
  const passed: OutgoingHttpHeaders = {};
  for (const name in headers) {
    // What an upstream allows web pages to do is no word of ours.
    const stays = ownOfConnection.has(name) || named.includes(name) || name.startsWith('access-control-');
    if (!stays && headers[name] !== undefined) passed[name] = headers[name];
  }
  return passed;
}

/** Most connections name nothing of their own. */
const usual = /^(?:keep-alive|close)?$/i;

/** Headers that hold a client's key; they never go to an upstream that has a key of its own. */
export const keyHeaders = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'] as const;
