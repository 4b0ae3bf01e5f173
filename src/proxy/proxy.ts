/**
 * The mending proxy: speaks the providers' own protocols and returns only well-formed, checked calls. May import everything
 * but the other entrances.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { door } from './door.ts';
import { handle } from './handle.ts';
import { refuseOpenDoors } from './listen-faults.ts';
import type { ListenOptions } from './listen-options.ts';
import { ownPages } from './own-pages.ts';
import type { ProxyOptions } from './proxy-options.ts';
import { TextModes } from './text-modes.ts';
import { toolboxes } from './toolboxes.ts';

export type { ListenOptions, RequestLimits, Timeouts } from './listen-options.ts';
export type { AnswerReport, CallReport, ProxyOptions, Upstream } from './proxy-options.ts';

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
  const toolboxOf = toolboxes();
  const modes = new TextModes(options.upstreams, options.onNotice);
  let closing = false;
  const pages = ownPages({ isClosing: () => closing, metrics: options.metrics, store: options.store });
  const enter = door(options, pages, (request, response) => handle(request, response, options, toolboxOf, modes));
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
