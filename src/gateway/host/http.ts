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
import { hasToken, isLoopback, loopbackNames, readBody, rejectRequest } from '../../execute/local-server.ts';
import { inspector } from '../../inspect/inspector.ts';
import { hasCode, ToolmendError } from '../../json/toolmend-error.ts';
import type { Store } from '../../log/store.ts';
import { ConfigurationValidationError } from '../../tools/config-error.ts';
import { listenTo } from '../handlers/resources.ts';
import type { Message, Wire } from '../rpc.ts';
import { Session, type SessionOptions } from '../session.ts';
import { type ParsedMessages, parseMessages } from './call-arguments.ts';
import { HttpSessions } from './http-sessions.ts';
import { protocolServer } from './protocol-server.ts';
import { type GatewayClient, wantedResources } from './types.ts';

/** A gateway that listens over HTTP. */
interface ServedHttp {
  /** `http://127.0.0.1:`, the port and `/mcp`. */
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  close(): Promise<void>;
}

/** Where a gateway listens, and who can connect. */
export interface HttpOptions {
  /** @default any free port */
  readonly port?: number | undefined;
  /**
   * Address to listen on. An address that other machines can reach requires a token.
   * @default '127.0.0.1'
   */
  readonly host?: string | undefined;
  /** Host names that clients may use, besides the loopback names. */
  readonly hosts?: readonly string[] | undefined;
  /** Token that clients must send as `Authorization: Bearer …`. It is not forwarded. */
  readonly token?: string | undefined;
  /** Serves the inspector of the gateway's store at `/inspector/`, with this token. */
  readonly inspect?: { readonly token: string } | undefined;
  /**
   * Maximum size of a request in bytes.
   * @default 16 MB
   */
  readonly maxBody?: number | undefined;
  /**
   * Maximum number of sessions, each with its own connections and processes.
   * @default 64
   */
  readonly mostSessions?: number | undefined;
  /**
   * Time before an unused session is closed, in milliseconds.
   * @default 1_800_000
   */
  readonly idle?: number | undefined;
}

/**
 * Listens for clients of both protocol versions: a session for each older client, one shared session for newer ones.
 */
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
    legacy: 'reject',
    bus,
    maxRequestBodySize: maxBody,
    onerror: ({ message }) => notice(message),
  });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // The inspector is used by browsers and has its own guard.
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
    if ('error' in body) {
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(body.error));
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
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/mcp`,
    port,
    server,
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

/** A parsed body, or the error or status to refuse it with. */
type JsonBody = ParsedMessages | { readonly status: 400 | 413 };

/** Reads a JSON body up to a maximum size. */
export async function readJsonBody(request: IncomingMessage, most: number): Promise<JsonBody> {
  if (Number(request.headers['content-length'] ?? 0) > most) return { status: 413 };
  try {
    return parseMessages((await readBody(request, most)).toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return { status: 400 };
    if (hasCode(error, 'too_large')) return { status: 413 };
    throw error;
  }
}

/** Converts a Node request to a `Request`, without its body. */
export function webRequest(request: IncomingMessage, response: ServerResponse): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    // The token is for the gateway only.
    if (value !== undefined && name !== 'authorization') headers.set(name, String(value));
  }
  const left = new AbortController();
  response.on('close', () => left.abort());
  const { method = 'GET', url = '/' } = request;
  return new Request(new URL(url, 'http://gateway'), { method, headers, signal: left.signal });
}

/** Streams a `Response` to a Node response. */
export async function sendWeb(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (!answer.body) {
    response.end();
    return;
  }
  response.flushHeaders();
  // The client may disconnect at any time.
  await pipeline(Readable.fromWeb(answer.body as never), response).catch(() => response.destroy());
}

const code = `"code":${ProtocolErrorCode.MethodNotFound}`;

/**
 * Sets status 404 on "method not found", as the 2026 protocol requires. The SDK only does so for methods it doesn't
 * know itself, but here the MCP server reports it.
 */
async function unknownMethod(answer: Response): Promise<Response> {
  if (answer.status !== 200 || !answer.headers.get('content-type')?.startsWith('application/json')) return answer;
  const text = await answer.text();
  const { headers } = answer;
  const status = text.includes(code) && JSON.parse(text).error?.code === ProtocolErrorCode.MethodNotFound ? 404 : 200;
  return new Response(text, { status, headers });
}

/** HTTP clients of the newer protocol. Their requests are independent, so they share one session. */
const sharedFront = (bus: ServerEventBus): GatewayClient => ({
  isShared: true,
  // Requests of a server are returned with the result of the call they belong to.
  capabilities: { elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} }, roots: {} },
  ask: async (): Promise<Wire> => {
    throw new ToolmendError(
      'client_unavailable',
      'Clients of this protocol version share a session; send the request within a tool call',
    );
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
