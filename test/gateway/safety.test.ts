import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { acceptTools } from '../../src/gateway/config/accept-tools.ts';
import type { GatewayConfig } from '../../src/gateway/config/config.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import { until } from '../until.ts';
import { call, closeAll, everything, folder, later, main, oddly, plain, through } from './around.ts';

afterEach(closeAll);

const listed = async (client: Client): Promise<string[]> =>
  (await client.listTools(undefined, { cacheMode: 'refresh' })).tools.map(({ name }) => name);

describe('definitions', () => {
  it('F14 a tool that is redefined during a session is not listed or called until it is accepted', async () => {
    const pins = join(folder(), 'pins.json');
    const config: GatewayConfig = { pins, mcpServers: { odd: oddly() } };
    const client = await through('memory', 'legacy', config);
    expect((await call(client, 'weather', { city: 'Riga' })).text).toBe('Sun in Riga');
    await call(client, 'redefine');
    const blocked = await call(client, 'weather', { city: 'Riga' });
    expect(blocked.isError).toBe(true);
    expect(blocked.text).toContain('changed its definition, and the user has not accepted the new one yet');
    expect(await listed(client)).not.toContain('weather');

    const shown = await acceptTools(config, [], () => {});
    expect(shown.waiting.map(({ server, own }) => `${server}/${own}`)).toEqual(['odd/weather']);
    expect(JSON.stringify(shown.waiting)).toContain('evil.example');
    const { accepted, waiting } = await acceptTools(config, ['odd/weather'], () => {});
    expect({ accepted: accepted.length, waiting: waiting.length }).toEqual({ accepted: 1, waiting: 0 });
    // The gateway that runs looks again when the tool is called.
    expect((await call(client, 'weather', { city: 'Riga' })).text).toContain('it has only just become available');
    expect((await call(client, 'weather', { city: 'Riga' })).text).toBe('Sun in Riga');
  });

  it('F14 a tool that was redefined in the meantime is not called', async () => {
    const pins = join(folder(), 'pins.json');
    const odd = oddly();
    const config: GatewayConfig = { pins, mcpServers: { odd } };
    const first = await through('memory', 'legacy', config);
    await first.close();
    writeFileSync(('env' in odd && odd.env?.ODD_STATE) || '', '');
    const client = await through('memory', 'legacy', config);
    expect((await call(client, 'weather', { city: 'Riga' })).text).toContain(
      'the user has not accepted the new one yet',
    );
    expect((await call(client, 'look')).text).toBe('seen');
  });

  it('F14 an invalid definition is left out, and the others are listed', async () => {
    const notices: string[] = [];
    const client = await through(
      'memory',
      'legacy',
      { mcpServers: { odd: oddly() } },
      { onNotice: (line) => notices.push(line) },
    );
    expect(await listed(client)).not.toContain('remote');
    expect(await listed(client)).toContain('weather');
    expect(notices.join('\n')).toContain('odd: remote: ');
  });

  it('a new tool needs acceptance if configured', async () => {
    const client = await through('memory', 'legacy', { mcpServers: { odd: { ...oddly(), acceptNew: false } } });
    await call(client, 'add');
    const { isError } = await call(client, 'newcomer');
    expect(isError).toBe(true);
  });

  it('a broken file of accepted definitions is an error, not an empty list', async () => {
    const pins = join(folder(), 'pins.json');
    writeFileSync(pins, '{"accepted": 1}');
    await expect(createGateway({ pins, mcpServers: {} }, { http: true }).listen()).rejects.toThrow('not a pins file');
    expect(readFileSync(pins, 'utf8')).toBe('{"accepted": 1}');
  });
});

describe('permissions', () => {
  const asked = (answer: string) => {
    const heard: string[] = [];
    return {
      heard,
      around: {
        capabilities: { elicitation: {} },
        prepare: (client: Client) =>
          client.setRequestHandler('elicitation/create', async ({ params }) => {
            heard.push(params.message);
            return answer === 'decline' ? { action: 'decline' } : { action: 'accept', content: { answer } };
          }),
      },
    };
  };
  const config: GatewayConfig = {
    permissions: { deny: ['get-env'] },
    mcpServers: { everything: { ...everything, permissions: { ask: ['echo'], deny: ['get-sum(a=13)'] } } },
  };

  it('deny calls by exposed names and by the names of the server', async () => {
    const client = await through('memory', 'legacy', config);
    expect((await call(client, 'get-env')).text).toContain('the rule get-env forbids it');
    expect((await call(client, 'get-sum', { a: '13', b: 1 })).text).toContain('the rule get-sum(a=13) forbids it');
    expect((await call(client, 'get-sum', { a: 12, b: 1 })).text).toContain('13');
  });

  it('ask the user of the client, for each call or once for all', async () => {
    const once = asked('once');
    const client = await through('memory', 'legacy', config, once.around);
    expect((await call(client, 'echo', { message: 'a' })).text).toBe('Echo: a');
    expect((await call(client, 'echo', { message: 'b' })).text).toBe('Echo: b');
    expect(once.heard).toHaveLength(2);
    expect(once.heard[0]).toContain('"message": "a"');
    const always = asked('always');
    const other = await through('memory', 'legacy', config, always.around);
    await call(other, 'echo', { message: 'a' });
    expect((await call(other, 'echo', { message: 'b' })).text).toBe('Echo: b');
    expect(always.heard).toHaveLength(1);
  });

  it('treat a refusal and a missing reply as a denial', async () => {
    for (const answer of ['no', 'decline']) {
      const client = await through('memory', 'legacy', config, asked(answer).around);
      expect((await call(client, 'echo', { message: 'a' })).text).toContain('The user refused');
    }
    const mute = await through('memory', 'legacy', config);
    expect((await call(mute, 'echo', { message: 'a' })).text).toContain('the client does not support elicitation');
  });
});

describe('over HTTP', () => {
  const token = 'token-for-this-test-only';
  const listening = async (config: Partial<GatewayConfig> = {}): Promise<string> => {
    const gateway = await createGateway({ mcpServers: { plain: plain('a') }, ...config }, { http: true }).listen();
    later(() => gateway.close());
    return gateway.url ?? '';
  };
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  };
  const post = (url: string, headers: Record<string, string> = {}, body: unknown = initialize): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  it('F24 rejects web pages, and requests with another host name', async () => {
    const url = await listening();
    expect((await post(url)).status).toBe(200);
    expect((await post(url, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await post(url, { origin: 'http://localhost:3000' })).status).toBe(403);
    expect((await post(url, { origin: 'null' })).status).toBe(403);
    expect((await post(url, { origin: new URL(url).origin })).status).toBe(200);
    expect((await post(url, { origin: new URL(url).origin, 'sec-fetch-site': 'same-site' })).status).toBe(403);
    expect((await post(url, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    const { status } = await new Promise<{ status: number | undefined }>((resolve, reject) => {
      import('node:http').then(({ request }) =>
        request(url, { method: 'POST', headers: { host: 'evil.example' } }, (answer) => {
          answer.resume();
          resolve({ status: answer.statusCode });
        })
          .on('error', reject)
          .end(),
      );
    });
    expect(status).toBe(403);
  });

  it('sends log messages of a call on its own stream, because a client may have no other', async () => {
    const url = await listening();
    const session = { 'mcp-session-id': (await post(url)).headers.get('mcp-session-id') ?? '' };
    await post(url, session, { jsonrpc: '2.0', method: 'notifications/initialized' });
    const called = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'log', arguments: {} } };
    const stream = await (await post(url, session, called)).text();
    expect(stream.split('\n').filter((line) => line.startsWith('data: '))).toEqual([
      expect.stringContaining('on the side'),
      expect.stringContaining('logged at none'),
    ]);
  });

  it('responds with 404 to an unknown method in the 2026 protocol', async () => {
    const url = await listening();
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const ask = (method: string) => {
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method };
      return post(url, headers, { jsonrpc: '2.0', id: 1, method, params: { _meta } });
    };
    const unknown = await ask('example/unknown');
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { error: { code: -32601 } }]);
    const own = await ask('example/own');
    expect([own.status, await own.json()]).toMatchObject([200, { result: { by: 'a' } }]);
  });

  it("F24 listens only on this machine unless it has a token that can't be guessed", async () => {
    const start = (config: Partial<GatewayConfig>) =>
      createGateway({ mcpServers: {}, ...config }, { http: true }).listen();
    await expect(start({ host: '0.0.0.0' })).rejects.toThrow('other machines can reach 0.0.0.0, and no token is set');
    await expect(start({ token: 'short' })).rejects.toThrow('the token is too short');
  });

  it('F22 requires the token, and forwards no client header to a server', async () => {
    const seen: IncomingHttpHeaders[] = [];
    const upstream = createServer((request, response) => {
      seen.push(request.headers);
      request.resume();
      response.writeHead(405).end();
    });
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    later(() => new Promise((resolve) => upstream.close(resolve)));
    const { port } = upstream.address() as AddressInfo;
    const behind = {
      url: `http://127.0.0.1:${port}/mcp`,
      headers: { 'x-own': 'key-of-the-server' },
      connectTimeout: 1000,
    };
    const url = await listening({ token, mcpServers: { behind } });
    expect((await post(url)).status).toBe(401);
    expect((await post(url, { authorization: 'Bearer token-for-this-test-onlx' })).status).toBe(401);
    expect((await post(url, { authorization: `Bearer ${token}`, 'x-secret': 'of the client' })).status).toBe(200);
    expect(seen.length).toBeGreaterThan(0);
    for (const headers of seen) {
      expect(headers).toMatchObject({ 'x-own': 'key-of-the-server' });
      expect(JSON.stringify(headers)).not.toContain(token);
      expect(headers).not.toHaveProperty('x-secret');
    }
  });

  it('serves a client with the token', async () => {
    const url = await listening({ token });
    const { Client: SdkClient } = await import('@modelcontextprotocol/client');
    const client = new SdkClient({ name: 't', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    later(() => client.close());
    expect((await call(client, 'strict', { n: '4' })).text).toBe('{"n":4}');
  });

  it('F6 treats arguments nested 100,000 levels deep as an invalid call, not as an error', async () => {
    const notices: string[] = [];
    const options = {
      store: memoryStore(),
      record: { content: true },
      onNotice: (line: string) => notices.push(line),
    };
    const gateway = await createGateway(
      { mcpServers: { one: plain('one') } },
      { http: true, timeout: 60_000, ...options },
    ).listen();
    later(() => gateway.close());
    const url = gateway.url ?? '';
    const session = { 'mcp-session-id': (await post(url)).headers.get('mcp-session-id') ?? '' };
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const params = `{"name":"strict","arguments":{"n":${deep}}}`;
    const answer = await post(url, session, `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":${params}}`);
    const text = await answer.text();
    expect(text).toContain('"isError":true');
    expect(text).not.toContain('call stack');
    expect(notices.join()).toContain('A call was not recorded');
  });

  it('F5 refuses a request that is too large or not JSON before it is processed', async () => {
    const gateway = await createGateway({ mcpServers: {} }, { http: { maxBody: 1000 } }).listen();
    later(() => gateway.close());
    const url = gateway.url ?? '';
    expect((await post(url, {}, 'x'.repeat(2000))).status).toBe(413);
    expect((await post(url, {}, '{"a":')).status).toBe(400);
    expect((await post(url, {}, { jsonrpc: '2.0', id: 1, method: 'tools/list' })).status).toBe(400);
    expect((await post(url, { 'mcp-session-id': 'nobody' })).status).toBe(404);
    expect((await fetch(new URL('/elsewhere', url))).status).toBe(404);
  });

  it('F25 limits the number of sessions, and tells the next client to wait', async () => {
    const gateway = await createGateway({ mcpServers: {} }, { http: { mostSessions: 1 } }).listen();
    later(() => gateway.close());
    const url = gateway.url ?? '';
    const first = await post(url);
    expect(first.status).toBe(200);
    const second = await post(url);
    expect([second.status, second.headers.get('retry-after')]).toEqual([503, '10']);
    const session = { 'mcp-session-id': first.headers.get('mcp-session-id') ?? '' };
    await fetch(url, { method: 'DELETE', headers: session });
    expect((await post(url)).status).toBe(200);
  });

  it('F25 keeps no session of a client that disconnects while it waits for servers', async () => {
    const silent = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] };
    const gateway = await createGateway(
      { mcpServers: { silent } },
      { http: { mostSessions: 1 }, timeout: 500 },
    ).listen();
    later(() => gateway.close());
    const url = gateway.url ?? '';
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
    };
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const begin = (signal?: AbortSignal) =>
      fetch(url, { method: 'POST', headers, body: JSON.stringify(initialize), ...(signal && { signal }) });
    await expect(begin(AbortSignal.timeout(100))).rejects.toThrow();
    await until(async () => (await begin()).status === 200);
  });
});

describe('secrets', () => {
  it('F23 hides the credentials of a server when the server fails', async () => {
    const env = { SOME_TOKEN: 'canary-of-a-server' };
    const args = ['-e', 'console.error("it is", process.env.SOME_TOKEN); process.exit(1)'];
    const file = join(folder(), 'gateway.json');
    writeFileSync(file, JSON.stringify({ mcpServers: { one: { command: process.execPath, args, env } } }));
    const program = spawn(process.execPath, [main, 'gateway', '--config', file], { stdio: ['pipe', 'ignore', 'pipe'] });
    later(() => program.kill());
    let said = '';
    program.stderr.setEncoding('utf8').on('data', (piece: string) => {
      said += piece;
    });
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
    program.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    await until(() => said.includes('Its last output: it is'));
    expect(said).not.toContain('canary');
  });

  it('F23 passes a short list of environment variables and its own to a server', async () => {
    process.env.CANARY_OF_THE_GATEWAY = 'canary-in-the-environment';
    later(() => delete process.env.CANARY_OF_THE_GATEWAY);
    const odd = { ...oddly(), env: { OWN: 'own-variable' } };
    const client = await through('memory', 'legacy', { mcpServers: { odd } });
    const { text } = await call(client, 'env');
    expect(text).toContain('own-variable');
    expect(text).not.toContain('canary-in-the-environment');
  });

  it('F23 stores no canary from arguments or results', async () => {
    const canary = 'sk-canary0123456789abcdefghij';
    for (const content of [false, true]) {
      const store = memoryStore();
      const client = await through('memory', 'legacy', { mcpServers: { everything } }, { store, record: { content } });
      await call(client, 'echo', { message: `my key is ${canary}` });
      await call(client, 'echo', { mesage: canary, message: [canary, canary] });
      await call(client, canary, { password: canary });
      const runs = await store.runs();
      expect(runs).toHaveLength(3);
      for (const { run } of runs) {
        for await (const event of store.read(run)) expect(JSON.stringify(event)).not.toContain('canary');
      }
    }
  });
});
