import { afterEach, expect, it } from 'vitest';
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

it('guard: forwards a request in the API format of the upstream as it is', async () => {
  expect(await received('/api/chat', { model: 'm', messages, stream: false })).toEqual({
    ...{ model: 'm', messages, stream: false },
  });
});
