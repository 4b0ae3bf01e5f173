import { Agent, type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps, Agent as SecureAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { FetchError } from './fetch-error.ts';
import { networkError } from './network-error.ts';

/** One request, before anything is followed. */
export interface Sending {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string | Uint8Array | undefined;
}

export interface SendOptions {
  readonly lookup: LookupFunction;
  /** How long a connection may take, in milliseconds. */
  readonly connect: number;
  /** How long there is for the whole answer. */
  readonly left: number;
  readonly signal?: AbortSignal | undefined;
}

/** Ways of our own: the common ones keep sockets that nobody checked, and may go through a proxy of the environment. */
const agents = { 'http:': new Agent({ keepAlive: false }), 'https:': new SecureAgent({ keepAlive: false }) };

/** Sends one request and gives its answer as `fetch` would, its body still on the way; its limits hold for the body too. */
export function sendOnce({ url, method, headers, body }: Sending, options: SendOptions): Promise<Response> {
  const { lookup, connect, left, signal } = options;
  const secure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    let message: IncomingMessage | undefined;
    const stop = (reason: unknown): void => {
      reject(reason);
      message?.destroy(reason as Error);
      asked.destroy(reason as Error);
    };
    const onAbort = (): void => stop(signal?.reason);
    const late = new FetchError('timeout', `${url.host}: no whole answer in time`);
    const timer = setTimeout(() => stop(late), Math.min(left, longestTimer));
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const sent = { 'accept-encoding': 'identity', ...Object.fromEntries(headers) };
    const agent = secure ? agents['https:'] : agents['http:'];
    const asked = (secure ? overHttps : overHttp)(url, { method, headers: sent, agent, lookup }, (came) => {
      message = came;
      // A slow reader is still busy with it when the request has long been closed.
      came.on('close', done);
      try {
        resolve(responseOf(came));
      } catch (error) {
        stop(new FetchError('network', `${url.host} answered what is no HTTP`, { cause: error }));
      }
    });
    signal?.addEventListener('abort', onAbort, { once: true });
    asked.on('close', () => message ?? done());
    asked.on('error', (error) => reject(networkError(error, url.host)));
    asked.on('socket', (socket) => {
      const unmade = new FetchError('timeout', `${url.host}: no connection within ${connect} ms`);
      const waiting = setTimeout(() => stop(unmade), connect);
      const there = (): void => clearTimeout(waiting);
      socket.once(secure ? 'secureConnect' : 'connect', there).once('close', there);
    });
    asked.end(body);
  });
}

const longestTimer = 2 ** 31 - 1;
const decoders = new Set<string | undefined>(['gzip', 'deflate']);
const bodiless = [204, 205, 304];

/** Compressed bodies were not asked for, but some servers send nothing else. */
function responseOf(message: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = message;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  const about = { status, headers, ...(/^[\t\x20-\x7e]*$/.test(statusText) && { statusText }) };
  if (bodiless.includes(status)) {
    message.resume();
    return new Response(null, about);
  }
  const body = Readable.toWeb(message) as ReadableStream<Uint8Array<ArrayBuffer>>;
  const encoding = headers.get('content-encoding')?.trim().toLowerCase();
  if (!decoders.has(encoding)) return new Response(body, about);
  headers.delete('content-encoding');
  return new Response(body.pipeThrough(new DecompressionStream(encoding as 'gzip' | 'deflate')), about);
}
