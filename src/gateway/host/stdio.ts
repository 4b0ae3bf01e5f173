import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { StdioServerTransport, serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import { listenTo } from '../handlers/resources.ts';
import { Session, type SessionOptions } from '../session.ts';
import { ConnectedClient } from './connected-client.ts';
import { protocolServer } from './protocol-server.ts';
import { type ClientIdentity, clientIdentityOf, wantedResources } from './types.ts';

/** A gateway that speaks with one client. */
interface ServedStdio {
  /** Settles when the client has left and the servers are closed. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Speaks with one client, over this process's input and output unless another way is given. */
export function serveStdio(
  options: Omit<SessionOptions, 'front'>,
  transport: Transport = new StdioServerTransport(),
): ServedStdio {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const sessions = new Set<Session>();
  let opening: ClientIdentity = { capabilities: {} };
  let current: Session | undefined;
  const end = async (): Promise<void> => {
    await Promise.all([...sessions].map((session) => session.close()));
    resolve();
  };
  const look = (message: JSONRPCMessage): void => {
    // Servers are told what this client can do, so it is read before any is connected to.
    if (current) listenTo(current, wantedResources(message));
    else opening = clientIdentityOf(message) ?? opening;
  };
  const wire = peek(transport, look, () => void end());
  const served = serve(
    async ({ era }) => {
      const front = new ConnectedClient(opening);
      const session = new Session({ ...options, front });
      sessions.add(session);
      await session.open();
      const server = protocolServer(session, era);
      front.server = server;
      current = session;
      // A client may ask which protocol is spoken, and then begin anew in the other one.
      server.onclose = () => {
        if (current === session) current = undefined;
        void session.close().then(() => sessions.delete(session));
      };
      return server;
    },
    { transport: wire, onerror: (error) => options.notice(error.message) },
  );
  return { closed, close: () => served.close().then(end) };
}

/** A transport whose messages somebody sees before they are delivered; `gone` is told when it has closed. */
function peek(inner: Transport, look: (message: JSONRPCMessage) => void, gone: () => void): Transport {
  const outer: Transport = {
    start: () => {
      inner.onmessage = (message, extra) => {
        look(message);
        outer.onmessage?.(message, extra);
      };
      inner.onclose = () => {
        outer.onclose?.();
        gone();
      };
      inner.onerror = (error) => outer.onerror?.(error);
      return inner.start();
    },
    send: (message, options) => inner.send(message, options),
    close: () => inner.close(),
    setProtocolVersion: (version) => inner.setProtocolVersion?.(version),
  };
  return outer;
}
