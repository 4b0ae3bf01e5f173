/**
 * The inspector: a web page that shows model output, repairs and results, and its server. Served by the proxy, the
 * gateway and the command line.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { loopbackNames } from '../execute/local-server.ts';
import { checkArgument, isObject } from '../json/value.ts';
import { type PageGuard, rejectionOf } from './auth.ts';
import type { InspectorOptions } from './options.ts';
import { handlePageRequest, root } from './routes.ts';
import { RunIndex } from './run-index.ts';
import { sendJson } from './send-json.ts';

export type { InspectorOptions } from './options.ts';

/** An inspector for any `node:http` server. */
export interface Inspector {
  /** Handles a request for the inspector. Returns false if it is for something else. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
}

/**
 * Creates an inspector for a store.
 *
 * @example
 * const { handle } = inspector({ store });
 * createServer(async (request, response) => (await handle(request, response)) || response.writeHead(404).end());
 */
export function inspector(options: InspectorOptions): Inspector {
  checkArgument(isObject(options?.store), 'options', '{ store }', options);
  const door: PageGuard = {
    hosts: new Set([...loopbackNames, ...(options.hosts ?? [])].map((name) => name.toLowerCase())),
    token: options.token,
  };
  const index = new RunIndex(options.store);
  return {
    async handle(request, response) {
      const url = new URL(request.url ?? '/', 'http://inspector');
      if (url.pathname !== root && !url.pathname.startsWith(`${root}/`)) return false;
      const away = rejectionOf(request, door);
      if (away) {
        request.resume();
        sendJson(response, away.status, { error: { message: away.message } }, away.headers);
      } else await handlePageRequest({ request, response, url, index, options });
      return true;
    },
  };
}
