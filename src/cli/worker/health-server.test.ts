import { request } from 'node:http';
import { expect, it } from 'vitest';
import { startHealthServer, WorkerCounts } from './health-server.ts';

it.each([
  ['/healthz', 200],
  ['/readyz', 200],
  ['/other', 404],
  ['//', 400],
  ['//[', 400],
  ['///', 400],
])('F24 answers the path %s with %i', async (path, expected) => {
  const server = await startHealthServer({ isReady: () => true }, new WorkerCounts(), { port: 0, host: '127.0.0.1' });
  try {
    const status = await new Promise((resolve, reject) => {
      request(server.url, { path }, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).toBe(expected);
  } finally {
    await server.close();
  }
});
