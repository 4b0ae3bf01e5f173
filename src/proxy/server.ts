/** The mending proxy: serves the providers' API formats, and returns only well-formed, checked calls. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hasToken, isLoopback, loopbackNames, rejectRequest as refuseHost } from '../execute/local-server.ts';
import { inspector } from '../inspect/inspector.ts';
import { checkArgument } from '../json/value.ts';
import type { TurnError } from '../model/index.ts';
import { type AdminEndpoints, adminEndpoints, ownPaths } from './admin-pages.ts';
import { type Admitted, ClientKeys } from './client-keys.ts';
import { checkOptions } from './config/check-options.ts';
import type { ClientKey, ListenOptions, RequestLimits } from './listen-options.ts';
import { beginRecord, reportRequest } from './observe/record-request.ts';
import type { ProxyOptions, Upstream } from './options.ts';
import { handleRequest, type ProxyState } from './request/handle-request.ts';
import { clientKeys, takeSecrets } from './request/headers.ts';
import { toolboxCache } from './request/plan-request.ts';
import { sendError } from './response/send-error.ts';
import { Failover } from './upstream/failover.ts';
import { findUpstreams } from './upstream/find-upstreams.ts';
import { TextModes } from './upstream/text-mode.ts';

export type { ClientKey, ListenOptions, RequestLimits, Timeouts } from './listen-options.ts';
export type { CallReport, FailoverOptions, ProxyOptions, ResponseReport, Upstream } from './options.ts';

/** A running proxy. */
export interface RunningProxy {
  /** `http://127.0.0.1:` and the port. */
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  /**
   * Replaces the upstreams. Requests in progress continue with the previous ones.
   *
   * @param keys the new keys of clients. By default, the current ones stay valid
   *
   * @throws ConfigurationValidationError if they are invalid, or if none of them responds; then nothing changes
   */
  reload(upstreams: readonly Upstream[], keys?: readonly ClientKey[]): Promise<void>;
  /** Stops accepting requests. Resolves when the ones in progress have ended or timed out. */
  close(): Promise<void>;
}

const defaults = { head: 20_000, request: 300_000, close: 30_000, connections: 4096 } as const;

/** A configured proxy. */
export interface MendingProxy {
  /**
   * Starts the proxy, by default on the loopback interface. Detects the API formats of upstreams without `formats`.
   *
   * @throws ConfigurationValidationError if the configuration is invalid, or if no format was detected
   */
  listen(): Promise<RunningProxy>;
}

/**
 * Creates a proxy.
 *
 * @example
 * const proxy = await createProxy({ upstreams: [{ url: 'http://127.0.0.1:11434' }] }).listen();
 */
export function createProxy(options: ProxyOptions & ListenOptions): MendingProxy {
  checkArgument(Array.isArray(options?.upstreams), 'options', '{ upstreams: [{ url }] }', options);
  return {
    async listen() {
      checkOptions(options);
      return serve({ ...options, upstreams: await findUpstreams(options) });
    },
  };
}

async function serve(options: ProxyOptions & ListenOptions): Promise<RunningProxy> {
  const { host = '127.0.0.1', timeouts = {}, limits = {} } = options;
  const { head = defaults.head, request: whole = defaults.request, close = defaults.close } = timeouts;
  const toolboxOf = toolboxCache();
  const stateOf = (current: ProxyOptions): ProxyState => ({
    options: current,
    toolboxOf,
    modes: new TextModes(current.upstreams, options.onNotice),
    failover: new Failover(options.failover, options.onNotice),
  });
  let state = stateOf(options);
  let closing = false;
  /** Requests in progress, and what to do when there are none. */
  let active = 0;
  let idle = (): void => {};
  const pages = adminEndpoints({
    isClosing: () => closing,
    live: () => ({ inFlight: active, urls: state.failover.figures(state.options.upstreams) }),
    metrics: options.metrics,
    store: options.store,
  });
  const limitsOf = (keys: readonly ClientKey[] = [], before?: ClientKeys): ClientKeys | undefined =>
    keys.length > 0 ? new ClientKeys(keys, { limits, limit: requestLimits, before, token: options.token }) : undefined;
  let clients = limitsOf(options.keys);
  const enter = guard(
    options,
    pages,
    () => clients,
    async (request, response, owner) => {
      if (closing) return turnAway(request, response, stopping, options);
      active += 1;
      const seen = await handleRequest(request, response, state, owner?.name);
      if (owner) clients?.count(owner, seen, response.statusCode);
      active -= 1;
      if (active === 0) idle();
    },
  );
  const server = createServer(
    // Slow clients must not keep a connection forever. Idle connections are kept longer than clients keep them, so that
    // none is closed at the moment of reuse.
    {
      headersTimeout: head,
      requestTimeout: whole,
      keepAliveTimeout: 75_000,
      connectionsCheckingInterval: Math.min(5000, head),
    },
    (request, response) => {
      response.on('close', () => closing && setImmediate(() => server.closeIdleConnections()));
      enter(request, response).catch((error: unknown) => {
        options.onError?.(error instanceof Error ? error.message : String(error));
        response.destroy();
      });
    },
  );
  server.maxConnections = limits.connections ?? defaults.connections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    server,
    reload: async (upstreams, keys) => {
      checkOptions({ ...options, upstreams, ...(keys && { keys }) });
      state = stateOf({ ...options, upstreams: await findUpstreams({ ...options, upstreams }) });
      if (keys) clients = limitsOf(keys, clients);
    },
    close: () =>
      new Promise((resolve) => {
        closing = true;
        const late = setTimeout(() => {
          idle();
          server.closeAllConnections();
        }, close);
        // Until then, health checks are served.
        idle = () => {
          idle = () => {};
          server.close(() => {
            clearTimeout(late);
            resolve();
          });
          server.closeIdleConnections();
        };
        if (active === 0) idle();
      }),
  };
}

/** Handles a request of a client; resolves when the response is sent. */
type Handler = (request: IncomingMessage, response: ServerResponse, owner?: ClientKey) => Promise<void>;

/** Wraps the handler: checks access and limits, and serves the proxy's own pages. */
function guard(
  options: ProxyOptions & ListenOptions,
  pages: AdminEndpoints,
  keys: () => ClientKeys | undefined,
  within: Handler,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { host = '127.0.0.1', hosts = [], token, limits = {}, store, inspect } = options;
  const names = new Set([...loopbackNames, host, ...hosts].map((name) => name.toLowerCase()));
  const origins = new Set(options.origins);
  const admission: Admission = { token, origins, hosts: isLoopback(host) ? names : undefined };
  const shown = token ?? inspect?.token;
  const watching = store && inspect ? inspector({ ...inspect, store, hosts: names, token: shown }) : undefined;
  const room = requestLimits(limits);
  const ownSecrets = new Set(token === undefined ? [] : [token]);

  return async (request, response) => {
    const { url = '/', method = 'GET', headers } = request;
    const page = ownPaths.test(url) ? pages(method, url.split('?')[0] ?? '') : undefined;
    // The inspector is used by browsers and has its own guard.
    if (url.startsWith('/inspector') && (await watching?.handle(request, response))) return;
    const refused = admit(request, admission);
    const { origin = '' } = headers;
    if (origins.has(origin) && (!refused || refused.status === 405) && allowOrigin(request, response, origin)) return;
    const clients = keys();
    const owner = clients && !page?.kept ? clients.ownerOf(request) : undefined;
    const wanted = page?.kept
      ? { token: shown, hasKeys: clients !== undefined }
      : { token, hasKeys: clients !== undefined };
    const refusal = refused ?? (page?.open || owner ? undefined : missesToken(request, wanted));
    if (refusal) return turnAway(request, response, refusal, options);
    if (page) {
      const [status, type, text] = await page.show();
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
      return;
    }
    // Nothing else that a client sends counts, because it could be different in each request.
    const place = owner && clients ? clients.admit(owner) : room(token ?? request.socket.remoteAddress ?? '');
    if ('wait' in place) return turnAway(request, response, tooMany(place.wait), options);
    if (!('done' in place)) return turnAway(request, response, place, options, owner?.name);
    takeSecrets(request, clients?.secrets ?? ownSecrets);
    try {
      await within(request, response, owner);
    } finally {
      place.done();
    }
  };
}

/** Sends an error without waiting for the rest of the request. */
function turnAway(
  request: IncomingMessage,
  response: ServerResponse,
  error: TurnError,
  options: ProxyOptions,
  key?: string,
): void {
  const seen = beginRecord('', request, key);
  request.resume();
  sendError(response, request.url ?? '/', error);
  reportRequest({ ...seen, error: error.message, errorKind: error.kind }, response, options);
}

const stopping: TurnError = {
  kind: 'server',
  message: 'The proxy is stopping',
  retryable: true,
  status: 503,
  retryAfter: 1000,
};

const tooMany = (wait: number): TurnError => ({
  kind: 'rate_limit',
  message: 'Too many requests',
  retryable: true,
  status: 429,
  retryAfter: wait,
});

/** Who may send requests. */
interface Admission {
  readonly token?: string | undefined;
  /** Origins of web pages that may send requests. */
  readonly origins: ReadonlySet<string>;
  /** Accepted host names; any if the proxy listens to other machines. */
  readonly hosts?: ReadonlySet<string> | undefined;
}

/** Why a request is refused; undefined if it isn't. */
function admit(request: IncomingMessage, { hosts, origins }: Admission): TurnError | undefined {
  const refused = refuseHost(request, { whose: 'proxy', hosts, origins });
  return refused && { kind: 'request', retryable: false, ...refused };
}

/** The error for a missing token; undefined if it is valid or not required. */
function missesToken(
  request: IncomingMessage,
  { token, hasKeys }: { readonly token: string | undefined; readonly hasKeys: boolean },
): TurnError | undefined {
  if (token === undefined ? !hasKeys : hasToken(clientKeys(request), token)) return undefined;
  const message =
    'This proxy requires a token. Send it as the API key of your client or in the x-toolmend-token header';
  return { kind: 'request', message, retryable: false, status: 401 };
}

interface Account {
  /** Requests left for this minute as of `at`; refilled continuously. */
  left: number;
  at: number;
  open: number;
}

const minute = 60_000;
const mostAccounts = 10_000;
const defaultAtOnce = 2048;

/** Counts requests per token or address. Idle ones are removed once there are many. */
function requestLimits(
  { perMinute = Number.POSITIVE_INFINITY, concurrency: atOnce = defaultAtOnce }: RequestLimits,
  now: () => number = () => performance.now(),
): (key: string) => Admitted {
  const accounts = new Map<string, Account>();
  return (key) => {
    const at = now();
    const account = accounts.get(key) ?? { left: perMinute, at, open: 0 };
    // Moves the key to the end, so that the least recently used are first.
    accounts.delete(key);
    accounts.set(key, account);
    forget(accounts);
    if (perMinute !== Number.POSITIVE_INFINITY) {
      account.left = Math.min(perMinute, account.left + ((at - account.at) * perMinute) / minute);
      account.at = at;
    }
    if (account.open >= atOnce) return { wait: 1000 };
    if (account.left < 1) return { wait: ((1 - account.left) * minute) / perMinute };
    account.left -= 1;
    account.open += 1;
    return {
      done: () => {
        account.open -= 1;
      },
    };
  };
}

function forget(accounts: Map<string, Account>): void {
  if (accounts.size <= mostAccounts) return;
  for (const [key, { open }] of accounts) {
    if (open > 0) continue;
    accounts.delete(key);
    return;
  }
}

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
function allowOrigin(request: IncomingMessage, response: ServerResponse, origin: string): boolean {
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
      'access-control-allow-methods': methods,
      'access-control-max-age': maxAge,
      ...(asked !== undefined && { 'access-control-allow-headers': asked }),
      ...(isPrivate && { 'access-control-allow-private-network': 'true' }),
    })
    .end();
  return true;
}
