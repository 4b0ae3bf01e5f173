/** One server of the proxy benchmark, in a separate process: `node bench/proxy-child.ts upstream|slow|pipe|toolmend [URL]`. */
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { streamBody, wholeBody } from './proxy-bodies.ts';

const [role, target = ''] = process.argv.slice(2);

/** Responds immediately, with a stream if requested, and sends the first token before the rest. */
const upstream = createServer((asked, response) => {
  let body = '';
  asked.setEncoding('utf8').on('data', (piece) => {
    body += piece;
  });
  asked.on('end', () => {
    if (!body.includes('"stream":true')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(wholeBody);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const frame of streamBody) response.write(frame);
    response.end();
  });
});

/** Responds to all requests in pieces at the same pace: ten seconds for a stream. */
const waiting = new Map<ServerResponse, number>();
const slow = createServer((asked, response) => {
  asked.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    waiting.set(response, 0);
  });
});
const beat = (): void => {
  for (const [response, at] of waiting) {
    response.write(streamBody[at]);
    if (at + 1 < streamBody.length) waiting.set(response, at + 1);
    else {
      waiting.delete(response);
      response.end();
    }
  }
};

/** The minimum of a proxy: it only passes bytes on. */
const pipe = createServer((asked, response) => {
  const { method, headers, url } = asked;
  const sent = request(`${target}${url}`, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    pipeline(answer, response, () => {});
  });
  pipeline(asked, sent, () => {});
});

if (role === 'toolmend') {
  // As users install it. `npm run bench:proxy` builds it first.
  const built = new URL('../dist/proxy.js', import.meta.url).href;
  const { createProxy }: typeof import('../src/proxy/server.ts') = await import(built);
  const { port } = await createProxy({ upstreams: [{ url: target, formats: ['openai-chat'] }] }).listen();
  process.send?.({ port });
} else {
  const server = { pipe, slow }[role as 'pipe' | 'slow'] ?? upstream;
  if (role === 'slow') setInterval(beat, 10_000 / streamBody.length);
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
}

const megabyte = 1024 * 1024;

process.on('message', () => {
  // All of it first, with the garbage that a process under load has; then what is reachable.
  const { rss } = process.memoryUsage();
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  process.send?.({ rss: rss / megabyte, heap: (heapUsed + arrayBuffers) / megabyte });
});
