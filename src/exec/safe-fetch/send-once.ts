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
  readonly signal: AbortSignal;
}

/** Ways of our own: the common ones keep sockets that nobody checked, and may go through a proxy of the environment. */
const agents = { 'http:': new Agent({ keepAlive: false }), 'https:': new SecureAgent({ keepAlive: false }) };

/** Sends one request and gives its answer as `fetch` would, its body still on the way. */
export function sendOnce({ url, method, headers, body }: Sending, options: SendOptions): Promise<Response> {
  const { lookup, connect, signal } = options;
  const secure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    let message: IncomingMessage | undefined;
    const stop = (): void => {
      message?.destroy(signal.reason);
      asked.destroy(signal.reason);
    };
    const done = (): void => signal.removeEventListener('abort', stop);
    const sent = { 'accept-encoding': 'identity', ...Object.fromEntries(headers) };
    const agent = secure ? agents['https:'] : agents['http:'];
    const asked = (secure ? overHttps : overHttp)(url, { method, headers: sent, agent, lookup }, (came) => {
      message = came;
      // A slow reader is still busy with it when the request has long been closed.
      came.on('close', done);
      try {
        resolve(responseOf(came));
      } catch (error) {
        asked.destroy();
        reject(new FetchError('network', `${url.host} answered what is no HTTP`, { cause: error }));
      }
    });
    signal.addEventListener('abort', stop, { once: true });
    asked.on('close', () => message ?? done());
    asked.on('error', (error) => reject(signal.aborted ? signal.reason : networkError(error, url.host)));
    asked.on('socket', (socket) => {
      const late = new FetchError('timeout', `${url.host}: no connection within ${connect} ms`);
      const timer = setTimeout(() => asked.destroy(late), connect);
      const there = (): void => clearTimeout(timer);
      socket.once(secure ? 'secureConnect' : 'connect', there).once('close', there);
    });
    asked.end(body);
  });
}

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
