/** Servers whose chat templates and limits refuse what coding agents send. */
import { afterEach, describe, expect, it } from 'vitest';
import { type Answerer, ask, closeAll, type Heard, json, proxied } from './around.ts';

afterEach(closeAll);

interface Chat {
  readonly messages: readonly { readonly role: string; readonly content: unknown; readonly tool_calls?: unknown }[];
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly reasoning_effort?: string;
}

const message = (content: string, more: object = {}) => ({ role: 'assistant', content, ...more });
const said = (content: string, more: object = {}): object => ({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: message(content, more), finish_reason: 'stop' }],
});

/** A server with a chat template that raises an exception, as vLLM or as llama.cpp reports it. */
const templated =
  (raise: (body: Chat) => string | undefined, status = 400, more: object = {}): Answerer =>
  (response, { body }) => {
    const error = raise(JSON.parse(body) as Chat);
    const text =
      status === 500
        ? `\n------------\nWhile executing CallExpression at line 85\nError: Jinja Exception: ${error}`
        : error;
    if (error === undefined) json(response, said('Hello.', more));
    else json(response, { error: { message: text, type: 'BadRequestError', code: status } }, status);
  };

const qwen = ({ messages }: Chat): string | undefined => {
  if (messages.some(({ role }, at) => role === 'system' && at > 0)) return 'System message must be at the beginning.';
  if (messages.some(({ role }) => role === 'developer')) return 'Unexpected message role.';
  return messages.some(({ role }) => role === 'user') ? undefined : 'No user query found in messages.';
};
const mistral = ({ messages }: Chat): string | undefined => {
  const spoken = messages
    .slice(messages[0]?.role === 'system' ? 1 : 0)
    .filter(({ role, tool_calls }) => role !== 'tool' && !tool_calls);
  return spoken.some(({ role }, at) => (role === 'user') !== (at % 2 === 0))
    ? 'After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.'
    : undefined;
};
const gemma = ({ messages }: Chat): string | undefined =>
  messages.some(({ role }) => role === 'system') ? 'System role not supported' : mistral({ messages });

const templates = [
  ['system text first', qwen, 400],
  ['system text first, status 500', qwen, 500],
  ['alternating roles', mistral, 400],
  ['no system role', gemma, 400],
] as const;

const tools = [{ name: 'read', input_schema: { type: 'object' } }];
/** As Claude Code asks: system blocks, a system message after the user's, and text beside results. */
const claude = {
  model: 'm',
  max_tokens: 99,
  system: [
    { type: 'text', text: 'You code.' },
    { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } },
  ],
  tools,
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Context.' }] },
    { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
    { role: 'system', content: 'Later rule.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'read', input: {} }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 't1', content: 'File.' },
        { type: 'text', text: 'Hurry.' },
      ],
    },
  ],
};
const codex = {
  model: 'm',
  instructions: 'You code.',
  input: [
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Be brief.' }] },
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Later rule.' }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Context.' }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go.' }] },
    { type: 'function_call', call_id: 't1', name: 'read', arguments: '{}' },
    { type: 'function_call_output', call_id: 't1', output: 'File.' },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hurry.' }] },
  ],
};
const chat = {
  model: 'm',
  messages: [
    { role: 'system', content: 'You code.' },
    { role: 'developer', content: 'Be brief.' },
    { role: 'user', content: 'Context.' },
    { role: 'user', content: 'Go.' },
    { role: 'system', content: 'Later rule.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 't1', type: 'function', function: { name: 'read', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 't1', content: 'File.' },
    { role: 'user', content: 'Hurry.' },
  ],
};
const clients = [
  ['Claude Code', '/v1/messages', claude],
  ['Codex', '/v1/responses', codex],
  ['a chat client', '/v1/chat/completions', chat],
] as const;
const texts = ['You code.', 'Be brief.', 'Later rule.', 'Context.', 'Go.', 'File.', 'Hurry.'];
const about = { formats: ['openai-chat'] as const };
const bodyOf = (heard: readonly Heard[]): Chat => JSON.parse(heard.at(-1)?.body ?? '{}') as Chat;

describe.each(templates)('A template that requires %s', (_, raise, status) => {
  it.each(clients)('accepts what %s sends, and is remembered', async (client, path, body) => {
    const notices: string[] = [];
    const { url, heard } = await proxied(templated(raise, status), { about, onNotice: (text) => notices.push(text) });
    const first = await ask(`${url}${path}`, { body: JSON.stringify(body) });
    expect(first.status, first.text).toBe(200);
    const sent = heard.length;
    expect((await ask(`${url}${path}`, { body: JSON.stringify(body) })).status).toBe(200);
    expect(heard.length).toBe(sent + 1);
    const { messages } = bodyOf(heard);
    for (const text of texts) expect(JSON.stringify(messages).split(text), text).toHaveLength(2);
    expect(notices.length).toBe(sent - 1);
    if (client !== 'a chat client' && raise === qwen) expect(sent).toBe(1);
  });
});

describe('Requests in the own format of a server', () => {
  it('guard: stay as they are without a refusal', async () => {
    const { url, heard } = await proxied(
      templated(() => undefined),
      { about },
    );
    const body = JSON.stringify(chat, null, 2);
    await ask(`${url}/v1/chat/completions`, { body });
    expect(heard.at(-1)?.body).toBe(body);
  });

  it('keep all other fields after a refusal', async () => {
    const { url, heard } = await proxied(templated(qwen), { about });
    const body = `{"seed":12345678901234567890,"logit_bias":{"1":2},${JSON.stringify(chat).slice(1)}`;
    expect((await ask(`${url}/v1/chat/completions`, { body })).status).toBe(200);
    expect(heard.at(-1)?.body).toContain('"seed":12345678901234567890');
    expect(bodyOf(heard)).toMatchObject({ logit_bias: { 1: 2 }, model: 'm' });
  });

  it('guard: reach the client with their error if it is another one', async () => {
    const { url, heard } = await proxied(
      templated(() => 'No such model'),
      { about },
    );
    const { status, text } = await ask(`${url}/v1/chat/completions`, { body: JSON.stringify(chat) });
    expect([status, heard.length]).toEqual([400, 1]);
    expect(text).toContain('No such model');
  });
});

describe('Effort', () => {
  const asked = { ...claude, thinking: { type: 'adaptive' }, output_config: { effort: 'max' } };
  const thinking = { reasoning_content: 'Let me see.' };
  const efforts = (heard: readonly Heard[]): unknown[] =>
    heard.map(({ body }) => (JSON.parse(body) as Chat).reasoning_effort);

  it('is left out for a model that does not think', async () => {
    const { url, heard } = await proxied(
      templated(() => undefined),
      { about },
    );
    for (let at = 0; at < 2; at += 1) await ask(`${url}/v1/messages`, { body: JSON.stringify(asked) });
    expect(efforts(heard)).toEqual([undefined, undefined]);
  });

  it('is sent as the closest level once the model has thought', async () => {
    const { url, heard } = await proxied(
      templated(() => undefined, 400, thinking),
      { about },
    );
    for (let at = 0; at < 2; at += 1) await ask(`${url}/v1/messages`, { body: JSON.stringify(asked) });
    expect(efforts(heard)).toEqual([undefined, 'high']);
  });

  it('follows the configuration', async () => {
    const on = await proxied(
      templated(() => undefined),
      { about: { ...about, reasoning: true } },
    );
    await ask(`${on.url}/v1/messages`, { body: JSON.stringify(asked) });
    expect(efforts(on.heard)).toEqual(['high']);
    const off = await proxied(
      templated(() => undefined, 400, thinking),
      { about: { ...about, reasoning: false } },
    );
    for (let at = 0; at < 2; at += 1) await ask(`${off.url}/v1/messages`, { body: JSON.stringify(asked) });
    expect(efforts(off.heard)).toEqual([undefined, undefined]);
  });

  it.each([
    '"m" does not support thinking',
    'This model does not support the effort parameter.',
    'Thinking is not enabled for this model',
    '`reasoning_effort` is not supported with this model',
    "Unknown parameter: 'reasoning_effort'.",
  ])('is left out after the refusal %s', async (text) => {
    const raise = ({ reasoning_effort: effort }: Chat) => (effort === undefined ? undefined : text);
    const { url, heard } = await proxied(templated(raise, 400, thinking), { about });
    const body = JSON.stringify({ ...chat, reasoning_effort: 'high' });
    for (let at = 0; at < 2; at += 1) expect((await ask(`${url}/v1/chat/completions`, { body })).status).toBe(200);
    expect(efforts(heard)).toEqual(['high', undefined, undefined]);
  });
});

describe('Thinking at an Ollama server', () => {
  const server =
    (thinking?: string): Answerer =>
    (response) =>
      json(response, {
        model: 'm',
        created_at: '2026-01-01T00:00:00Z',
        done: true,
        done_reason: 'stop',
        message: { role: 'assistant', content: 'Hello.', ...(thinking !== undefined && { thinking }) },
      });
  const thoughts = async (thinking: string | undefined, more: object): Promise<unknown[]> => {
    const { url, heard } = await proxied(server(thinking), { about: { formats: ['ollama'] } });
    for (let at = 0; at < 2; at += 1)
      expect((await ask(`${url}/v1/messages`, { body: JSON.stringify({ ...claude, ...more }) })).status).toBe(200);
    return heard.map(({ body }) => (JSON.parse(body) as { think?: unknown }).think);
  };
  const adaptive = { thinking: { type: 'adaptive' }, output_config: { effort: 'xhigh' } };

  it.each([
    ['is left out for a model that does not think', undefined, adaptive, [undefined, undefined]],
    ['is sent once the model has thought', 'Hm.', adaptive, [undefined, 'high']],
    ['guard: is disabled for every model', undefined, { thinking: { type: 'disabled' } }, [false, false]],
  ])('%s', async (_, thinking, more, sent) => {
    expect(await thoughts(thinking, more)).toEqual(sent);
  });
});

/** Counts tokens as a server would, other than the proxy estimates them. */
const tokensOf = ({ messages }: Chat, length: number): number => Math.ceil(JSON.stringify(messages).length / length);
const limits = [
  [
    'vLLM',
    (window: number, prompt: number, most: number) =>
      `This model's maximum context length is ${window} tokens. However, you requested ${prompt + most} tokens (${prompt} in the messages, ${most} in the completion). Please reduce the length of the messages or completion.`,
  ],
  [
    'vLLM since 0.10',
    (window: number, prompt: number, most: number) =>
      `'max_tokens' or 'max_completion_tokens' is too large: ${most}. This model's maximum context length is ${window} tokens and your request has ${prompt} input tokens (${most} > ${window} - ${prompt}).`,
  ],
  [
    'vLLM since 0.15',
    (window: number, _: number, most: number) =>
      `This model's maximum context length is ${window} tokens. However, you requested ${most} output tokens and your prompt contains at least ${window - most + 1} input tokens, for a total of at least ${window + 1} tokens. Please reduce the length of the input prompt or the number of requested output tokens.`,
  ],
  [
    'SGLang',
    (window: number, prompt: number, most: number) =>
      `Requested token count exceeds the model's maximum context length of ${window} tokens. You requested a total of ${prompt + most} tokens: ${prompt} tokens from the input messages and ${most} tokens for the completion.`,
  ],
] as const;

describe('An output limit', () => {
  const long = 'const a = 1; '.repeat(1500);
  const asked = { ...claude, max_tokens: 32_000, system: long };
  const limitOf = ({ max_tokens, max_completion_tokens }: Chat) => max_completion_tokens ?? max_tokens ?? 0;
  const full =
    (window: number, tell: (typeof limits)[number][1], length = 2.5) =>
    (body: Chat) => {
      const prompt = tokensOf(body, length);
      return prompt + limitOf(body) > window ? tell(window, prompt, limitOf(body)) : undefined;
    };

  it.each(limits)('is lowered to the context of %s', async (_, tell) => {
    const { url, heard } = await proxied(templated(full(32_768, tell)), { about });
    const first = await ask(`${url}/v1/messages`, { body: JSON.stringify(asked) });
    expect(first.status, first.text).toBe(200);
    const sent = heard.length;
    expect((await ask(`${url}/v1/messages`, { body: JSON.stringify(asked) })).status).toBe(200);
    expect(heard.length).toBe(sent + 1);
    expect(limitOf(bodyOf(heard))).toBeGreaterThan(10_000);
  });

  it('is lowered in the own format of a server, too', async () => {
    const { url, heard } = await proxied(templated(full(32_768, limits[0][1])), { about });
    const body = JSON.stringify({ ...chat, max_tokens: 40_000 });
    expect((await ask(`${url}/v1/chat/completions`, { body })).status).toBe(200);
    expect(bodyOf(heard).max_tokens).toBeLessThan(32_768);
  });

  it('is lowered without a refusal if the context is configured', async () => {
    const server = templated(full(32_768, limits[0][1], 3.5));
    const { url, heard } = await proxied(server, { about: { ...about, contextWindow: 32_768 } });
    const small = { ...claude, max_tokens: 32_000, system: long.slice(0, 9000) };
    expect((await ask(`${url}/v1/messages`, { body: JSON.stringify(small) })).status).toBe(200);
    expect(heard.length).toBe(1);
  });

  it('is lowered to what a model can write', async () => {
    const raise = (body: Chat) =>
      limitOf(body) > 16_384
        ? 'max_tokens is too large: 32000. This model supports at most 16384 completion tokens, whereas you provided 32000.'
        : undefined;
    const { url, heard } = await proxied(templated(raise), { about });
    expect((await ask(`${url}/v1/messages`, { body: JSON.stringify(asked) })).status).toBe(200);
    expect(limitOf(bodyOf(heard))).toBe(16_384);
  });

  it('guard: does not hide that a prompt is too long', async () => {
    const { url, heard } = await proxied(templated(full(4096, limits[0][1])), { about });
    const { status, text } = await ask(`${url}/v1/messages`, { body: JSON.stringify(asked) });
    expect([status, heard.length]).toEqual([400, 1]);
    expect(text).toContain('4096');
  });
});

describe('A prompt that is too long', () => {
  const refusals = [
    "This model's maximum context length is 4096 tokens. However, you requested 5095 tokens (5000 in the messages, 95 in the completion).",
    'request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it',
  ];

  it.each(refusals)('is reported as Claude Code expects it: %s', async (text) => {
    const { url } = await proxied(
      templated(() => text, 400),
      { about },
    );
    const { status, text: body } = await ask(`${url}/v1/messages`, { body: JSON.stringify(claude) });
    expect([status, JSON.parse(body)]).toMatchObject([
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'prompt is too long: 5000 tokens > 4096 maximum' },
      },
    ]);
  });

  it.each(refusals)('is reported as Codex expects it: %s', async (text) => {
    const { url } = await proxied(
      templated(() => text, 400),
      { about },
    );
    const { status, text: body } = await ask(`${url}/v1/responses`, {
      body: JSON.stringify({ ...codex, stream: true }),
    });
    const last = body.split('\n').findLast((line) => line.startsWith('data: '));
    expect([status, JSON.parse(last?.slice(6) ?? '')]).toMatchObject([
      200,
      {
        type: 'response.failed',
        response: { status: 'failed', error: { code: 'context_length_exceeded', message: text } },
      },
    ]);
  });
});
