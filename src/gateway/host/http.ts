import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ProtocolErrorCode } from '@modelcontextprotocol/client';
import {
  createMcpHandler,
  InMemoryServerEventBus,
  isLegacyRequest,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import { hasToken, isLoopback, loopbackNames, readBody, rejectRequest, TooLarge } from '../../execute/local-server.ts';
import { inspector } from '../../inspect/inspector.ts';
import type { Store } from '../../log/store.ts';
import { ConfigurationValidationError } from '../../tools/config-error.ts';
import { listenTo } from '../handlers/resources.ts';
import type { Message, Wire } from '../rpc.ts';
import { Session, type SessionOptions } from '../session.ts';
import { HttpSessions } from './http-sessions.ts';
import { protocolServer } from './protocol-server.ts';
import { type GatewayClient, wantedResources } from './types.ts';

/** A gateway that listens. */
interface ServedHttp {
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
  const modern = createMcpHandler(async () => protocolServer(await sharedSession(), 'modern'), {
    ...{ legacy: 'reject', bus, maxRequestBodySize: maxBody, onerror: ({ message }) => notice(message) },
  });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // The inspector's pages are asked for by a browser, and have a door of their own.
    if (await pages?.handle(request, response)) return;
    const refused = rejectRequest(request, door) ?? missesToken(request, options.token) ?? elsewhere(request);
    if (refused) {
      request.resume();
      refuse(response, refused.status, refused.message);
      return;
    }
    const body = request.method === 'POST' ? await readJsonBody(request, maxBody) : { value: undefined };
    if ('status' in body) {
      refuse(response, body.status, body.status === 413 ? 'The request is too large' : 'The request is not JSON');
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
  if (token !== undefined && token.length < shortest) fault('token', 'the token is too short');
  if (token === undefined && !isLoopback(host)) fault('host', `other machines can reach ${host}, and no token is set`);
}

function missesToken({ headers }: IncomingMessage, token: string | undefined) {
  const shown = /^bearer\s+(.+)$/i.exec(headers.authorization ?? '')?.[1]?.trim();
  if (token === undefined || hasToken(shown === undefined ? [] : [shown], token)) return undefined;
  return { status: 401, message: 'This gateway requires a token. Send it as Authorization: Bearer' };
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

/** What a request brought, or the status it is refused with. */
type JsonBody = { readonly value: unknown } | { readonly status: 400 | 413 };

/** Reads a body of JSON up to a size; the rest of a larger one is not read. */
export async function readJsonBody(request: IncomingMessage, most: number): Promise<JsonBody> {
  if (Number(request.headers['content-length'] ?? 0) > most) return { status: 413 };
  try {
    return { value: JSON.parse((await readBody(request, most)).toString('utf8')) };
  } catch (error) {
    if (error instanceof SyntaxError) return { status: 400 };
    if (error instanceof TooLarge) return { status: 413 };
    throw error;
  }
}

/** A request of Node's as the web's, without its body: that is read before. */
export function webRequest(request: IncomingMessage, response: ServerResponse): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    // The token is for the gateway: nothing behind this point has any use for it.
    if (value !== undefined && name !== 'authorization') headers.set(name, String(value));
  }
  const left = new AbortController();
  response.on('close', () => left.abort());
  const { method = 'GET', url = '/' } = request;
  return new Request(new URL(url, 'http://gateway'), { method, headers, signal: left.signal });
}

/** Sends an answer of the web's as Node's, piece by piece. */
export async function sendWeb(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (!answer.body) {
    response.end();
    return;
  }
  response.flushHeaders();
  // A client that leaves has seen what it wanted to see.
  await pipeline(Readable.fromWeb(answer.body as never), response).catch(() => response.destroy());
}

const code = `"code":${ProtocolErrorCode.MethodNotFound}`;

/**
 * Gives the answer that there is no such method the status 404, as the protocol of 2026 wants. The SDK does so only for
 * methods it finds unknown itself, and here it is the server behind that says so.
 */
async function unknownMethod(answer: Response): Promise<Response> {
  if (answer.status !== 200 || !answer.headers.get('content-type')?.startsWith('application/json')) return answer;
  const text = await answer.text();
  const { headers } = answer;
  const status = text.includes(code) && JSON.parse(text).error?.code === ProtocolErrorCode.MethodNotFound ? 404 : 200;
  return new Response(text, { status, headers });
}

/** The clients of the newer protocol over HTTP: each request stands alone, so that they share one session. */
const sharedFront = (bus: ServerEventBus): GatewayClient => ({
  isShared: true,
  // What a server wants of a client is asked with the answer to the call it belongs to.
  capabilities: { elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} }, roots: {} },
  ask: async (): Promise<Wire> => {
    throw new Error('It can not be told which client this is for');
  },
  tell: ({ method, params }: Message) => {
    const kind = kinds[method];
    if (kind === 'resource_updated') bus.publish({ kind, uri: String(params?.uri), ...(params && { params }) });
    else if (kind) bus.publish({ kind });
  },
});

const kinds: Readonly<
  Record<string, 'tools_list_changed' | 'prompts_list_changed' | 'resources_list_changed' | 'resource_updated'>
> = {
  'notifications/tools/list_changed': 'tools_list_changed',
  'notifications/prompts/list_changed': 'prompts_list_changed',
  'notifications/resources/list_changed': 'resources_list_changed',
  'notifications/resources/updated': 'resource_updated',
};
