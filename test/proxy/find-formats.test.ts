import { afterEach, describe, expect, it } from 'vitest';
import { createProxy } from '../../src/proxy/index.ts';
import { detectFormats } from '../../src/proxy/upstream/detect-formats.ts';
import { lived } from '../lived.ts';
import { type Answerer, ask, closeAll, json, open, upstream } from './around.ts';

afterEach(closeAll);

/** A server by what it says at each path; anything else is not found, in its own way. */
const serving =
  (paths: Record<string, readonly [status: number, body: unknown]>, otherwise: readonly [number, unknown]): Answerer =>
  (response, { method, url }) => {
    const [status, body] = paths[`${method} ${url}`] ?? otherwise;
    json(response, body, status);
  };

const missing = [404, { error: 'not found' }] as const;
const refused = [400, { error: { message: 'model is required' } }] as const;

/** Servers as they answer, and what is found. */
const servers: Record<string, readonly [answer: Answerer, formats: readonly string[], why: RegExp]> = {
  'Ollama with all it has': [
    serving(
      {
        'GET /api/version': [200, { version: '0.24.1' }],
        'GET /v1/models': [200, { object: 'list', data: [] }],
        'POST /v1/chat/completions': refused,
        'POST /v1/responses': refused,
        'POST /v1/messages': refused,
      },
      missing,
    ),
    ['ollama', 'openai-chat', 'openai-responses', 'anthropic'],
    /Ollama 0\.24\.1/,
  ],
  'an older Ollama': [
    serving({ 'GET /api/version': [200, { version: '0.5.0' }], 'POST /v1/chat/completions': refused }, missing),
    ['ollama', 'openai-chat'],
    /Ollama 0\.5\.0/,
  ],
  vLLM: [
    serving(
      {
        'GET /v1/models': [200, { object: 'list', data: [{ id: 'm', object: 'model' }] }],
        'POST /v1/chat/completions': [422, { detail: [] }],
        'POST /v1/responses': [422, { detail: [] }],
        'POST /v1/messages': [422, { detail: [] }],
      },
      [404, { detail: 'Not Found' }],
    ),
    ['openai-chat', 'openai-responses', 'anthropic'],
    /^detected$/,
  ],
  'llama.cpp, which fails on an empty question': [
    serving(
      {
        'POST /v1/chat/completions': [500, { error: { code: 500, message: "'messages' is required" } }],
        'POST /v1/messages': [400, { type: 'error' }],
      },
      [404, { error: { code: 404, message: 'File Not Found', type: 'not_found_error' } }],
    ),
    ['openai-chat', 'anthropic'],
    /^detected$/,
  ],
  'a server of Gemini': [
    serving({ 'GET /v1beta/models': [200, { models: [{ name: 'models/a' }] }] }, missing),
    ['gemini'],
    /^detected$/,
  ],
  'a wall that one path is let through': [
    serving({ 'POST /v1/messages': refused }, [401, { error: 'key' }]),
    ['anthropic'],
    /^detected$/,
  ],
  'a wall in the words of Anthropic': [
    serving({}, [401, { type: 'error', error: { type: 'authentication_error', message: 'x-api-key' } }]),
    ['anthropic'],
    /error in the format anthropic/,
  ],
  'a wall in the words of Gemini': [
    serving({}, [403, { error: { code: 403, message: 'key', status: 'PERMISSION_DENIED' } }]),
    ['gemini'],
    /error in the format gemini/,
  ],
  'a wall in the words of OpenAI': [
    serving({}, [401, { error: { message: 'key', type: 'invalid_request_error', code: null } }]),
    ['openai-chat'],
    /error in the format openai-chat/,
  ],
  'a server that says hello to everything': [serving({}, [200, 'hello']), ['openai-chat'], /--format/],
};

describe('detecting the API formats of an upstream', () => {
  it.each(Object.entries(servers))('%s', async (_, [answer, formats, why]) => {
    const { url, heard } = await upstream(answer);
    const found = await detectFormats(url);
    expect(found.formats).toEqual(formats);
    expect(found.why).toMatch(why);
    // Nothing that was asked names a model or says a word, so that none can answer.
    for (const { body } of heard) expect(['', '{}']).toContain(body);
  });

  it.each([
    ['https://api.openai.com/v1', ['openai-chat', 'openai-responses'], 'openai'],
    ['https://api.anthropic.com', ['anthropic'], 'anthropic'],
    ['https://generativelanguage.googleapis.com', ['gemini'], 'gemini'],
    ['https://generativelanguage.googleapis.com/v1beta/openai', ['openai-chat'], 'plain'],
    ['https://api.deepseek.com', ['openai-chat'], 'plain'],
    ['https://api.deepseek.com/anthropic', ['anthropic'], 'anthropic'],
  ])('recognizes %s by its host name, without a request', async (url, formats, target) => {
    expect(await detectFormats(url)).toMatchObject({ formats, target, why: /is known/ });
  });

  it("doesn't recognize host names that only end like a known one", async () => {
    const { formats } = await detectFormats('http://api.openai.com.localhost:9', { timeout: 200 });
    expect(formats).toEqual([]);
  });

  it('detects nothing within its time limit if nothing responds', async () => {
    const { url } = await upstream(() => {});
    const looking = detectFormats(url, { timeout: 150 });
    expect(await lived(() => looking)).toBeLessThan(2000);
    expect(await looking).toMatchObject({ formats: [], why: /nothing answers/ });
  });

  it("sends the upstream's own key, to paths below its base URL", async () => {
    const { url, heard } = await upstream(serving({}, missing));
    await detectFormats(`${url}/tenant`, { headers: { authorization: 'Bearer k' } });
    expect(heard.every(({ headers }) => headers.authorization === 'Bearer k')).toBe(true);
    expect(heard.every((one) => one.url.startsWith('/tenant/'))).toBe(true);
  });
});

describe('a proxy without formats', () => {
  const answer = serving({ 'GET /api/version': [200, { version: '0.5.0' }] }, [404, { error: 'not found' }]);

  it('detects the formats of its upstream when it starts', async () => {
    const { url, heard } = await upstream(answer);
    const proxy = await createProxy({ upstreams: [{ url }] }).listen();
    open.push(proxy);
    const body = JSON.stringify({ model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'Hello' }] });
    await ask(`${proxy.url}/v1/messages`, { body, 'content-type': 'application/json' });
    // The request of another format is translated to the one that was detected.
    expect(heard.at(-1)?.url).toBe('/api/chat');
  });

  it("doesn't start if none is detected", async () => {
    const proxy = createProxy({ upstreams: [{ url: 'http://127.0.0.1:9' }] });
    await expect(proxy.listen()).rejects.toMatchObject({ code: 'invalid_config', field: 'upstreams.formats' });
  });
});
