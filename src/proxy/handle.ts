import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { endpoint } from '../provider/client/endpoint.ts';
import type { TurnError } from '../turn/turn.ts';
import { answerError } from './answer-error.ts';
import { answerStream } from './answer-stream.ts';
import { answerWhole } from './answer-whole.ts';
import { askUpstream } from './ask-upstream.ts';
import { type Asked, asked } from './asked.ts';
import type { Exchange, TurnExchange } from './exchange.ts';
import { forwardHeaders } from './forward-headers.ts';
import type { ProxyOptions } from './proxy-options.ts';
import { readBody, TooLarge } from './read-body.ts';
import { refuse } from './refuse.ts';
import type { ToolboxOf } from './toolboxes.ts';
import { upstreamHeaders } from './upstream-headers.ts';

const defaultMaxBody = 32 * 1024 * 1024;

/** Takes one request through the proxy. Settles when the answer is out, and never throws. */
export async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  options: ProxyOptions,
  toolboxOf: ToolboxOf,
): Promise<void> {
  const left = new AbortController();
  response.on('close', () => left.abort());
  const { method = 'GET', url = '/' } = request;
  const id = `tm_${crypto.randomUUID().replaceAll('-', '')}`;
  const maxBody = options.maxBody ?? defaultMaxBody;
  try {
    if (Number(request.headers['content-length'] ?? 0) > maxBody) throw new TooLarge(`more than ${maxBody} bytes`);
    const body = await readBody(request, maxBody);
    const what = asked({ method, url }, body, options, toolboxOf);
    const exchange: Exchange = { id, request, response, options, upstream: what.upstream, left: left.signal };
    await answer(exchange, what, await ask(exchange, what));
  } catch (error) {
    if (left.signal.aborted) return;
    const failure = failureOf(error);
    options.onError?.(failure.message);
    refuse(response, url, failure);
  }
}

function ask({ request, upstream, left }: Exchange, what: Asked): Promise<IncomingMessage> {
  const { method = 'GET' } = request;
  const crossed = what.type === 'turn' && what.turn.client !== what.turn.wire;
  const headers = upstreamHeaders(request.headers, upstream, { plain: what.type === 'turn', crossed });
  const hasBody = what.body.length > 0 || method === 'POST' || method === 'PUT' || method === 'PATCH';
  const body = hasBody ? what.body : undefined;
  return askUpstream({ url: endpoint(new URL(upstream.url), what.path), method, headers, body, signal: left });
}

async function answer(exchange: Exchange, what: Asked, came: IncomingMessage): Promise<void> {
  const { response, id } = exchange;
  const status = came.statusCode ?? 502;
  // Where an upstream sends elsewhere, the client decides: a key of ours must not follow.
  const moved = status >= 300 && status < 400;
  if (what.type === 'pass' || moved || (status >= 400 && what.turn.client === what.turn.wire)) {
    response.writeHead(status, { ...passed(came), 'x-toolmend-id': id });
    // A stream whose head waits for its first byte would look dead.
    response.flushHeaders();
    await pipeline(came, response);
    return;
  }
  const turn: TurnExchange = { ...exchange, ...what.turn };
  if (status >= 400) await answerError(turn, came);
  else if (/event-stream|ndjson/.test(String(came.headers['content-type']))) await answerStream(turn, came);
  else await answerWhole(turn, came);
}

/** The length of a body that is not touched is known. */
const passed = ({ headers }: IncomingMessage) => ({
  ...forwardHeaders(headers),
  ...(headers['content-length'] !== undefined && { 'content-length': headers['content-length'] }),
});

function failureOf(error: unknown): TurnError {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof TooLarge) {
    return { kind: 'request', message: `The request is too large: ${message}`, retryable: false, status: 413 };
  }
  const name = error instanceof Error ? error.name : '';
  if (error instanceof RangeError) {
    return { kind: 'request', message: 'The request is nested too deeply', retryable: false, status: 400 };
  }
  if (name === 'WireError') return { kind: 'request', message, retryable: false, status: 400 };
  return { kind: 'network', message: `The upstream can't be reached: ${message}`, retryable: true, status: 502 };
}
