import type { ClientCapabilities, RequestId } from '@modelcontextprotocol/client';
import type { Message, Wire } from './rpc.ts';

/** A request of a client's, with all that must go along with it. */
export interface RequestContext {
  readonly id: RequestId;
  /** `_meta` as the client sent it. */
  readonly meta: Wire;
  /** What the client can do for servers. */
  readonly capabilities: ClientCapabilities;
  /** The client can be asked at any time; else it answers questions only with its next request. */
  readonly reachable: boolean;
  readonly signal: AbortSignal;
  /** Tells the client something that belongs to this request. */
  readonly tell: (message: Message) => void;
  /** Answers to what a server wanted to know first. */
  readonly inputResponses?: Wire | undefined;
  readonly requestState?: string | undefined;
  /** The least log messages the client wants to hear with this request. */
  readonly logLevel?: unknown;
}
