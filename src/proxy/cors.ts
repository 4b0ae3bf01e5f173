import type { IncomingMessage, ServerResponse } from 'node:http';

/** Headers of browsers that an upstream must not receive: some refuse requests from web pages. */
const ofBrowsers = /^(?:origin|referer|cookie|sec-.*|access-control-.*)$/;

/** Response headers that pages can read. */
const exposed = 'x-toolmend-id, x-toolmend-calls, retry-after';
const methods = 'GET, POST, PUT, PATCH, DELETE';
/** Ten minutes for which browsers remember a preflight. */
const maxAge = '600';

/**
 * Allows a page of a configured origin to read the response. Responds to preflight requests, which have no token, and
 * returns true for them.
 */
export function allowOrigin(request: IncomingMessage, response: ServerResponse, origin: string): boolean {
  const { headers, method } = request;
  const asked = headers['access-control-request-headers'];
  const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
  const isPrivate = headers['access-control-request-private-network'] === 'true';
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('vary', 'origin');
  if (!isPreflight) {
    response.setHeader('access-control-expose-headers', exposed);
    for (const name of Object.keys(headers)) if (ofBrowsers.test(name)) delete headers[name];
    return false;
  }
  request.resume();
  response
    .writeHead(204, {
      ...{ 'access-control-allow-methods': methods, 'access-control-max-age': maxAge },
      ...(asked !== undefined && { 'access-control-allow-headers': asked }),
      ...(isPrivate && { 'access-control-allow-private-network': 'true' }),
    })
    .end();
  return true;
}
