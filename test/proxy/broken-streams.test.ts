import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Format } from '../../src/model/index.ts';
import { createProxy } from '../../src/proxy/server.ts';
import { closeAll, open, proxied, upstream } from './around.ts';
import { cuttingServer, type Sent, type SentCall } from './cutting-server.ts';
import { received } from './reading-clients.ts';

const formats: readonly Format[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'ollama'];
const pairs = formats.flatMap((client) =>
  formats.map((server) => [`${client} before ${server}`, client, server] as const),
);

const call: SentCall = { text: '{"path": "a.txt"}', value: { path: 'a.txt' } };
const cut: SentCall = {
  text: '{"path": "a.txt", "content": "first hal',
  value: { path: 'a.txt', content: 'first hal' },
};

/** What arrives before the stream breaks. */
const contents: Readonly<Record<string, Omit<Sent, 'ends'>>> = {
  text: { words: 'I write.', calls: [] },
  call: { calls: [call] },
  'text-and-calls': { words: 'I write.', calls: [call, call] },
  'open-call': { words: 'I write.', calls: [cut] },
  nothing: { calls: [] },
};
const sentFor = (model: string): Sent => {
  const [, ends, name] = /^(ended|dropped)-(.*)$/.exec(model) ?? [];
  return { ...(contents[name as string] as Sent), ends: ends as Sent['ends'] };
};

const proxies = new Map<Format, string>();
beforeAll(async () => {
  const { url } = await upstream(cuttingServer(sentFor));
  for (const format of formats) {
    const proxy = await createProxy({ upstreams: [{ url, formats: [format] }] }).listen();
    open.push(proxy);
    proxies.set(format, proxy.url);
  }
});
afterAll(closeAll);

describe.each(pairs)("F1 a broken stream doesn't end cleanly: %s", (_, client, server) => {
  it.each(Object.keys(contents))('that ends without its last event, after %s', async (name) => {
    const { error } = await received(client, true, proxies.get(server) as string, `ended-${name}`);
    expect(error).toBeDefined();
  });

  it.each(Object.keys(contents))('whose connection breaks, after %s', async (name) => {
    const { error } = await received(client, true, proxies.get(server) as string, `dropped-${name}`);
    expect(error).toBeDefined();
  });
});

/** The bytes that a client receives. */
async function bytesOf(format: Format, stream: string, dryRun = false): Promise<string> {
  const { url } = await proxied((response) => response.writeHead(200, { 'content-type': types[format] }).end(stream), {
    dryRun,
  });
  const response = await fetch(url + paths[format], {
    method: 'POST',
    body: '{"model":"m","stream":true,"messages":[]}',
  });
  return await response.text();
}

const sse = 'text/event-stream';
const types: Readonly<Record<Format, string>> = {
  'openai-chat': sse,
  'openai-responses': sse,
  anthropic: sse,
  gemini: sse,
  ollama: 'application/x-ndjson',
};
const paths: Readonly<Record<Format, string>> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  anthropic: '/v1/messages',
  gemini: '/v1beta/models/m:streamGenerateContent?alt=sse',
  ollama: '/api/chat',
};
const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (choices: object[]): string => event({ id: 'c', object: 'chat.completion.chunk', model: 'm', choices });
const response = { id: 'r1', object: 'response', created_at: 1, status: 'in_progress', model: 'm', output: [] };
const text = { item_id: 'm1', output_index: 0, content_index: 0, delta: 'Hello' };

/** A text without the end of its stream. */
const unended: Readonly<Record<Format, string>> = {
  'openai-chat': chunk([{ index: 0, delta: { role: 'assistant', content: 'Hello' } }]),
  'openai-responses': [
    event({ type: 'response.created', sequence_number: 0, response }),
    event({
      type: 'response.output_item.added',
      sequence_number: 1,
      output_index: 0,
      item: { type: 'message', id: 'm1' },
    }),
    event({ type: 'response.output_text.delta', sequence_number: 2, ...text }),
  ].join(''),
  anthropic: [
    event({ type: 'message_start', message: { id: 'm1', role: 'assistant', content: [] } }),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } }),
  ].join(''),
  gemini: event({ candidates: [{ content: { parts: [{ text: 'Hello' }] } }] }),
  ollama: `${JSON.stringify({ model: 'm', message: { role: 'assistant', content: 'Hello' }, done: false })}\n`,
};

describe.each(formats)('F1 the error of a broken stream: %s', (format) => {
  it('follows the bytes of the upstream', async () => {
    const sent = await bytesOf(format, unended[format]);
    expect(sent.startsWith(unended[format])).toBe(true);
    expect(sent.slice(unended[format].length)).toMatch(/"error"/);
  });

  it('starts a line of its own after an incomplete frame', async () => {
    const sent = await bytesOf(format, `${unended[format]}data: {"cand`);
    expect(sent).toMatch(/\n(?:event: error\n)?(?:data: )?\{[^\n]*"error"/);
  });

  it('guard: is left to the client with dryRun', async () => {
    expect(await bytesOf(format, unended[format], true)).toBe(unended[format]);
  });
});

it('F1 the error of a broken stream of the Responses API has its id and the next numbers', async () => {
  const sent = await bytesOf('openai-responses', unended['openai-responses']);
  const events = [...sent.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data as string));
  expect(events.map((one) => [one.type, one.sequence_number, one.response?.id])).toEqual([
    ['response.created', 0, 'r1'],
    ['response.output_item.added', 1, undefined],
    ['response.output_text.delta', 2, undefined],
    ['error', 3, undefined],
    ['response.failed', 4, 'r1'],
  ]);
});

it.each(['openai-chat', 'gemini'] as const)('F1 another choice of %s without an end is an error', async (format) => {
  const one = { content: { parts: [{ text: 'Hello' }] } };
  const stream =
    format === 'gemini'
      ? event({
          candidates: [
            { ...one, finishReason: 'STOP' },
            { ...one, index: 1 },
          ],
        })
      : chunk([
          { index: 0, delta: { content: 'Hello' }, finish_reason: 'stop' },
          { index: 1, delta: { content: 'Hello' } },
        ]);
  expect(await bytesOf(format, stream)).toMatch(/"error"/);
});

/** Responses that end with a failure of the model or its server, and no error of their own. */
const failures: Readonly<Record<string, readonly [Format, whole: string, stream: string]>> = {
  'a Chat choice with the finish reason error': [
    'openai-chat',
    JSON.stringify({
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hel' }, finish_reason: 'error' }],
    }),
    `${chunk([{ index: 0, delta: { content: 'Hel' }, finish_reason: null }])}${chunk([{ index: 0, delta: {}, finish_reason: 'error' }])}data: [DONE]\n\n`,
  ],
  'a Chat choice that its server aborted': [
    'openai-chat',
    JSON.stringify({ choices: [{ message: { role: 'assistant', content: '' }, finish_reason: 'abort' }] }),
    `${chunk([{ index: 0, delta: {}, finish_reason: 'abort' }])}data: [DONE]\n\n`,
  ],
  'a response that Gemini could not parse': [
    'gemini',
    JSON.stringify({ candidates: [{ content: {}, finishReason: 'MALFORMED_RESPONSE', index: 0 }] }),
    event({ candidates: [{ content: {}, finishReason: 'MALFORMED_RESPONSE', index: 0 }] }),
  ],
};

describe.each(Object.entries(failures))('F1 %s', (_, [server, whole, stream]) => {
  const ask = async (client: Format, streamed: boolean) => {
    const { url } = await proxied(
      (response) =>
        response
          .writeHead(200, { 'content-type': streamed ? 'text/event-stream' : 'application/json' })
          .end(streamed ? stream : whole),
      { about: { formats: [server] } },
    );
    return received(client, streamed, url, 'm');
  };

  it.each(formats.filter((client) => client !== server))(
    'is an error for a client of another API format: %s',
    async (client) => {
      expect((await ask(client, false)).error).toBeDefined();
      expect((await ask(client, true)).error).toBeDefined();
    },
  );

  it('guard: stays as it is for a client of the same format', async () => {
    expect((await ask(server, false)).error).toBeUndefined();
    expect((await ask(server, true)).error).toBeUndefined();
  });
});

it('F1 the error in a Chat choice reaches a client of another API format', async () => {
  const choice = { index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'error' };
  const body = { choices: [{ ...choice, error: { code: 502, message: 'The provider crashed' } }] };
  const { url } = await proxied(
    (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    { about: { formats: ['openai-chat'] } },
  );
  expect((await received('anthropic', false, url, 'm')).error).toContain('The provider crashed');
});

it.each(['anthropic', 'gemini'] as const)('an empty object of %s is no response', async (server) => {
  const { url } = await proxied(
    (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
    { about: { formats: [server] } },
  );
  expect((await received('openai-chat', false, url, 'm')).error).toBeDefined();
});
