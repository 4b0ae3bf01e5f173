import type { ClientCapabilities, RequestId, StandardSchemaV1 } from '@modelcontextprotocol/client';

/** A JSON object of a message. */
export type Wire = Readonly<Record<string, unknown>>;

/** A request or a notification. */
export interface Message {
  readonly method: string;
  readonly params?: Wire | undefined;
}

/** A schema that accepts anything. The SDK drops unknown fields, but the gateway must forward them. */
export const anything: StandardSchemaV1<Wire, Wire> = {
  '~standard': { version: 1, vendor: 'toolmend', validate: (value) => ({ value: value as Wire }) },
};

/** Disables the SDK's timeout, because the client has its own. */
export const forever = 2 ** 31 - 1;

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
