/**
 * The inspector: a web page that shows model output, repairs and results, and its server. Served by the proxy, the
 * gateway and the command line.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loopbackNames } from '../execute/local-server.ts';
import { checkArgument, isObject } from '../json/value.ts';
import { pageHeaders } from './assets.ts';
import { type PageGuard, rejectionOf } from './auth.ts';
import type { InspectorOptions } from './options.ts';
import { handlePageRequest, root, sendJson } from './routes.ts';
import { RunIndex } from './run-index.ts';

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
      const url = urlOf(request);
      if (!url || (url.pathname !== root && !url.pathname.startsWith(`${root}/`))) return false;
      const away = rejectionOf(request, door);
      if (away) {
        request.resume();
        sendJson(response, away.status, { error: { message: away.message } }, away.headers);
      } else await handlePageRequest({ request, response, url, index, options });
      return true;
    },
  };
}

/** The URL of a request. Undefined for a path such as `//`, which is not a URL. */
const urlOf = ({ url = '/' }: IncomingMessage): URL | undefined => URL.parse(url, 'http://inspector') ?? undefined;

/** A running inspector. */
export interface RunningInspector {
  /** URL of the page. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves an inspector on the loopback interface.
 *
 * @example
 * const { url } = await startInspector({ store: sqliteStore('runs.db'), canApprove: true });
 */
export async function startInspector(
  options: InspectorOptions & { readonly port?: number },
): Promise<RunningInspector> {
  const { handle } = inspector(options);
  const server = createServer((request, response) => {
    handle(request, response).then(
      (done) => {
        if (done) return;
        if (urlOf(request)) response.writeHead(302, { ...pageHeaders, location: '/inspector/' }).end();
        else sendJson(response, 400, { error: { message: 'Invalid path' } });
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/inspector/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
