import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import {
  createProxy,
  type ListenOptions,
  type ProxyOptions,
  type RunningProxy,
  type Upstream,
} from '../../src/proxy/server.ts';

/** What was started and must be ended, the last first. */
export const open: { close(): unknown }[] = [];

export async function closeAll(): Promise<void> {
  for (const one of open.splice(0).reverse()) await one.close();
}

/** What a server heard. */
export interface Heard {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Answerer = (response: ServerResponse, heard: Heard) => void;

/** A server that answers as it is told, and remembers what it was asked. */
export async function upstream(answer: Answerer): Promise<{ url: string; heard: Heard[] }> {
  const heard: Heard[] = [];
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming
      .on('data', (piece) => pieces.push(piece))
      .on('end', () => {
        const { method = '', url = '', headers } = incoming;
        const one = { method, url, headers, body: Buffer.concat(pieces).toString() };
        heard.push(one);
        answer(response, one);
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

const all = ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'ollama'] as const;

/** A proxy before such a server, which has all API formats unless others are given. */
export async function proxied(
  answer: Answerer,
  { about, ...options }: Partial<ProxyOptions & ListenOptions> & { readonly about?: Partial<Upstream> } = {},
): Promise<RunningProxy & { heard: Heard[]; direct: string; errors: string[] }> {
  const { url: direct, heard } = await upstream(answer);
  const errors: string[] = [];
  const upstreams = [{ url: direct, formats: all, ...about }];
  const proxy = await createProxy({ upstreams, onError: (message) => errors.push(message), ...options }).listen();
  open.push(proxy);
  return { ...proxy, heard, direct, errors };
}

export interface Got {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** One request on a connection of its own, as the bytes of it are given. */
export function ask(
  url: string,
  { method = 'POST', body = '{}', ...headers }: Record<string, string> & { method?: string; body?: string } = {},
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      { method, agent: false, headers: { 'content-type': 'application/json', ...headers } },
      (message) => {
        const pieces: Buffer[] = [];
        message
          .on('data', (piece) => pieces.push(piece))
          .on('end', () =>
            resolve({
              status: message.statusCode ?? 0,
              headers: message.headers,
              text: Buffer.concat(pieces).toString(),
            }),
          )
          .on('error', reject);
      },
    );
    asked.on('error', reject);
    asked.end(method === 'POST' ? body : undefined);
  });
}

/** Sends bytes as they are, and settles with all that comes until the other side ends. */
export function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let came = '';
    socket
      .on('data', (piece) => {
        came += piece;
      })
      .on('close', () => resolve(came))
      .on('error', () => {});
  });
}

export const json = (response: ServerResponse, value: unknown, status = 200): unknown =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
