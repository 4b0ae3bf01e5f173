import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createProxy, type ProxyOptions } from '../../src/proxy/server.ts';
import { namedFormats } from '../../src/proxy/upstream/detect-formats.ts';
import { freePort } from '../free-port.ts';
import { until } from '../until.ts';
import { type Answerer, ask, closeAll, json, open, proxied, upstream } from './around.ts';

afterEach(closeAll);

type Seen = Parameters<NonNullable<ProxyOptions['onRequest']>>[0];

const chat = '/v1/chat/completions';
const messages = [{ role: 'user', content: 'x' }];
const body = JSON.stringify({ model: 'm', messages, stream: true });
const sse = { 'content-type': 'text/event-stream' };
const chunk = `data: ${JSON.stringify({ id: 'r', choices: [{ index: 0, delta: { content: 'x' } }] })}\n\n`;
const reply = { role: 'assistant', content: 'Hi' };
const whole = {
  id: 'r',
  object: 'chat.completion',
  model: 'm',
  choices: [{ index: 0, message: reply, finish_reason: 'stop' }],
};

describe('a client that disconnects', () => {
  it.each<[string, Answerer]>([
    ['before the response', () => {}],
    ['during a stream', (response) => response.writeHead(200, sse).write(chunk)],
    ['during a forwarded response', (response) => response.writeHead(200, { 'content-type': 'text/plain' }).write('x')],
  ])('is recorded with status 499 and without an error: %s', async (name, answer) => {
    const seen: Seen[] = [];
    const proxy = await proxied(answer, { onRequest: (one) => seen.push(one) });
    const path = name.includes('forwarded') ? '/v1/files' : chat;
    const asking = request(`${proxy.url}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' } });
    let came = false;
    asking
      .on('error', () => {})
      .on('response', (message) =>
        message
          .on('data', () => {
            came = true;
          })
          .on('error', () => {}),
      );
    asking.end(body);
    await until(() => proxy.heard.length > 0 && (came || name.includes('before')));
    asking.destroy();
    await until(() => seen.length > 0);
    expect(seen[0]).toMatchObject({ status: 499, left: true });
    expect(seen[0]?.error).toBeUndefined();
    expect(proxy.errors).toEqual([]);
  });
});

describe('an upstream that refuses a request', () => {
  it.each([
    ['a turn', chat, 400],
    ['a translated turn', '/v1/messages', 429],
    ['another request', '/v1/embeddings', 404],
  ])('is recorded with its reason: %s', async (_, path, status) => {
    const seen: Seen[] = [];
    const { url } = await upstream((response) =>
      json(response, { error: { message: 'The flux is gone', type: 'x' } }, status),
    );
    const upstreams = [{ url, formats: ['openai-chat'] as const }];
    const proxy = await proxied(() => {}, { upstreams, onRequest: (one) => seen.push(one) });
    expect(
      (await ask(`${proxy.url}${path}`, { body: JSON.stringify({ model: 'm', max_tokens: 5, messages }) })).status,
    ).toBe(status);
    await until(() => seen.length > 0);
    expect(seen[0]?.error).toMatch(new RegExp(`status ${status}.*The flux is gone`));
  });
});

describe('an upstream that is silent at the start', () => {
  it("doesn't affect the others, and is used once it responds", async () => {
    const fine = await upstream((response) => json(response, whole));
    const port = await freePort();
    const notices: string[] = [];
    const proxy = await createProxy({
      upstreams: [
        { url: `http://127.0.0.1:${port}`, models: ['late-*'] },
        { url: fine.url, formats: ['openai-chat'], models: ['*'] },
      ],
      onNotice: (message) => notices.push(message),
    }).listen();
    open.push(proxy);
    expect(notices.join()).toContain(`No response from http://127.0.0.1:${port}`);
    const sent = (model: string) => ask(`${proxy.url}${chat}`, { body: JSON.stringify({ model, messages }) });
    expect((await sent('other')).status).toBe(200);
    expect((await sent('late-1')).status).toBe(502);
    const late = createServerAt(port);
    open.push(await late);
    expect((await sent('late-1')).status).toBe(200);
  });

  it('guard: is an error if there is no other', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    await expect(createProxy({ upstreams: [{ url }] }).listen()).rejects.toThrow(/No response/);
  });
});

/** A server with the Chat format at a port. */
async function createServerAt(port: number): Promise<{ close(): unknown }> {
  const { createServer } = await import('node:http');
  const server = createServer((incoming, response) => {
    incoming.resume().on('end', () => {
      if (incoming.url === chat) json(response, incoming.method === 'POST' ? whole : {});
      else json(response, { error: { message: 'Not Found' } }, 404);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('the format openai', () => {
  it('is translated for a server that only has the Chat API, from the first request', async () => {
    const notices: string[] = [];
    const { url, heard } = await upstream((response, { url: path }) =>
      path === chat ? json(response, whole) : json(response, { detail: 'Not Found' }, 404),
    );
    const { formats = [] } = namedFormats.openai ?? {};
    const proxy = await proxied(() => {}, {
      upstreams: [{ url, formats }],
      onNotice: (message) => notices.push(message),
    });
    const input = JSON.stringify({ model: 'm', input: 'x' });
    for (let at = 0; at < 2; at += 1) {
      const { status, text } = await ask(`${proxy.url}/v1/responses`, { body: input });
      expect([status, JSON.parse(text).object]).toEqual([200, 'response']);
    }
    expect(heard.map(({ url: path }) => path)).toEqual(['/v1/responses', chat, chat]);
    expect(notices).toHaveLength(1);
  });

  it('guard: keeps the error for an unknown model', async () => {
    const error = { message: 'The model `m` does not exist', type: 'NotFoundError' };
    const proxy = await proxied((response) => json(response, { error }, 404));
    const { status } = await ask(`${proxy.url}/v1/responses`, { body: JSON.stringify({ model: 'm', input: 'x' }) });
    expect([status, proxy.heard.length]).toEqual([404, 1]);
  });
});

describe('the output limit', () => {
  const refusals: [string, unknown, number][] = [
    [
      'Mistral',
      {
        detail: [
          { type: 'extra_forbidden', loc: ['body', 'max_completion_tokens'], msg: 'Extra inputs are not permitted' },
        ],
      },
      422,
    ],
    [
      'an OpenAI-compatible server',
      {
        error: {
          message: 'Unrecognized request argument supplied: max_completion_tokens',
          type: 'invalid_request_error',
        },
      },
      400,
    ],
  ];
  it.each(refusals)('is sent as max_tokens after a refusal, and remembered: %s', async (_, refusal, status) => {
    const proxy = await proxied((response, { body: sent }) =>
      'max_completion_tokens' in JSON.parse(sent) ? json(response, refusal, status) : json(response, whole),
    );
    for (let at = 0; at < 2; at += 1) {
      const sent = { model: 'm', messages, max_completion_tokens: 50, seed: 1 };
      expect((await ask(`${proxy.url}${chat}`, { body: JSON.stringify(sent) })).status).toBe(200);
    }
    expect(proxy.heard).toHaveLength(3);
    expect(JSON.parse(proxy.heard.at(-1)?.body ?? '')).toEqual({ model: 'm', messages, max_tokens: 50, seed: 1 });
  });

  it('is sent as max_completion_tokens to models that require it', async () => {
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    const proxy = await proxied((response, { body: sent }) =>
      'max_tokens' in JSON.parse(sent) ? json(response, { error: { message } }, 400) : json(response, whole),
    );
    const sent = { model: 'm', messages, max_tokens: 50 };
    expect((await ask(`${proxy.url}${chat}`, { body: JSON.stringify(sent) })).status).toBe(200);
    expect(JSON.parse(proxy.heard.at(-1)?.body ?? '')).toMatchObject({ max_completion_tokens: 50 });
  });

  it('is sent as max_tokens if a request is translated for a local server', async () => {
    const { url, heard } = await upstream((response) => json(response, whole));
    const proxy = await proxied(() => {}, { upstreams: [{ url, formats: ['openai-chat'] }] });
    await ask(`${proxy.url}/v1/messages`, { body: JSON.stringify({ model: 'm', max_tokens: 50, messages }) });
    const sent = JSON.parse(heard[0]?.body ?? '');
    expect([sent.max_tokens, sent.max_completion_tokens]).toEqual([50, undefined]);
  });
});
