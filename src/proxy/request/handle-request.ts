import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readBody } from '../../execute/local-server.ts';
import { textCache } from '../../json/text-cache.ts';
import { hasCode, ToolmendError } from '../../json/toolmend-error.ts';
import type { TurnError } from '../../model/index.ts';
import { endpoint, isHosted } from '../../provider/client/endpoint.ts';
import { sniff } from '../../provider/client/read-response.ts';
import { rescueCall } from '../../provider/client/rescue-call.ts';
import { estimateTokens } from '../../provider/translation/estimate-tokens.ts';
import { statusKind, takesNoTools, WireError } from '../../provider/wire/errors.ts';
import { routeOf } from '../../provider/wire/route.ts';
import { rawCallText } from '../../provider/wire/unparsed-call.ts';
import { beginRecord, reportRequest, timed } from '../observe/record-request.ts';
import type { RequestProgress } from '../observe/request-record.ts';
import { UnreadUsage } from '../observe/unread-usage.ts';
import { type ProxyOptions, type Upstream, upstreamName } from '../options.ts';
import { respondWithJson, sendResponse } from '../response/json.ts';
import { retryEmptyTurns } from '../response/retry-invalid-calls.ts';
import { sendError } from '../response/send-error.ts';
import { respondWithStream } from '../response/stream.ts';
import { readRefusal, reasonIn, refusedBecause, sendRefusal, waitIn } from '../response/upstream-error.ts';
import { peek } from '../stream/json-array.ts';
import { type Failover, isTransient, type Route } from '../upstream/failover.ts';
import { askUpstream, decoded, decompressed, unsent } from '../upstream/http.ts';
import { lessonOf, type SentRequest } from '../upstream/refusals.ts';
import type { TextModes } from '../upstream/text-mode.ts';
import type { TokenCount } from './count-tokens.ts';
import type { Exchange, TurnExchange } from './exchange.ts';
import { forwardHeaders, forwardPath, hasKey, ownKeys, upstreamHeaders } from './headers.ts';
import { readListing, sendModels } from './list-models.ts';
import { planRequest, type RequestPlan, type ToolboxOf } from './plan-request.ts';
import { openUpload, type RequestBody } from './requested-model.ts';
import { upstreamModel } from './select-upstream.ts';
import { storeResponse, withStoredItems } from './stored-responses.ts';

/** Created once, because every response closes and stack traces are slow. */
const gone = new ToolmendError('aborted', 'the client disconnected');

/** How often a request is adapted to what the last refusal said. */
const mostAdaptations = 4;

const defaultMaxBody = 32 * 1024 * 1024;

/** What all requests share. */
export interface ProxyState {
  readonly options: ProxyOptions;
  readonly toolboxOf: ToolboxOf;
  readonly modes: TextModes;
  readonly failover: Failover;
}

/**
 * Handles a request. Resolves when the response is sent, and never throws.
 *
 * @param key name of the client's key
 */
export async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { options, toolboxOf, modes, failover }: ProxyState,
  key?: string,
): Promise<RequestProgress> {
  const left = new AbortController();
  response.on('close', () => response.writableFinished || left.abort(gone));
  const { url = '/' } = request;
  const id = `tm_${crypto.randomUUID().replace(/-/g, '')}`;
  const seen = beginRecord(id, request, key);
  try {
    const listing = request.method === 'GET' ? readListing(request, options.upstreams) : undefined;
    if (listing) {
      seen.error = await sendModels(request, response, options, listing);
      return seen;
    }

    const received = await bodyOf(request, options.maxBody ?? defaultMaxBody);
    seen.size = textSize(request, received);
    let body = received;
    const route: Route = { position: 0, rounds: 0, failed: new Set(), waited: 0 };
    let first: Upstream | undefined;
    const choose = (upstream: Upstream): Upstream => {
      first = upstream;
      return upstream.fallbacks ? failover.choose(upstream, route) : upstream;
    };
    const read = (): RequestPlan =>
      timed(seen, () => planRequest(request, body, { ...options, toolboxOf, modes, choose }));
    if (url.includes('/responses') && !received.stream) {
      const complete = await withStoredItems(read(), received.head, options.history, key);
      if (complete) body = { head: complete };
    }
    for (let adapted = 0; ; ) {
      const plan = read();
      const { upstream } = plan;
      seen.asked = plan;
      const at = upstream.alternates ? failover.pick(upstream, route, conversationOf(plan)) : upstream.url;
      const retry = async (error: TurnError): Promise<boolean> => {
        failover.failed(upstream, at, error, hasKey(upstream));
        if (received.stream || !(await failover.next(route, first as Upstream, at, error, left.signal))) return false;
        seen.attempts.push({ upstream: upstreamName(upstream), kind: error.kind, status: error.status });
        return true;
      };
      const exchange: Exchange = {
        id,
        request,
        response,
        options,
        upstream,
        at,
        foreign: route.position > 0 && originOf(first?.url ?? at) !== originOf(at),
        modes,
        left: left.signal,
        seen,
        retry,
      };
      const result = await answer(exchange, plan, adapted < mostAdaptations).catch(retryUnsent(retry));
      if (result === 'adapted') adapted += 1;
      if (result !== 'sent') continue;
      if (failover.states.size > 0 && response.statusCode < 500) failover.succeeded(upstream, at);
      if (options.history && plan.type === 'turn' && !plan.turn.retrieves)
        await storeResponse({ ...exchange, ...plan.turn }, received.head, key);
      return seen;
    }
  } catch (error) {
    if (left.signal.aborted) return seen;
    const failure = failureOf(error);
    Object.assign(seen, { error: failure.message, errorKind: failure.kind });
    options.onError?.(failure.message);
    sendError(response, url, failure);
    return seen;
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

const originOf = (url: string): string => new URL(url).origin;

/** Identifies the conversation of a turn, by its session or its first message. */
function conversationOf(plan: RequestPlan): string | undefined {
  if (plan.type === 'pass') return undefined;
  if (plan.turn.session !== '') return plan.turn.session;
  try {
    return JSON.stringify(plan.turn.question().messages.find(({ role }) => role === 'user'));
  } catch {
    return undefined;
  }
}

/** Sends a request again that no server has received. */
const retryUnsent =
  (retry: Exchange['retry']) =>
  async (error: unknown): Promise<Result> => {
    if (error instanceof Error && unsent.has(error) && (await retry(failureOf(error)))) return 'again';
    throw error;
  };

const files = /^(?:multipart|audio|image|video)\/|^application\/(?:octet-stream|pdf|zip|gzip|x-ndjson|jsonl)/i;

/** Whether a request uploads a file, which is forwarded as it arrives. */
const isUpload = ({ headers, url = '/' }: Pick<IncomingMessage, 'headers' | 'url'>): boolean =>
  files.test(headers['content-type'] ?? '') && !routeOf(url.split('?')[0] ?? '');

/** Reads the body of a request. Of an upload, only reads the start; the rest is forwarded as it arrives. */
async function bodyOf(request: IncomingMessage, limit: number): Promise<RequestBody> {
  if (isUpload(request)) return await openUpload(request);
  if (Number(request.headers['content-length'] ?? 0) > limit)
    throw new ToolmendError('too_large', `more than ${limit} bytes`);
  const encoding = request.headers['content-encoding'];
  const isRead = encoding !== undefined && routeOf((request.url ?? '/').split('?')[0] ?? '');
  return { head: isRead ? await plainBody(request, encoding, limit) : await readBody(request, limit) };
}

/** Reads a compressed body, which is forwarded uncompressed. */
async function plainBody(request: IncomingMessage, encoding: string, limit: number): Promise<Buffer> {
  const plain = decoded(request, encoding);
  if (!plain) throw new ToolmendError('unsupported', `its content encoding is ${encoding}`);
  delete request.headers['content-encoding'];
  return readBody(plain, limit).catch((error: unknown) => {
    throw hasCode(error, 'too_large') ? error : new WireError('', "can't be decompressed");
  });
}

/** Bytes of a body with text. Only the type of an upload is known, and it may be wrong. */
function textSize({ headers }: IncomingMessage, { head, stream }: RequestBody): number {
  if (!stream) return head.length;
  const isText = /^\s*[{[]/.test(head.toString('latin1', 0, 64));
  return isText ? Math.max(head.length, Number(headers['content-length'] ?? 0)) : 0;
}

/** What happened to a request: a response was sent, or it must be planned again, because it was adapted or failed. */
type Result = 'sent' | 'adapted' | 'again';

/**
 * Forwards the request and responds.
 *
 * @param mayAdapt whether it may be planned again after a refusal
 */
async function answer(exchange: Exchange, what: RequestPlan, mayAdapt: boolean): Promise<Result> {
  const { response, id, modes, upstream } = exchange;
  if (upstream.formats?.length === 0) {
    await modes.findFormats(upstream);
    return 'again';
  }
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
    if (isRepeatable(exchange, status) && (await exchange.retry(headError(status, came)))) {
      came.resume();
      return 'again';
    }
    response.writeHead(status, { ...passed(came), 'x-toolmend-id': id });
    // Otherwise the headers would wait for the first byte of a stream.
    response.flushHeaders();
    const reason = status >= 400 ? reasonIn(came) : undefined;
    if (countsUnread(exchange) && status < 400) countUnread(exchange, came);
    await pipeline(came, response);
    if (reason) exchange.seen.error = refusedBecause(exchange, status, reason());
    return 'sent';
  }
  // Runs in the background; the result applies to later responses.
  const learn = (): void => void modes.learn(upstream, what.turn.upstreamModel, learnHeaders(exchange));
  const again = (body: Buffer, signal: AbortSignal) => forward(exchange, { ...what, body }, signal);
  return await respond(
    { ...exchange, ...what.turn, learn, sent: what.body, again },
    came,
    mayAdapt && !what.turn.retrieves,
  );
}

/** Whether tokens are counted in a response that isn't read. Other methods than POST show what was counted before. */
const countsUnread = ({ seen, request }: Exchange): boolean => seen.key !== undefined && request.method === 'POST';

/** Counts the tokens of a response while it is forwarded. Files have none. */
function countUnread({ seen }: Exchange, came: IncomingMessage): void {
  if (!/json|text|event-stream/.test(came.headers['content-type'] ?? 'json')) return;
  const usage = new UnreadUsage();
  seen.unread = usage;
  came.on('data', (piece: Buffer) => usage.feed(piece));
}

/** An error response whose body isn't read. */
const headError = (status: number, came: IncomingMessage): TurnError => {
  const wait = waitIn(came);
  return { ...statusKind(status), message: `status ${status}`, ...(wait !== undefined && { retryAfter: wait }) };
};

/** Statuses with which a server says that it hasn't processed a request. */
const unprocessed: ReadonlySet<number> = new Set([429, 503, 529]);

/** Whether a request that isn't for a turn has no effect if it is sent twice. */
const isRepeatable = ({ request }: Exchange, status: number): boolean =>
  status >= 400 && (unprocessed.has(status) || (request.method === 'GET' && isTransient(status)));

/** Statuses of servers that have an API format but don't count its tokens. */
const absent: ReadonlySet<number> = new Set([404, 405, 501]);

/** Responds with an estimate of the input tokens. */
function sendCount({ response, id, modes, upstream }: Exchange, { model, estimate }: TokenCount): 'sent' {
  const body = JSON.stringify(estimate(modes.adaptations(upstream, upstreamModel(upstream, model)).tokenRatio));
  response.writeHead(200, { 'content-type': 'application/json', 'x-toolmend-id': id }).end(body);
  return 'sent';
}

const learnHeaders = ({ request, upstream, foreign }: Exchange) =>
  upstreamHeaders(request, upstream, { plain: true, translatedTo: 'openai-chat', foreign });

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
  if (hasCode(error, 'unsupported'))
    return { kind: 'request', message: `The request can't be read: ${message}`, retryable: false, status: 415 };
  if (error instanceof RangeError) {
    return { kind: 'request', message: 'The request is nested too deeply', retryable: false, status: 400 };
  }
  if (WireError.isInstance(error)) return { kind: 'request', message, retryable: false, status: 400 };
  return { kind: 'network', message: `The upstream can't be reached: ${message}`, retryable: true, status: 502 };
}

const places = textCache<URL>(1000);

/** Caches URLs by path. URLs with a query may contain a key and aren't cached. */
function placeOf(url: string, path: string): URL {
  const place = (): URL => endpoint(new URL(url), path);
  return path.includes('?') ? place() : places(`${url} ${path}`, place);
}

/** Forwards a request to its upstream, and resolves with the head of the response. */
function forward(exchange: Exchange, what: RequestPlan, signal = exchange.left): Promise<IncomingMessage> {
  const { request, upstream, at, options, foreign } = exchange;
  const { connect, idle } = options.timeouts ?? {};
  const { method = 'GET' } = request;
  const isTurn = what.type === 'turn';
  const isRead = isTurn || countsUnread(exchange);
  const translatedTo = isTurn && what.turn.client.format !== what.turn.wire.format ? what.turn.wire.format : undefined;
  const headers = upstreamHeaders(request, upstream, { plain: isRead, translatedTo, foreign });
  const hasBody = !isEmpty(what.body) || method === 'POST' || method === 'PUT' || method === 'PATCH';
  const body = hasBody ? what.body : undefined;
  const url = placeOf(at, forwardPath(what.path, upstream, foreign));
  // The length of an upload is only known to the client.
  const length = request.headers['content-length'];
  if (body && !Buffer.isBuffer(body) && length !== undefined)
    headers['content-length'] = String(Number(length) + ((what.type === 'pass' && what.longer) || 0));
  const secrets = ownKeys({ ...upstream, url: at });
  const asked = askUpstream({ url, method, headers, body, signal, connect, idle, secrets });
  return isRead ? asked.then(decompressed) : asked;
}

const isEmpty = (body: Buffer | Readable): boolean => Buffer.isBuffer(body) && body.length === 0;

/** Responds to a turn, unless the upstream refused the request and another form or attempt may be accepted. */
async function respond(exchange: TurnExchange, came: IncomingMessage, mayAdapt: boolean): Promise<Result> {
  if ((came.statusCode ?? 502) < 400) {
    const { 'content-encoding': encoding = 'identity' } = came.headers;
    if (encoding !== 'identity' && !exchange.options.dryRun) {
      came.destroy();
      throw new ToolmendError('connection_failed', `its response has the unknown content encoding ${encoding}`);
    }
    const answer = (exchange.options.retries ?? 0) > 0 ? await retryEmptyTurns(exchange, came) : came;
    const streamed = /event-stream|ndjson/.test(String(answer.headers['content-type']));
    // A client of another API format gets the framing that it asked for.
    if (streamed && (exchange.streams || exchange.client === exchange.wire)) await respondWithStream(exchange, answer);
    else await respondUnmarked(exchange, answer);
    if (exchange.adapted.reasoning === false) noteReasoning(exchange);
    return 'sent';
  }
  const { upstream, modes, upstreamModel: model, asks, reads, question, allows } = exchange;
  const refusal = await readRefusal(exchange, came);
  const { error } = refusal;
  if (mayAdapt && asks === undefined && takesNoTools(error) && modes.refused(upstream, model, error.message)) {
    await modes.learn(upstream, model, learnHeaders(exchange));
    return 'adapted';
  }
  if (mayAdapt && isAbsent(exchange, error) && modes.lacks(upstream, exchange.wire.format)) return 'adapted';
  const lesson = mayAdapt ? lessonOf(error, sentRequest(exchange)) : undefined;
  if (lesson && modes.adapt(upstream, model, lesson.adapt, lesson.notice)) return 'adapted';
  const saved =
    reads === undefined || rawCallText(error) === undefined ? undefined : rescueCall(error, question(), allows);
  if (saved) {
    sendResponse(exchange, saved);
    return 'sent';
  }
  if (isTransient(error.status ?? 0) && (await exchange.retry(error))) return 'again';
  // A quotation of the model's text isn't logged.
  const reason = rawCallText(error) === undefined ? error.message : "it couldn't parse a call of its model";
  exchange.seen.error = refusedBecause(exchange, error.status ?? 502, reason);
  sendRefusal(exchange, came, refusal);
  return 'sent';
}

/** Responds to a response whose content type isn't that of a stream. Servers also stream without one. */
async function respondUnmarked(exchange: TurnExchange, came: IncomingMessage): Promise<void> {
  const { wire } = exchange;
  if (!exchange.streams) return respondWithJson(exchange, came);
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
