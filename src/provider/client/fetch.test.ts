import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { asking, collect } from '../../../test/provider/collect.ts';
import { type Fetch, httpFetch } from './fetch.ts';
import { openai } from './providers.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function serving(answer: RequestListener): Promise<{ url: string; connections: () => number }> {
  const server = createServer(answer);
  servers.push(server);
  let count = 0;
  server.on('connection', () => {
    count += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections: () => count };
}

const post = (fetch: Fetch | undefined, url: string, signal = new AbortController().signal): Promise<Response> =>
  (fetch as Fetch)(url, { method: 'POST', headers: { 'x-a': 'b' }, body: '{"ü":1}', redirect: 'manual', signal });

const frame = (content: string, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`;

describe('our fetch', () => {
  it('sends what it is given, and gives status, headers and body', async () => {
    const { url } = await serving((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        response.writeHead(201, { 'x-c': ['d', 'e'] });
        response.end(`${request.method} ${request.headers['x-a']} ${body}`);
      });
    });
    const response = await post(httpFetch(1000), url);
    expect([response.status, response.headers.get('x-c'), await response.text()]).toEqual([
      201,
      'd, e',
      'POST b {"ü":1}',
    ]);
  });

  it('has an answer for statuses without a body', async () => {
    const { url } = await serving((_, response) => response.writeHead(204).end());
    expect((await post(httpFetch(1000), url)).body).toBeNull();
  });

  it('follows no redirect by itself', async () => {
    const { url } = await serving((_, response) => response.writeHead(307, { location: '/there' }).end());
    expect((await post(httpFetch(1000), url)).status).toBe(307);
  });

  it('rejects immediately if already aborted', async () => {
    const { url } = await serving((_, response) => response.end());
    await expect(post(httpFetch(1000), url, AbortSignal.abort())).rejects.toThrow();
  });
});

describe('a client in Node', () => {
  it('F26 uses it by default: the built-in fetch asks for compression, and gives up after 300 seconds', async () => {
    let encoding: string | undefined;
    const { url } = await serving((request, response) => {
      encoding = request.headers['accept-encoding'];
      response.end(`${frame('Hi', 'stop')}data: [DONE]\n\n`);
    });
    await collect(openai({ model: 'm', baseURL: url, apiKey: 'k-none' }), asking('?'));
    expect(encoding).toBe('identity');
  });

  it('keeps its connection for the next turn', async () => {
    const { url, connections } = await serving((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(frame('Hi', 'stop'));
      response.write('data: [DONE]\n\n');
      setTimeout(() => response.end(), 5);
    });
    const model = openai({ model: 'm', baseURL: url, apiKey: 'k-none' });
    const turns = 8;
    for (let turn = 0; turn < turns; turn += 1) await collect(model, asking('?'));
    // The end of an answer is waited for a moment only, which a busy machine may miss now and then.
    expect(connections()).toBeLessThanOrEqual(turns / 2);
  });

  it('does not wait for a server that never closes', async () => {
    const { url } = await serving((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`${frame('Hi', 'stop')}data: [DONE]\n\n`);
    });
    const events = await collect(openai({ model: 'm', baseURL: url, apiKey: 'k-none' }), asking('?'));
    expect(events.at(-1)?.type).toBe('turn.finished');
  });

  it('F3 takes no more than its reader does, however fast the server is', async () => {
    const piece = frame('x'.repeat(64_000));
    let written = 0;
    const { url } = await serving((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const more = (): void => {
        while (written < 200_000_000 && !response.destroyed) {
          written += piece.length;
          if (!response.write(piece)) {
            response.once('drain', more);
            return;
          }
        }
      };
      more();
    });
    for await (const event of openai({ model: 'm', baseURL: url, apiKey: 'k-none' }).stream(asking('?'))) {
      if (event.type !== 'part.delta') continue;
      await new Promise((resolve) => setTimeout(resolve, 500));
      break;
    }
    expect(written).toBeGreaterThan(64_000);
    expect(written).toBeLessThan(20_000_000);
  });
});
