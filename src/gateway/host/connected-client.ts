import type { ClientCapabilities, Implementation, Server } from '@modelcontextprotocol/server';
import { anything, forever, type Message, type Wire } from '../rpc.ts';
import type { GatewayClient } from './types.ts';

/** A client with a connection of its own, which can be asked and told things at any time. */
export class ConnectedClient implements GatewayClient {
  readonly info: Implementation | undefined;
  readonly capabilities: ClientCapabilities;
  /** What the client speaks to; there once the servers behind were asked what they can do. */
  server: Server | undefined;

  constructor({
    info,
    capabilities,
  }: { readonly info?: Implementation | undefined; capabilities: ClientCapabilities }) {
    this.info = info;
    // Requests that a server may run as tasks are of an extension that is not passed on.
    const { tasks: _, ...rest } = capabilities as ClientCapabilities & { tasks?: unknown };
    this.capabilities = rest;
  }

  async ask(
    { method, params }: Message,
    { signal, related }: { readonly signal: AbortSignal; readonly related?: string | number },
  ): Promise<Wire> {
    if (!this.server) throw new Error('The client is not there yet');
    return this.server.request({ method, params: { ...params } }, anything, {
      ...{ signal, timeout: forever },
      ...(related !== undefined && { relatedRequestId: related }),
    });
  }

  tell({ method, params }: Message): void {
    this.server?.notification({ method, ...(params && { params: { ...params } }) }).catch(() => {});
  }
}
