/** The MCP gateway: an MCP server that forwards to other MCP servers, and mends and checks calls. */

import type { Transport } from '@modelcontextprotocol/client';
import { checkArgument, isObject } from '../json/value.ts';
import type { Store } from '../log/store.ts';
import type { GatewayConfig } from './config/config.ts';
import { Pins } from './config/pins.ts';
import { type HttpOptions, serveHttp } from './host/http.ts';
import { serveStdio } from './host/stdio.ts';
import { type RecordOptions, recordCalls } from './record-calls.ts';

export type { HttpOptions } from './host/http.ts';

/** A transport of the MCP SDK. Declared here because the SDK is bundled, and its types are not. */
export interface McpTransport {
  start(): Promise<void>;
  send(message: object, options?: object): Promise<void>;
  close(): Promise<void>;
}

/** Options of a gateway. */
export interface GatewayOptions {
  /** Listen over HTTP. Otherwise the gateway serves one client over stdio. */
  readonly http?: boolean | HttpOptions;
  /** A custom transport for the single client. */
  readonly transport?: McpTransport;
  /** Records each call as a run. */
  readonly store?: Store;
  readonly record?: RecordOptions;
  /** Called with messages for the operator: a server that can't be reached, a tool that must be accepted. */
  readonly onNotice?: (line: string) => void;
  /**
   * Time to wait for servers before responding without them, in milliseconds.
   * @default 10_000
   */
  readonly timeout?: number;
}

/** A running gateway. */
export interface RunningGateway {
  /** URL, if it listens over HTTP. */
  readonly url?: string;
  readonly port?: number;
  /** Resolves when the gateway is closed or its only client disconnects. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** A configured gateway. */
export interface McpGateway {
  /** Starts the gateway: over HTTP, or for one client over stdio. */
  listen(): Promise<RunningGateway>;
}

/**
 * Creates a gateway for MCP servers.
 *
 * @example
 * const servers = { files: { command: 'npx', args: ['-y', 'some-server', '.'] } };
 * const gateway = await createGateway({ mcpServers: servers }, { http: true }).listen();
 * console.log(gateway.url);
 */
export function createGateway(config: GatewayConfig, options: GatewayOptions = {}): McpGateway {
  checkArgument(isObject(config?.mcpServers), 'config', '{ mcpServers }', config);
  return { listen: () => serve(config, options) };
}

async function serve(config: GatewayConfig, options: GatewayOptions): Promise<RunningGateway> {
  const { http, transport, store, record, onNotice: notice = () => {}, timeout } = options;
  const pins = new Pins(config.pins, notice);
  const shared = {
    config,
    pins,
    notice,
    timeout,
    ...(store && { record: recordCalls(store, { onError: notice, ...record }) }),
  };
  if (!http) return serveStdio(shared, transport as Transport | undefined);
  const { host, port, hosts, token } = config;
  const served = await serveHttp({ ...shared, store, host, port, hosts, token, ...(http === true ? {} : http) });
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const { url, port: at } = served;
  return { url, port: at, closed, close: () => served.close().then(resolve) };
}
