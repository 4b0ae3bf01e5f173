/**
 * What model servers respond besides completions: their pages, and the errors that users of vLLM, llama-server and Ollama
 * report in public issues.
 */
import type { ModelRequest, WireName } from './wires.ts';

/** A status and a body; texts are sent as they are. */
export type Page = readonly [status: number, body: unknown];

/** Why a server refuses a request. */
export type Refusal =
  | { readonly type: 'path' | 'tools' | 'messages' | 'model' }
  | { readonly type: 'template'; readonly message: string }
  | { readonly type: 'context'; readonly context: number; readonly request: ModelRequest };

/** A kind of model server. */
export interface ServerKind {
  /** The formats that it serves by default. */
  readonly wires: readonly WireName[];
  readonly pages: (model: string, context: number) => Readonly<Record<string, Page>>;
  readonly refuse: (refusal: Refusal, model: string, wire: WireName | undefined) => Page;
  /** Whether it refuses models that it doesn't have, and requests that leave no room for the response. */
  readonly checksModel: boolean;
  readonly checksOutput: boolean;
  /** The context size of requests that don't set one, from which on it drops the start of a prompt without an error. */
  readonly dropsAfter?: number;
}

export type ServerName = 'vllm' | 'llama-server' | 'ollama';

const models = (...cards: readonly object[]): Page => [
  200,
  { object: 'list', data: cards.map((card) => ({ object: 'model', created: 1, ...card })) },
];

/** How llama.cpp's template engine reports an exception of the template. */
const jinja = (message: string): string =>
  `\n------------\nWhile executing CallExpression at line 85, column 32 in source:\n...first %}↵            {{- raise_exception('${message.slice(0, 39)}...\n                                           ^\nError: Jinja Exception: ${message}`;

const vllmError = (status: number, type: string, message: string, param: string | null = null): Page => [
  status,
  { error: { message, type, param, code: status } },
];
const llamaError = (status: number, type: string, message: string, own: object = {}): Page => [
  status,
  { error: { code: status, message, type, ...own } },
];

const vllm: ServerKind = {
  wires: ['chat'],
  checksModel: true,
  checksOutput: true,
  pages: (model, context) => ({
    'GET /v1/models': models({ id: model, owned_by: 'vllm', root: model, parent: null, max_model_len: context }),
    'GET /version': [200, { version: '0.20.1' }],
    'GET /health': [200, ''],
  }),
  refuse: (refusal, model) => {
    switch (refusal.type) {
      case 'path':
        return [404, { detail: 'Not Found' }];
      case 'model':
        return vllmError(404, 'NotFoundError', `The model \`${model}\` does not exist.`, 'model');
      case 'messages':
        return vllmError(
          400,
          'BadRequestError',
          "1 validation error:\n  {'type': 'missing', 'loc': ('body', 'messages'), 'msg': 'Field required', 'input': {}}",
        );
      case 'tools':
        return vllmError(
          400,
          'BadRequestError',
          '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        );
      case 'template':
        return vllmError(400, 'BadRequestError', refusal.message);
      case 'context': {
        const { tokens, maxTokens } = refusal.request;
        const requested = `you requested ${maxTokens} output tokens and your prompt contains at least ${tokens} input tokens`;
        const total = `for a total of at least ${tokens + maxTokens} tokens. Please reduce the length of the input prompt or the number of requested output tokens.`;
        return vllmError(
          400,
          'BadRequestError',
          `This model's maximum context length is ${refusal.context} tokens. However, ${requested}, ${total}`,
          'input_tokens',
        );
      }
    }
  },
};

const llamaServer: ServerKind = {
  wires: ['chat'],
  checksModel: false,
  checksOutput: false,
  pages: (model, context) => ({
    'GET /v1/models': models({ id: model, owned_by: 'llamacpp', meta: { n_ctx_train: 262_144 } }),
    'GET /props': [
      200,
      { default_generation_settings: { n_ctx: context }, total_slots: 1, build_info: 'b7100-abc', chat_template: '' },
    ],
    'GET /health': [200, { status: 'ok' }],
  }),
  refuse: (refusal) => {
    switch (refusal.type) {
      case 'path':
      case 'model':
        return llamaError(404, 'not_found_error', 'File Not Found');
      case 'messages':
        return llamaError(400, 'invalid_request_error', "'messages' is required");
      case 'tools':
        return llamaError(500, 'server_error', 'tools param requires --jinja flag');
      case 'template':
        return llamaError(500, 'server_error', jinja(refusal.message));
      case 'context': {
        const { context, request } = refusal;
        const message = `request (${request.tokens} tokens) exceeds the available context size (${context} tokens), try increasing it`;
        const counts = { n_prompt_tokens: request.tokens, n_ctx: context };
        return llamaError(400, 'exceed_context_size_error', message, counts);
      }
    }
  },
};

const ollama: ServerKind = {
  wires: ['chat', 'ollama'],
  checksModel: true,
  checksOutput: false,
  dropsAfter: 4096,
  pages: (model) => ({
    'GET /': [200, 'Ollama is running'],
    'GET /api/version': [200, { version: '0.17.7' }],
    'GET /api/tags': [200, { models: [{ name: model, model, details: { family: 'qwen3moe' } }] }],
    'GET /api/ps': [200, { models: [] }],
    'GET /v1/models': models({ id: model, owned_by: 'library' }),
    'POST /api/show': [
      200,
      {
        template: '{{ .Prompt }}',
        parameters: 'temperature 0.7',
        capabilities: ['completion', 'tools'],
        model_info: { 'general.architecture': 'qwen3moe', 'qwen3moe.context_length': 262_144 },
      },
    ],
  }),
  refuse: (refusal, model, wire) => {
    const page = (status: number, message: string): Page =>
      wire === 'chat'
        ? [status, { error: { message, type: 'api_error', param: null, code: null } }]
        : [status, { error: message }];
    switch (refusal.type) {
      case 'path':
        return [404, '404 page not found'];
      case 'model':
        return page(404, `model '${model}' not found`);
      case 'messages':
        return page(400, '[] is too short - messages');
      case 'tools':
        return page(400, `registry.ollama.ai/library/${model} does not support tools`);
      case 'template':
        return page(500, `chat prompt error: ${refusal.message}`);
      case 'context':
        return page(400, 'the input length exceeds the context length');
    }
  },
};

export const serverKinds: Readonly<Record<ServerName, ServerKind>> = { vllm, 'llama-server': llamaServer, ollama };

/** Chat templates that refuse some conversations: the message, or undefined. */
export const templates: Readonly<Record<'qwen' | 'mistral', (request: ModelRequest) => string | undefined>> = {
  qwen: ({ messages }) => {
    const roles = messages.map(({ role }) => role);
    if (roles.some((role, at) => role === 'system' && at > 0)) return 'System message must be at the beginning.';
    if (roles.some((role) => !['system', 'user', 'assistant', 'tool'].includes(role)))
      return 'Unexpected message role.';
    return roles.includes('user') ? undefined : 'No user query found in messages.';
  },
  mistral: ({ messages }) => {
    const [first, ...others] = messages;
    const rest = first?.role === 'system' ? others : messages;
    const turns = rest.filter(({ role, calls }) => role !== 'tool' && !(role === 'assistant' && calls));
    if (turns.some(({ role }, at) => role !== (at % 2 === 0 ? 'user' : 'assistant')))
      return 'After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.';
    const isId = (id: string): boolean => /^[A-Za-z0-9]{9}$/.test(id);
    return messages.every(({ ids }) => ids.every(isId))
      ? undefined
      : 'Tool call IDs should be alphanumeric strings with length 9!';
  },
};
