import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Implementation,
} from '@modelcontextprotocol/client';
import { isObject } from '../../json/value.ts';
import type { Message, Wire } from '../rpc.ts';

/** The client in front of a session. */
export interface GatewayClient {
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

/** Who a client says it is, and what it can do for servers. */
export interface ClientIdentity {
  readonly info?: Implementation | undefined;
  readonly capabilities: ClientCapabilities;
}

/** Reads from a client's message who it is: the old handshake says so, and every request of the newer protocol. */
export function clientIdentityOf(message: unknown): ClientIdentity | undefined {
  if (!isObject(message) || !isObject(message.params)) return undefined;
  const { params } = message;
  const meta = isObject(params._meta) ? params._meta : {};
  const [capabilities, info] =
    message.method === 'initialize'
      ? [params.capabilities, params.clientInfo]
      : [meta[CLIENT_CAPABILITIES_META_KEY], meta[CLIENT_INFO_META_KEY]];
  if (!isObject(capabilities)) return undefined;
  const known = isObject(info) && typeof info.name === 'string' && typeof info.version === 'string';
  return { capabilities, ...(known && { info: info as Implementation }) };
}

/** The resources a client of the newer protocol wants to hear of, where its message says so. */
export function wantedResources(message: unknown): string[] {
  if (!isObject(message) || message.method !== 'subscriptions/listen' || !isObject(message.params)) return [];
  const { notifications } = message.params;
  const uris = isObject(notifications) ? notifications.resourceSubscriptions : undefined;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string') : [];
}
