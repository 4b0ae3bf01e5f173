import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { openaiChat } from '../../src/provider/openai-chat/openai-chat.ts';
import { startProxy } from '../../src/proxy/proxy.ts';
import { StreamMender } from '../../src/proxy/stream-mender.ts';
import { tool } from '../../src/tool/tool.ts';
import { Toolbox } from '../../src/tool/toolbox.ts';
import { growthOf } from '../cpu-of.ts';
import { ask, closeAll, open } from './around.ts';

afterEach(closeAll);

const input = { type: 'object', properties: { path: { type: 'string' } } };
const toolbox = new Toolbox([tool({ name: 'read', description: 'Reads', input })]);

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

describe('the proxy under load', () => {
  it('F7 a call that is held costs the same for each of its frames, however many wait', () => {
    // Eight times as many; what grew with all that waits took fifty times as long.
    const growth = growthOf(
      () => held(3000),
      () => held(24_000),
      { bar: 24, floor: 10 },
    );
    expect(growth).toBeLessThan(24);
  });

  it('a connection that the upstream closed while it was idle costs no request', async () => {
    const used = new Map<unknown, number>();
    const server = createServer((request, response) => {
      const times = (used.get(request.socket) ?? 0) + 1;
      used.set(request.socket, times);
      if (times > 1) request.socket.destroy();
      else response.end('{"ok":true}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => server.close() && server.closeAllConnections() });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const proxy = await startProxy({ upstreams: [{ url, formats: ['openai-chat'] }] });
    open.push(proxy);
    for (let round = 0; round < 4; round += 1) {
      const { status, text } = await ask(`${proxy.url}/v1/chat/completions`, { body: '{"model":"m","messages":[]}' });
      expect({ status, text }).toEqual({ status: 200, text: '{"ok":true}' });
    }
    expect([...used.values()]).toContain(2);
  });

  it('F1 an upstream that closes a new connection without a word is an error, asked once', async () => {
    let asked = 0;
    const server = createServer((request) => {
      asked += 1;
      request.socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => server.close() });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const proxy = await startProxy({ upstreams: [{ url, formats: ['openai-chat'] }] });
    open.push(proxy);
    expect((await ask(`${proxy.url}/v1/chat/completions`, { body: '{"model":"m","messages":[]}' })).status).toBe(502);
    expect(asked).toBe(1);
  });
});
