import type { Answerer } from './around.ts';

/** What a server that imitates a real one has to say. */
type Page = readonly [status: number, body: unknown];

interface Asked {
  readonly model?: string;
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly tool_choice?: unknown;
  readonly stream?: boolean;
  readonly response_format?: unknown;
  readonly format?: unknown;
}

const inputs: Readonly<Record<string, object>> = {
  get_weather: { city: 'Paris' },
  save_tags: { tags: ['red', 'blue'] },
  place_order: {
    items: [
      { name: 'apples', count: 2 },
      { name: 'pears', count: 3 },
    ],
    address: { street: '5 Mill Lane', city: 'York' },
  },
};

/** The calls a good model makes, and what it says where there is nothing to call. */
export function goodModel({
  messages = [],
  tools,
  tool_choice,
  response_format,
  format,
}: Asked): { name: string; input: object }[] | string {
  const words = JSON.stringify(messages);
  if (messages.some(({ role }) => role === 'tool')) return 'It rains in Paris.';
  if (response_format || format) return '{"capital": "Paris", "river": "Seine"}';
  const [tool] = tools ?? [];
  if (!tool || tool_choice === 'none') {
    const text = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>';
    return tool || words.includes('You can call these tools') ? text : 'ready';
  }
  const call = { name: tool.function.name, input: inputs[tool.function.name] ?? {} };
  return words.includes('Tokyo') ? [call, { ...call, input: { city: 'Tokyo' } }] : [call];
}

/** An answer of the chat wire. */
export function completion(said: ReturnType<typeof goodModel>): object {
  const calls = typeof said === 'string' ? [] : said;
  const message = {
    role: 'assistant',
    content: typeof said === 'string' ? said : null,
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ name, input }, index) => ({
        id: `call_${index}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(input) },
      })),
    }),
  };
  const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop';
  return {
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message, finish_reason }],
  };
}

const streamed = (said: ReturnType<typeof goodModel>): string => {
  const [first] = typeof said === 'string' ? [] : said;
  const frame = (delta: object, finish_reason: string | null = null): string =>
    `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const pieces = JSON.stringify(first?.input ?? {}).match(/.{1,5}/g) ?? [];
  return [
    frame({
      role: 'assistant',
      tool_calls: [{ index: 0, id: 'call_0', type: 'function', function: { name: first?.name, arguments: '' } }],
    }),
    ...pieces.map((text) => frame({ tool_calls: [{ index: 0, function: { arguments: text } }] })),
    frame({}, 'tool_calls'),
    'data: [DONE]\n\n',
  ].join('');
};

/** What differs between servers: pages of their own, and what they refuse or answer on the chat wire. */
export interface Imitation {
  readonly pages: Readonly<Record<string, Page>>;
  readonly missing: unknown;
  readonly chat: (asked: Asked) => Page | undefined;
}

/** A server that imitates another, on the chat wire. */
export const imitating =
  ({ pages, missing, chat }: Imitation): Answerer =>
  (response, { url, body }) => {
    const path = url.replace(/\?.*/, '');
    const json = ([status, value]: Page): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    const page = pages[path];
    if (page) return json(page);
    if (path !== '/v1/chat/completions') return json([404, missing]);
    const asked = JSON.parse(body) as Asked;
    if (!asked.messages)
      return json([400, { error: { message: 'messages: field required', type: 'BadRequestError' } }]);
    const refused = chat(asked);
    if (refused) return json(refused);
    const said = goodModel(asked);
    if (!asked.stream) return json([200, completion(said)]);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(streamed(said));
  };

const vllmCard = {
  id: 'm',
  object: 'model',
  created: 1,
  owned_by: 'vllm',
  root: 'm',
  parent: null,
  max_model_len: 32768,
};
const noTools = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set';

/** vLLM that was started without the settings for calls. */
export const vllm: Imitation = {
  pages: { '/v1/models': [200, { object: 'list', data: [vllmCard] }] },
  missing: { detail: 'Not Found' },
  chat: ({ tools, tool_choice = 'auto' }) =>
    tools && tool_choice === 'auto'
      ? [400, { object: 'error', message: noTools, type: 'BadRequestError', param: null, code: 400 }]
      : undefined,
};

const props = {
  default_generation_settings: { id: 0, id_task: -1, n_ctx: 4096, speculative: false },
  total_slots: 1,
  model_path: '/models/m.gguf',
  chat_template:
    '{%- for tool in tools %}<function=example_function_name>\n<parameter=example_parameter_1>{% endfor %}',
  build_info: 'b8681',
};

/** llama-server without its template engine. */
export const llama: Imitation = {
  pages: {
    '/props': [200, props],
    '/v1/models': [200, { object: 'list', data: [{ id: 'm.gguf', object: 'model', owned_by: 'llamacpp' }] }],
  },
  missing: { error: { code: 404, message: 'File Not Found', type: 'not_found_error' } },
  chat: ({ tools }) =>
    tools
      ? [500, { error: { code: 500, message: 'tools param requires --jinja flag', type: 'server_error' } }]
      : undefined,
};

/** Ollama with a model whose template has no tools. */
export const ollama: Imitation = {
  pages: {
    '/v1/models': [
      200,
      { object: 'list', data: [{ id: 'm:latest', object: 'model', created: 1, owned_by: 'library' }] },
    ],
    '/api/version': [200, { version: '0.40.12' }],
    '/api/show': [
      200,
      {
        template: '{{ .Prompt }}',
        parameters: 'stop "<|end|>"',
        model_info: { 'general.architecture': 'llama', 'llama.context_length': 131072 },
        capabilities: ['completion'],
      },
    ],
    '/api/ps': [200, { models: [{ name: 'm:latest', model: 'm:latest', size: 1, context_length: 4096 }] }],
  },
  missing: { error: 'not found' },
  chat: ({ tools }) =>
    tools
      ? [
          400,
          {
            error: {
              message: 'registry.ollama.ai/library/m:latest does not support tools',
              type: 'api_error',
              param: null,
              code: null,
            },
          },
        ]
      : undefined,
};
