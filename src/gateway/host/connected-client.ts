import type { ClientCapabilities, Implementation, Server } from '@modelcontextprotocol/server';
import { ToolmendError } from '../../json/toolmend-error.ts';
import { anything, forever, type Message, type Wire } from '../rpc.ts';
import type { GatewayClient } from './types.ts';

/** A client with its own connection, which can receive requests at any time. */
export class ConnectedClient implements GatewayClient {
  readonly info: Implementation | undefined;
  readonly capabilities: ClientCapabilities;
  /** The server for this client. Set once the capabilities of the MCP servers are known. */
  server: Server | undefined;

  constructor({
    info,
    capabilities,
  }: { readonly info?: Implementation | undefined; capabilities: ClientCapabilities }) {
    this.info = info;
    // Tasks are an extension that the gateway doesn't forward.
    const { tasks: _, ...rest } = capabilities as ClientCapabilities & { tasks?: unknown };
    this.capabilities = rest;
  }

  async ask(
    { method, params }: Message,
    { signal, related }: { readonly signal: AbortSignal; readonly related?: string | number },
  ): Promise<Wire> {
    if (!this.server) throw new ToolmendError('client_unavailable', 'The client is not connected yet');
    return this.server.request({ method, params: { ...params } }, anything, {
      signal,
      timeout: forever,
      ...(related !== undefined && { relatedRequestId: related }),
    });
  }

  tell({ method, params }: Message): void {
    this.server?.notification({ method, ...(params && { params: { ...params } }) }).catch(() => {});
  }
}
