import {
  Agent as HttpAgent,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestOptions,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { urlToHttpOptions } from 'node:url';
import { readBody } from '../../execute/local-server.ts';
import { ToolmendError } from '../../json/toolmend-error.ts';
import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { displayUrl } from '../../provider/client/endpoint.ts';
import { networkError } from '../../provider/client/errors.ts';

/** One request to an upstream. */
interface UpstreamRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: OutgoingHttpHeaders;
  /** Nothing for requests that have no body. */
  readonly body?: Buffer | undefined;
  /** Given when the client has left. */
  readonly signal: AbortSignal;
  /** How long it may take to connect, and how long nothing may come, in milliseconds: 10 s and 30 min unless it is said. */
  readonly connect?: number | undefined;
  readonly idle?: number | undefined;
}

/**
 * Connections are kept while they are surely open: a server that closes one just as it is used again costs a request. Servers
 * of one's own often close after five seconds and do not say so, those behind TLS after a minute; who says less is believed.
 */
const rests = { http: 4000, https: 30_000 } as const;
const agents = {
  http: new HttpAgent({ keepAlive: true, timeout: rests.http }),
  https: new HttpsAgent({ keepAlive: true, timeout: rests.https }),
};
/** Since when a connection rests, by the clock that goes on while a machine sleeps: the agents' own timers do not. */
const restsSince = new WeakMap<Socket, number>();
const connectTimeout = 10_000;
// No answer has a time to be whole by: a model may think for half an hour.
const idleTimeout = 1_800_000;
/** What may be asked twice. */
const idempotent = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

/** The same addresses are asked again and again. */
const places = new WeakMap<URL, RequestOptions>();

function placeOf(url: URL): RequestOptions {
  const known = places.get(url);
  if (known) return known;
  const { protocol, hostname, port, path, auth } = urlToHttpOptions(url);
  const place = { protocol, hostname, port, path, ...(auth && { auth }) };
  places.set(url, place);
  return place;
}

/** Asks an upstream and settles with its answer's head; the body is a stream that is read at the reader's pace. */
export function askUpstream(request: UpstreamRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => send(request, true, resolve, reject));
}

/** @param kept a connection of earlier requests may be used */
function send(
  request: UpstreamRequest,
  kept: boolean,
  resolve: (answer: IncomingMessage) => void,
  reject: (error: Error) => void,
): void {
  const { url, method, headers, body, signal, connect = connectTimeout, idle = idleTimeout } = request;
  const secure = url.protocol === 'https:';
  const options = {
    ...placeOf(url),
    ...{ method, agent: kept && (secure ? agents.https : agents.http), timeout: idle },
    headers: body ? { ...headers, 'content-length': body.length } : headers,
  };
  let answered = false;
  const asked = (secure ? requestHttps : requestHttp)(options, (answer) => {
    const { socket } = answer;
    answered = true;
    answer.once('end', () => restsSince.set(socket, Date.now()));
    resolve(answer);
  });
  const stop = (): void => void asked.destroy(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  asked.on('close', () => signal.removeEventListener('abort', stop));
  asked.on('error', (error: NodeJS.ErrnoException) => {
    // The server closed an idle connection just as it was used again. What it may have read whole it may have begun to
    // answer, and to ask twice for that would be to pay twice.
    const stale = asked.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
    const unread = !asked.writableFinished || idempotent.has(method);
    if (kept && stale && unread && !answered && !signal.aborted) send(request, false, resolve, reject);
    else reject(error);
  });
  asked.on('timeout', () => asked.destroy(new ToolmendError('connection_failed', `no data for ${idle} ms`)));
  asked.on('socket', (socket) => {
    const rested = Date.now() - (restsSince.get(socket) ?? Date.now());
    // Nothing has left yet, so that it goes out on another.
    if (rested > (secure ? rests.https : rests.http)) asked.destroy();
    if (!socket.connecting) return;
    const late = setTimeout(
      () => asked.destroy(new ToolmendError('connection_failed', `no connection within ${connect} ms`)),
      connect,
    );
    socket.once(secure ? 'secureConnect' : 'connect', () => clearTimeout(late)).once('close', () => clearTimeout(late));
  });
  asked.end(body);
}

/**
 * Hands on the bytes of a stream as they come, and waits where it is told to. Settles at the stream's end; rejects where it
 * breaks, or where bytes can't be taken.
 *
 * @param take gives what must be waited for before more may come, if anything
 */
export function eachChunk(stream: Readable, take: (bytes: Buffer) => Promise<void> | undefined): Promise<void> {
  // Listening costs a tenth of what a stream's own iterator does, and a long answer pays it for every token.
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
      // What arrived together is taken together: each taking costs, and so does each writing that follows.
      if (came.push(piece) === 1) queueMicrotask(hand);
    });
    // Settled behind what came before: its end goes out together with the last of it.
    stream.on('end', () => queueMicrotask(resolve));
    stream.on('error', (error) => queueMicrotask(() => reject(error)));
    stream.on('close', () => {
      const broken =
        !stream.readableEnded && new ToolmendError('connection_failed', 'the connection was closed before its end');
      if (broken) queueMicrotask(() => reject(broken));
    });
  });
}

/** What a server says at an address: nothing where there is no server, else a status and the object its body is or begins with. */
export type ServerReply =
  | { readonly type: 'silent'; readonly why: string }
  | { readonly type: 'answered'; readonly status: number; readonly body: JsonObject | undefined };

/** How a server is asked. */
export interface FetchJsonOptions {
  readonly headers?: OutgoingHttpHeaders;
  /** Sent where it is given; without one the page is asked for. */
  readonly body?: JsonObject;
  /** How long the answer may take, in milliseconds; 10 s unless it is said. */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal;
}

/** Pages that say what a server is are small and come at once. */
const longest = 8 * 1024 * 1024;
const patience = 10_000;

/** Asks a server for one of its pages. Never throws, follows no redirect. */
export async function fetchJson(
  url: URL,
  { headers = {}, body, timeout = patience, signal }: FetchJsonOptions = {},
): Promise<ServerReply> {
  const late = AbortSignal.timeout(timeout);
  try {
    const came = await askUpstream({
      url,
      method: body ? 'POST' : 'GET',
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      body: body && Buffer.from(JSON.stringify(body)),
      signal: signal ? AbortSignal.any([signal, late]) : late,
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

/** What a body says, where it is JSON. */
export function jsonOf(body: Buffer | string): JsonValue | undefined {
  try {
    return JSON.parse(typeof body === 'string' ? body : body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The page that was asked for; an empty one where it is not there. */
export const pageOf = (heard: ServerReply): JsonObject =>
  heard.type === 'answered' && heard.status === 200 ? (heard.body ?? {}) : {};
