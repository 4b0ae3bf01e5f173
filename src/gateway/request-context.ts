import type { ClientCapabilities, RequestId } from '@modelcontextprotocol/client';
import type { Message, Wire } from './rpc.ts';

/** A client's request, with everything needed to forward it. */
export interface RequestContext {
  readonly id: RequestId;
  /** `_meta` as sent by the client. */
  readonly meta: Wire;
  /** The client's capabilities. */
  readonly capabilities: ClientCapabilities;
  /**
   * Whether requests can be sent to the client at any time. Otherwise it responds to them only with its next request.
   */
  readonly reachable: boolean;
  readonly signal: AbortSignal;
  /** Sends the client a notification for this request. */
  readonly tell: (message: Message) => void;
  /** Responses to a server's earlier requests for input. */
  readonly inputResponses?: Wire | undefined;
  readonly requestState?: string | undefined;
  /** Minimum level of log messages for this request. */
  readonly logLevel?: unknown;
}
