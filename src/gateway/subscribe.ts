import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import type { RequestContext } from './asked.ts';
import { resourceServers } from './read-resource.ts';
import type { Session } from './session.ts';
import type { Wire } from './wire.ts';

/** Subscribes to a resource at the server it is of, or ends that; in the words of whichever protocol the server speaks. */
export async function subscribe(
  method: 'resources/subscribe' | 'resources/unsubscribe',
  session: Session,
  params: Wire,
  asked: RequestContext,
): Promise<Wire> {
  const uri = String(params.uri);
  let last: unknown = new ProtocolError(ProtocolErrorCode.InvalidParams, `No server has ${uri}`);
  for (const server of resourceServers(session, uri)) {
    try {
      if (method === 'resources/subscribe') await server.subscribe(uri, asked);
      else await server.unsubscribe(uri, asked);
      return {};
    } catch (error) {
      asked.signal.throwIfAborted();
      last = error;
    }
  }
  throw last;
}

/** Wants to hear of resources for a client that only listens. */
export function listenTo(session: Session, uris: readonly string[]): void {
  for (const uri of uris) {
    const asked = { id: uri, meta: {}, capabilities: {}, reachable: false, signal: AbortSignal.timeout(30_000) };
    subscribe('resources/subscribe', session, { uri }, { ...asked, tell: () => {} }).catch(() => {});
  }
}
