import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Implementation,
} from '@modelcontextprotocol/client';
import { isObject } from '../../json/value.ts';
import type { Message, Wire } from '../rpc.ts';

/** The client of a session. */
export interface GatewayClient {
  readonly info?: Implementation | undefined;
  /** Its capabilities. */
  readonly capabilities: ClientCapabilities;
  /** Whether several indistinguishable clients share the session. */
  readonly isShared?: boolean;
  /** Sends it a request of a server. `related` is the client's own request that this belongs to. */
  ask(message: Message, options: { readonly signal: AbortSignal; readonly related?: string | number }): Promise<Wire>;
  /** Sends it a notification that belongs to no request. */
  tell(message: Message): void;
}

/** A client's name and capabilities. */
export interface ClientIdentity {
  readonly info?: Implementation | undefined;
  readonly capabilities: ClientCapabilities;
}

/**
 * Reads a client's identity from a message: from the initialization in the older protocol, from any request in the
 * newer one.
 */
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

/** The resources that a client of the newer protocol subscribes to with a message. */
export function wantedResources(message: unknown): string[] {
  if (!isObject(message) || message.method !== 'subscriptions/listen' || !isObject(message.params)) return [];
  const { notifications } = message.params;
  const uris = isObject(notifications) ? notifications.resourceSubscriptions : undefined;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string') : [];
}
