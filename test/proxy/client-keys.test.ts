import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { logJson, logText } from '../../src/proxy/observe/access-log.ts';
import { metrics } from '../../src/proxy/observe/metrics.ts';
import type { RequestRecord } from '../../src/proxy/observe/request-record.ts';
import type { ClientKey, ListenOptions, ProxyOptions } from '../../src/proxy/server.ts';
import { until } from '../until.ts';
import { type Answerer, ask, closeAll, json, proxied } from './around.ts';

afterEach(async () => {
  vi.useRealTimers();
  await closeAll();
});

const chat = '/v1/chat/completions';
const messages = [{ role: 'user', content: 'Hi' }];
const body = JSON.stringify({ model: 'm', messages });
const usage = { prompt_tokens: 30, completion_tokens: 20, total_tokens: 50 };
const reply: Answerer = (response) =>
  json(response, {
    id: 'r',
    model: 'm',
    usage,
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  });
const alice: ClientKey = { name: 'alice', key: 'key-of-alice-123456' };
const bob: ClientKey = { name: 'bob', key: 'key-of-bob-12345678' };
const token = 'token-of-the-proxy-1';

const behind = (options: Partial<ProxyOptions & ListenOptions>, answer = reply) =>
  proxied(answer, { keys: [alice, bob], ...options, about: { formats: ['openai-chat'] } });
const send = (url: string, { key }: Pick<ClientKey, 'key'>, more: Record<string, string> = {}) =>
  ask(`${url}${chat}`, { body, authorization: `Bearer ${key}`, ...more });

describe('keys of clients', () => {
  it.each<[string, Record<string, string>, string, number]>([
    ['are accepted like the token: a bearer token', { authorization: `Bearer ${alice.key}` }, '', 200],
    ['are accepted like the token: an Anthropic key', { 'x-api-key': bob.key }, '', 200],
    ['are accepted like the token: a Gemini key', { 'x-goog-api-key': bob.key }, '', 200],
    ['are accepted like the token: a key in the URL', {}, `?key=${alice.key}`, 200],
    ['are accepted like the token: the header of the proxy', { 'x-toolmend-token': alice.key }, '', 200],
    ['guard: leave the token valid', { authorization: `Bearer ${token}` }, '', 200],
    ['guard: must be complete: another key', { authorization: 'Bearer key-of-mallory-1234' }, '', 401],
    ['guard: must be complete: a longer key', { authorization: `Bearer ${alice.key}x` }, '', 401],
    ['guard: must be complete: the name', { authorization: 'Bearer alice' }, '', 401],
    ['guard: must be complete: none', {}, '', 401],
  ])('%s', async (_, headers, query, status) => {
    const proxy = await behind({ token });
    const { status: got } = await ask(`${proxy.url}${chat}${query}`, { body, ...headers });
    expect(got).toBe(status);
    expect(proxy.heard).toHaveLength(status === 200 ? 1 : 0);
  });

  it('F23 never reach the upstream, the log or the metrics', async () => {
    const figures = metrics();
    const lines: string[] = [];
    const onRequest = (one: RequestRecord): void => {
      figures.see(one);
      lines.push(logJson(one), logText(one));
    };
    const proxy = await behind({ onRequest, metrics: figures });
    await send(proxy.url, alice);
    await ask(`${proxy.url}${chat}?key=${alice.key}`, { body });
    await until(() => lines.length === 4);
    const { text } = await ask(`${proxy.url}/metrics`, { method: 'GET', authorization: `Bearer ${bob.key}` });
    expect(JSON.stringify([proxy.heard, lines, text])).not.toContain(alice.key);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ key: 'alice' });
    expect(lines[1]).toContain('for alice');
    expect(text).toContain('toolmend_key_requests_total{key="alice",status="200"} 2');
    expect(text).toContain('toolmend_key_tokens_total{key="alice",direction="input"} 60');
  });

  it.each<[string, Record<string, string>, string]>([
    ['the key of another client', { 'x-toolmend-token': alice.key, authorization: `Bearer ${bob.key}` }, ''],
    ['the token next to a key', { 'x-toolmend-token': alice.key, authorization: `Bearer ${token}` }, ''],
    ['guard: a key next to the token', { 'x-toolmend-token': token, 'x-api-key': alice.key }, ''],
    ['guard: the same key twice', { authorization: `Bearer ${alice.key}`, 'x-goog-api-key': alice.key }, ''],
    ['a key in a header of any name', { authorization: `Bearer ${alice.key}`, 'x-own-auth': bob.key }, ''],
    [
      'a key among others in a repeated header',
      { authorization: `Bearer ${alice.key}`, 'x-api-key': `a, ${bob.key}` },
      '',
    ],
    ['a key in the URL', { authorization: `Bearer ${alice.key}` }, `?a=1&key=${bob.key}&access_token=${alice.key}&b=2`],
  ])('%s, which never reaches the upstream (F23)', async (_, headers, query) => {
    const proxy = await behind({ token });
    expect((await ask(`${proxy.url}${chat}${query}`, { body, ...headers })).status).toBe(200);
    const sent = JSON.stringify(proxy.heard);
    for (const secret of [token, alice.key, bob.key]) expect(sent).not.toContain(secret);
    if (query) expect(proxy.heard[0]?.url).toBe(`${chat}?a=1&b=2`);
  });

  it('guard: F23 a key of the upstream next to a key of the proxy reaches it', async () => {
    const proxy = await behind({ token });
    await ask(`${proxy.url}${chat}`, { body, 'x-toolmend-token': alice.key, authorization: 'Bearer sk-upstream' });
    expect(proxy.heard[0]?.headers.authorization).toBe('Bearer sk-upstream');
  });

  it.each<[string, Record<string, string>, string | undefined]>([
    ['a header that is no key', { 'x-team': 'a' }, 'Bearer sk-upstream'],
    ['guard: a key', { 'x-api-key': 'own' }, undefined],
    ['guard: a key in a header of a gateway', { 'cf-aig-authorization': 'Bearer own' }, undefined],
    ['guard: a key of another name', { 'Ocp-Apim-Subscription-Key': 'own' }, undefined],
  ])("%s: only a key that is configured replaces the client's (F22)", async (_, headers, expected) => {
    const about = { formats: ['openai-chat'] as const, headers };
    const proxy = await proxied(reply, { token, about });
    await ask(`${proxy.url}${chat}`, { body, 'x-toolmend-token': token, authorization: 'Bearer sk-upstream' });
    expect(proxy.heard[0]?.headers).toMatchObject(
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    );
    expect(proxy.heard[0]?.headers.authorization).toBe(expected);
  });

  it.each(
    ['/toolmend/runs', '/toolmend/runs/x', '/inspector/', '/inspector/api/runs'].flatMap((path) =>
      ['GET', 'HEAD', 'DELETE'].map((method) => [method, path] as const),
    ),
  )('guard: do not open or delete recorded responses: %s %s', async (method, path) => {
    const { memoryStore } = await import('../../src/log/memory-store.ts');
    const store = memoryStore();
    await store.append([
      { type: 'run.started', model: { name: 'secret-model', provider: 'p' }, tools: [], run: 'x', seq: 1, at: 1 },
    ]);
    for (const own of [{ token }, {}]) {
      const proxy = await behind({ ...own, store, inspect: { token: 'token-of-the-inspector' } });
      const url = `${proxy.url}${path}`;
      for (const [query, headers] of [
        ['', { 'x-api-key': alice.key }],
        ['', { authorization: `Bearer ${alice.key}` }],
        ['', { 'x-toolmend-token': alice.key }],
        [`?token=${alice.key}`, {}],
        [`?key=${alice.key}`, {}],
      ] as const) {
        const { status, text } = await ask(`${url}${query}`, { method, body: '', ...headers });
        if (path.startsWith('/toolmend') && !(method === 'DELETE' && path === '/toolmend/runs'))
          expect(status).toBe(401);
        expect(text).not.toContain('secret-model');
      }
    }
    expect(await store.runs()).toHaveLength(1);
  });

  it('are refused at the start if they are short or repeated', async () => {
    await expect(behind({ keys: [{ name: 'carol', key: 'short' }] })).rejects.toThrow(
      /keys\.carol: the key is too short/,
    );
    await expect(behind({ keys: [alice, { ...bob, key: alice.key }] })).rejects.toThrow(/two of the keys are the same/);
  });

  it('guard: other machines can only be served with a token or keys', async () => {
    await expect(proxied(reply, { host: '0.0.0.0' })).rejects.toThrow(/no token is set/);
    expect((await behind({ host: '0.0.0.0' })).port).toBeGreaterThan(0);
  });

  it('can be replaced while the proxy runs', async () => {
    const proxy = await behind({});
    const upstreams = [{ url: proxy.direct, formats: ['openai-chat'] as const }];
    await proxy.reload(upstreams, [bob]);
    expect([(await send(proxy.url, alice)).status, (await send(proxy.url, bob)).status]).toEqual([401, 200]);
  });

  it.each<[string, ClientKey[] | undefined, number[]]>([
    ['stay removed if only the upstreams are replaced later', [bob], [401, 200]],
    ['stay removed if there are none left', [], [401, 401]],
    ['guard: stay valid if only upstreams are replaced', undefined, [200, 200]],
  ])('%s', async (_, keys, statuses) => {
    const proxy = await behind({ token });
    const upstreams = [{ url: proxy.direct, formats: ['openai-chat'] as const }];
    if (keys) await proxy.reload(upstreams, keys);
    await proxy.reload(upstreams);
    expect([(await send(proxy.url, alice)).status, (await send(proxy.url, bob)).status]).toEqual(statuses);
  });
});

describe('limits of a key', () => {
  const statuses = async (
    url: string,
    key: ClientKey,
    times: number,
    more: (at: number) => Record<string, string> = () => ({}),
  ) => {
    const all: number[] = [];
    for (let at = 0; at < times; at += 1) all.push((await send(url, key, more(at))).status);
    return all;
  };

  it('F32 count its requests per minute, whatever else it sends, and do not affect other keys', async () => {
    const proxy = await behind({ keys: [{ ...alice, perMinute: 2 }, bob] });
    const decoy = (at: number) => ({ 'x-api-key': `decoy-${at}-abcdefghijk`, 'x-forwarded-for': `10.0.0.${at}` });
    expect(await statuses(proxy.url, alice, 4, decoy)).toEqual([200, 200, 429, 429]);
    expect(await statuses(proxy.url, bob, 3)).toEqual([200, 200, 200]);
  });

  it('count requests per minute by a clock that does not jump', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1, 12, 0) });
    const proxy = await behind({ keys: [{ ...alice, perMinute: 2 }, bob] });
    expect(await statuses(proxy.url, alice, 3)).toEqual([200, 200, 429]);
    vi.setSystemTime(Date.UTC(2026, 0, 1, 13, 0));
    expect(await statuses(proxy.url, alice, 1)).toEqual([429]);
    vi.setSystemTime(Date.UTC(2026, 0, 1, 11, 0));
    expect(await statuses(proxy.url, bob, 2)).toEqual([200, 200]);
  });

  it('are those for all clients by default', async () => {
    const proxy = await behind({ keys: [{ ...alice, perMinute: 3 }, bob], limits: { perMinute: 1 } });
    expect(await statuses(proxy.url, alice, 4)).toEqual([200, 200, 200, 429]);
    expect(await statuses(proxy.url, bob, 2)).toEqual([200, 429]);
  });

  it('count concurrent requests', async () => {
    const waiting: (() => void)[] = [];
    const proxy = await behind({ keys: [{ ...alice, concurrency: 1 }, bob] }, (response, heard) => {
      waiting.push(() => reply(response, heard));
    });
    const first = send(proxy.url, alice);
    await until(() => waiting.length === 1);
    expect((await send(proxy.url, alice)).status).toBe(429);
    const other = send(proxy.url, bob);
    await until(() => waiting.length === 2);
    for (const go of waiting.splice(0)) go();
    expect([(await first).status, (await other).status]).toEqual([200, 200]);
    const again = send(proxy.url, alice);
    await until(() => waiting.length === 1);
    waiting[0]?.();
    expect((await again).status).toBe(200);
  });

  it('count tokens per day, and reset at midnight', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1, 23, 0) });
    const proxy = await behind({ keys: [{ ...alice, tokensPerDay: 100 }, bob] });
    expect(await statuses(proxy.url, alice, 3)).toEqual([200, 200, 429]);
    const { headers, text } = await send(proxy.url, alice);
    expect(headers['retry-after']).toBe('3600');
    expect(text).toMatch(/The key 'alice' has used its 100 tokens for today/);
    expect((await send(proxy.url, bob)).status).toBe(200);
    vi.setSystemTime(Date.UTC(2026, 0, 2, 0, 1));
    expect((await send(proxy.url, alice)).status).toBe(200);
  });

  it('F32 count tokens that the upstream does not report', async () => {
    const silent: Answerer = (response) => {
      const chunk = {
        id: 'r',
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta: { content: 'x'.repeat(4000) } }],
      };
      const last = { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`data: ${JSON.stringify(chunk)}\n\ndata: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`);
    };
    const proxy = await behind({ keys: [{ ...alice, tokensPerDay: 200 }] }, silent);
    expect(await statuses(proxy.url, alice, 2)).toEqual([200, 429]);
  });

  /** Statuses of two requests with a limit that one of 200 tokens exhausts. */
  async function twice(answer: Answerer, path: string, asked: string, more: Record<string, string> = {}) {
    const about = { formats: ['openai-chat', 'ollama'] as const };
    const proxy = await proxied(answer, { keys: [{ ...alice, tokensPerDay: 150 }], about });
    const headers = { 'x-api-key': alice.key, 'content-type': 'application/json', ...more };
    const all = [];
    for (let at = 0; at < 2; at += 1) all.push((await ask(`${proxy.url}${path}`, { body: asked, ...headers })).status);
    return all;
  }
  const reported = { prompt_tokens: 150, completion_tokens: 50, total_tokens: 200 };
  const sized = (text: string) => ({ 'content-length': String(text.length) });
  const short = '{"model":"m","prompt":"Hi","input":"Hi"}';
  const long = JSON.stringify({ model: 'm', prompt: 'y'.repeat(2000) });
  const events: Answerer = (response) =>
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end(`data: {"choices":[{"text":"a"}]}\n\ndata: {"choices":[],"usage":${JSON.stringify(reported)}}\n\n`);
  const squeezed: Answerer = (response) =>
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      .end(gzipSync(JSON.stringify({ choices: [{ text: 'a' }], usage: reported })));
  const one =
    (fields: object): Answerer =>
    (response) =>
      json(response, fields);

  it.each<[string, Answerer, string, string, Record<string, string>?]>([
    ['completions', one({ choices: [{ text: 'a' }], usage: reported }), '/v1/completions', short],
    ['completions, streamed', events, '/v1/completions', short],
    ['completions, compressed', squeezed, '/v1/completions', short],
    ['embeddings', one({ data: [], usage: { prompt_tokens: 200, total_tokens: 200 } }), '/v1/embeddings', short],
    ['/api/generate', one({ response: 'a', prompt_eval_count: 150, eval_count: 50 }), '/api/generate', short],
    [
      'text in a body of another type',
      one({ choices: [], usage: reported }),
      '/v1/completions',
      short,
      { 'content-type': 'application/octet-stream' },
    ],
  ])('F32 count reported tokens of requests that are forwarded: %s', async (_, answer, path, asked, more) => {
    expect(await twice(answer, path, asked, { ...sized(asked), ...more })).toEqual([200, 429]);
  });

  it.each<[string, Answerer, string, Record<string, string>]>([
    ['guard: the input', one({ data: [] }), long, sized(long)],
    ['the input in chunks', one({ data: [] }), long, { 'transfer-encoding': 'chunked' }],
    ['the input as another type', one({ data: [] }), long, { ...sized(long), 'content-type': 'text/plain' }],
    ['the output', one({ choices: [{ text: 'z'.repeat(800) }] }), short, sized(short)],
  ])('%s of a request that is forwarded is estimated if it is not reported (F32)', async (_, answer, asked, more) => {
    expect(await twice(answer, '/v1/completions', asked, more)).toEqual([200, 429]);
  });

  it('F32 count a response that breaks its API format', async () => {
    const odd = one({ choices: 'none', usage: reported });
    expect(await twice(odd, chat, body, sized(body))).toEqual([200, 429]);
  });

  it('F32 count the output of each choice', async () => {
    const choice = { message: { role: 'assistant', content: 'z'.repeat(300) }, finish_reason: 'stop' };
    const asked = JSON.stringify({ model: 'm', n: 2, messages });
    const both = one({ id: 'r', choices: [0, 1].map((index) => ({ index, ...choice })) });
    expect(await twice(both, chat, asked, sized(asked))).toEqual([200, 429]);
  });

  it.each<[string, Answerer, string, string]>([
    [
      'reported tokens are fewer than an estimate',
      one({ choices: [], usage: { total_tokens: 9 } }),
      '/v1/completions',
      long,
    ],
    ['the upstream refuses the request', (response) => response.writeHead(400).end('{}'), '/v1/completions', long],
    ['tokens are only counted', one({ input_tokens: 9000 }), '/v1/messages/count_tokens', long],
  ])('guard: F32 stay the same if %s', async (_, answer, path, asked) => {
    expect(new Set(await twice(answer, path, asked, sized(asked))).size).toBe(1);
  });
});

it('the log lines escape what models and clients wrote to act on a terminal', () => {
  const hostile = 'x\u001b[2J\u001b]0;t\u0007\u009b31m\u202eevil\nforged line';
  const seen = {
    at: 0,
    id: 'a',
    method: 'POST',
    path: `/${hostile}`,
    status: 200,
    ms: 1,
    own: 1,
    left: false,
    tools: [],
    model: hostile,
    upstreamModel: hostile,
    upstream: hostile,
    warnings: [hostile],
    error: hostile,
    calls: [{ outcome: { name: hostile, status: 'ok', repairs: [], problems: [] } }],
  } as unknown as RequestRecord;
  for (const line of [logText(seen), logJson(seen)]) {
    expect(line).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(line).not.toMatch(/^forged/m);
    expect(line).toContain('\\u202e');
  }
});
