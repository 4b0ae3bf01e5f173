/**
 * Servers reuse the start of a prompt that they have read before. This only works if the requests of a conversation
 * begin with the same bytes, whatever the proxy translates.
 */
import { afterEach, describe, expect, it } from 'vitest';
import type { Format } from '../../src/model/index.ts';
import { ask, closeAll, json, proxied } from '../proxy/around.ts';

afterEach(closeAll);

const schema = {
  type: 'object',
  properties: { command: { type: 'string' }, timeout: { type: 'integer' } },
  required: ['command'],
};
const commands = ['ls', 'cat a.txt', 'rm a.txt'];
const system = 'You are an agent. '.repeat(20);

/** A conversation after some calls, as an agent with this API format sends it. */
const clients: Readonly<Record<string, { path: string; body: (calls: number) => object }>> = {
  anthropic: {
    path: '/v1/messages',
    body: (calls) => ({
      model: 'm',
      max_tokens: 1000,
      stream: true,
      thinking: { type: 'adaptive' },
      system: [
        { type: 'text', text: system },
        { type: 'text', text: 'Be short.', cache_control: { type: 'ephemeral' } },
      ],
      tools: [
        { name: 'bash', description: 'Runs', input_schema: schema },
        { type: 'web_search_20250305', name: 'web_search' },
      ],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Go on' }] },
        ...commands.slice(0, calls).flatMap((command, index) => [
          {
            role: 'assistant',
            content: [
              { type: 'text', text: 'I look.' },
              { type: 'tool_use', id: `toolu_${index}`, name: 'bash', input: { command } },
            ],
          },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${index}`, content: `done ${index}` }] },
        ]),
      ],
    }),
  },
  'openai-responses': {
    path: '/v1/responses',
    body: (calls) => ({
      model: 'm',
      instructions: system,
      stream: true,
      store: false,
      reasoning: { effort: 'low' },
      tools: [{ type: 'function', name: 'bash', description: 'Runs', parameters: schema, strict: false }],
      input: [
        { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Rules' }] },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go on' }] },
        ...commands.slice(0, calls).flatMap((command, index) => [
          { type: 'function_call', call_id: `call_${index}`, name: 'bash', arguments: JSON.stringify({ command }) },
          { type: 'function_call_output', call_id: `call_${index}`, output: `done ${index}` },
        ]),
      ],
    }),
  },
  gemini: {
    path: '/v1beta/models/m:streamGenerateContent?alt=sse',
    body: (calls) => ({
      systemInstruction: { parts: [{ text: system }] },
      tools: [{ functionDeclarations: [{ name: 'bash', description: 'Runs', parametersJsonSchema: schema }] }],
      contents: [
        { role: 'user', parts: [{ text: 'Go on' }] },
        ...commands.slice(0, calls).flatMap((command, index) => [
          { role: 'model', parts: [{ functionCall: { name: 'bash', args: { command } } }] },
          { role: 'user', parts: [{ functionResponse: { name: 'bash', response: { output: `done ${index}` } } }] },
        ]),
      ],
    }),
  },
  'openai-chat': {
    path: '/v1/chat/completions',
    body: (calls) => ({
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      tools: [{ type: 'function', function: { name: 'bash', description: 'Runs', parameters: schema } }],
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: 'Go on' },
        ...commands.slice(0, calls).flatMap((command, index) => [
          {
            role: 'assistant',
            content: null,
            tool_calls: [
              {
                id: `call_${index}`,
                type: 'function',
                // Agents send back what they received, also from a model that doesn't write valid JSON.
                function: {
                  name: 'bash',
                  arguments: index === 1 ? `{command: '${command}',}` : JSON.stringify({ command }),
                },
              },
            ],
          },
          { role: 'tool', tool_call_id: `call_${index}`, content: `done ${index}` },
        ]),
      ],
    }),
  },
};

/** Without ids, as clients of Ollama send calls; and with the same id for two calls of a turn. */
const others: typeof clients = {
  ollama: {
    path: '/api/chat',
    body: (calls) => ({
      model: 'm',
      tools: [{ type: 'function', function: { name: 'bash', description: 'Runs', parameters: schema } }],
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: 'Go on' },
        ...commands.slice(0, calls).flatMap((command, index) => [
          { role: 'assistant', content: '', tool_calls: [{ function: { name: 'bash', arguments: { command } } }] },
          { role: 'tool', tool_name: 'bash', content: `done ${index}` },
        ]),
      ],
    }),
  },
  'openai-chat with repeated ids': {
    path: '/v1/chat/completions',
    body: (calls) => ({
      model: 'm',
      tools: [{ type: 'function', function: { name: 'bash', description: 'Runs', parameters: schema } }],
      messages: [
        { role: 'user', content: 'Go on' },
        ...commands.slice(0, calls).flatMap((command) => [
          {
            role: 'assistant',
            content: null,
            tool_calls: [1, 2].map(() => ({
              id: 'call_0',
              type: 'function',
              function: { name: 'bash', arguments: JSON.stringify({ command }) },
            })),
          },
          ...[1, 2].map((part) => ({ role: 'tool', tool_call_id: 'call_0', content: `done ${part}` })),
        ]),
      ],
    }),
  },
};

/** The field with the conversation. */
const lists: Readonly<Record<Format, string>> = {
  'openai-chat': 'messages',
  ollama: 'messages',
  anthropic: 'messages',
  gemini: 'contents',
  'openai-responses': 'input',
};

const formats = Object.keys(lists) as Format[];
const pairs = Object.keys({ ...clients, ...others }).flatMap((client) =>
  formats.map((format) => [client, format] as const),
);

/** The pairs whose requests did not begin so before: their calls have no ids, or not one each. */
const failedBefore: Readonly<Record<string, readonly Format[]>> = {
  gemini: ['openai-chat', 'ollama', 'anthropic', 'openai-responses'],
  ollama: ['openai-chat', 'anthropic', 'gemini', 'openai-responses'],
  'openai-chat with repeated ids': ['anthropic', 'gemini', 'openai-responses'],
};

describe.each(pairs)('%s clients at %s servers', (client, format) => {
  const title = 'send requests that begin with the bytes of the request before';
  it(failedBefore[client]?.includes(format) ? title : `guard: ${title}`, async () => {
    const { path, body } = { ...clients, ...others }[client] as (typeof clients)[string];
    const proxy = await proxied((response) => json(response, { error: { message: 'full' } }, 503));
    const upstream = { url: proxy.direct, formats: [format], defaults: { options: { num_ctx: 32_768 } } };
    const { url } = await proxied(() => {}, { upstreams: [upstream] });
    for (const calls of [0, 1, 2, 3]) await ask(`${url}${path}`, { body: JSON.stringify(body(calls)) });
    const bodies = proxy.heard.map((heard) => heard.body).filter((text) => text.includes('Go on'));
    expect(bodies).toHaveLength(4);
    for (const [index, text] of bodies.slice(0, -1).entries()) {
      const conversation = JSON.parse(text)[lists[format]];
      // A single message of the Responses API is a text.
      if (typeof conversation === 'string') continue;
      const list = JSON.stringify(conversation);
      const end = text.indexOf(list) + list.length - 1;
      expect(end).toBeGreaterThan(list.length);
      const next = bodies[index + 1] as string;
      expect(next.slice(0, end)).toBe(text.slice(0, end));
      // What follows the conversation, such as the tools, which servers put before it.
      expect(next.endsWith(text.slice(end))).toBe(true);
    }
  });
});
