import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, InMemoryServerEventBus, isLegacyRequest } from '@modelcontextprotocol/server';
import { isLoopback, loopbackNames } from '../exec/door/loopback.ts';
import { showsToken } from '../exec/door/shows-token.ts';
import { turnAway } from '../exec/door/turn-away.ts';
import { inspector } from '../inspect/inspector.ts';
import type { Store } from '../log/store.ts';
import { ConfigurationValidationError } from '../tool/configuration-validation-error.ts';
import { frontServer } from './front-server.ts';
import { HttpSessions } from './http-sessions.ts';
import { wantedResources } from './opening.ts';
import { readJsonBody } from './read-json-body.ts';
import { Session, type SessionOptions } from './session.ts';
import { sharedFront } from './shared-front.ts';
import { listenTo } from './subscribe.ts';
import { unknownMethod } from './unknown-method.ts';
import { sendWeb, webRequest } from './web-request.ts';

/** A gateway that listens. */
export interface ServedHttp {
  /** `http://127.0.0.1:` and the port, and `/mcp`. */
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  close(): Promise<void>;
}

/** Where a gateway listens, and to whom. */
export interface HttpOptions {
  /** Any that is free unless it is said. */
  readonly port?: number | undefined;
  /** The address to listen on; `127.0.0.1` unless it is said. Any that others can reach needs a token. */
  readonly host?: string | undefined;
  /** Names clients may call this machine by, besides those of the loopback interface. */
  readonly hosts?: readonly string[] | undefined;
  /** What clients must show as `Authorization: Bearer …`; it goes no further. */
  readonly token?: string | undefined;
  /** Shows the inspector of the gateway's store at `/inspector/`, to those who know this token. */
  readonly inspect?: { readonly token: string } | undefined;
  /** The most bytes a request may have; 16 MB unless it is said. */
  readonly maxBody?: number | undefined;
  /** The most sessions at once: each has connections, and processes, of its own. Default 64. */
  readonly mostSessions?: number | undefined;
  /** How long a session is kept that nobody uses, in milliseconds. Default half an hour. */
  readonly idle?: number | undefined;
}

/** Listens for clients of both protocols: the older with a session each, those of the newer in one they share. */
export async function serveHttp(
  options: Omit<SessionOptions, 'front'> & HttpOptions & { readonly store?: Store | undefined },
): Promise<ServedHttp> {
  refuseOpenDoor(options);
  const { host = '127.0.0.1', hosts = [], maxBody = 16 * 1024 * 1024, notice, store, inspect } = options;
  const names = new Set([...loopbackNames, host, ...hosts].map((name) => name.toLowerCase()));
  const pages =
    store && inspect ? inspector({ store, hosts: names, token: options.token ?? inspect.token }) : undefined;
  const door = { whose: 'gateway', hosts: isLoopback(host) ? names : undefined, pageless: pages === undefined };
  const sessions = new HttpSessions(options);
  const bus = new InMemoryServerEventBus();
  let shared: Promise<Session> | undefined;
  const sharedSession = (): Promise<Session> => {
    shared ??= opened(new Session({ ...options, front: sharedFront(bus) }));
    return shared;
  };
  const modern = createMcpHandler(async () => frontServer(await sharedSession(), 'modern'), {
    ...{ legacy: 'reject', bus, maxRequestBodySize: maxBody, onerror: ({ message }) => notice(message) },
  });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // The inspector's pages are asked for by a browser, and have a door of their own.
    if (await pages?.handle(request, response)) return;
    const refused = turnAway(request, door) ?? missesToken(request, options.token) ?? elsewhere(request);
    if (refused) {
      request.resume();
      refuse(response, refused.status, refused.message);
      return;
    }
    const body = request.method === 'POST' ? await readJsonBody(request, maxBody) : { value: undefined };
    if ('status' in body) {
      refuse(response, body.status, body.status === 413 ? 'The request is too large' : 'The request is no JSON');
      return;
    }
    const asked = webRequest(request, response);
    if (await isLegacyRequest(asked, body.value)) {
      await sendWeb(await sessions.answer(asked, body.value), response);
      return;
    }
    const uris = wantedResources(body.value);
    if (uris.length > 0) listenTo(await sharedSession(), uris);
    await sendWeb(await unknownMethod(await modern.fetch(asked, { parsedBody: body.value })), response);
  };
  const server = createServer({ headersTimeout: 20_000, requestTimeout: 300_000 }, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      notice(error instanceof Error ? error.message : String(error));
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    ...{ url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/mcp`, port, server },
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all([modern.close(), sessions.close(), shared?.then((session) => session.close())]);
      server.closeAllConnections();
      await closed;
    },
  };
}

async function opened(session: Session): Promise<Session> {
  await session.open();
  return session;
}

const shortest = 16;
const makeOne = 'Set a token of 16 characters or more, for example the output of: openssl rand -hex 24';

function refuseOpenDoor({ host = '127.0.0.1', token }: HttpOptions): void {
  const fault = (field: string, message: string): never => {
    const faults = [{ field, message, fix: makeOne }];
    throw new ConfigurationValidationError(`${field}: ${message}. ${makeOne}`, {
      configType: 'gateway',
      field,
      faults,
    });
  };
  if (token !== undefined && token.length < shortest) fault('token', 'the token can be guessed');
  if (token === undefined && !isLoopback(host)) fault('host', `others can reach ${host}, and there is no token`);
}

function missesToken({ headers }: IncomingMessage, token: string | undefined) {
  const shown = /^bearer\s+(.+)$/i.exec(headers.authorization ?? '')?.[1]?.trim();
  if (token === undefined || showsToken(shown === undefined ? [] : [shown], token)) return undefined;
  return { status: 401, message: 'This gateway wants its token, as Authorization: Bearer' };
}

const elsewhere = ({ url = '/' }: IncomingMessage) =>
  ['/mcp', '/mcp/', '/'].includes(url.split('?')[0] ?? '')
    ? undefined
    : { status: 404, message: 'The gateway is at /mcp' };

function refuse(response: ServerResponse, status: number, message: string): void {
  const code = status === 400 ? -32700 : -32000;
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(status === 413 && { connection: 'close' }),
  });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));
}
