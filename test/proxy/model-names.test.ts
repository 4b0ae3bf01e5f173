import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/proxy/config/config.ts';
import { upstreamsOf } from '../../src/proxy/config/upstreams.ts';
import type { ProxyOptions, Upstream } from '../../src/proxy/server.ts';
import { type Answerer, ask, closeAll, type Heard, json, proxied, upstream } from './around.ts';

afterEach(closeAll);

async function allOf<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of pages) all.push(one);
  return all;
}

const messages = [{ role: 'user', content: 'Hi' }];
const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];
const reply: Answerer = (response, { url }) => {
  const said = { role: 'assistant', content: 'Hello' };
  if (url.startsWith('/v1/chat'))
    json(response, { id: 'r', model: 'real', choices: [{ index: 0, message: said, finish_reason: 'stop' }] });
  else if (url.startsWith('/v1beta'))
    json(response, { candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }] });
  else if (url.startsWith('/v1/messages'))
    json(response, {
      id: 'r',
      type: 'message',
      role: 'assistant',
      model: 'real',
      content: [],
      stop_reason: 'end_turn',
    });
  else json(response, { data: [] });
};

async function behind(models: object, formats: Upstream['formats'] = ['openai-chat']) {
  const { url, heard } = await upstream(reply);
  const config = readConfig({ upstreams: { local: { url, format: formats } }, models }, {});
  const { upstreams } = await upstreamsOf(config);
  const proxy = await proxied(reply, { upstreams });
  return { proxy, heard };
}

const modelOf = ({ body }: Heard): unknown => JSON.parse(body).model;

describe('a model with another name at its upstream', () => {
  const models = {
    'claude-*': { upstream: 'local', model: 'qwen3-coder' },
    'openai/*': { upstream: 'local', model: '*' },
    'a-*-b': { upstream: 'local', model: 'x/*:y' },
    '*': 'local',
  };

  it.each([
    ['claude-opus-4-6', 'qwen3-coder'],
    ['claude-haiku-4-5-20251001', 'qwen3-coder'],
    ['claude-sonnet-4-5[1m]', 'qwen3-coder'],
    ['openai/gpt-5', 'gpt-5'],
    ['openai/', ''],
    ['a-one-b', 'x/one:y'],
    ['other', 'other'],
    ['Claude-opus', 'Claude-opus'],
  ])('is requested by that name: %s becomes %s', async (model, expected) => {
    const { proxy, heard } = await behind(models);
    await ask(`${proxy.url}/v1/chat/completions`, { body: JSON.stringify({ model, messages }) });
    expect(heard.map(modelOf)).toEqual([expected]);
  });

  it.each([
    ['/v1/chat/completions', '"model": "other", "model": "claude-opus"'],
    ['/v1/chat/completions', '"model": "other", "m\\u006fdel": "claude-opus"'],
    ['/v1/chat/completions', '"model": "claude-opus", "Model": "other"'],
    ['/v1/embeddings', '"model": "other", "model": "claude-opus"'],
  ])('F11 is refused if a request names two, because servers differ in which they use: %s %s', async (path, fields) => {
    const { proxy, heard } = await behind(models);
    const { status, text } = await ask(`${proxy.url}${path}`, {
      body: `{${fields}, "messages": ${JSON.stringify(messages)}}`,
    });
    expect(status).toBe(400);
    expect(text).toContain('model must be given once');
    expect(heard).toEqual([]);
  });

  const form = (...names: string[]): string =>
    `${names.map((name) => `--b\r\nContent-Disposition: form-data; name="model"\r\n\r\n${name}\r\n`).join('')}--b--\r\n`;
  const asForm = { 'content-type': 'multipart/form-data; boundary=b' };

  it.each<[string, string, string, Record<string, string>]>([
    ['the query and the body', '/v1/embeddings?model=other', '{"model":"claude-opus","input":"x"}', {}],
    ['the query twice', '/v1/embeddings?model=other&model=claude-opus', '{"input":"x"}', {}],
    ['two fields of a form', '/v1/audio/transcriptions', form('other', 'claude-opus'), asForm],
  ])('F11 is refused if a request names two: in %s', async (_, path, body, headers) => {
    const { proxy, heard } = await behind(models);
    const { status, text } = await ask(`${proxy.url}${path}`, { body, ...headers });
    expect([status, heard]).toEqual([400, []]);
    expect(text).toContain('model must be given once');
  });

  it.each<[string, string, string, Record<string, string>]>([
    ['the query and the body', '/v1/embeddings?model=other', '{"model":"other","input":"x"}', {}],
    ['two fields of a form', '/v1/audio/transcriptions', form('other', 'other'), asForm],
  ])('guard: may be named twice: in %s', async (_, path, body, headers) => {
    const { proxy, heard } = await behind(models);
    const { status } = await ask(`${proxy.url}${path}`, { body, ...headers });
    expect([status, heard.map((one) => one.body)]).toEqual([200, [body]]);
  });

  it.each([
    ['no model in the body', {}],
    ['another in the body, which Azure ignores', { model: 'other' }],
    ['the same in the body', { model: 'claude-opus' }],
  ])('is found in the path of an Azure deployment, with %s', async (_, named) => {
    const { proxy, heard } = await behind(models);
    const path = (name: string): string => `/openai/deployments/${name}/chat/completions?api-version=1`;
    await ask(`${proxy.url}${path('claude-opus')}`, { body: JSON.stringify({ ...named, messages }) });
    expect(heard.map(({ url }) => url)).toEqual([path('qwen3-coder')]);
    if ('model' in named && named.model === 'claude-opus') expect(heard.map(modelOf)).toEqual(['qwen3-coder']);
  });

  it.each([
    '/openai/Deployments/NAME/Chat/Completions',
    '/V1beta/Models/NAME:generateContent',
    '/openai/Deployments/NAME/images',
  ])('is found in a path in another case: %s', async (path) => {
    const { proxy, heard } = await behind(models, ['openai-chat', 'gemini']);
    const body = JSON.stringify({ messages, contents });
    await ask(`${proxy.url}${path.replace('NAME', 'claude-opus')}`, { body });
    expect(heard.map(({ url }) => url)).toEqual([path.replace('NAME', 'qwen3-coder')]);
  });

  it('is found in the path of an Azure deployment whose request is translated', async () => {
    const { proxy, heard } = await behind(models, ['anthropic']);
    const path = '/openai/deployments/claude-opus/chat/completions';
    await ask(`${proxy.url}${path}`, { body: JSON.stringify({ model: 'other', max_tokens: 9, messages }) });
    expect(heard.map(({ url }) => url)).toEqual(['/v1/messages']);
    expect(heard.map(modelOf)).toEqual(['qwen3-coder']);
  });

  it('guard: may be named twice, and in messages and tools', async () => {
    const { proxy, heard } = await behind(models);
    const tools = [
      { type: 'function', function: { name: 'a', parameters: { properties: { model: { type: 'string' } } } } },
    ];
    const more = JSON.stringify({ tools, metadata: { model: 'other' }, messages }).slice(1);
    const { status } = await ask(`${proxy.url}/v1/chat/completions`, {
      body: `{"model":"other","model": "other",${more}`,
    });
    expect(status).toBe(200);
    expect(heard.map(modelOf)).toEqual(['other']);
  });

  it.each([
    ['Messages', '/v1/messages', { max_tokens: 9, messages }],
    ['Responses', '/v1/responses', { input: 'Hi' }],
    ['Ollama', '/api/chat', { messages, stream: false }],
  ])('is requested by that name in a translated request (%s)', async (_, path, body) => {
    const { proxy, heard } = await behind(models);
    await ask(`${proxy.url}${path}`, { body: JSON.stringify({ model: 'claude-x', ...body }) });
    expect(heard.map(({ url, body }) => [url, JSON.parse(body).model])).toEqual([
      ['/v1/chat/completions', 'qwen3-coder'],
    ]);
  });

  it('changes nothing else in the body', async () => {
    const { proxy, heard } = await behind(models);
    const body =
      '{ "temperature": 1.0,\n "model" : "claude-é", "seed": 12345678901234567890, "messages": [{"role":"user","content":"é"}] }';
    await ask(`${proxy.url}/v1/chat/completions`, { body });
    expect(heard[0]?.body).toBe(body.replace('claude-é', 'qwen3-coder'));
  });

  it.each([
    ['/v1beta/models/claude-x:generateContent', '/v1beta/models/qwen3-coder:generateContent'],
    [
      '/v1beta/models/claude-x:streamGenerateContent?alt=sse',
      '/v1beta/models/qwen3-coder:streamGenerateContent?alt=sse',
    ],
    ['/v1beta/models/claude-x:embedContent', '/v1beta/models/qwen3-coder:embedContent'],
    ['/v1beta/models/openai%2Fgpt:countTokens', '/v1beta/models/gpt:countTokens'],
    ['/v1beta/models/a-q-b:embedContent', '/v1beta/models/x/q:y:embedContent'],
    ['/v1beta/models/other:embedContent', '/v1beta/models/other:embedContent'],
  ])('has that name in the path: %s becomes %s', async (path, expected) => {
    const { proxy, heard } = await behind(models, ['gemini']);
    await ask(`${proxy.url}${path}`, { body: JSON.stringify({ contents }) });
    expect(heard.map(({ url }) => url)).toEqual([expected]);
  });

  it.each([
    ['/v1/embeddings', { model: 'claude-x', input: 'a' }, { model: 'qwen3-coder', input: 'a' }],
    ['/api/show', { name: 'claude-x' }, { name: 'qwen3-coder' }],
    [
      '/v1/messages/batches',
      { requests: [{ params: { model: 'claude-x' } }, { params: { model: 'claude-x' } }] },
      { requests: [{ params: { model: 'qwen3-coder' } }, { params: { model: 'qwen3-coder' } }] },
    ],
    ['/v1/files', { purpose: 'claude-x' }, { purpose: 'claude-x' }],
  ])('has that name in other requests: %s', async (path, body, expected) => {
    const { proxy, heard } = await behind(models);
    await ask(`${proxy.url}${path}`, { body: JSON.stringify(body) });
    expect(heard.map((one) => JSON.parse(one.body))).toEqual([expected]);
  });

  it('has that name in the form of an upload', async () => {
    const { proxy, heard } = await behind(models);
    const form = new FormData();
    form.set('file', new Blob(['RIFF'.repeat(50_000)]), 'a.wav');
    form.set('model', 'nothing');
    const first = new FormData();
    first.set('model', 'claude-x');
    first.set('file', new Blob(['RIFF'.repeat(50_000)]), 'a.wav');
    for (const body of [first, form]) await fetch(`${proxy.url}/v1/audio/transcriptions`, { method: 'POST', body });
    const [sent, other] = heard;
    expect(sent?.body).toContain('name="model"\r\n\r\nqwen3-coder\r\n');
    expect(sent?.body).toContain('RIFF'.repeat(50_000));
    expect(sent?.headers['content-length']).toBe(String(sent?.body.length));
    expect(other?.body).toContain('name="model"\r\n\r\nnothing\r\n');
  });

  it.each([
    ['/v1/embeddings?model=claude-x', '{"input":"a"}', '/v1/embeddings?model=qwen3-coder', '{"input":"a"}'],
    [
      '/v1/embeddings?a=1&model=claude-x&b=%20',
      '{"model":"claude-x"}',
      '/v1/embeddings?a=1&model=qwen3-coder&b=%20',
      '{"model":"qwen3-coder"}',
    ],
    ['/v1/embeddings?model=', '{"model":"claude-x"}', '/v1/embeddings?model=', '{"model":"qwen3-coder"}'],
    ['/v1/embeddings?model=a-q-b', '{}', '/v1/embeddings?model=x%2Fq%3Ay', '{}'],
    ['/v1/embeddings?models=claude-x', '{"model":"other"}', '/v1/embeddings?models=claude-x', '{"model":"other"}'],
  ])('has that name in the query: %s %s', async (path, body, renamed, expected) => {
    const { proxy, heard } = await behind(models);
    await ask(`${proxy.url}${path}`, { body });
    expect(heard.map((one) => [one.url, one.body])).toEqual([[renamed, expected]]);
  });

  it('has that name in the query of a turn', async () => {
    const { proxy, heard } = await behind(models);
    const body = JSON.stringify({ model: 'claude-x', messages });
    await ask(`${proxy.url}/v1/chat/completions?model=claude-x`, { body });
    expect(heard.map((one) => [one.url, modelOf(one)])).toEqual([
      ['/v1/chat/completions?model=qwen3-coder', 'qwen3-coder'],
    ]);
  });

  it('has that name in both of two equal fields of a form', async () => {
    const { proxy, heard } = await behind(models);
    await ask(`${proxy.url}/v1/audio/transcriptions`, { body: form('claude-x', 'claude-x'), ...asForm });
    expect(heard.map((one) => one.body)).toEqual([form('qwen3-coder', 'qwen3-coder')]);
  });

  it('is reported by the name that the client requested, with the other in the record', async () => {
    const seen: Parameters<NonNullable<ProxyOptions['onRequest']>>[0][] = [];
    const { url } = await upstream(reply);
    const upstreams = [{ url, formats: ['openai-chat'] as const, models: ['*'], model: 'real' }];
    const proxy = await proxied(reply, { upstreams, onRequest: (one) => seen.push(one) });
    await ask(`${proxy.url}/v1/chat/completions`, { body: JSON.stringify({ model: 'alias', messages }) });
    expect(seen).toMatchObject([{ model: 'alias', upstreamModel: 'real' }]);
  });
});

describe('the list of models', () => {
  const openai = {
    object: 'list',
    data: [
      { id: 'qwen3-coder', object: 'model', created: 1_700_000_000, owned_by: 'vllm', max_model_len: 32768 },
      { id: 'claude-local', object: 'model', created: 1_700_000_000, owned_by: 'vllm' },
    ],
  };
  const anthropic = {
    data: [
      { type: 'model', id: 'claude-opus-4-6', display_name: 'Claude Opus 4.6', created_at: '2026-02-05T00:00:00Z' },
      { type: 'model', id: 'beta-1', display_name: 'Beta', created_at: '2026-02-05T00:00:00Z' },
    ],
    has_more: false,
    first_id: 'claude-opus-4-6',
    last_id: 'beta-1',
  };
  const ollama = {
    models: [
      { name: 'gemma3:4b', model: 'gemma3:4b', modified_at: '2026-01-01T00:00:00Z', size: 7, digest: 'd', details: {} },
    ],
  };
  const listing =
    (body: unknown): Answerer =>
    (response) =>
      json(response, body);

  async function three() {
    const [a, b, c] = [
      await upstream(listing(openai)),
      await upstream(listing(anthropic)),
      await upstream(listing(ollama)),
    ];
    const upstreams: Upstream[] = [
      { url: a.url, formats: ['openai-chat'], models: ['gpt-5'], model: 'qwen3-coder' },
      { url: b.url, formats: ['anthropic'], models: ['claude-*'] },
      { url: c.url, formats: ['ollama'], models: ['gemma*'] },
      { url: a.url, formats: ['openai-chat'], models: ['*'] },
    ];
    const proxy = await proxied(reply, { upstreams });
    return { proxy, servers: [a, b, c] };
  }
  // claude-local and beta-1 would be sent to another upstream than the one that has them.
  const expected = ['gpt-5', 'qwen3-coder', 'claude-opus-4-6', 'gemma3:4b'].sort();

  it.each<[string, (url: string) => Promise<string[]>]>([
    [
      'openai',
      async (url) => {
        const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'k' });
        return (await allOf(await client.models.list())).map(({ id }) => id);
      },
    ],
    [
      '@anthropic-ai/sdk',
      async (url) => {
        const client = new Anthropic({ baseURL: url, apiKey: 'k' });
        return (await allOf(await client.models.list())).map(({ id }) => id);
      },
    ],
    [
      '@google/genai',
      async (url) => {
        const client = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: url } });
        const pager = await client.models.list();
        return (await allOf(pager)).map(({ name = '' }) => name.replace(/^models\//, ''));
      },
    ],
    ['ollama', async (url) => (await new Ollama({ host: url }).list()).models.map(({ model }) => model)],
  ])('has the models of all upstreams that can be requested, for the %s package', async (_, list) => {
    const { proxy } = await three();
    expect((await list(proxy.url)).sort()).toEqual(expected);
  });

  it('has the original entries of upstreams with the API format of the client', async () => {
    const { proxy } = await three();
    const { text } = await ask(`${proxy.url}/v1/models`, { method: 'GET', 'anthropic-version': '2023-06-01' });
    expect(JSON.parse(text).data).toContainEqual(anthropic.data[0]);
    const tags = JSON.parse((await ask(`${proxy.url}/api/tags`, { method: 'GET' })).text);
    expect(tags.models).toContainEqual(ollama.models[0]);
  });

  it('guard: is complete without an upstream that fails, and is an error if all fail', async () => {
    const [fine, broken] = [
      await upstream(listing(openai)),
      await upstream((response) => json(response, { error: { message: 'No key' } }, 401)),
    ];
    const rows = (...urls: string[]): Upstream[] =>
      urls.map((url) => ({ url, formats: ['openai-chat'], models: ['*'] }));
    const some = await proxied(reply, { upstreams: rows(fine.url, broken.url) });
    expect(JSON.parse((await ask(`${some.url}/v1/models`, { method: 'GET' })).text).data).toHaveLength(2);
    const none = await proxied(reply, { upstreams: rows(broken.url, broken.url) });
    const { status, text } = await ask(`${none.url}/v1/models`, { method: 'GET' });
    expect([status, JSON.parse(text).error.message]).toEqual([401, expect.stringContaining('No key')]);
  });

  it("sends a key only to its own upstream, and the client's key in the header of the API format", async () => {
    const [a, b] = [await upstream(listing(openai)), await upstream(listing(anthropic))];
    const token = 'sixteen-letters-x';
    const proxy = await proxied(reply, {
      token,
      upstreams: [
        { url: a.url, formats: ['openai-chat'], models: ['*'], headers: { authorization: 'Bearer OWN' } },
        { url: b.url, formats: ['anthropic'], models: ['claude-*'] },
      ],
    });
    await ask(`${proxy.url}/v1/models`, { method: 'GET', 'x-toolmend-token': token, authorization: 'Bearer mine' });
    expect(a.heard[0]?.headers.authorization).toBe('Bearer OWN');
    expect(b.heard[0]?.headers).toMatchObject({ 'x-api-key': 'mine', 'anthropic-version': '2023-06-01' });
  });

  it.each([
    ['guard: has', '/v1/models/qwen3-coder', {}, { id: 'qwen3-coder', object: 'model' }],
    ['has', '/v1/models/qwen3-coder', { 'anthropic-version': '2023-06-01' }, { id: 'qwen3-coder', type: 'model' }],
    ['has', '/v1beta/models/qwen3-coder', {}, { name: 'models/qwen3-coder', inputTokenLimit: 32768 }],
  ])('%s a single model in the shape of the client: %s %j', async (_, path, headers, model) => {
    const { url } = await upstream((response, { url: at }) =>
      json(response, at === '/v1/models' ? openai : { id: 'qwen3-coder', object: 'model' }),
    );
    const proxy = await proxied(reply, { upstreams: [{ url, formats: ['openai-chat'] }] });
    const { text } = await ask(`${proxy.url}${path}`, { method: 'GET', ...headers });
    expect(JSON.parse(text)).toMatchObject(model);
  });

  it('names the models that exist if a client asks for another', async () => {
    const { url } = await upstream(listing(openai));
    const proxy = await proxied(reply, { upstreams: [{ url, formats: ['openai-chat'] }] });
    const { status, text } = await ask(`${proxy.url}/v1beta/models/none`, { method: 'GET' });
    expect([status, text]).toEqual([404, expect.stringMatching(/Unknown model 'none'.*qwen3-coder/)]);
  });

  it('guard: comes unchanged from a single upstream with the API format of the client', async () => {
    const odd = '{"object":"list", "data":[ {"id":"a","x":1.0} ]}';
    const { url } = await upstream((response) => response.writeHead(200, { 'x-own': '1' }).end(odd));
    const proxy = await proxied(reply, { upstreams: [{ url, formats: ['openai-chat'] }] });
    const { text, headers } = await ask(`${proxy.url}/v1/models?after=1`, { method: 'GET' });
    expect([text, headers['x-own']]).toEqual([odd, '1']);
  });
});
