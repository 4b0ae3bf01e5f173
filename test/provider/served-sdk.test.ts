import { afterEach, describe, expect, it } from 'vitest';
import type { ServedTurn } from '../../src/provider/scripted/script.ts';
import { type ScriptedServer, serveScripted } from '../../src/provider/scripted/server.ts';
import { type Seen, sdks } from './sdks.ts';

const servers: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});
async function serving(script: readonly ServedTurn[]): Promise<ScriptedServer> {
  const server = await serveScripted(script);
  servers.push(server);
  return server;
}

const calls = [
  { id: 'call_a', name: 'get_weather', arguments: '{"city":"Oslo"}' },
  { id: 'call_b', name: 'get_weather', arguments: '{"city":"Rome"}' },
];
const turn = { text: 'I look, twice.', calls, usage: { input: 12, output: 8 }, chunk: 4 };
const seen: Seen = {
  text: 'I look, twice.',
  calls: [
    { name: 'get_weather', arguments: { city: 'Oslo' } },
    { name: 'get_weather', arguments: { city: 'Rome' } },
  ],
  input: 12,
  output: 8,
};

describe.each(Object.entries(sdks))('the SDK of %s, against the scripted server', (_, sdk) => {
  it('reads a whole answer', async () => {
    const server = await serving([turn]);
    expect(await sdk.whole(server.url)).toEqual(seen);
    expect(server.requests[0]?.question?.stream ?? false).toBe(false);
  });

  it('reads a stream', async () => {
    const server = await serving([turn]);
    expect(await sdk.stream(server.url)).toEqual(seen);
    expect(server.requests[0]?.question?.stream).toBe(true);
  });

  it('knows an error for one', async () => {
    const error = { message: 'no such model', kind: 'request' as const, status: 404 };
    const server = await serving([{ error }, { error }]);
    await expect(sdk.whole(server.url)).rejects.toThrow(/no such model/);
    await expect(sdk.stream(server.url)).rejects.toThrow(/no such model/);
  });

  it('knows that a stream was cut', async () => {
    const server = await serving([{ text: 'word '.repeat(500), chunk: 5, truncateAfter: 5000 }]);
    await expect(sdk.stream(server.url)).rejects.toThrow();
  });

  it('knows an error in mid-stream for one', async () => {
    const server = await serving([{ text: 'Half', error: { message: 'it broke', kind: 'server' } }]);
    await expect(sdk.stream(server.url)).rejects.toThrow(/it broke/);
  });
});

describe('the scripted server', () => {
  it('says what it does not serve, and what it can’t read', async () => {
    const server = await serving(['never']);
    expect((await fetch(`${server.url}/v1/nothing`, { method: 'POST', body: '{}' })).status).toBe(404);
    const bad = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      body: '{"model": "m", "messages": 3}',
    });
    expect(bad.status).toBe(400);
    expect(await bad.json()).toMatchObject({ error: { message: expect.stringContaining('messages') } });
  });

  it('plays bytes as they are, at their pace, and cuts the connection where it is told to', async () => {
    const server = await serving([{ raw: ['a', new Uint8Array([0xff]), 'b'], pace: 5, kill: true, status: 206 }]);
    const response = await fetch(`${server.url}/v1/messages`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', max_tokens: 1, messages: [] }),
    });
    expect(response.status).toBe(206);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  it('listens on the loopback interface alone', async () => {
    const server = await serving([]);
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
  });
});
