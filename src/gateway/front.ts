import type { ClientCapabilities, Implementation } from '@modelcontextprotocol/client';
import type { Message, Wire } from './wire.ts';

/** The client in front of a session. */
export interface Front {
  readonly info?: Implementation | undefined;
  /** What it can do for servers. */
  readonly capabilities: ClientCapabilities;
  /** Several clients stand in front of it, and none can be told from another. */
  readonly isShared?: boolean;
  /** Asks it something in the name of a server; `related` is the request of its own that this is about. */
  ask(message: Message, options: { readonly signal: AbortSignal; readonly related?: string | number }): Promise<Wire>;
  /** Tells it something that belongs to none of its requests. */
  tell(message: Message): void;
}
