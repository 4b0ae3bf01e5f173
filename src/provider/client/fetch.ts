import type { IncomingMessage, RequestOptions } from 'node:http';

/** What a client asks of `fetch`; any that keeps to the standard will do. */
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
 * `fetch` for Node without its limits: the built-in one gives up after 300 seconds without headers or without a byte,
 * and a model may think for longer. Elsewhere, where there is no `node:http`, nothing is returned.
 *
 * @param connect how long a connection may take, in milliseconds
 */
export function httpFetch(connect: number): Fetch | undefined {
  // Asked for at run time and not imported, so that browsers may load this file.
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

/** What came, as the answer of a `fetch`. Compressed bodies were not asked for, but some servers send nothing else. */
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
