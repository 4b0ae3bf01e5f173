import {
  isInitializeRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { Session, type SessionOptions } from '../session.ts';
import { ConnectedClient } from './connected-client.ts';
import { protocolServer } from './protocol-server.ts';
import { clientIdentityOf } from './types.ts';

interface Kept {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: Server;
  readonly session: Session;
  /** Requests in progress, including open streams. */
  open: number;
  used: number;
}

export interface HttpSessionOptions extends Omit<SessionOptions, 'front'> {
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

/** HTTP clients of the older protocol, each with its own session. */
export class HttpSessions {
  readonly #options: HttpSessionOptions;
  readonly #kept = new Map<string, Kept>();
  readonly #sweep: NodeJS.Timeout;
  /** Sessions that are still connecting to their servers. */
  readonly #beginning = new Set<Session>();
  #closed = false;

  constructor(options: HttpSessionOptions) {
    this.#options = options;
    const { idle = 1_800_000 } = options;
    this.#sweep = setInterval(() => this.#forget(performance.now() - idle), Math.min(idle, 60_000)).unref();
  }

  /** Handles a request of a session, or starts one. */
  async answer(request: Request, body: unknown): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    const kept = id === null ? undefined : this.#kept.get(id);
    if (kept) return this.#in(kept, request, body);
    if (id !== null) return refusal(404, -32001, 'Unknown session');
    const first = Array.isArray(body) ? body[0] : body;
    if (!isInitializeRequest(first)) return refusal(400, -32000, 'A session must start with an initialize request');
    const { mostSessions = 64 } = this.#options;
    if (this.#closed || this.#kept.size + this.#beginning.size >= mostSessions)
      return refusal(503, -32000, 'Too many sessions; try again later', { 'retry-after': '10' });
    return this.#begin(request, body, first);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#sweep);
    await Promise.all([...this.#beginning].map((session) => session.close()));
    await Promise.all([...this.#kept.keys()].map((id) => this.#end(id)));
  }

  async #begin(request: Request, body: unknown, first: unknown): Promise<Response> {
    const front = new ConnectedClient(clientIdentityOf(first) ?? { capabilities: {} });
    const session = new Session({ ...this.#options, front });
    this.#beginning.add(session);
    try {
      await session.open();
      // A client that disconnected never learns the session id, so the session would stay unused.
      if (request.signal.aborted) {
        await session.close();
        return refusal(503, -32000, 'The client disconnected');
      }
      const server = protocolServer(session, 'legacy');
      front.server = server;
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (id) => void this.#kept.set(id, kept),
        onsessionclosed: (id) => this.#end(id),
      });
      const kept: Kept = { transport, server, session, open: 0, used: performance.now() };
      await server.connect(transport as never);
      const answer = await this.#in(kept, request, body);
      // Closes the session if the request was refused before it started.
      if (transport.sessionId === undefined || !this.#kept.has(transport.sessionId)) await session.close();
      return answer;
    } finally {
      this.#beginning.delete(session);
    }
  }

  async #in(kept: Kept, request: Request, body: unknown): Promise<Response> {
    kept.open += 1;
    request.signal.addEventListener('abort', () => {
      kept.open -= 1;
      kept.used = performance.now();
    });
    return kept.transport.handleRequest(request, body === undefined ? {} : { parsedBody: body });
  }

  #forget(before: number): void {
    for (const [id, { open, used }] of this.#kept) if (open === 0 && used < before) void this.#end(id);
  }

  async #end(id: string): Promise<void> {
    const kept = this.#kept.get(id);
    if (!kept) return;
    this.#kept.delete(id);
    await kept.server.close().catch(() => {});
    await kept.session.close();
  }
}

const refusal = (status: number, code: number, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });
