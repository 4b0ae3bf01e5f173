/**
 * The MCP gateway: an MCP server in front of any number of MCP servers that mends and checks calls on their way. May import
 * everything but the other entrances.
 */
import type { Transport } from '@modelcontextprotocol/client';
import type { Store } from '../log/store.ts';
import type { GatewayConfig } from './config/config.ts';
import { Pins } from './config/pins.ts';
import { type HttpOptions, serveHttp } from './host/http.ts';
import { serveStdio } from './host/stdio.ts';
import { type RecordOptions, recordCalls } from './record-calls.ts';

export type { HttpOptions } from './host/http.ts';

/** How a gateway is reached, and who hears of what. */
export interface GatewayOptions {
  /** Listen for clients over HTTP; else one client is spoken with over the process's input and output. */
  readonly http?: boolean | HttpOptions;
  /** Another way to the one client. */
  readonly transport?: Transport;
  /** Keeps each call as a run of its own. */
  readonly store?: Store;
  readonly record?: RecordOptions;
  /** Told what a person should know, in a line: a server that can't be reached, a tool that waits to be accepted. */
  readonly onNotice?: (line: string) => void;
  /** How long servers are waited for before a client is answered without them, in milliseconds. Default 10 seconds. */
  readonly timeout?: number;
}

/** A gateway that is there. */
export interface RunningGateway {
  /** Where it listens, over HTTP. */
  readonly url?: string;
  readonly port?: number;
  /** Settles when it is over: closed, or left by its one client. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a gateway in front of MCP servers.
 *
 * @example
 * const gateway = await startGateway({ mcpServers: { files: { command: 'npx', args: ['-y', 'some-server', '.'] } } }, { http: true });
 * console.log(gateway.url);
 */
export async function startGateway(config: GatewayConfig, options: GatewayOptions = {}): Promise<RunningGateway> {
  const { http, transport, store, record, onNotice: notice = () => {}, timeout } = options;
  const pins = new Pins(config.pins, notice);
  const shared = {
    ...{ config, pins, notice, timeout },
    ...(store && { record: recordCalls(store, { onError: notice, ...record }) }),
  };
  if (!http) return serveStdio(shared, transport);
  const { host, port, hosts, token } = config;
  const served = await serveHttp({ ...shared, store, host, port, hosts, token, ...(http === true ? {} : http) });
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const { url, port: at } = served;
  return { url, port: at, closed, close: () => served.close().then(resolve) };
}
