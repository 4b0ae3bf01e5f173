import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createProxy } from '../../src/proxy/server.ts';
import { lived } from '../lived.ts';
import { until } from '../until.ts';
import { type Answerer, ask, closeAll, json, open, proxied, raw, upstream, wait } from './around.ts';

afterEach(closeAll);

const fine: Answerer = (response) => json(response, { fine: true });
const chat = '/v1/chat/completions';
const token = 'a-token-that-is-long-enough';

describe('web pages', () => {
  it.each([
    ['a page of another site', { origin: 'https://evil.example' }],
    ['a page in a frame without an origin', { origin: 'null' }],
    ['an image on a page', { method: 'GET', 'sec-fetch-site': 'cross-site' }],
    ['a page whose name was bent to this machine', { host: 'evil.example:8080' }],
  ])('F24 refuses %s with 403, without contacting the upstream', async (_, how) => {
    const proxy = await proxied(fine);
    const { status, headers } = await ask(`${proxy.url}${chat}`, how as Record<string, string>);
    expect(status).toBe(403);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(proxy.heard).toEqual([]);
  });

  it('F24 forwards no preflight request, and no CORS headers of the upstream', async () => {
    const proxy = await proxied((response) =>
      response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/plain' }).end('x'),
    );
    const preflight = { method: 'OPTIONS', origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    expect((await ask(`${proxy.url}${chat}`, preflight)).status).toBe(403);
    expect((await ask(`${proxy.url}${chat}`, { method: 'OPTIONS' })).status).toBe(405);
    expect(proxy.heard).toEqual([]);
    const { status, headers } = await ask(`${proxy.url}${chat}`);
    expect(status).toBe(200);
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  it('accepts a client that uses a host name of this machine or a configured one', async () => {
    const proxy = await proxied(fine, { hosts: ['Host.docker.internal'] });
    for (const host of ['localhost:1', '127.0.0.1', '[::1]:9', 'host.docker.internal:5'])
      expect((await ask(`${proxy.url}${chat}`, { host })).status).toBe(200);
  });
});

describe('the token', () => {
  const upstreams = [{ url: 'http://127.0.0.1:1', formats: ['openai-chat'] as const }];

  it.each([
    ['an address that others can reach', { host: '0.0.0.0', upstreams }],
    ['every address', { host: '::', upstreams }],
    ['a key of its own', { upstreams: [{ ...upstreams[0], headers: { Authorization: 'Bearer k' } }] }],
    ['a token that can be guessed', { token: 'abc', upstreams }],
  ])("is checked at the start: a proxy with %s doesn't start", async (_, options) => {
    await expect(createProxy(options as Parameters<typeof createProxy>[0]).listen()).rejects.toThrow(/openssl rand/);
  });

  it.each([
    ['authorization', { authorization: `Bearer ${token}` }],
    ['x-api-key', { 'x-api-key': token }],
    ['x-goog-api-key', { 'x-goog-api-key': token }],
    ['x-toolmend-token', { 'x-toolmend-token': token }],
  ])('is accepted in %s, and not forwarded', async (_, headers) => {
    const proxy = await proxied(fine, { token });
    expect((await ask(`${proxy.url}${chat}`, headers)).status).toBe(200);
    expect(JSON.stringify(proxy.heard)).not.toContain(token);
  });

  it('is accepted in the URL, like a Gemini key, and not forwarded', async () => {
    const proxy = await proxied(fine, { token });
    expect((await ask(`${proxy.url}/v1beta/models?key=${token}&a=1`)).status).toBe(200);
    expect(proxy.heard.map(({ url }) => url)).toEqual(['/v1beta/models?a=1']);
  });

  it('is required for every request except the health check, whatever else it contains', async () => {
    const proxy = await proxied(fine, { token });
    for (const headers of [{}, { authorization: `Bearer ${token}x` }, { 'x-api-key': '' }] as Record<string, string>[])
      expect((await ask(`${proxy.url}${chat}`, headers)).status).toBe(401);
    expect(proxy.heard).toEqual([]);
    expect((await ask(`${proxy.url}/healthz`, { method: 'GET' })).status).toBe(200);
  });

  it("is accepted next to the client's own key, which is forwarded if the proxy has none", async () => {
    const proxy = await proxied(fine, { token });
    await ask(`${proxy.url}${chat}`, { 'x-toolmend-token': token, authorization: 'Bearer mine' });
    expect(proxy.heard[0]?.headers).toMatchObject({ authorization: 'Bearer mine' });
    expect(proxy.heard[0]?.headers['x-toolmend-token']).toBeUndefined();
  });

  it.each<[string, Record<string, string>, Record<string, string | undefined>]>([
    ['another scheme', { authorization: `Token ${token}` }, { authorization: undefined }],
    ['two schemes', { authorization: `Bearer Bearer ${token}` }, { authorization: undefined }],
    ['a password', { authorization: `Basic ${btoa(`user:${token}`)}` }, { authorization: undefined }],
    ['a cookie', { cookie: `a=1; tk=${token}; b=2` }, { cookie: 'a=1; b=2' }],
    ['a referer', { referer: `http://x/?key=${token}` }, { referer: undefined }],
    ['quotes', { 'x-one': `"${token}"` }, { 'x-one': undefined }],
    [
      'guard: other credentials',
      { authorization: `Basic ${btoa('user:x')}` },
      { authorization: `Basic ${btoa('user:x')}` },
    ],
    ['guard: other cookies', { cookie: 'a=1; b=2' }, { cookie: 'a=1; b=2' }],
  ])('F23 is never forwarded, in whatever form: %s', async (_, sent, expected) => {
    const proxy = await proxied(fine, { token });
    await ask(`${proxy.url}${chat}?a=1&b=Bearer%20${token}`, { 'x-toolmend-token': token, ...sent });
    const [heard] = proxy.heard;
    expect(JSON.stringify(heard)).not.toContain(token);
    expect(heard?.url).toBe(`${chat}?a=1`);
    for (const name in expected) expect(heard?.headers[name]).toBe(expected[name]);
  });

  it("replaces the client's key if the proxy has one", async () => {
    const { url, heard } = await upstream(fine);
    const own = { url, formats: ['openai-chat'] as const, headers: { Authorization: 'Bearer of-the-proxy' } };
    const proxy = await proxied(fine, { token, upstreams: [own] });
    await ask(`${proxy.url}${chat}`, { authorization: `Bearer ${token}`, 'x-api-key': 'stray' });
    expect(heard[0]?.headers).toMatchObject({ authorization: 'Bearer of-the-proxy' });
    expect(heard[0]?.headers['x-api-key']).toBeUndefined();
  });
});

describe('the upstreams of the proxy', () => {
  it("F22 can't be chosen by a header, body, URL or host of a request", async () => {
    const other = await upstream(fine);
    const proxy = await proxied(fine);
    const host = new URL(other.url).host;
    const names = { api_base: other.url, base_url: other.url, upstream: other.url, url: other.url };
    await ask(`${proxy.url}${chat}?upstream=${other.url}&api_base=${other.url}`, {
      body: JSON.stringify({ model: other.url, messages: [], ...names }),
      'x-toolmend-upstream': other.url,
      'x-portkey-custom-host': other.url,
      'x-forwarded-host': host,
      forwarded: `host=${host}`,
    });
    const absolute = await raw(
      proxy.port,
      `GET ${other.url}/v1/models HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    expect(absolute).toMatch(/^HTTP\/1.1 400/);
    const tunnel = await raw(proxy.port, `CONNECT ${host} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    expect(tunnel).not.toMatch(/^HTTP\/1.1 200/);
    expect(proxy.heard).toHaveLength(1);
    expect(other.heard).toEqual([]);
  });

  it.each([
    '/v1/../../admin',
    '/v1/%2e%2e/%2E%2e/admin',
    '/v1/..',
    '/v1\\..\\admin',
    '//evil/x',
    '/v1/%zz:generateContent',
  ])('F22 refuse a path that leaves the upstream or leads nowhere: %s', async (path) => {
    const proxy = await proxied(fine);
    const answer = await raw(
      proxy.port,
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 400/);
    expect(proxy.heard).toEqual([]);
  });

  it.each([
    ['with tools', { tools: [{ type: 'function', function: { name: 'a', parameters: {} } }] }],
    ['without', {}],
  ])('F22 return redirects unchanged, and no key follows them: %s', async (_, more) => {
    const elsewhere = await upstream(fine);
    const { url } = await upstream((response) =>
      response.writeHead(307, { location: `${elsewhere.url}/v1/chat/completions` }).end('moved'),
    );
    const held = { url, formats: ['openai-chat'] as const, headers: { authorization: 'Bearer secret' } };
    const proxy = await proxied(fine, { token, upstreams: [held] });
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x' }], ...more });
    const shown = { 'x-toolmend-token': token, body };
    for (const path of [chat, '/v1/messages']) {
      const answer = await ask(`${proxy.url}${path}`, shown);
      expect(answer).toMatchObject({ status: 307, text: 'moved' });
      expect(answer.headers.location).toBe(`${elsewhere.url}/v1/chat/completions`);
    }
    expect(elsewhere.heard).toEqual([]);
  });
});

describe('overload', () => {
  it('F25 tells a client over its limit when to retry, whatever key it sends', async () => {
    const seen: number[] = [];
    const proxy = await proxied(fine, { limits: { perMinute: 2 }, onRequest: ({ status }) => seen.push(status) });
    const as = (key: string) => ask(`${proxy.url}${chat}`, { authorization: `Bearer ${key}` });
    expect([(await as('a')).status, (await as('a')).status]).toEqual([200, 200]);
    const third = await as('a');
    expect(third.status).toBe(429);
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(third.headers['retry-after'])).toBeLessThanOrEqual(30);
    expect(JSON.parse(third.text).error.message).toMatch(/Too many/);
    expect((await as('b')).status).toBe(429);
    await until(() => seen.length === 4);
    expect(seen).toEqual([200, 200, 429, 429]);
  });

  it('F25 limits concurrent requests, and frees a slot after each response', async () => {
    let release: (() => void)[] = [];
    const proxy = await proxied((response) => release.push(() => json(response, {})), { limits: { concurrency: 1 } });
    const first = ask(`${proxy.url}${chat}`);
    await until(() => release.length > 0);
    expect((await ask(`${proxy.url}${chat}`)).status).toBe(429);
    for (const one of release) one();
    expect((await first).status).toBe(200);
    release = [];
    const again = ask(`${proxy.url}${chat}`);
    await until(() => release.length > 0);
    for (const one of release) one();
    expect((await again).status).toBe(200);
  });

  it.each([
    ['head', 'POST / HTTP/1.1\r\nHost: localhost\r\nX-Slow:'],
    ['body', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{'],
  ])('F25 closes the connection of a client that never ends its %s', async (_, text) => {
    const proxy = await proxied(fine, { timeouts: { head: 200, request: 300 } });
    const asked = raw(proxy.port, text);
    expect(await lived(() => asked)).toBeLessThan(3000);
    expect(await asked).toMatch(/^(HTTP\/1.1 408|$)/);
    expect(proxy.heard).toEqual([]);
  });

  it('F25 limits the number of connections', async () => {
    const proxy = await proxied(fine, { limits: { connections: 3 } });
    const count = () => new Promise<number>((resolve) => proxy.server.getConnections((_, all) => resolve(all)));
    const slow = Array.from({ length: 3 }, () => connect(proxy.port, '127.0.0.1').on('error', () => {}));
    open.push({ close: () => slow.map((one) => one.destroy()) });
    await until(async () => (await count()) === 3);
    expect(await raw(proxy.port, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')).toBe('');
    for (const one of slow) one.destroy();
    await until(async () => (await count()) === 0);
    expect((await ask(`${proxy.url}/healthz`, { method: 'GET' })).status).toBe(200);
  });

  it('F13 forwards 200,000 keys in a request, and reports them as a problem in a call that passes unchanged', async () => {
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`k${at}`, at])));
    const call = { id: 'c', type: 'function', function: { name: 'a', arguments: many } };
    const choices = [{ index: 0, message: { role: 'assistant', tool_calls: [call] }, finish_reason: 'tool_calls' }];
    const told: string[][] = [];
    const proxy = await proxied((response) => json(response, { id: 'r', choices }), {
      onResponse: ({ calls }) => told.push(calls.flatMap(({ problems }) => problems)),
    });
    const tools = [{ type: 'function', function: { name: 'a', parameters: { type: 'object', properties: {} } } }];
    const body = JSON.stringify({ model: 'm', messages: [], tools, metadata: JSON.parse(many) });
    const { status, text } = await ask(`${proxy.url}${chat}`, { body });
    expect(status).toBe(200);
    expect(proxy.heard[0]?.body).toBe(body);
    expect(JSON.parse(text)).toEqual({ id: 'r', choices });
    expect(told.flat()[0]).toMatch(/^keys/);
  });

  it('F6 refuses or forwards a request nested a million levels deep, and serves the next one', async () => {
    const proxy = await proxied(fine);
    const deep = '['.repeat(1e6) + ']'.repeat(1e6);
    for (const body of [`{"tools":[${deep}]}`, `{"messages":${deep},"tools":[]}`])
      expect([200, 400]).toContain((await ask(`${proxy.url}${chat}`, { body })).status);
    expect((await ask(`${proxy.url}${chat}`)).status).toBe(200);
  });
});

describe('an upstream that sends nothing', () => {
  const tools = [{ type: 'function', function: { name: 'a', parameters: {} } }];
  const body = JSON.stringify({ model: 'm', messages: [], tools, stream: true });

  it('F26 times out after the configured time', async () => {
    const proxy = await proxied(() => {}, { timeouts: { idle: 200 } });
    const before = performance.now();
    const { status, text } = await ask(`${proxy.url}${chat}`, { body });
    expect(status).toBe(502);
    expect(text).toContain('no data for 200 ms');
    expect(performance.now() - before).toBeGreaterThan(190);
  });

  it('F26 is an error if it stops in the middle of a stream, but not if it is only slow', async () => {
    const chunk = `data: ${JSON.stringify({ id: 'r', choices: [{ index: 0, delta: { content: 'x' } }] })}\n\n`;
    const head = { 'content-type': 'text/event-stream' };
    const silent = await proxied((response) => response.writeHead(200, head).write(chunk), { timeouts: { idle: 200 } });
    const { text } = await ask(`${silent.url}${chat}`, { body });
    expect(text).toMatch(/"error"/);
    expect(text).not.toContain('[DONE]');
    const slow = await proxied(
      async (response) => {
        response.writeHead(200, head);
        // Longer than may be idled, all in all; each pause far shorter, on a busy machine too.
        for (let at = 0; at < 5; at += 1) {
          response.write(chunk);
          await wait(500);
        }
        response.end('data: [DONE]\n\n');
      },
      { timeouts: { idle: 2200 } },
    );
    expect((await ask(`${slow.url}${chat}`, { body })).text).toContain('[DONE]');
  });
});

describe('closing', () => {
  it('finishes a stream in progress, refuses new requests, and reports its state until then', async () => {
    let finish = (): void => {};
    const proxy = await proxied((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {"a":1}\n\n');
      finish = () => response.end('data: [DONE]\n\n');
    });
    const answer = ask(`${proxy.url}${chat}`);
    await until(() => proxy.heard.length > 0);
    const closed = proxy.close();
    expect(await ask(`${proxy.url}/healthz`, { method: 'GET' })).toMatchObject({ status: 503, text: 'closing\n' });
    const refused = await ask(`${proxy.url}${chat}`);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    finish();
    expect((await answer).text).toContain('[DONE]');
    expect(await lived(() => closed)).toBeLessThan(1000);
    await expect(ask(`${proxy.url}/healthz`, { method: 'GET' })).rejects.toThrow(/ECONNREFUSED|reset/);
  });

  it("ends requests that don't finish in time", async () => {
    const proxy = await proxied((response) => response.writeHead(200).write('x'), { timeouts: { close: 150 } });
    const answer = ask(`${proxy.url}${chat}`).then(
      () => 'clean',
      () => 'broken',
    );
    await until(() => proxy.heard.length > 0);
    expect(await lived(() => proxy.close())).toBeLessThan(1500);
    expect(await answer).toBe('broken');
  });
});
