import {
  Agent as HttpAgent,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestOptions,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import { pipeline, type Readable, Transform } from 'node:stream';
import { urlToHttpOptions } from 'node:url';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { readBody } from '../../execute/local-server.ts';
import { ToolmendError } from '../../json/toolmend-error.ts';
import { isObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from '../../json/value.ts';
import { displayUrl } from '../../provider/client/endpoint.ts';
import { networkError } from '../../provider/client/errors.ts';
import { agentsFor, custom } from './agents.ts';

/** A request to an upstream. */
interface UpstreamRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: OutgoingHttpHeaders;
  /** Undefined for requests without a body. A stream can only be sent once. */
  readonly body?: Buffer | Readable | undefined;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /**
   * Connect and idle timeouts in milliseconds.
   * @default 10 s and 30 min
   */
  readonly connect?: number | undefined;
  readonly idle?: number | undefined;
  /** Keys that the request has and no client may see, so that the response must not repeat them. */
  readonly secrets?: readonly string[] | undefined;
}

/**
 * How long idle connections are reused: a connection that the server closes at the moment of reuse costs a request.
 * Local servers often close after five seconds without announcing it, TLS servers after a minute. A shorter announced
 * time is respected.
 */
const rests = { http: 4000, https: 30_000 } as const;
const agents = {
  http: new HttpAgent({ keepAlive: true, timeout: rests.http }),
  https: new HttpsAgent({ keepAlive: true, timeout: rests.https }),
};
for (const agent of Object.values(agents)) freeAfterResponse(agent);
/** When a connection became idle, by a clock that continues while the machine sleeps. The agents' timers don't. */
const restsSince = new WeakMap<Socket, number>();
const connectTimeout = 10_000;
// The total duration is not limited, because a model may think for half an hour.
const idleTimeout = 1_800_000;
/** Up to this size, copying a body costs less than another write. */
const onePiece = 64 * 1024;
/** Methods that can be repeated. */
const idempotent = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

/** Errors of requests that no server has received completely, so that they can be sent again. */
export const unsent = new WeakSet<Error>();

/**
 * Returns connections to an agent's pool after what waits for the response has run, because that takes longer than a
 * small call takes to mend. Nothing is read from the connection in between.
 */
function freeAfterResponse(agent: HttpAgent): void {
  const listeners = agent.listeners('free');
  agent.removeAllListeners('free');
  for (const free of listeners)
    agent.on('free', (...args) => queueMicrotask(() => process.nextTick(() => Reflect.apply(free, agent, args))));
}

/** Caches the options of URLs, which repeat. */
const places = new WeakMap<URL, RequestOptions>();

function placeOf(url: URL): RequestOptions {
  const known = places.get(url);
  if (known) return known;
  const { protocol, hostname, port, path, auth } = urlToHttpOptions(url);
  const place = { protocol, hostname, port, path, ...(auth && { auth }) };
  places.set(url, place);
  return place;
}

/** Sends a request, and resolves with the head of the response. The body is a stream. */
export function askUpstream(request: UpstreamRequest): Promise<IncomingMessage> {
  const { secrets = [] } = request;
  return new Promise((resolve, reject) =>
    send(
      request,
      true,
      (answer) => {
        try {
          resolve(secrets.length > 0 ? withoutSecrets(answer, request, secrets) : answer);
        } catch (error) {
          answer.destroy();
          reject(error);
        }
      },
      reject,
    ),
  );
}

/** Headers as a list of names and values, which Node writes at once instead of setting one after the other. */
function listed(headers: OutgoingHttpHeaders, length: number, host: string): string[] {
  const all: string[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (name === 'content-length' || value === undefined) continue;
    if (Array.isArray(value)) for (const one of value) all.push(name, one);
    else all.push(name, String(value));
  }
  all.push('content-length', String(length), 'Host', host);
  return all;
}

/** @param kept whether a kept-alive connection may be used */
function send(
  request: UpstreamRequest,
  kept: boolean,
  resolve: (answer: IncomingMessage) => void,
  reject: (error: Error) => void,
): void {
  const { url, method, headers, body, signal, connect = connectTimeout, idle = idleTimeout } = request;
  const secure = url.protocol === 'https:';
  const own =
    custom.usesProxy || custom.origins.size > 0 ? agentsFor(url, secure ? rests.https : rests.http) : undefined;
  const usual = kept && (secure ? agents.https : agents.http);
  const place = placeOf(url);
  // Node adds what another proxy, a user in the URL or another host name needs only to headers that it sets itself.
  const isUsual = kept && !own && place.auth === undefined && headers.host === undefined;
  const options = {
    ...place,
    method,
    agent: own ? (kept ? own.kept : own.single) : usual,
    timeout: idle,
    headers: !Buffer.isBuffer(body)
      ? headers
      : isUsual
        ? listed(headers, body.length, url.host)
        : { ...headers, 'content-length': body.length },
  };
  let answered = false;
  const asked = (secure ? requestHttps : requestHttp)(options, (answer) => {
    const { socket } = answer;
    answered = true;
    answer.once('end', () => restsSince.set(socket, Date.now()));
    resolve(answer);
  });
  const destroy = (error: Error): void => {
    asked.destroy(error);
    if (asked.socket) return;
    // Another proxy may never provide a socket, and without one the request emits nothing.
    if (!signal.aborted && (body === undefined || Buffer.isBuffer(body))) unsent.add(error);
    reject(error);
  };
  const stop = (): void => destroy(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  asked.on('close', () => signal.removeEventListener('abort', stop));
  asked.on('error', (error: NodeJS.ErrnoException) => {
    // The server closed an idle connection at the moment of reuse. A request that it may have read completely is not
    // repeated, because it could be billed twice.
    const stale = asked.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
    const isStream = body !== undefined && !Buffer.isBuffer(body);
    const unread = !isStream && (!asked.writableFinished || idempotent.has(method));
    if (kept && stale && unread && !answered && !signal.aborted) send(request, false, resolve, reject);
    else {
      if (!isStream && !asked.writableFinished) unsent.add(error);
      reject(error);
    }
  });
  asked.on('timeout', () => asked.destroy(new ToolmendError('connection_failed', `no data for ${idle} ms`)));
  const connectsLate = (): NodeJS.Timeout =>
    setTimeout(() => destroy(new ToolmendError('connection_failed', `no connection within ${connect} ms`)), connect);
  if (own?.proxied) {
    // The socket is only known once the other proxy has made the connection.
    const late = connectsLate();
    asked.once('socket', () => clearTimeout(late)).once('close', () => clearTimeout(late));
  }
  asked.on('socket', (socket) => {
    // By the wall clock, because the monotonic one stands still while the machine sleeps.
    const rested = Date.now() - (restsSince.get(socket) ?? Date.now());
    // Nothing was sent yet, so another connection can be used.
    if (rested > (secure ? rests.https : rests.http)) asked.destroy();
    if (!socket.connecting) return;
    const late = connectsLate();
    socket.once(secure ? 'secureConnect' : 'connect', () => clearTimeout(late)).once('close', () => clearTimeout(late));
  });
  if (body === undefined) asked.end();
  else if (Buffer.isBuffer(body)) {
    // Text is sent together with the headers, as one piece. One character per byte, so that all bytes stay the same.
    if (body.length <= onePiece) asked.end(body.toString('latin1'), 'latin1');
    else asked.end(body);
  } else body.on('error', (error) => asked.destroy(error)).pipe(asked);
}

/** How to read a compressed body. */
const decoders: Readonly<Record<string, () => Transform>> = {
  __proto__: null as never,
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** More codings than this are only sent to exhaust the reader. */
const mostCodings = 4;

/** A body without its content encoding, which may consist of several; undefined if one is unknown. */
export function decoded(body: Readable, encoding: string): Readable | undefined {
  const codings = encoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  const steps = codings.reverse().flatMap((coding) => decoders[coding] ?? []);
  if (steps.length !== codings.length || steps.length > mostCodings) return undefined;
  return steps.reduce<Readable>((plain, decoder) => pipeline(plain, decoder(), () => {}), body);
}

/** A response that can be read: some servers compress it although the request forbids that. */
export function decompressed(answer: IncomingMessage): IncomingMessage {
  const encoding = answer.headers['content-encoding'];
  const plain = encoding === undefined ? answer : decoded(answer, encoding);
  if (plain === undefined || plain === answer) return answer;
  const { 'content-encoding': _, 'content-length': __, ...headers } = answer.headers;
  return Object.assign(plain, { statusCode: answer.statusCode, headers }) as unknown as IncomingMessage;
}

/**
 * A response without the keys of its request, in its headers and its body. Servers repeat a key that they refuse, in an
 * error or in a stream with status 200.
 *
 * @throws ToolmendError if it is an error that can't be decompressed
 */
function withoutSecrets(
  answer: IncomingMessage,
  { method, body }: UpstreamRequest,
  secrets: readonly string[],
): IncomingMessage {
  const { statusCode = 502 } = answer;
  const isError = statusCode >= 400;
  const known = (secret: string): boolean => Buffer.isBuffer(body) && body.includes(secret);
  // A model may write a key that the client has sent to it, and common words. An error has no text of a model.
  const hidden = isError ? secrets : secrets.filter((secret) => isUnguessable(secret) && !known(secret));
  const mask = new SecretMask(hidden);
  const isEmpty = method === 'HEAD' || statusCode === 204 || statusCode === 304;
  const plain = isEmpty ? answer : decompressed(answer);
  const encoding = String(plain.headers['content-encoding'] ?? 'identity');
  if (isError && !isEmpty && encoding !== 'identity')
    throw new ToolmendError('connection_failed', `its error response has the unknown content encoding ${encoding}`);
  const headers = Object.fromEntries(Object.entries(plain.headers).map(([name, value]) => [name, mask.clean(value)]));
  const shown = isEmpty || encoding !== 'identity' ? plain : pipeline(plain, mask, () => {});
  return Object.assign(shown, { statusCode, headers }) as unknown as IncomingMessage;
}

/** Whether only somebody who knows a key can write it. Placeholders, such as `lm-studio`, are words. */
const isUnguessable = (secret: string): boolean => secret.length >= 16 && !/^[a-z]+(?:[-_ ][a-z]+)*$/i.test(secret);

const redacted = '[redacted]';

/** Replaces secrets in a stream by as many bytes, so that its length stays the same. */
class SecretMask extends Transform {
  readonly #forms: readonly Buffer[];
  /** The end of the last chunk, if a secret may begin in it. */
  #start: Buffer = Buffer.alloc(0);

  constructor(secrets: readonly string[]) {
    super();
    const forms = secrets.flatMap((secret) => {
      const quoted = JSON.stringify(secret).slice(1, -1);
      return [secret, encodeURIComponent(secret), quoted, quoted.replaceAll('/', '\\/')];
    });
    // Longest first, so that a secret inside another leaves nothing behind.
    this.#forms = [...new Set(forms)]
      .filter((form) => form !== '')
      .sort((a, b) => b.length - a.length)
      .map((form) => Buffer.from(form));
  }

  /** A header without the secrets. */
  clean(value: string | string[] | undefined): string | string[] | undefined {
    if (Array.isArray(value)) return value.map((one) => String(this.clean(one)));
    return value === undefined ? undefined : this.#masked(Buffer.from(value, 'latin1')).toString('latin1');
  }

  override _transform(chunk: Buffer, _: unknown, done: (error: null, bytes?: Buffer) => void): void {
    const bytes = this.#masked(this.#start.length > 0 ? Buffer.concat([this.#start, chunk]) : chunk);
    const end = bytes.length - Math.max(0, ...this.#forms.map((form) => startOf(form, bytes)));
    this.#start = bytes.subarray(end);
    done(null, bytes.subarray(0, end));
  }

  override _flush(done: (error: null, bytes?: Buffer) => void): void {
    done(null, this.#start);
  }

  #masked(bytes: Buffer): Buffer {
    let clean = bytes;
    for (const form of this.#forms) {
      for (let at = clean.indexOf(form); at >= 0; at = clean.indexOf(form, at + form.length)) {
        if (clean === bytes) clean = Buffer.from(bytes);
        clean.fill(`${redacted.slice(0, form.length).padEnd(form.length, '*')}`, at, at + form.length, 'latin1');
      }
    }
    return clean;
  }
}

/** How many bytes at the end of a chunk may be the start of a secret. */
function startOf(secret: Buffer, bytes: Buffer): number {
  for (let size = Math.min(secret.length - 1, bytes.length); size > 0; size -= 1)
    if (bytes[bytes.length - size] === secret[0] && bytes.subarray(-size).equals(secret.subarray(0, size))) return size;
  return 0;
}

/**
 * Passes on the bytes of a stream as they arrive, with backpressure. Resolves at the end; rejects if the stream breaks
 * or `take` fails.
 *
 * @param take returns a promise to wait for before the next bytes, if needed
 */
export function eachChunk(stream: Readable, take: (bytes: Buffer) => Promise<void> | undefined): Promise<void> {
  // Events cost a tenth of the stream's async iterator, and a long response pays for every token.
  return new Promise((resolve, reject) => {
    let came: Buffer[] = [];
    const fail = (error: unknown): void => {
      stream.destroy();
      reject(error);
    };
    const hand = (): void => {
      const bytes = came.length === 1 ? (came[0] as Buffer) : Buffer.concat(came);
      came = [];
      try {
        const wait = take(bytes);
        if (!wait) return;
        stream.pause();
        wait.then(() => stream.resume(), fail);
      } catch (error) {
        fail(error);
      }
    };
    stream.on('data', (piece: Buffer) => {
      // Combines chunks that arrived together, because each call and each write has a cost.
      if (came.push(piece) === 1) queueMicrotask(hand);
    });
    // Resolves after pending chunks, so that the end is sent together with the last one.
    stream.on('end', () => queueMicrotask(resolve));
    stream.on('error', (error) => queueMicrotask(() => reject(error)));
    stream.on('close', () => {
      const broken =
        !stream.readableEnded && new ToolmendError('connection_failed', 'the connection was closed before the end');
      if (broken) queueMicrotask(() => reject(broken));
    });
  });
}

/** The response of a server: none, or a status with the JSON object in the body. */
export type ServerReply =
  | { readonly type: 'silent'; readonly why: string }
  | { readonly type: 'answered'; readonly status: number; readonly body: JsonObject | undefined };

/** Options of a request. */
export interface FetchJsonOptions {
  readonly headers?: OutgoingHttpHeaders;
  /** Sends a POST request with this body; otherwise GET. */
  readonly body?: JsonObject;
  /**
   * Timeout in milliseconds.
   * @default 10_000
   */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal;
  /** Keys that the response must not repeat. */
  readonly secrets?: readonly string[];
}

/** Status pages are small. */
const longest = 8 * 1024 * 1024;
const patience = 10_000;

/** Requests a JSON page from a server. Never throws, and doesn't follow redirects. */
export async function fetchJson(
  url: URL,
  { headers = {}, body, timeout = patience, signal, secrets }: FetchJsonOptions = {},
): Promise<ServerReply> {
  const late = AbortSignal.timeout(timeout);
  try {
    const came = await askUpstream({
      url,
      method: body ? 'POST' : 'GET',
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      body: body && Buffer.from(JSON.stringify(body)),
      signal: signal ? AbortSignal.any([signal, late]) : late,
      secrets,
    });
    const text = (await readBody(came, longest)).toString('utf8');
    return {
      type: 'answered',
      status: came.statusCode ?? 0,
      body: parsed(text) ?? parsed(text.split('\n', 1)[0] ?? ''),
    };
  } catch (error) {
    const why = late.aborted
      ? `${displayUrl(url)}: no response within ${timeout / 1000} s`
      : networkError(error, displayUrl(url)).message;
    return { type: 'silent', why };
  }
}

function parsed(text: string): JsonObject | undefined {
  const value = jsonOf(text);
  return isObject(value) ? value : undefined;
}

/** Parses a JSON body; undefined if it is invalid. */
export function jsonOf(body: Buffer | string): JsonValue | undefined {
  try {
    return JSON.parse(typeof body === 'string' ? body : body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Digits of a number that `JSON.parse` may round. Keeping numbers as they are written is slow for large bodies. */
const manyDigits = /\d{16}/;

/** Parses a JSON body so that `exactJson` writes its numbers unchanged; undefined if it is invalid. */
export function exactJsonOf(body: Buffer): JsonValue | undefined {
  const text = body.toString('utf8');
  if (!manyDigits.test(text)) return jsonOf(text);
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** The JSON text of a body. Large integers keep the digits with which they were received. */
export function exactJson(body: JsonObject): string {
  const text = JSON.stringify(body);
  return manyDigits.test(text) ? stringifyJson(body) : text;
}

/** The JSON of a successful response; otherwise an empty object. */
export const pageOf = (heard: ServerReply): JsonObject =>
  heard.type === 'answered' && heard.status === 200 ? (heard.body ?? {}) : {};
