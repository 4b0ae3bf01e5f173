import type { IncomingMessage, RequestOptions } from 'node:http';

/** The part of `fetch` that a client uses. Any standard implementation works. */
export type Fetch = (
  url: string,
  request: {
    readonly method: 'POST';
    readonly headers: Record<string, string>;
    readonly body: string;
    readonly redirect: 'manual';
    readonly signal: AbortSignal;
  },
) => Promise<Response>;

/**
 * Creates a `fetch` for Node without the built-in timeout of 300 seconds, which is too short for models that think
 * longer.
 *
 * @param connect connect timeout in milliseconds
 * @returns undefined where `node:http` isn't available
 */
export function httpFetch(connect: number): Fetch | undefined {
  // Loaded at run time instead of imported, so that browsers can load this file.
  const load = globalThis.process?.getBuiltinModule;
  if (typeof load !== 'function') return undefined;
  const [http, https, stream] = [load('node:http'), load('node:https'), load('node:stream')];
  if (!http || !https || !stream) return undefined;
  return (url, { method, headers, body, signal }) =>
    new Promise<Response>((resolve, reject) => {
      const address = new URL(url);
      const { request } = address.protocol === 'https:' ? https : http;
      const sent = { 'accept-encoding': 'identity', ...headers, 'content-length': String(Buffer.byteLength(body)) };
      const options: RequestOptions = { method, headers: sent, ...(signal && { signal }) };
      const asked = request(address, options, (message) => {
        try {
          resolve(responseOf(message, stream.Readable.toWeb(message) as ReadableStream<Uint8Array>));
        } catch (error) {
          asked.destroy();
          reject(error);
        }
      });
      asked.on('error', reject);
      asked.on('socket', (socket) => {
        if (!socket.connecting || !Number.isFinite(connect)) return;
        const late = setTimeout(() => asked.destroy(new ConnectTimeout(connect)), connect);
        const done = (): void => clearTimeout(late);
        socket.once(address.protocol === 'https:' ? 'secureConnect' : 'connect', done).once('close', done);
      });
      asked.end(body);
    });
}

class ConnectTimeout extends Error {
  readonly code = 'CONNECT_TIMEOUT';

  constructor(limit: number) {
    super(`no connection within ${limit} ms`);
  }
}

const decoders = new Set<string | undefined>(['gzip', 'deflate']);
const bodiless = [204, 205, 304];

/**
 * Converts a Node response to a `Response`. Decompresses the body, because some servers compress it without being
 * asked.
 */
function responseOf(message: IncomingMessage, body: ReadableStream<Uint8Array>): Response {
  const { statusCode: status = 0, rawHeaders } = message;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] as string, rawHeaders[at + 1] ?? '');
  if (bodiless.includes(status)) return new Response(null, { status, headers });
  const encoding = headers.get('content-encoding')?.trim().toLowerCase();
  if (!decoders.has(encoding)) return new Response(body, { status, headers });
  headers.delete('content-encoding');
  const plain = body.pipeThrough(new DecompressionStream(encoding as 'gzip' | 'deflate') as never);
  return new Response(plain as never, { status, headers });
}
