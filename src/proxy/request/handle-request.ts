import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { readBody, TooLarge } from '../../execute/local-server/read-body.ts';
import type { TurnError } from '../../model/index.ts';
import { beginRecord, reportRequest, timed } from '../observe/record-request.ts';
import type { ProxyOptions } from '../options.ts';
import { respond } from '../response/respond.ts';
import { sendError } from '../response/send-error.ts';
import { forward } from '../upstream/forward.ts';
import type { TextModes } from '../upstream/text-mode.ts';
import type { Exchange } from './exchange.ts';
import { forwardHeaders, upstreamHeaders } from './headers.ts';
import { planRequest, type RequestPlan } from './plan-request.ts';
import type { ToolboxOf } from './toolbox-cache.ts';

/** Made once: every response is closed in the end, and a reason with a trace is dear. */
const gone = new Error('the client has left');

const defaultMaxBody = 32 * 1024 * 1024;

/** Takes one request through the proxy. Settles when the answer is out, and never throws. */
export async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  options: ProxyOptions,
  toolboxOf: ToolboxOf,
  modes: TextModes,
): Promise<void> {
  const left = new AbortController();
  response.on('close', () => response.writableFinished || left.abort(gone));
  const { method = 'GET', url = '/' } = request;
  const id = `tm_${crypto.randomUUID().replaceAll('-', '')}`;
  const maxBody = options.maxBody ?? defaultMaxBody;
  const seen = beginRecord(id, request);
  try {
    if (Number(request.headers['content-length'] ?? 0) > maxBody) throw new TooLarge(`more than ${maxBody} bytes`);
    const body = await readBody(request, maxBody);
    const read = (): RequestPlan => timed(seen, () => planRequest({ method, url }, body, options, toolboxOf, modes));
    const what = read();
    const { upstream } = what;
    seen.asked = what;
    const exchange: Exchange = { id, request, response, options, upstream, modes, left: left.signal, seen };
    if (await answer(exchange, what)) return;
    await modes.learn(upstream, what.type === 'turn' ? what.turn.model : '', learnHeaders(exchange));
    await answer(exchange, read());
  } catch (error) {
    if (left.signal.aborted) return;
    const failure = failureOf(error);
    seen.error = failure.message;
    options.onError?.(failure.message);
    sendError(response, url, failure);
  } finally {
    reportRequest(seen, response, options);
  }
}

/** Asks and answers. False: nothing was answered, and it is to be asked otherwise. */
async function answer(exchange: Exchange, what: RequestPlan): Promise<boolean> {
  const came = await forward(exchange, what);
  const { response, id, modes, upstream } = exchange;
  const status = came.statusCode ?? 502;
  // Where an upstream sends elsewhere, the client decides: a key of ours must not follow.
  const moved = status >= 300 && status < 400;
  if (what.type === 'pass' || moved) {
    response.writeHead(status, { ...passed(came), 'x-toolmend-id': id });
    // A stream whose head waits for its first byte would look dead.
    response.flushHeaders();
    await pipeline(came, response);
    return true;
  }
  // Nobody waits for it: what it finds holds for the next answers.
  const learn = (): void => void modes.learn(upstream, what.turn.model, learnHeaders(exchange));
  const again = (body: Buffer, signal: AbortSignal) => forward(exchange, { ...what, body }, signal);
  return await respond({ ...exchange, ...what.turn, learn, sent: what.body, again }, came);
}

const learnHeaders = ({ request, upstream }: Exchange) =>
  upstreamHeaders(request.headers, upstream, { plain: true, crossed: true });

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
