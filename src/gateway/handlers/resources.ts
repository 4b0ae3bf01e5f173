import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import { ToolmendError } from '../../json/toolmend-error.ts';
import type { RequestContext, Wire } from '../rpc.ts';
import type { ServerLink } from '../servers/server-link.ts';
import type { Session } from '../session.ts';

/** Reads a resource from its server. If none has listed it, from the first that has it. */
export async function readResource(session: Session, params: Wire, asked: RequestContext): Promise<Wire> {
  let last: unknown = new ToolmendError('unknown_resource', `No server has the resource ${String(params.uri)}`);
  for (const server of resourceServers(session, params.uri)) {
    try {
      const read = await server.request({ method: 'resources/read', params }, { asked });
      session.own(params.uri, server);
      return read;
    } catch (error) {
      asked.signal.throwIfAborted();
      last = error;
    }
  }
  throw last;
}

/** The servers that may have a resource: the one that listed it, or else all with resources. */
function resourceServers(session: Session, uri: unknown): ServerLink[] {
  const owner = session.ownerOf(uri);
  if (owner) return [owner];
  return session.servers.filter(
    ({ capabilities }) => capabilities === undefined || capabilities.resources !== undefined,
  );
}

/** Subscribes to a resource or unsubscribes, in the protocol that its server uses. */
export async function subscribe(
  method: 'resources/subscribe' | 'resources/unsubscribe',
  session: Session,
  params: Wire,
  asked: RequestContext,
): Promise<Wire> {
  const uri = String(params.uri);
  let last: unknown = new ProtocolError(ProtocolErrorCode.InvalidParams, `No server has the resource ${uri}`);
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

/** Subscribes to resources for a client that only listens. */
export function listenTo(session: Session, uris: readonly string[]): void {
  for (const uri of uris) {
    const asked = { id: uri, meta: {}, capabilities: {}, reachable: false, signal: AbortSignal.timeout(30_000) };
    subscribe('resources/subscribe', session, { uri }, { ...asked, tell: () => {} }).catch(() => {});
  }
}
