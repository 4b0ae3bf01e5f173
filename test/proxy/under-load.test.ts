import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openaiChat } from '../../src/provider/wire/openai-chat/index.ts';
import { createProxy } from '../../src/proxy/server.ts';
import { StreamMender } from '../../src/proxy/stream/stream-mender.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { growthOf } from '../cpu-of.ts';
import { ask, closeAll, open } from './around.ts';

afterEach(closeAll);

const input = { type: 'object', properties: { path: { type: 'string' } } };
const toolbox = new Toolbox([tool({ name: 'read', description: 'Reads', inputSchema: input })]);

const frame = (delta: object, finish_reason: string | null = null) => {
  const data = JSON.stringify({ id: 'c', model: 'm', choices: [{ index: 0, delta, finish_reason }] });
  return { data, bytes: Buffer.from(`data: ${data}\n\n`) };
};
const call = (more: object, text: string) =>
  frame({ tool_calls: [{ index: 0, ...more, function: { name: 'read', arguments: text } }] });
const grown = (text: string) => frame({ tool_calls: [{ index: 0, function: { arguments: text } }] });

/** A call that is held from its first character, in so many frames. */
function held(count: number): void {
  const piece = grown('abcd');
  const mender = new StreamMender({ upstream: openaiChat, client: openaiChat, toolbox });
  const out = [
    ...mender.take(call({ id: 'c1', type: 'function' }, '')),
    ...mender.take(grown("{path: '")),
    ...Array.from({ length: count }, () => mender.take(piece)).flat(),
    ...mender.take(grown("'}")),
    ...mender.take(frame({}, 'tool_calls')),
    ...mender.end(),
  ];
  expect(Buffer.concat(out).toString()).toContain(`{\\"path\\":\\"${'abcd'.repeat(count)}\\"}`);
}

type Answer = (request: IncomingMessage, response: ServerResponse, before: number) => void;

/** A proxy before a server that is told how often a connection was used before, and the connection of each request. */
async function behind(answer: Answer) {
  const seen: unknown[] = [];
  const server = createServer((request, response) => {
    const before = seen.filter((socket) => socket === request.socket).length;
    seen.push(request.socket);
    answer(request, response, before);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({ close: () => server.close() && server.closeAllConnections() });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy = await createProxy({ upstreams: [{ url, formats: ['openai-chat'] }] }).listen();
  open.push(proxy);
  return { proxy, seen };
}

describe('the proxy under load', () => {
  it('F7 a buffered call costs the same for each frame, no matter how many are buffered', () => {
    // Eight times as many; what grew with all that waits took fifty times as long.
    const { ratio } = growthOf(
      () => held(3000),
      () => held(24_000),
      { bar: 24, floor: 10 },
    );
    expect(ratio).toBeLessThan(24);
  });

  it.each([
    ['POST', 502, 2],
    ['GET', 200, 3],
  ])('%s on a reused connection that closes without a response: status %s', async (method, status, asked) => {
    const { proxy, seen } = await behind((request, response, before) => {
      if (before > 0) request.socket.destroy();
      else response.end('{"ok":true}');
    });
    const body = method === 'POST' ? { body: '{"model":"m","messages":[]}' } : {};
    const path = method === 'POST' ? '/v1/chat/completions' : '/v1/models';
    expect((await ask(`${proxy.url}${path}`, { method, ...body })).status).toBe(200);
    // A model that read the question may have begun to answer: it is not asked twice by our hand.
    expect((await ask(`${proxy.url}${path}`, { method, ...body })).status).toBe(status);
    expect(seen.length).toBe(asked);
  });

  it('closes an idle connection before the server does, at the time that the server announces', async () => {
    const { proxy, seen } = await behind((_, response) => {
      response.writeHead(200, { 'keep-alive': 'timeout=4' }).end('{"ok":true}');
    });
    const once = () => ask(`${proxy.url}/v1/chat/completions`, { body: '{"model":"m","messages":[]}' });
    await once();
    await once();
    expect(seen[1]).toBe(seen[0]);
    await new Promise((resolve) => setTimeout(resolve, 3400));
    await once();
    expect(seen[2]).not.toBe(seen[0]);
  });

  it("doesn't reuse a connection that was idle for too long while the machine slept", async () => {
    const { proxy, seen } = await behind((_, response) => void response.end('{"ok":true}'));
    const once = () => ask(`${proxy.url}/v1/chat/completions`, { body: '{"model":"m","messages":[]}' });
    await once();
    const now = Date.now();
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now + 60_000);
    try {
      expect((await once()).status).toBe(200);
    } finally {
      clock.mockRestore();
    }
    expect(seen).toHaveLength(2);
    expect(seen[1]).not.toBe(seen[0]);
  });

  it('F1 reports an error after one request if an upstream closes a new connection without a response', async () => {
    const { proxy, seen } = await behind((request) => request.socket.destroy());
    expect((await ask(`${proxy.url}/v1/chat/completions`, { body: '{"model":"m","messages":[]}' })).status).toBe(502);
    expect(seen.length).toBe(1);
  });
});
