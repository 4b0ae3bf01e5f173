import type { RequestContext } from './asked.ts';
import type { ServerLink } from './behind.ts';
import type { Session } from './session.ts';
import type { Wire } from './wire.ts';

/** Reads a resource at the server it is of; where none has shown it, at the first that has it. */
export async function readResource(session: Session, params: Wire, asked: RequestContext): Promise<Wire> {
  let last: unknown = new Error(`No server has ${String(params.uri)}`);
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

/** The servers that may have a resource: the one that showed it, else all that have any. */
export function resourceServers(session: Session, uri: unknown): ServerLink[] {
  const owner = session.ownerOf(uri);
  if (owner) return [owner];
  return session.servers.filter(
    ({ capabilities }) => capabilities === undefined || capabilities.resources !== undefined,
  );
}
