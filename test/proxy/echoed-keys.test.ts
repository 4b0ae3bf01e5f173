/** Keys that an upstream repeats in its error reach neither another client nor the log. */
import type { IncomingMessage } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import type { RequestRecord } from '../../src/proxy/observe/request-record.ts';
import { createProxy } from '../../src/proxy/server.ts';
import { type Answerer, ask, closeAll, json, open, proxied, upstream } from './around.ts';

afterAll(closeAll);

const own = 'upstream-key-0123456789';
const client = 'client-key-9876543210';
const token = 'token-of-this-proxy-1';
const echo = (headers: IncomingMessage['headers'], url: string): string =>
  `Invalid key: ${headers.authorization ?? headers['x-api-key']} for ${url}`;
const refuse: Answerer = (response, { headers, url }) =>
  json(response, { error: { message: echo(headers, url), type: 'authentication_error' } }, 401);

const requests: Readonly<Record<string, readonly [path: string, body: object]>> = {
  'a turn': ['/v1/chat/completions', { model: 'm', messages: [{ role: 'user', content: 'x' }] }],
  'a translated turn': ['/v1/messages', { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'x' }] }],
  'another request': ['/v1/embeddings', { model: 'm', input: 'x' }],
};

describe.each(Object.entries(requests))('F23 %s', (_, [path, body]) => {
  const send = async (headers: Record<string, string>, about: object, more: object = {}) => {
    const records: RequestRecord[] = [];
    const proxy = await proxied(refuse, {
      about: { formats: ['openai-chat'], ...about },
      onRequest: (record) => records.push(record),
      ...more,
    });
    const reply = await ask(`${proxy.url}${path}`, { ...headers, body: JSON.stringify(body) });
    expect(reply.status).toBe(401);
    expect(reply.text).toContain('Invalid key: ');
    expect(records[0]?.error).toContain('Invalid key: ');
    return { text: reply.text, error: String(records[0]?.error) };
  };

  it("shows no client the proxy's own key", async () => {
    for (const value of [`Bearer ${own}`, own]) {
      const { text, error } = await send(
        { authorization: `Bearer ${token}` },
        { headers: { authorization: value } },
        { token },
      );
      expect(text + error).not.toContain(own);
      expect(text + error).not.toContain(token);
    }
  });

  it("has no key of a client in the log, and leaves the client's own error as it is", async () => {
    const { text, error } = await send({ authorization: `Bearer ${client}` }, {});
    expect(error).not.toContain(client);
    expect(text).toContain(client);
  });
});

describe('F23 a response that repeats the key of the proxy', () => {
  const send = async (answer: Answerer, path: string, body?: object, more: object = {}) => {
    const records: RequestRecord[] = [];
    const about = { formats: ['openai-chat'] as const, headers: { authorization: `Bearer ${own}` }, ...more };
    const proxy = await proxied(answer, { about, token, onRequest: (record) => records.push(record) });
    const method = body ? 'POST' : 'GET';
    const got = await ask(`${proxy.url}${path}`, {
      method,
      authorization: `Bearer ${token}`,
      'accept-encoding': 'gzip, br',
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(JSON.stringify([got, records, proxy.errors])).not.toContain(own);
    return { ...got, records };
  };
  const turn = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'x' }] };
  const error = { error: { message: `bad ${own}`, code: 401 } };

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const)('in an error compressed with %s', async (encoding, compress) => {
    const refuse: Answerer = (response) =>
      response
        .writeHead(401, { 'content-type': 'application/json', 'content-encoding': encoding, 'x-debug': `key=${own}` })
        .end(compress(JSON.stringify(error)));
    for (const [path, body] of [
      ['/v1/embeddings', { model: 'm' }],
      ['/v1/files'],
      ['/v1/chat/completions', turn],
    ] as const) {
      const { status, text, headers } = await send(refuse, path, body);
      expect(status).toBe(401);
      expect(text).toContain('bad [redacted]');
      expect(headers['x-debug']).toContain('key=[redacted]');
    }
  });

  it.each(['/v1/chat/completions', '/v1/messages'])('in a stream or an error with status 200, at %s', async (path) => {
    const bytes = Buffer.from(`data: ${JSON.stringify(error)}\n\n`);
    for (const at of [bytes.indexOf(own) + 5, bytes.length]) {
      const stream: Answerer = (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(bytes.subarray(0, at));
        setTimeout(() => response.end(bytes.subarray(at)), 30);
      };
      expect((await send(stream, path, { ...turn, stream: true })).text).toContain('bad [redacted]');
    }
    const { text } = await send((response) => json(response, error), path, turn);
    expect(text).toContain('bad [redacted]');
  });

  it('in the refused list of models, and in another response', async () => {
    const { text, records } = await send((response) => json(response, error, 401), '/v1/models', undefined, {
      models: ['a*'],
      model: 'b*',
    });
    expect(text).toContain('bad [redacted]');
    expect(records[0]?.error).toContain('bad [redacted]');
    const page = JSON.stringify({ headers: { key: own }, url: `/?key=${own}` });
    const echoed: Answerer = (response) => response.writeHead(200, { 'content-length': page.length }).end(page);
    const other = await send(echoed, '/v1/files');
    expect(other.text).toContain('"key":"[redacted]');
    expect(other.text).toHaveLength(page.length);
    expect(other.headers['content-length']).toBe(String(page.length));
  });

  it('in the URL of the upstream', async () => {
    const { url, heard } = await upstream((response) => json(response, error, 401));
    const proxy = await createProxy({ upstreams: [{ url: `${url}/?key=${own}`, formats: ['openai-chat'] }] }).listen();
    open.push(proxy);
    const { text } = await ask(`${proxy.url}/v1/embeddings`, { body: '{"model":"m"}' });
    expect(heard[0]?.url).toContain(own);
    expect(text).toContain('bad [redacted]');
  });

  it.each([
    ['the client has sent', own, `Write ${own}`],
    ['is a placeholder', 'sk-no-key-required', 'x'],
  ])('guard: leaves the text of a model as it is if the key %s', async (_, key, content) => {
    const message = { role: 'assistant', content: `KEY=${key}` };
    const proxy = await proxied(
      (response) =>
        json(response, { object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }] }),
      { about: { formats: ['openai-chat'], headers: { authorization: `Bearer ${key}` } }, token },
    );
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] });
    const { text } = await ask(`${proxy.url}/v1/chat/completions`, { authorization: `Bearer ${token}`, body });
    expect(text).toContain(`KEY=${key}`);
  });
});
