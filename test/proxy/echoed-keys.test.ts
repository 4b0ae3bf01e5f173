/** Keys that an upstream repeats in its error reach neither another client nor the log. */
import type { IncomingMessage } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import type { RequestRecord } from '../../src/proxy/observe/request-record.ts';
import { type Answerer, ask, closeAll, json, proxied } from './around.ts';

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
