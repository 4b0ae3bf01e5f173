import { afterEach, describe, expect, it } from 'vitest';
import { ask, closeAll, json, proxied } from './around.ts';

afterEach(closeAll);

const defaults = { options: { num_ctx: 32768, temperature: 0.5 }, keep_alive: '1h' };
const messages = [{ role: 'user', content: 'Hi' }];

/** What an Ollama server receives for a body, at a path. */
async function received(path: string, body: object): Promise<Record<string, unknown>> {
  const reply = { model: 'm', message: { role: 'assistant', content: 'Hello' }, done: true, done_reason: 'stop' };
  const { url, heard, direct } = await proxied((response) => json(response, reply));
  const proxy = await proxied(() => {}, { upstreams: [{ url: direct, formats: ['ollama'], defaults }] });
  expect(url).not.toBe(proxy.url);
  await ask(`${proxy.url}${path}`, { body: JSON.stringify(body) });
  return JSON.parse(heard.at(-1)?.body ?? '{}');
}

it.each([
  ['chat', '/v1/chat/completions', { model: 'm', messages }],
  ['anthropic', '/v1/messages', { model: 'm', max_tokens: 10, messages }],
  ['responses', '/v1/responses', { model: 'm', input: 'Hi' }],
  ['gemini', '/v1beta/models/m:generateContent', { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }],
])('adds defaults to a translated request (%s)', async (_, path, body) => {
  const { options, keep_alive } = await received(path, body);
  expect(options).toMatchObject({ num_ctx: 32768, temperature: 0.5 });
  expect(keep_alive).toBe('1h');
});

it('keeps what the client sets, and adds the other fields', async () => {
  const { options } = await received('/v1/chat/completions', { model: 'm', messages, temperature: 0, max_tokens: 5 });
  expect(options).toEqual({ num_ctx: 32768, temperature: 0, num_predict: 5 });
});

it('adds defaults to a request in the API format of the upstream, and keeps how the other fields are written', async () => {
  const body = { model: 'm', messages, stream: false, options: { temperature: 0 } };
  expect(await received('/api/chat', body)).toEqual({
    model: 'm',
    messages,
    stream: false,
    keep_alive: '1h',
    options: { num_ctx: 32768, temperature: 0 },
  });
});

describe('fields to drop', () => {
  const drop = ['store', 'stream_options.include_usage', 'metadata.user', 'absent.field'];
  const chat = {
    model: 'm',
    messages,
    store: true,
    stream_options: { include_usage: true },
    metadata: { user: 'u', a: 1 },
  };

  async function sent(path: string, body: string): Promise<string> {
    const reply = {
      id: 'r',
      choices: [{ index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }],
    };
    const proxy = await proxied((response) => json(response, reply), { about: { formats: ['openai-chat'], drop } });
    await ask(`${proxy.url}${path}`, { body });
    return proxy.heard[0]?.body ?? '';
  }

  it('are removed in the API format of the upstream, with objects that are empty then', async () => {
    expect(JSON.parse(await sent('/v1/chat/completions', JSON.stringify(chat)))).toEqual({
      model: 'm',
      messages,
      metadata: { a: 1 },
    });
  });

  it('are removed from a translated request', async () => {
    const body = JSON.parse(
      await sent('/v1/messages', JSON.stringify({ model: 'm', max_tokens: 9, messages, stream: true })),
    );
    expect(body.stream).toBe(true);
    expect(body.stream_options).toBeUndefined();
  });

  it('guard: leave the numbers of other fields as they are written', async () => {
    const text = await sent(
      '/v1/chat/completions',
      '{"model":"m","temperature":1.0,"seed":12345678901234567890,"store":true,"messages":[]}',
    );
    expect(text).toBe('{"model":"m","temperature":1.0,"seed":12345678901234567890,"messages":[]}');
  });
});
