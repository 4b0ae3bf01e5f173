/**
 * The mending proxy: speaks the providers' own protocols and returns only well-formed, checked calls. May import everything
 * but the other entrances.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { handle } from './handle.ts';
import type { ProxyOptions } from './proxy-options.ts';
import { toolboxes } from './toolboxes.ts';

export type { AnswerReport, CallReport, ProxyOptions, Upstream } from './proxy-options.ts';

/** A proxy that listens. */
export interface RunningProxy {
  /** `http://127.0.0.1:` and the port. */
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  /** Takes no more requests, and settles when those under way are answered. */
  close(): Promise<void>;
}

/**
 * Starts a proxy on the loopback interface.
 *
 * @example
 * const proxy = await startProxy({ upstreams: [{ url: 'http://127.0.0.1:11434', formats: ['ollama', 'openai-chat'] }] });
 */
export async function startProxy(options: ProxyOptions & { readonly port?: number }): Promise<RunningProxy> {
  const toolboxOf = toolboxes();
  const server = createServer((request, response) => {
    void handle(request, response, options, toolboxOf);
  });
  // A client that sends its head or its body too slowly must not hold a connection for ever.
  server.headersTimeout = 20_000;
  server.requestTimeout = 300_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    ...{ url: `http://127.0.0.1:${port}`, port, server },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}
