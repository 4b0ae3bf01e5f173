/**
 * The mending proxy: speaks the providers' own protocols and returns only well-formed, checked calls. May import everything
 * but the other entrances.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLoopback } from '../execute/local-server/guard.ts';
import { ConfigurationValidationError, type Fault } from '../tools/config-error.ts';
import { adminEndpoints, guard } from './guard.ts';
import type { ListenOptions } from './listen-options.ts';
import type { ProxyOptions } from './options.ts';
import { handleRequest } from './request/handle-request.ts';
import { keyHeaders } from './request/headers.ts';
import { toolboxCache } from './request/plan-request.ts';
import { TextModes } from './upstream/text-mode.ts';

export type { ListenOptions, RequestLimits, Timeouts } from './listen-options.ts';
export type { CallReport, ProxyOptions, ResponseReport, Upstream } from './options.ts';

/** A proxy that listens. */
export interface RunningProxy {
  /** `http://127.0.0.1:` and the port. */
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  /** Takes no more requests, and settles when those under way are answered or have had their time. */
  close(): Promise<void>;
}

const defaults = { head: 20_000, request: 300_000, close: 30_000, connections: 4096 } as const;

/**
 * Starts a proxy, on the loopback interface unless another address is said.
 *
 * @example
 * const proxy = await startProxy({ upstreams: [{ url: 'http://127.0.0.1:11434', formats: ['ollama', 'openai-chat'] }] });
 */
export async function startProxy(options: ProxyOptions & ListenOptions): Promise<RunningProxy> {
  refuseOpenDoors(options);
  const { host = '127.0.0.1', timeouts = {}, limits = {} } = options;
  const { head = defaults.head, request: whole = defaults.request, close = defaults.close } = timeouts;
  const toolboxOf = toolboxCache();
  const modes = new TextModes(options.upstreams, options.onNotice);
  let closing = false;
  const pages = adminEndpoints({ isClosing: () => closing, metrics: options.metrics, store: options.store });
  const enter = guard(options, pages, (request, response) =>
    handleRequest(request, response, options, toolboxOf, modes),
  );
  const server = createServer(
    // A client that sends its head or its body too slowly must not hold a connection for ever.
    // Idle connections are kept for longer than clients do, so that none is closed just as it is used again.
    {
      ...{ headersTimeout: head, requestTimeout: whole, keepAliveTimeout: 75_000 },
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
    ...{ url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, port, server },
    close: () =>
      new Promise((resolve) => {
        closing = true;
        const late = setTimeout(() => server.closeAllConnections(), close);
        server.close(() => {
          clearTimeout(late);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

const shortest = 16;
const makeOne = 'Set a token of 16 characters or more, for example the output of: openssl rand -hex 24';

/** Throws where a proxy would be open to people it should not be open to. */
function refuseOpenDoors({ host = '127.0.0.1', token, upstreams }: ProxyOptions & ListenOptions): void {
  const faults: Fault[] = [];
  const say = (field: string, message: string, fix: string): unknown => faults.push({ field, message, fix });
  if (upstreams.length === 0) say('upstreams', 'no upstream is configured', 'Add at least one');
  if (token !== undefined && token.length < shortest) say('token', 'the token is too short', makeOne);
  if (token === undefined && !isLoopback(host))
    say('host', `other machines can reach ${host}, and no token is set`, makeOne);
  if (token === undefined && upstreams.some(holdsKey))
    say('token', 'the proxy has API keys that any program on this machine could use, and no token is set', makeOne);
  const [first] = faults;
  if (first) {
    const { field, message, fix } = first;
    throw new ConfigurationValidationError(`${field}: ${message}. ${fix}`, { configType: 'proxy', field, faults });
  }
}

const holdsKey = ({ headers = {} }: ProxyOptions['upstreams'][number]): boolean =>
  Object.keys(headers).some((name) => (keyHeaders as readonly string[]).includes(name.toLowerCase()));
