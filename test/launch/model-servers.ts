import type { ServerResponse } from 'node:http';
import { type Heard, json, upstream } from '../proxy/around.ts';

/** The pages of a server, by method and path. */
type Pages = Readonly<Record<string, (body: Record<string, unknown>) => readonly [status: number, page: unknown]>>;

/** A model server for tests: its pages, and a model that calls the first tool badly and then ends. */
export interface FakeServer {
  readonly pages: Pages;
  /** The path of its chat, in the format of OpenAI or of Ollama. */
  readonly chat: '/v1/chat/completions' | '/api/chat';
  readonly missing: unknown;
}

const list = (...cards: object[]) => ({ object: 'list', data: cards.map((card) => ({ object: 'model', ...card })) });
const page =
  (value: unknown, status = 200) =>
  (): readonly [number, unknown] => [status, value];

/** Details of a model of Ollama. */
export interface OllamaModel {
  readonly most?: number;
  readonly numCtx?: number;
  readonly loaded?: number;
}

/** Ollama, as in its API documentation. */
export function ollama(models: Readonly<Record<string, OllamaModel>>): FakeServer {
  const names = Object.keys(models);
  return {
    chat: '/api/chat',
    missing: { error: 'not found' },
    pages: {
      'GET /api/version': page({ version: '0.13.1' }),
      'GET /api/tags': page({ models: names.map((name) => ({ name, model: name })) }),
      'GET /api/ps': page({
        models: Object.entries(models).flatMap(([name, { loaded }]) =>
          loaded === undefined ? [] : [{ name, model: name, context_length: loaded }],
        ),
      }),
      'GET /v1/models': page(list(...names.map((id) => ({ id, owned_by: 'library' })))),
      'POST /api/show': ({ model }) => {
        const known = models[String(model)];
        if (!known) return [404, { error: `model '${String(model)}' not found` }];
        const info = { 'general.architecture': 'qwen3moe', 'qwen3moe.context_length': known.most ?? 262_144 };
        const parameters = known.numCtx === undefined ? '' : `stop "x"\nnum_ctx                        ${known.numCtx}`;
        return [
          200,
          { template: '{{ .Prompt }}', parameters, model_info: info, capabilities: ['completion', 'tools'] },
        ];
      },
    },
  };
}

/** vLLM, which rejects models that it doesn't serve. */
export const vllm = (id: string, context: number): FakeServer => ({
  chat: '/v1/chat/completions',
  missing: { detail: 'Not Found' },
  pages: { 'GET /v1/models': page(list({ id, owned_by: 'vllm', max_model_len: context })) },
});

/** llama-server with one model, which accepts any name for it. */
export const llama = (id: string, context: number): FakeServer => ({
  chat: '/v1/chat/completions',
  missing: { error: { code: 404, message: 'File Not Found', type: 'not_found_error' } },
  pages: {
    'GET /v1/models': page(list({ id, owned_by: 'llamacpp', meta: { n_ctx_train: 262_144 } })),
    'GET /props': page({ default_generation_settings: { n_ctx: context }, build_info: 'b9000', chat_template: '' }),
  },
});

/** LM Studio, with the fields of its REST API. */
export const lmStudio = (models: readonly object[]): FakeServer => ({
  chat: '/v1/chat/completions',
  missing: { error: 'Unexpected endpoint or method.' },
  pages: {
    'GET /v1/models': page(list(...models.map((model) => ({ id: (model as { id: string }).id })))),
    'GET /api/v0/models': page(list(...models)),
  },
});

/** A server with pages only. */
export const plain = (pages: Readonly<Record<string, readonly [status: number, value: unknown]>>): FakeServer => ({
  chat: '/v1/chat/completions',
  missing: 'Not Found',
  pages: Object.fromEntries(Object.entries(pages).map(([path, [status, value]]) => [path, page(value, status)])),
});

interface Tool {
  readonly function: { readonly name: string };
}

/** Starts a fake server. */
export function serve(fake: FakeServer): Promise<{ url: string; heard: Heard[] }> {
  return upstream((response, { method, url, body }) => {
    const path = url.replace(/\?.*/, '');
    const value = parsed(body);
    const known = fake.pages[`${method} ${path}`];
    if (known) {
      const [status, shown] = known(value);
      return json(response, shown as object, status);
    }
    if (method !== 'POST' || path !== fake.chat) return json(response, fake.missing as object, 404);
    if (!Array.isArray(value.messages)) return json(response, { error: { message: 'messages', type: 'invalid' } }, 400);
    return reply(response, fake.chat, value, body.length);
  });
}

function reply(response: ServerResponse, chat: string, body: Record<string, unknown>, size: number): unknown {
  const [tool] = (body.tools ?? []) as Tool[];
  const done = (body.messages as { role: string }[]).some(({ role }) => role === 'tool');
  const tokens = Math.round(size / 4);
  const name = done ? undefined : tool?.function.name;
  const args = "{command: 'ls', limit: '5',}";
  if (chat === '/api/chat') {
    const content =
      name === undefined ? 'Done.' : `<tool_call>\n{"name": "${name}", "arguments": ${args}}\n</tool_call>`;
    const end = { done: true, done_reason: 'stop', prompt_eval_count: tokens, eval_count: 5 };
    const message = { role: 'assistant', content };
    if (body.stream === false) return json(response, { model: body.model, message, ...end });
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.write(`${JSON.stringify({ model: body.model, message, done: false })}\n`);
    return response.end(
      `${JSON.stringify({ model: body.model, message: { role: 'assistant', content: '' }, ...end })}\n`,
    );
  }
  const usage = { prompt_tokens: tokens, completion_tokens: 5, total_tokens: tokens + 5 };
  const call = { index: 0, id: 'call_1', type: 'function', function: { name, arguments: args } };
  const message = { role: 'assistant', ...(name === undefined ? { content: 'Done.' } : { tool_calls: [call] }) };
  const finish_reason = name === undefined ? 'stop' : 'tool_calls';
  const base = { id: 'c1', created: 1, model: body.model };
  if (body.stream !== true) return json(response, { ...base, choices: [{ index: 0, message, finish_reason }], usage });
  const frame = (choices: object[], own = {}): string =>
    `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices, ...own })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(frame([{ index: 0, delta: message, finish_reason: null }]));
  response.write(frame([{ index: 0, delta: {}, finish_reason }]));
  return response.end(`${frame([], { usage })}data: [DONE]\n\n`);
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
