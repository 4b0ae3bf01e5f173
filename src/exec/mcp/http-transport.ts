import { type JSONRPCMessage, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

type SendOptions = Parameters<StreamableHTTPClientTransport['send']>[1];

/** Stands in the error that is given where a stream ended without its answer. */
export const streamLost = { code: -32000, message: 'The stream ended without an answer', data: { stream: 'lost' } };

/**
 * Speaks streamable HTTP. The SDK leaves a request open whose stream broke off and could not be taken up again; here it
 * gets an error for an answer.
 */
export class HttpTransport extends StreamableHTTPClientTransport {
  override send(message: JSONRPCMessage | JSONRPCMessage[], options?: SendOptions): Promise<void> {
    if (Array.isArray(message) || !('method' in message && 'id' in message) || options?.onRequestStreamEnd) {
      return super.send(message, options);
    }
    const { id } = message;
    // Where the answer came before the end, nobody waits for this one, and it is left out.
    const onRequestStreamEnd = (): void => this.onmessage?.({ jsonrpc: '2.0', id, error: streamLost });
    return super.send(message, { ...options, onRequestStreamEnd });
  }
}
