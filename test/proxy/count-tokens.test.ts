import Anthropic from '@anthropic-ai/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { type Answerer, ask, closeAll, json, proxied } from './around.ts';

afterEach(closeAll);

/** A server that only has the Chat API: 404 for other paths. */
const server: Answerer = (response, { url }) => json(response, { error: { message: `No ${url}` } }, 404);
const chat = { about: { formats: ['openai-chat'] as const } };
const code = 'export const sum = (a: number, b: number): number => a + b;\n';
const messages = [{ role: 'user' as const, content: code.repeat(100) }];
const tools = [{ name: 'read', description: 'Reads a file', input_schema: { type: 'object' as const } }];

describe('Counting tokens', () => {
  it('is answered with an estimate if the upstream has another format', async () => {
    const { url, heard } = await proxied(server, chat);
    const client = new Anthropic({ baseURL: url, apiKey: 'k', maxRetries: 0 });
    const { input_tokens: some } = await client.messages.countTokens({ model: 'm', messages });
    const { input_tokens: more } = await client.messages.countTokens({ model: 'm', messages, tools, system: code });
    // Tokenizers of current models need about 1,600 tokens for this text.
    expect(some).toBeGreaterThan(1400);
    expect(some).toBeLessThan(2000);
    expect(more).toBeGreaterThan(some);
    expect(heard).toEqual([]);
  });

  it('is answered with an estimate if the upstream has the format but not the path', async () => {
    const { url, heard } = await proxied(server, { about: { formats: ['anthropic'] } });
    const { status, text } = await ask(`${url}/v1/messages/count_tokens?beta=true`, {
      body: JSON.stringify({ model: 'm', messages }),
    });
    expect(status).toBe(200);
    expect(JSON.parse(text).input_tokens).toBeGreaterThan(1400);
    expect(heard.length).toBe(1);
  });

  it('guard: is left to an upstream that can', async () => {
    const { url } = await proxied((response) => json(response, { input_tokens: 7 }), {
      about: { formats: ['anthropic'] },
    });
    const { text } = await ask(`${url}/v1/messages/count_tokens`, { body: JSON.stringify({ model: 'm', messages }) });
    expect(JSON.parse(text)).toEqual({ input_tokens: 7 });
  });

  it.each([
    ['/v1/responses/input_tokens', { model: 'm', input: code.repeat(100) }, 'input_tokens'],
    [
      '/v1beta/models/m:countTokens',
      { contents: [{ role: 'user', parts: [{ text: code.repeat(100) }] }] },
      'totalTokens',
    ],
    [
      '/v1beta/models/m:countTokens',
      {
        generateContentRequest: {
          model: 'models/m',
          contents: [{ role: 'user', parts: [{ text: code.repeat(100) }] }],
        },
      },
      'totalTokens',
    ],
  ])('is answered at %s', async (path, body, field) => {
    const { url } = await proxied(server, chat);
    const { status, text } = await ask(`${url}${path}`, { body: JSON.stringify(body) });
    expect(status, text).toBe(200);
    expect(JSON.parse(text)[field]).toBeGreaterThan(1400);
  });

  it('counts an image the same, whatever its size in bytes', async () => {
    const { url } = await proxied(server, chat);
    const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo='.repeat(9000) };
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: [{ type: 'image', source }] }] });
    expect(JSON.parse((await ask(`${url}/v1/messages/count_tokens`, { body })).text)).toEqual({ input_tokens: 1604 });
  });

  it('reports an invalid request', async () => {
    const { url } = await proxied(server, chat);
    const { status, text } = await ask(`${url}/v1/messages/count_tokens`, { body: '{"model": "m"}' });
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ error: { message: expect.stringContaining('messages') } });
  });
});
