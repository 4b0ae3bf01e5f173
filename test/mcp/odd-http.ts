import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

type Json = Record<string, unknown>;

/** A server over HTTP with sessions, written by hand so that it can lose them, and drop a call in the middle. */
export interface OddHttp {
  readonly url: string;
  /** Forgets every session; it answers with this status from then on to whoever brings one. */
  forget(status: 400 | 404): void;
  /** What it got: the tools that were called, and the headers of the last request. */
  readonly called: string[];
  readonly headers: IncomingMessage['headers'][];
  close(): Promise<void>;
}

const tools = ['hello', 'drop', 'cut', 'locked', 'moved'].map((name) => ({
  name,
  description: `Does ${name}`,
  inputSchema: { type: 'object' },
}));

/** Starts one on loopback; it ends with the test. */
export async function oddHttp(port = 0): Promise<OddHttp> {
  const sessions = new Set<string>();
  const called: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  let lost = 404;

  const onPost = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    headers.push(request.headers);
    const { id, method, params } = JSON.parse(await text(request)) as { id?: unknown; method: string; params?: Json };
    const answer = (rest: Json) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...rest }));
    };
    const session = request.headers['mcp-session-id'];
    if (method === 'initialize') {
      const fresh = crypto.randomUUID();
      sessions.add(fresh);
      response.setHeader('mcp-session-id', fresh);
      const serverInfo = { name: 'odd', version: '1' };
      return answer({ result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo } });
    }
    if (!sessions.has(String(session))) return response.writeHead(session ? lost : 400).end('no such session');
    if (id === undefined) return response.writeHead(202).end();
    if (method === 'tools/list') return answer({ result: { tools } });
    const name = String(params?.name);
    called.push(name);
    if (name === 'locked') return response.writeHead(403).end('<html>keep out</html>');
    if (name === 'moved') return response.writeHead(307, { location: 'http://example.com/' }).end();
    if (name === 'hello') return answer({ result: { content: [{ type: 'text', text: 'hello' }] } });
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': working\n\n');
    // Dropped: the connection breaks. Cut: it ends in good order, but without the answer.
    setTimeout(() => (name === 'drop' ? response.destroy() : response.end()), 50);
    return undefined;
  };
  const server = createServer((request, response) => {
    if (request.method === 'POST') void onPost(request, response);
    else response.writeHead(405).end();
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);
  return {
    called,
    headers,
    close,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    forget(status) {
      lost = status;
      sessions.clear();
    },
  };
}
