import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLoopback, loopbackNames } from '../exec/door/loopback.ts';
import { inspector } from '../inspect/inspector.ts';
import type { TurnError } from '../turn/turn.ts';
import { type Admission, admit, missesToken } from './admit.ts';
import type { ListenOptions } from './listen-options.ts';
import type { OwnPages } from './own-pages.ts';
import type { ProxyOptions } from './proxy-options.ts';
import { refuse } from './refuse.ts';
import { requestLimits } from './request-limits.ts';
import { beginSeeing, reportRequest } from './see-request.ts';
import { shownKeys, takeToken } from './shown-keys.ts';

/** Answers a request; settles when the answer is out. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Stands before everything else: lets in who may ask, and only so much; shows the proxy's own pages. */
export function door(options: ProxyOptions & ListenOptions, pages: OwnPages, within: Handler): Handler {
  const { host = '127.0.0.1', hosts = [], token, limits = {}, store, inspect } = options;
  const names = new Set([...loopbackNames, host, ...hosts].map((name) => name.toLowerCase()));
  const admission: Admission = { token, hosts: isLoopback(host) ? names : undefined };
  const shown = token ?? inspect?.token;
  const watching = store && inspect ? inspector({ ...inspect, store, hosts: names, token: shown }) : undefined;
  const room = requestLimits(limits);

  return async (request, response) => {
    const { url = '/', method = 'GET' } = request;
    const page = pages(method, url.split('?')[0] ?? '');
    // The inspector's pages are asked for by a browser, and have a door of their own.
    if (url.startsWith('/inspector') && (await watching?.handle(request, response))) return;
    const wanted = page?.kept ? { ...admission, token: shown } : admission;
    const refusal = admit(request, admission) ?? (page?.open ? undefined : missesToken(request, wanted));
    if (refusal) return turnAway(request, response, refusal, options);
    if (page) {
      const [status, type, text] = await page.show();
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
      return;
    }
    const key = shownKeys(request).find((shown) => shown !== token) ?? request.socket.remoteAddress ?? '';
    const place = room(key);
    if ('wait' in place) return turnAway(request, response, tooMany(place.wait), options);
    takeToken(request, token);
    try {
      await within(request, response);
    } finally {
      place.done();
    }
  };
}

/** What is left of the request is not waited for. */
function turnAway(request: IncomingMessage, response: ServerResponse, error: TurnError, options: ProxyOptions): void {
  const seen = beginSeeing('', request);
  request.resume();
  refuse(response, request.url ?? '/', error);
  reportRequest({ ...seen, error: error.message }, response, options);
}

const tooMany = (wait: number): TurnError => ({
  kind: 'rate_limit',
  message: 'Too many requests for this key',
  retryable: true,
  status: 429,
  retryAfter: wait,
});
