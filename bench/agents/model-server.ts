/** A model server for one run of an agent: behaves like vLLM, llama-server or Ollama, and its model follows a script. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Page, type Refusal, type ServerName, serverKinds, templates } from './server-kinds.ts';
import { type ModelReply, type ModelRequest, type WireName, wires } from './wires.ts';

/** How a server behaves. */
export interface ServerTraits {
  readonly kind: ServerName;
  /** @default 131_072 */
  readonly context?: number;
  readonly template?: 'qwen' | 'mistral';
  readonly refusesTools?: true;
  /** Further API formats, as newer versions serve them. */
  readonly wires?: readonly WireName[];
}

/** A request and what became of it. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly request?: unknown;
  status: number;
  reply?: unknown;
}

/** A server that runs. */
export interface ModelServer {
  readonly url: string;
  readonly exchanges: readonly Exchange[];
  /** Aborts after so many refused or so many served requests that the agent gets nowhere. */
  readonly stuck: AbortSignal;
  close(): Promise<void>;
}

export const servedModel = 'qwen3-coder';
const usualContext = 131_072;
/** Agents repeat requests, with pauses that grow to minutes. */
const mostRefused = 5;
const mostServed = 16;

/** Starts a server whose model replies with what `model` returns. */
export async function startModelServer(
  traits: ServerTraits,
  model: (request: ModelRequest) => ModelReply,
): Promise<ModelServer> {
  const exchanges: Exchange[] = [];
  const stuck = new AbortController();
  const counts = { refused: 0, served: 0 };
  const count = (kind: keyof typeof counts): void => {
    counts[kind] += 1;
    if (counts.refused >= mostRefused || counts.served >= mostServed) stuck.abort();
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: Error) => response.destroy(error));
  });
  const { kind: name, context = usualContext } = traits;
  const kind = serverKinds[name];
  const pages = kind.pages(servedModel, context);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET' } = request;
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const body = parsed(await textOf(request));
    const exchange: Exchange = { method, path, ...(body !== undefined && { request: body }), status: 200 };
    exchanges.push(exchange);
    const show = ([status, page]: Page): void => {
      exchange.status = status;
      exchange.reply = page;
      const isText = typeof page === 'string';
      response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json' });
      response.end(isText ? page : JSON.stringify(page));
    };
    const page = pages[`${method} ${path}`];
    if (page) return show(page);
    const served = [...kind.wires, ...(traits.wires ?? [])];
    const wire = method === 'POST' ? served.find((one) => wires[one].path.test(path)) : undefined;
    const match = wire && wires[wire].path.exec(path);
    const refuse = (refusal: Refusal, wanted = ''): void => show(kind.refuse(refusal, wanted, wire));
    if (!wire || !match) {
      if (method === 'POST' && looksLikeTurn.test(path)) count('refused');
      return refuse({ type: 'path' });
    }
    const asked = wires[wire].read((body ?? {}) as Record<string, unknown>, match);
    const refusal = refusalOf(wire, asked, body);
    if (refusal) {
      if (refusal.type !== 'messages') count('refused');
      return refuse(refusal, asked.model);
    }
    const limit = asked.context ?? kind.dropsAfter ?? Number.POSITIVE_INFINITY;
    const reply: ModelReply =
      asked.tokens > limit ? { text: 'Hello! How can I help you today?', finish: 'stop' } : model(asked);
    count('served');
    exchange.reply = reply;
    wires[wire].send(response, { ...asked, tokens: Math.min(asked.tokens, limit) }, reply);
  }

  function refusalOf(wire: WireName, request: ModelRequest, body: unknown): Refusal | undefined {
    const isChat = wire === 'chat' || wire === 'ollama';
    const { messages } = (body ?? {}) as { messages?: unknown };
    if ((isChat || wire === 'anthropic') && !Array.isArray(messages)) return { type: 'messages' };
    if (kind.checksModel && request.model !== servedModel) return { type: 'model' };
    if (traits.refusesTools && request.tools.length > 0) return { type: 'tools' };
    const message = isChat && traits.template ? templates[traits.template](request) : undefined;
    if (message !== undefined) return { type: 'template', message };
    const output = kind.checksOutput ? request.maxTokens : 0;
    return kind.dropsAfter === undefined && request.tokens + output > context
      ? { type: 'context', context, request }
      : undefined;
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    exchanges,
    stuck: stuck.signal,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Paths of requests to a model, in any format. */
const looksLikeTurn = /\/(?:completions|responses|messages|chat)$|:(?:stream)?[gG]enerateContent$/;

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
