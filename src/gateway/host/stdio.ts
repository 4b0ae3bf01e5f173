import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import { listenTo } from '../handlers/resources.ts';
import { Session, type SessionOptions } from '../session.ts';
import { StdioTransport } from './call-arguments.ts';
import { ConnectedClient } from './connected-client.ts';
import { protocolServer } from './protocol-server.ts';
import { type ClientIdentity, clientIdentityOf, wantedResources } from './types.ts';

/** A gateway that serves one client. */
interface ServedStdio {
  /** Resolves when the client has disconnected and the servers are closed. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Serves one client, by default over stdio. */
export function serveStdio(
  options: Omit<SessionOptions, 'front'>,
  transport: Transport = new StdioTransport(),
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
    // The client's capabilities are read before connecting to servers, which need them.
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
      // A client can probe the protocol version and then start again with the other one.
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

/** Wraps a transport: `look` sees each message before it is delivered, `gone` is called on close. */
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
