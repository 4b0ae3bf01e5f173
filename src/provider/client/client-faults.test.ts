import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { lived } from '../../../test/lived.ts';
import { canary, clientFor, closeServers, serving } from '../../../test/provider/clients.ts';
import { answered, asking, failure } from '../../../test/provider/collect.ts';
import type { TurnEvent } from '../../model/index.ts';
import type { ServedTurn } from '../scripted/script.ts';
import { type ScriptedServer, serveScripted } from '../scripted/server.ts';
import type { ClientOptions } from './options.ts';
import { openai } from './providers.ts';

afterEach(closeServers);

describe('waiting', () => {
  const chat = (server: ScriptedServer, more: Partial<ClientOptions> = {}) => clientFor('openai-chat', server, more);

  const limited = (headers: Record<string, string>): ServedTurn => ({ raw: '{}', status: 429, headers });

  it('is as long as the provider asks', async () => {
    const waits: number[] = [];
    const server = await serving([limited({ 'retry-after': '0.15' }), limited({ 'retry-after-ms': '170' }), 'ok']);
    const retry = { base: 1, longest: 5000, times: 3 };
    const before = performance.now();
    await answered(chat(server, { retry, onRetry: ({ wait }) => waits.push(wait) }), asking('?'));
    expect(waits).toEqual([150, 170]);
    expect(performance.now() - before).toBeGreaterThan(310);
  });

  it('ends the turn where the provider asks for more than may be waited, in seconds or by date', async () => {
    const hour = 3_600_000;
    const date = new Date(Date.now() + hour).toUTCString();
    const server = await serving([limited({ 'retry-after': '3600' }), limited({ 'retry-after': date }), 'never']);
    const { error } = await failure(chat(server), asking('?'));
    expect(error).toMatchObject({ kind: 'rate_limit', retryAfter: hour, retryable: true });
    const { retryAfter = 0 } = (await failure(chat(server), asking('?'))).error;
    expect(retryAfter).toBeGreaterThan(hour - 120_000);
    expect(retryAfter).toBeLessThanOrEqual(hour);
    expect(server.requests).toHaveLength(2);
  });

  it('ends immediately when aborted', async () => {
    const server = await serving([{ raw: '{}', status: 503, headers: { 'retry-after': '3600' } }, 'never']);
    const stop = new AbortController();
    const retry = { base: 1, longest: 10_000_000, times: 3 };
    const model = chat(server, { retry, onRetry: () => void setTimeout(() => stop.abort(), 20) });
    const { error } = await failure(model, asking('?'), { signal: stop.signal });
    expect(error.kind).toBe('aborted');
    expect(server.requests).toHaveLength(1);
  });

  it.each([400, 401, 403, 404, 413, 422])('is not done after %i', async (status) => {
    const server = await serving([{ raw: '{"error":{"message":"no"}}', status }, 'never']);
    const { error } = await failure(chat(server), asking('?'));
    expect(error).toMatchObject({ kind: 'request', status, retryable: false });
    expect(server.requests).toHaveLength(1);
  });

  it.each([408, 409, 429, 500, 502, 503, 504, 529])('is done after %i', async (status) => {
    const server = await serving([{ raw: 'oh', status }, 'ok']);
    await answered(chat(server), asking('?'));
    expect(server.requests).toHaveLength(2);
  });

  it('heeds a server that says whether to ask again', async () => {
    const no = await serving([{ raw: '{}', status: 503, headers: { 'x-should-retry': 'false' } }, 'never']);
    await failure(chat(no), asking('?'));
    expect(no.requests).toHaveLength(1);
  });
});

describe('F26 limits', () => {
  const limits = (server: ScriptedServer, timeouts: ClientOptions['timeouts']) =>
    clientFor('openai-chat', server, { timeouts: timeouts ?? {} });

  it('the first byte may take as long as it is given, and no longer', async () => {
    const server = await serving([{ text: 'late', delay: 300 }, { text: 'late', delay: 3_600_000 }, 'never']);
    expect((await answered(limits(server, { firstByte: 20_000 }), asking('?'))).finish).toBe('stop');
    const { error } = await failure(limits(server, { firstByte: 100 }), asking('?'));
    expect(error).toMatchObject({ kind: 'timeout', code: 'first_byte_timeout', retryable: true });
    expect(error.message).toMatch(/100 ms.*timeouts\.firstByte/);
    expect(server.requests).toHaveLength(2);
  });

  it('a silence may last as long as it is given, and the whole as long as it likes', async () => {
    const slow = { text: 'abcdefgh', chunk: 1, pace: 300 };
    const server = await serving([slow, { ...slow, pace: 20 }, { text: 'ab', chunk: 1, pace: 3_600_000 }]);
    const before = performance.now();
    await answered(limits(server, { idle: 1800, firstByte: 20_000 }), asking('?'));
    expect(performance.now() - before).toBeGreaterThan(1800);
    await answered(
      limits(server, { idle: Number.POSITIVE_INFINITY, firstByte: Number.POSITIVE_INFINITY }),
      asking('?'),
    );
    const failed = await failure(limits(server, { idle: 100 }), asking('?'));
    expect(failed.error).toMatchObject({ kind: 'timeout', code: 'idle_timeout' });
  });

  it('time that the reader of the answer takes is not counted', async () => {
    const server = await serving([{ text: 'abcdef', chunk: 1 }]);
    let last: TurnEvent | undefined;
    for await (const event of limits(server, { idle: 1500, firstByte: 1500 }).stream(asking('?'))) {
      if (event.type === 'part.started') await new Promise((resolve) => setTimeout(resolve, 2000));
      last = event;
    }
    expect(last?.type).toBe('turn.finished');
  });

  it('a connection may take ten seconds, or what is set', async () => {
    // No packet comes back from an address that is kept for documentation, where the network drops them.
    const model = openai({
      model: 'm',
      baseURL: 'http://192.0.2.1/v1',
      apiKey: canary,
      timeouts: { connect: 80 },
      retry: { times: 0 },
    });
    const failing = failure(model, asking('?'));
    expect(await lived(() => failing)).toBeLessThan(3000);
    expect((await failing).error.kind).toBe('network');
  });
});

describe('what is no answer is a clear failure', () => {
  const page = '<!doctype html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>';
  const rows: readonly (readonly [string, ServedTurn, RegExp])[] = [
    ['a web page', { raw: page, headers: { 'content-type': 'text/html' } }, /web page.*baseURL.*502 Bad Gateway/],
    ['a web page as an error', { raw: page, status: 404 }, /404.*502 Bad Gateway.*model 'm'/],
    ['compressed bytes without a word', { raw: gzipSync('{"a":1}') }, /compressed bytes/],
    ['compressed bytes that are none', { raw: 'data: {}\n\n', headers: { 'content-encoding': 'gzip' } }, /compressed/],
    [
      'half a JSON',
      { raw: '{"id":"x","choices":[{"mess', headers: { 'content-type': 'application/json' } },
      /invalid or truncated JSON/,
    ],
    ['JSON of another kind', { raw: '{"hello":"world"}' }, /violates the API format/],
    [
      'words',
      { raw: 'upstream connect error', headers: { 'content-type': 'text/plain' } },
      /not a response.*upstream connect error/,
    ],
    ['an error with a good status', { raw: '{"error":{"message":"model is loading"}}' }, /model is loading/],
    ['an error without a word', { raw: '', status: 400 }, /400.*no error message/],
    ['a stream without an end', { raw: 'data: {"choices":[{"delta":{"content":"Hi"}}]}\n\n' }, /ended before/],
    ['a stream of something else', { raw: 'data: what\n\n' }, /not valid JSON/],
  ];

  it.each(rows)('%s', async (_, turn, words) => {
    const server = await serving([turn]);
    const { error } = await failure(clientFor('openai-chat', server, { retry: { times: 0 } }), asking('?'));
    expect(error.message).toMatch(words);
    expect(error.message).not.toContain('TypeError');
  });

  it('an empty body, which may pass', async () => {
    const server = await serving([{ raw: '' }, 'ok']);
    expect((await answered(clientFor('openai-chat', server), asking('?'))).finish).toBe('stop');
  });

  it('nobody there', async () => {
    const server = await serveScripted([]);
    await server.close();
    const { error } = await failure(clientFor('openai-chat', server, { retry: { times: 1, base: 1 } }), asking('?'));
    expect(error).toMatchObject({ kind: 'network', code: 'ECONNREFUSED', retryable: true });
    expect(error.message).toMatch(/check that the server is running/);
  });

  it('a stream of the wrong type is read all the same, compressed too', async () => {
    const stream = 'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
    for (const turn of [
      { raw: stream, headers: { 'content-type': 'application/json' } },
      { raw: stream, headers: {} },
      { raw: gzipSync(stream), headers: { 'content-encoding': 'gzip' } },
    ]) {
      const server = await serving([turn]);
      const { message } = await answered(clientFor('openai-chat', server), asking('?'));
      expect(message.parts).toMatchObject([{ type: 'text', text: 'Hi' }]);
    }
  });
});

describe('F22 redirects', () => {
  const to = (location: string, status = 307): ServedTurn => ({ raw: '', status, headers: { location } });

  it('to another origin are not followed, and the key stays', async () => {
    const other = await serving(['never']);
    const server = await serving([to(`${other.url}/v1/chat/completions?key=${canary}`)]);
    const failed = await failure(clientFor('openai-chat', server), asking('?'));
    expect(failed.error).toMatchObject({ kind: 'request', retryable: false });
    expect(failed.error.message).toMatch(/another origin.*baseURL/);
    expect(failed.error.message).toContain(other.url);
    expect(JSON.stringify(failed)).not.toContain(canary);
    expect(other.requests).toHaveLength(0);
  });

  it('at home are followed where the request stays the same', async () => {
    const server = await serving([to('/elsewhere/chat/completions', 308), 'ok']);
    await answered(clientFor('openai-chat', server), asking('?'));
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/chat/completions', '/elsewhere/chat/completions']);
  });

  it('are reported if they would lose the request or never end', async () => {
    const moved = await serving([to('/elsewhere', 301)]);
    expect((await failure(clientFor('openai-chat', moved), asking('?'))).error.message).toMatch(
      /drop the request body/,
    );
    const round = await serving(() => to('/v1/chat/completions'));
    expect((await failure(clientFor('openai-chat', round), asking('?'))).error.message).toMatch(/other redirects/);
    const nowhere = await serving([{ raw: '', status: 302, headers: {} }]);
    expect((await failure(clientFor('openai-chat', nowhere), asking('?'))).error.message).toMatch(/without a location/);
  });
});

describe('F23 a key', () => {
  it('is requested by the name of its variable', async () => {
    const held = process.env.OPENAI_API_KEY;
    delete process.env.OPENAI_API_KEY;
    const { error } = await failure(openai({ model: 'm' }), asking('?'));
    if (held !== undefined) process.env.OPENAI_API_KEY = held;
    expect(error).toMatchObject({ kind: 'request', message: expect.stringContaining('OPENAI_API_KEY') });
  });

  it('that no header can hold is refused, and not shown', async () => {
    const { error } = await failure(openai({ model: 'm', apiKey: `${canary}\nx` }), asking('?'));
    expect(error.message).toMatch(/line break/);
    expect(JSON.stringify(error)).not.toContain(canary);
  });

  it('is shown neither by a fetch that throws it nor by headers of your own', async () => {
    const thrown = openai({
      model: 'm',
      apiKey: canary,
      headers: { 'x-gateway-token': 'Bearer other-canary-1' },
      retry: { times: 0 },
      fetch: (_, { headers }) => Promise.reject(new TypeError(`bad headers ${JSON.stringify(headers)}`)),
    });
    const text = JSON.stringify(await failure(thrown, asking('?')));
    expect(text).toContain('bad headers');
    expect(text).not.toContain(canary);
    expect(text).not.toContain('other-canary-1');
  });

  it('must not stand in an address', () => {
    expect(() => openai({ model: 'm', baseURL: `https://user:${canary}@example.com` })).toThrow(/password/);
    expect(() => openai({ model: 'm', baseURL: 'https://' })).toThrow(/expected a URL/);
    expect(() => openai({ model: 'm', baseURL: 'ftp://example.com' })).toThrow(/https/);
  });
});

describe('an answer that came whole, and failed', () => {
  it('is no answer, though it has an id', async () => {
    const body = { id: 'resp_1', status: 'failed', error: { code: 'server_error', message: 'It broke' }, output: [] };
    const raw = { raw: JSON.stringify(body), status: 200, headers: { 'content-type': 'application/json' } };
    const server = await serving([raw]);
    const { error } = await failure(clientFor('openai-responses', server, { retry: { times: 0 } }), asking('?'));
    expect(error.message).toContain('It broke');
  });
});
