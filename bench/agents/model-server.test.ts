import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { type ModelServer, servedModel as model, type ServerTraits, startModelServer } from './model-server.ts';
import type { ModelReply } from './wires.ts';

const running: ModelServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});
const args = '{"command":"echo a long enough text"}';
const callReply: ModelReply = { call: { name: 'bash', args }, finish: 'calls' };

async function start(traits: Partial<ServerTraits> = {}, reply: ModelReply = callReply): Promise<ModelServer> {
  const server = await startModelServer({ kind: 'vllm', ...traits }, () => reply);
  running.push(server);
  return server;
}

const post = async (url: string, body: object) => {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  const text = await response.text();
  return { status: response.status, text, json: () => JSON.parse(text) };
};
const user = { role: 'user', content: 'Hello' } as const;
const tools = [{ type: 'function', function: { name: 'bash', parameters: { type: 'object' } } }] as const;

describe("the providers' own packages read a call in every format", () => {
  it('openai-chat, streamed', async () => {
    const { url } = await start();
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'x', maxRetries: 0 });
    const stream = client.chat.completions.stream({ model, messages: [user], tools: [...tools] });
    const { choices } = await stream.finalChatCompletion();
    expect(choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ id: expect.stringMatching(/^\w{9}$/), function: { name: 'bash', arguments: args } }] },
    });
  });

  it('openai-responses, streamed', async () => {
    const { url } = await start({ wires: ['responses'] });
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'x', maxRetries: 0 });
    const { output } = await client.responses.stream({ model, input: 'Hello' }).finalResponse();
    expect(output).toMatchObject([{ type: 'function_call', name: 'bash', arguments: args }]);
  });

  it('anthropic, streamed', async () => {
    const { url } = await start({ wires: ['anthropic'] });
    const client = new Anthropic({ baseURL: url, apiKey: 'x', maxRetries: 0 });
    const stream = client.messages.stream({ model, max_tokens: 100, messages: [user] });
    expect((await stream.finalMessage()).content).toMatchObject([{ type: 'tool_use', input: JSON.parse(args) }]);
  });

  it('gemini, streamed', async () => {
    const { url } = await start({ wires: ['gemini'] });
    const client = new GoogleGenAI({ apiKey: 'x', httpOptions: { baseUrl: url } });
    const calls = [];
    for await (const chunk of await client.models.generateContentStream({ model, contents: 'Hello' }))
      calls.push(...(chunk.functionCalls ?? []));
    expect(calls).toMatchObject([{ name: 'bash', args: JSON.parse(args) }]);
  });

  it('ollama, streamed by default', async () => {
    const { url } = await start({ kind: 'ollama' });
    const { text } = await post(`${url}/api/chat`, { model, messages: [user] });
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0].message.tool_calls).toEqual([{ function: { name: 'bash', arguments: JSON.parse(args) } }]);
    expect(lines.at(-1)).toMatchObject({ done: true, done_reason: 'stop' });
  });
});

describe('refuses', () => {
  it.each([
    ['vllm', 404, { detail: 'Not Found' }],
    ['llama-server', 404, { error: { code: 404, type: 'not_found_error' } }],
  ] as const)('paths that %s does not have', async (kind, status, body) => {
    const { url } = await start({ kind });
    const response = await post(`${url}/v1/messages`, { model, messages: [user] });
    expect(response.status).toBe(status);
    expect(response.json()).toMatchObject(body);
  });

  it.each([
    ['vllm', 400, '"auto" tool choice requires'],
    ['llama-server', 500, 'requires --jinja'],
    ['ollama', 400, 'does not support tools'],
  ] as const)('tools, as %s does', async (kind, status, words) => {
    const { url } = await start({ kind, refusesTools: true });
    const response = await post(`${url}/v1/chat/completions`, { model, messages: [user], tools });
    expect(response.status).toBe(status);
    expect(response.json().error.message).toContain(words);
    expect((await post(`${url}/v1/chat/completions`, { model, messages: [user] })).status).toBe(200);
  });

  it.each([
    ['qwen', [user, { role: 'system', content: 'x' }], 'must be at the beginning'],
    ['qwen', [{ role: 'developer', content: 'x' }, user], 'Unexpected message role'],
    ['mistral', [user, user], 'must alternate'],
    ['mistral', [user, { role: 'assistant', tool_calls: [{ id: 'call_1' }] }], 'length 9'],
  ] as const)('messages that a template of %s does not take', async (template, messages, words) => {
    const { url } = await start({ template });
    const response = await post(`${url}/v1/chat/completions`, { model, messages });
    expect(response.status).toBe(400);
    expect(response.json().error.message).toContain(words);
  });

  it.each(['qwen', 'mistral'] as const)('no usual conversation with a template of %s', async (template) => {
    const { url } = await start({ template });
    const messages = [
      { role: 'system', content: 'x' },
      user,
      { role: 'assistant', tool_calls: [{ id: 'call00001' }] },
      { role: 'tool', tool_call_id: 'call00001', content: 'x' },
    ];
    expect((await post(`${url}/v1/chat/completions`, { model, messages })).status).toBe(200);
  });

  it('responses that do not fit the context', async () => {
    const { url } = await start({ context: 1000 });
    const turn = (max_tokens: number) => post(`${url}/v1/chat/completions`, { model, messages: [user], max_tokens });
    expect((await turn(1000)).text).toContain('maximum context length is 1000 tokens');
    expect((await turn(900)).status).toBe(200);
  });
});

it('Ollama drops long prompts without an error, except with a context size', async () => {
  const { url } = await start({ kind: 'ollama' });
  const messages = [{ role: 'user', content: 'x'.repeat(40_000) }];
  const turn = async (options: object) => (await post(`${url}/api/chat`, { model, messages, ...options })).text;
  expect(await turn({})).not.toContain('tool_calls');
  expect(await turn({ options: { num_ctx: 32_768 } })).toContain('tool_calls');
});

it('reports that a client gets nowhere', async () => {
  const { url, stuck } = await start({ refusesTools: true });
  for (let at = 0; at < 4; at++) await post(`${url}/v1/chat/completions`, { model, messages: [user], tools });
  expect(stuck.aborted).toBe(false);
  await post(`${url}/v1/messages`, {});
  expect(stuck.aborted).toBe(true);
});
