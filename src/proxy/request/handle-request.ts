import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readBody } from '../../execute/local-server.ts';
import { textCache } from '../../json/text-cache.ts';
import { hasCode, ToolmendError } from '../../json/toolmend-error.ts';
import type { TurnError } from '../../model/index.ts';
import { endpoint, excerpt, isHosted } from '../../provider/client/endpoint.ts';
import { sniff } from '../../provider/client/read-response.ts';
import { rescueCall } from '../../provider/client/rescue-call.ts';
import { estimateTokens } from '../../provider/crossing/estimate-tokens.ts';
import { failedTurn, takesNoTools, WireError } from '../../provider/wire/errors.ts';
import { routeOf, wires } from '../../provider/wire/route.ts';
import { rawCallText } from '../../provider/wire/unparsed-call.ts';
import { beginRecord, reportRequest, timed } from '../observe/record-request.ts';
import type { ProxyOptions, Upstream } from '../options.ts';
import { respondWithJson, sendResponse } from '../response/json.ts';
import { sendError } from '../response/send-error.ts';
import { respondWithStream } from '../response/stream.ts';
import { peek } from '../stream/json-array.ts';
import { askUpstream, decompressed, jsonOf } from '../upstream/http.ts';
import { lessonOf, overflowFor, type SentRequest } from '../upstream/refusals.ts';
import type { TextModes } from '../upstream/text-mode.ts';
import type { TokenCount } from './count-tokens.ts';
import type { Exchange, TurnExchange } from './exchange.ts';
import { forwardHeaders, forwardPath, upstreamHeaders } from './headers.ts';
import { readListing, sendModels } from './list-models.ts';
import { planRequest, type RequestPlan, type ToolboxOf } from './plan-request.ts';
import { openUpload, type RequestBody } from './requested-model.ts';
import { upstreamModel } from './select-upstream.ts';
import { storeResponse, withStoredItems } from './stored-responses.ts';

/** Created once, because every response closes and stack traces are slow. */
const gone = new ToolmendError('aborted', 'the client disconnected');

/** How often a request is sent, each time adapted to what the last refusal said. */
const mostTries = 5;

const defaultMaxBody = 32 * 1024 * 1024;

/** Handles a request. Resolves when the response is sent, and never throws. */
export async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  options: ProxyOptions,
  toolboxOf: ToolboxOf,
  modes: TextModes,
): Promise<void> {
  const left = new AbortController();
  response.on('close', () => response.writableFinished || left.abort(gone));
  const { url = '/' } = request;
  const id = `tm_${crypto.randomUUID().replaceAll('-', '')}`;
  const maxBody = options.maxBody ?? defaultMaxBody;
  const seen = beginRecord(id, request);
  try {
    const listing = request.method === 'GET' ? readListing(request, options.upstreams) : undefined;
    if (listing) {
      const refused = await sendModels(request, response, options, listing);
      if (refused) sendError(response, url, refused);
      return;
    }
    const received = await bodyOf(request, maxBody);
    let body = received;
    const read = (): RequestPlan => timed(seen, () => planRequest(request, body, options, toolboxOf, modes));
    if (url.includes('/responses') && !received.stream) {
      const complete = await withStoredItems(read(), received.head, options.history);
      if (complete) body = { head: complete };
    }
    for (let tries = 1; tries <= mostTries; tries += 1) {
      let what = read();
      if (what.upstream.formats?.length === 0) {
        await modes.findFormats(what.upstream);
        what = read();
      }
      const { upstream } = what;
      seen.asked = what;
      const exchange: Exchange = { id, request, response, options, upstream, modes, left: left.signal, seen };
      if (await answer(exchange, what, tries < mostTries)) {
        if (options.history && what.type === 'turn') await storeResponse({ ...exchange, ...what.turn }, received.head);
        return;
      }
    }
  } catch (error) {
    if (left.signal.aborted) return;
    const failure = failureOf(error);
    seen.error = failure.message;
    options.onError?.(failure.message);
    sendError(response, url, failure);
  } finally {
    const { asked } = seen;
    if (asked?.turn && asked.turn.warnings.length > 0) {
      const { session, model, client, wire, warnings } = asked.turn;
      const fresh = modes.freshWarnings([session, model, client.format, wire.format].join(' '), warnings);
      seen.asked = { ...asked, turn: { ...asked.turn, warnings: fresh } };
    }
    seen.left = left.signal.aborted;
    reportRequest(seen, response, options);
  }
}

const files = /^(?:multipart|audio|image|video)\/|^application\/(?:octet-stream|pdf|zip|gzip|x-ndjson|jsonl)/i;

/** Whether a request uploads a file, which is forwarded as it arrives. */
const isUpload = ({ headers, url = '/' }: Pick<IncomingMessage, 'headers' | 'url'>): boolean =>
  files.test(headers['content-type'] ?? '') && !routeOf(url.split('?')[0] ?? '');

/** Reads the body of a request. Of an upload, only reads the start; the rest is forwarded as it arrives. */
async function bodyOf(request: IncomingMessage, limit: number): Promise<RequestBody> {
  if (isUpload(request)) return await openUpload(request);
  if (Number(request.headers['content-length'] ?? 0) > limit)
    throw new ToolmendError('too_large', `more than ${limit} bytes`);
  return { head: await readBody(request, limit) };
}

/**
 * Forwards the request and responds. Returns false if nothing was sent, and the request must be planned again.
 *
 * @param mayAdapt whether it may be planned again
 */
async function answer(exchange: Exchange, what: RequestPlan, mayAdapt: boolean): Promise<boolean> {
  const { response, id, modes, upstream } = exchange;
  const count = what.type === 'pass' ? what.count : undefined;
  if (count && !upstream.formats?.includes(count.format)) return sendCount(exchange, count);
  const came = await forward(exchange, what);
  const status = came.statusCode ?? 502;
  if (count && absent.has(status)) {
    came.resume();
    return sendCount(exchange, count);
  }
  // Redirects are left to the client, because a key must not follow them.
  const moved = status >= 300 && status < 400;
  if (what.type === 'pass' || moved) {
    response.writeHead(status, { ...passed(came), 'x-toolmend-id': id });
    // Otherwise the headers would wait for the first byte of a stream.
    response.flushHeaders();
    const reason = status >= 400 ? reasonIn(came) : undefined;
    await pipeline(came, response);
    if (reason) exchange.seen.error = refusedBecause(status, reason());
    return true;
  }
  // Runs in the background; the result applies to later responses.
  const learn = (): void => void modes.learn(upstream, what.turn.upstreamModel, learnHeaders(exchange));
  const again = (body: Buffer, signal: AbortSignal) => forward(exchange, { ...what, body }, signal);
  return await respond({ ...exchange, ...what.turn, learn, sent: what.body, again }, came, mayAdapt);
}

/** Statuses of servers that have an API format but don't count its tokens. */
const absent: ReadonlySet<number> = new Set([404, 405, 501]);

/** Responds with an estimate of the input tokens. */
function sendCount({ response, id, modes, upstream }: Exchange, { model, estimate }: TokenCount): true {
  const body = JSON.stringify(estimate(modes.adaptations(upstream, upstreamModel(upstream, model)).tokenRatio));
  response.writeHead(200, { 'content-type': 'application/json', 'x-toolmend-id': id }).end(body);
  return true;
}

const learnHeaders = ({ request, upstream }: Exchange) =>
  upstreamHeaders(request, upstream, { plain: true, crossed: 'openai-chat' });

/** An unchanged body keeps its length. */
const passed = ({ headers }: IncomingMessage) => ({
  ...forwardHeaders(headers),
  ...(headers['content-length'] !== undefined && { 'content-length': headers['content-length'] }),
});

function failureOf(error: unknown): TurnError {
  const message = error instanceof Error ? error.message : String(error);
  if (hasCode(error, 'too_large')) {
    return { kind: 'request', message: `The request is too large: ${message}`, retryable: false, status: 413 };
  }
  if (error instanceof RangeError) {
    return { kind: 'request', message: 'The request is nested too deeply', retryable: false, status: 400 };
  }
  if (WireError.isInstance(error)) return { kind: 'request', message, retryable: false, status: 400 };
  return { kind: 'network', message: `The upstream can't be reached: ${message}`, retryable: true, status: 502 };
}

const places = textCache<URL>(1000);

/** Caches URLs by path. URLs with a query may contain a key and aren't cached. */
function placeOf({ url }: Upstream, path: string): URL {
  const place = (): URL => endpoint(new URL(url), path);
  return path.includes('?') ? place() : places(`${url} ${path}`, place);
}

/** Forwards a request to its upstream, and resolves with the head of the response. */
function forward(exchange: Exchange, what: RequestPlan, signal = exchange.left): Promise<IncomingMessage> {
  const { request, upstream, options } = exchange;
  const { connect, idle } = options.timeouts ?? {};
  const { method = 'GET' } = request;
  const isTurn = what.type === 'turn';
  const crossed = isTurn && what.turn.client.format !== what.turn.wire.format ? what.turn.wire.format : undefined;
  const headers = upstreamHeaders(request, upstream, { plain: isTurn, crossed });
  const hasBody = !isEmpty(what.body) || method === 'POST' || method === 'PUT' || method === 'PATCH';
  const body = hasBody ? what.body : undefined;
  const url = placeOf(upstream, forwardPath(what.path, upstream));
  // The length of an upload is only known to the client.
  const length = request.headers['content-length'];
  if (body && !Buffer.isBuffer(body) && length !== undefined)
    headers['content-length'] = String(Number(length) + ((what.type === 'pass' && what.longer) || 0));
  const asked = askUpstream({ url, method, headers, body, signal, connect, idle });
  return isTurn ? asked.then(decompressed) : asked;
}

const isEmpty = (body: Buffer | Readable): boolean => Buffer.isBuffer(body) && body.length === 0;

/**
 * Responds to a turn. Returns false if the upstream refused the request and another form of it may be accepted, so that
 * it must be planned again.
 */
async function respond(exchange: TurnExchange, came: IncomingMessage, mayAdapt: boolean): Promise<boolean> {
  if ((came.statusCode ?? 502) < 400) {
    const streamed = /event-stream|ndjson/.test(String(came.headers['content-type']));
    if (streamed) await respondWithStream(exchange, came);
    else await respondUnmarked(exchange, came);
    if (exchange.adapted.reasoning === false) noteReasoning(exchange);
    return true;
  }
  const { upstream, modes, upstreamModel: model, asks, reads, question, allows } = exchange;
  const refusal = await readRefusal(exchange, came);
  const { error } = refusal;
  if (mayAdapt && asks === undefined && takesNoTools(error) && modes.refused(upstream, model, error.message)) {
    await modes.learn(upstream, model, learnHeaders(exchange));
    return false;
  }
  if (mayAdapt && isAbsent(exchange, error) && modes.lacks(upstream, exchange.wire.format)) return false;
  const lesson = mayAdapt ? lessonOf(error, sentRequest(exchange)) : undefined;
  if (lesson && modes.adapt(upstream, model, lesson.adapt, lesson.notice)) return false;
  const saved =
    reads === undefined || rawCallText(error) === undefined ? undefined : rescueCall(error, question(), allows);
  if (saved) sendResponse(exchange, saved);
  else {
    // A quotation of the model's text isn't logged.
    const reason = rawCallText(error) === undefined ? error.message : "it couldn't parse a call of its model";
    exchange.seen.error = refusedBecause(error.status ?? 502, reason);
    answerError(exchange, came, refusal);
  }
  return true;
}

/** Responds to a response whose content type isn't that of a stream. Servers also stream without one. */
async function respondUnmarked(exchange: TurnExchange, came: IncomingMessage): Promise<void> {
  const { wire } = exchange;
  if (!asksForStream(exchange)) return respondWithJson(exchange, came);
  const [head, all] = await peek(came, (bytes) => sniff(wire.framing, bytes, false) !== undefined);
  const answer = Object.assign(all, {
    statusCode: came.statusCode,
    headers: came.headers,
  }) as unknown as IncomingMessage;
  const kind = sniff(wire.framing, head, true);
  // A line of a stream isn't different from a complete response.
  const streams = kind === 'stream' && wire.framing === 'sse';
  const isList = wire.format === 'gemini' && kind === 'whole' && /^\s*\[/.test(head.toString('latin1'));
  await (streams || isList ? respondWithStream : respondWithJson)(exchange, answer, isList);
}

/** Whether the upstream doesn't have the API format that it was configured with. An unknown model is another error. */
const isAbsent = ({ client, wire }: TurnExchange, { status = 0, message }: TurnError): boolean =>
  client.format === wire.format && absent.has(status) && !/model/i.test(message);

/** Whether a request asks for a stream. One that can't be read is the upstream's to refuse. */
function asksForStream({ question }: TurnExchange): boolean {
  try {
    return question().stream === true;
  } catch {
    return false;
  }
}

/** What a refusal needs to know about a request. */
const sentRequest = ({ question, adapted, client, wire, upstream }: TurnExchange): SentRequest => ({
  limited: () => question().maxTokens !== undefined,
  reasons: () => question().reasoning !== undefined,
  special: () =>
    client === wire &&
    wire.format === 'openai-responses' &&
    !isHosted(upstream.url) &&
    question().tools?.some(({ type }) => type === 'opaque') === true,
  estimate: () => estimateTokens(question()),
  adapted,
});

/** Remembers that a model thinks, so that later requests have the client's effort. */
function noteReasoning({ seen, modes, upstream, upstreamModel: model, client, wire }: TurnExchange): void {
  const thinks = seen.response?.message.parts.some(({ type }) => type === 'reasoning');
  // A refusal of the effort stays in force.
  const unknown = modes.adaptations(upstream, model).reasoning === undefined && client.format !== wire.format;
  if (thinks && unknown) modes.adapt(upstream, model, { reasoning: true });
}

const refusedBecause = (status: number, reason: string): string =>
  `The upstream responded with status ${status}: ${excerpt(reason, 300)}`;

const reasonSize = 4000;

/** Reads the reason of an error while it is forwarded. */
function reasonIn(came: IncomingMessage): () => string {
  const pieces: Buffer[] = [];
  let size = 0;
  came.on('data', (piece: Buffer) => {
    if (size < reasonSize) pieces.push(piece);
    size += piece.length;
  });
  return () => {
    if (came.headers['content-encoding'] !== undefined) return 'compressed';
    const bytes = Buffer.concat(pieces);
    const value = jsonOf(bytes);
    return value === undefined ? bytes.toString('utf8') : wires['openai-chat'].readError(0, value).message;
  };
}

const longest = 8 * 1024 * 1024;

/** An error response of an upstream. */
interface Refusal {
  readonly bytes: Buffer;
  readonly error: TurnError;
}

/** Reads an error response. */
async function readRefusal({ wire }: TurnExchange, came: IncomingMessage): Promise<Refusal> {
  const status = came.statusCode ?? 502;
  const bytes = await readBody(came, longest).catch((error: unknown) => {
    // The upstream is at fault, not the client.
    throw hasCode(error, 'too_large')
      ? new ToolmendError('connection_failed', `its error response has ${error.message}`)
      : error;
  });
  const value = jsonOf(bytes);
  const error = wire.readError(status, value === undefined ? bytes.toString('utf8') : value);
  return { bytes, error: { ...error, status } };
}

/** Forwards an error unchanged, or in the client's API format. */
function answerError(exchange: TurnExchange, came: IncomingMessage, { bytes, error }: Refusal): void {
  const { response, client, wire, id } = exchange;
  const crossed = client !== wire;
  const overflow = crossed ? overflowFor(client.format, error) : undefined;
  if (overflow && client.format === 'openai-responses' && exchange.question().stream) {
    streamError(exchange, overflow);
    return;
  }
  const told = overflow ?? error;
  const body = crossed ? Buffer.from(JSON.stringify(client.writeError(told))) : bytes;
  const wait = came.headers['retry-after'];
  const headers = crossed
    ? { 'content-type': 'application/json', ...(wait !== undefined && { 'retry-after': wait }) }
    : forwardHeaders(came.headers);
  const status = overflow?.status ?? came.statusCode ?? 502;
  response.writeHead(status, { ...headers, 'content-length': body.length, 'x-toolmend-id': id });
  response.end(body);
}

/** Sends an error inside a stream, where Codex looks for the code of a prompt that is too long. */
function streamError({ response, client, id }: TurnExchange, error: TurnError): void {
  const writer = client.writeStream();
  const text = writer.write({ type: 'turn.started' }) + writer.write(failedTurn(error));
  response.writeHead(200, { 'content-type': 'text/event-stream', 'x-toolmend-id': id }).end(text);
}
