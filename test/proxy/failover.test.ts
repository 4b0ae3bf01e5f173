import { createServer } from 'node:net';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FailoverOptions, ProxyOptions, Upstream } from '../../src/proxy/server.ts';
import { freePort } from '../free-port.ts';
import { until } from '../until.ts';
import { type Answerer, ask, closeAll, json, open, proxied, upstream } from './around.ts';

afterEach(closeAll);

type Seen = Parameters<NonNullable<ProxyOptions['onRequest']>>[0];

const path = '/v1/chat/completions';
const messages = [{ role: 'user' as const, content: 'Hi' }];
const body = JSON.stringify({ model: 'm', messages });
const whole = (text: string) => ({
  id: 'r',
  object: 'chat.completion',
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
});
const says =
  (text: string): Answerer =>
  (response) =>
    json(response, whole(text));

/** Errors as the providers document them. */
const errors: Readonly<Record<number, unknown>> = {
  408: { error: { message: 'Request timeout', type: 'timeout' } },
  429: { error: { message: 'Rate limit reached for gpt-5', type: 'requests', code: 'rate_limit_exceeded' } },
  500: { error: { message: 'The server had an error', type: 'server_error' } },
  502: '<html><title>502 Bad Gateway</title></html>',
  503: { error: { message: 'The engine is currently overloaded', type: 'server_error' } },
  504: '<html><title>504 Gateway Time-out</title></html>',
  529: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
};
const fails =
  (status: number, headers: Record<string, string> = {}): Answerer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(errors[status]));

/** Fails a number of times, and responds then. */
const failsFirst = (times: number, failing: Answerer): Answerer => {
  let left = times;
  return (response, heard) => (left-- > 0 ? failing : says('late'))(response, heard);
};

const formats = ['openai-chat'] as const;

async function through(upstreams: Upstream[], failover: FailoverOptions = {}, more: Partial<ProxyOptions> = {}) {
  const seen: Seen[] = [];
  const notices: string[] = [];
  const proxy = await proxied(says('unused'), {
    upstreams,
    failover,
    onRequest: (one) => seen.push(one),
    onNotice: (line) => notices.push(line),
    ...more,
  });
  const send = async (): Promise<string> => {
    const { status, text } = await ask(`${proxy.url}${path}`, { body });
    return status === 200 ? JSON.parse(text).choices[0].message.content : String(status);
  };
  return { proxy, send, seen, notices };
}

describe('a request that fails before its response starts', () => {
  it.each([408, 429, 500, 502, 503, 504, 529])('is sent to the fallback after status %i', async (status) => {
    const [a, b] = [await upstream(fails(status)), await upstream(says('fallback'))];
    const { send, seen } = await through([
      { name: 'a', url: a.url, formats, fallbacks: [{ name: 'b', url: b.url, formats }] },
    ]);
    expect(await send()).toBe('fallback');
    expect([a.heard.length, b.heard.length]).toEqual([1, 1]);
    expect(seen).toMatchObject([{ upstream: 'b', status: 200, attempts: [{ upstream: 'a', status }] }]);
  });

  it.each([400, 401, 403, 404, 413, 422])(
    'guard: is answered with status %i, which another attempt would not change',
    async (status) => {
      const [a, b] = [
        await upstream((response) => json(response, { error: { message: 'No', type: 'x' } }, status)),
        await upstream(says('fallback')),
      ];
      const { send } = await through([{ url: a.url, formats, fallbacks: [{ url: b.url, formats }] }], { attempts: 3 });
      expect(await send()).toBe(String(status));
      expect([a.heard.length, b.heard.length]).toEqual([1, 0]);
    },
  );

  it('is sent to the fallback if there is no connection', async () => {
    const b = await upstream(says('fallback'));
    const { send, seen } = await through([
      { url: `http://127.0.0.1:${await freePort()}`, formats, fallbacks: [{ url: b.url, formats }] },
    ]);
    expect(await send()).toBe('fallback');
    expect(seen[0]?.attempts).toMatchObject([{ kind: 'network' }]);
  });

  it('is sent to the fallback if the upstream was silent since the start', async () => {
    const b = await upstream(says('fallback'));
    const { send } = await through([
      { url: `http://127.0.0.1:${await freePort()}`, fallbacks: [{ url: b.url, formats }] },
    ]);
    expect(await send()).toBe('fallback');
  });

  it('guard: is not sent twice if a server has received it and closes the connection', async () => {
    let received = 0;
    const server = createServer((socket) => {
      socket.on('data', () => {
        received += 1;
        socket.destroy();
      });
    });
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    open.push({ close: () => server.close() });
    const b = await upstream(says('fallback'));
    const { send } = await through(
      [{ url: `http://127.0.0.1:${port}`, formats, fallbacks: [{ url: b.url, formats }] }],
      {
        attempts: 3,
      },
    );
    expect(await send()).toBe('502');
    expect([received, b.heard.length]).toEqual([1, 0]);
  });

  it('is sent to fallbacks with another API format and another model name', async () => {
    const [a, b] = [
      await upstream(fails(503)),
      await upstream((response) =>
        json(response, {
          model: 'q',
          message: { role: 'assistant', content: 'local' },
          done: true,
          done_reason: 'stop',
        }),
      ),
    ];
    const { send, seen } = await through([
      {
        url: a.url,
        formats,
        models: ['*'],
        fallbacks: [{ url: b.url, formats: ['ollama'], models: ['*'], model: 'qwen3' }],
      },
    ]);
    expect(await send()).toBe('local');
    expect(b.heard.map(({ url, body: sent }) => [url, JSON.parse(sent).model])).toEqual([['/api/chat', 'qwen3']]);
    expect(seen[0]).toMatchObject({ model: 'm', upstreamModel: 'qwen3', wire: 'ollama' });
  });

  it.each([
    ['the same API format', ['openai-chat'], path, { authorization: 'Bearer sk-first', 'x-api-key': 'sk-first' }],
    ['another API format', ['anthropic'], path, { authorization: 'Bearer sk-first' }],
    ['a key in the URL', ['openai-chat'], `${path}?key=sk-first`, {}],
    ...['Ocp-Apim-Subscription-Key', 'cookie', 'x-auth-token', 'x-access-token', 'x-secret', 'x-litellm-api-key'].map(
      (name) => [`a key in ${name}`, ['openai-chat'], path, { [name]: 'sk-first' }] as const,
    ),
    ...['api-key', 'api_key', 'apiKey', 'subscription-key', 'access_token', 'token'].map(
      (name) => [`a key in the parameter ${name}`, ['openai-chat'], `${path}?${name}=sk-first`, {}] as const,
    ),
  ] as const)(
    "F22 is sent to a fallback at another origin without the client's key: %s",
    async (_, spoken, at, key) => {
      const [a, b] = [await upstream(fails(503)), await upstream(says('fallback'))];
      const { proxy } = await through([{ url: a.url, formats, fallbacks: [{ url: b.url, formats: spoken }] }]);
      await ask(`${proxy.url}${at}`, { body, ...key });
      expect(JSON.stringify(a.heard)).toContain('sk-first');
      expect(b.heard).toHaveLength(1);
      expect(JSON.stringify(b.heard)).not.toContain('sk-first');
    },
  );

  it('guard: F22 sends what is no key to a fallback at another origin', async () => {
    const [a, b] = [await upstream(fails(503)), await upstream(says('fallback'))];
    const { proxy } = await through([{ url: a.url, formats, fallbacks: [{ url: b.url, formats }] }]);
    const more = { 'idempotency-key': 'i-1', 'x-team': 'a', 'x-monkey': 'b', 'x-token-count': '1' };
    await ask(`${proxy.url}${path}?pageToken=p-1&key=sk-first&keys=k`, { body, ...more });
    expect(b.heard[0]?.headers).toMatchObject(more);
    expect(b.heard[0]?.url).toBe(`${path}?pageToken=p-1&keys=k`);
  });

  it.each([
    ["guard: F22 a fallback at the same origin gets the client's key", {}, 'sk-first'],
    ['guard: F22 a fallback with a key of its own gets that', { authorization: 'Bearer sk-own' }, 'sk-own'],
  ])('%s', async (_, headers, expected) => {
    const a = await upstream(failsFirst(1, fails(503)));
    const { proxy } = await through([{ url: a.url, formats, fallbacks: [{ url: a.url, formats, headers }] }], {}, {
      token: 'token-of-the-proxy-1',
    } as Partial<ProxyOptions>);
    const keys = { authorization: 'Bearer sk-first', 'x-toolmend-token': 'token-of-the-proxy-1' };
    await ask(`${proxy.url}${path}`, { body, ...keys });
    expect(a.heard.map(({ headers: sent }) => sent.authorization)).toEqual(['Bearer sk-first', `Bearer ${expected}`]);
  });

  it('returns the last error if everything fails', async () => {
    const [a, b] = [await upstream(fails(503)), await upstream(fails(429, { 'retry-after': '7' }))];
    const { proxy } = await through([{ url: a.url, formats, fallbacks: [{ url: b.url, formats }] }]);
    const { status, text, headers } = await ask(`${proxy.url}${path}`, { body });
    expect([status, JSON.parse(text), headers['retry-after']]).toEqual([429, errors[429], '7']);
  });

  it('is sent again as often as configured, after a pause', async () => {
    const a = await upstream(failsFirst(2, fails(503)));
    const { send, seen } = await through([{ url: a.url, formats }], { attempts: 3 });
    const began = Date.now();
    expect(await send()).toBe('late');
    // 250–500 ms, then 500–1000 ms.
    expect(Date.now() - began).toBeGreaterThan(700);
    expect([a.heard.length, seen[0]?.attempts?.length]).toEqual([3, 2]);
  });

  it('guard: is sent once by default', async () => {
    const a = await upstream(failsFirst(1, fails(503)));
    const { send } = await through([{ url: a.url, formats }]);
    expect(await send()).toBe('503');
    expect(a.heard).toHaveLength(1);
  });

  it.each<[string, Record<string, string>, boolean]>([
    ['Retry-After is respected', { 'retry-after': '1' }, true],
    ['Retry-After in milliseconds is respected', { 'retry-after-ms': '1000' }, true],
    ['guard: Retry-After that is longer than maxWait ends the attempts', { 'retry-after': '3' }, false],
  ])('%s', async (_, headers, again) => {
    const a = await upstream(failsFirst(1, fails(429, headers)));
    const { send } = await through([{ url: a.url, formats }], { attempts: 2, maxWait: 2000 });
    const began = Date.now();
    expect(await send()).toBe(again ? 'late' : '429');
    if (again) expect(Date.now() - began).toBeGreaterThanOrEqual(990);
    else expect(Date.now() - began).toBeLessThan(900);
  });

  it('is given up when the client disconnects during the pause', async () => {
    const a = await upstream(fails(503, { 'retry-after': '30' }));
    const { proxy, seen } = await through([{ url: a.url, formats }], { attempts: 3, maxWait: 60_000 });
    const control = new AbortController();
    const asked = fetch(`${proxy.url}${path}`, { method: 'POST', body, signal: control.signal }).catch(() => 'gone');
    await until(() => a.heard.length === 1);
    control.abort();
    expect(await asked).toBe('gone');
    await until(() => seen.length === 1);
    expect([seen[0]?.status, a.heard.length]).toEqual([499, 1]);
  });

  it('first lets the proxy adapt it, if the error says how', async () => {
    const message = 'System message must be at the beginning.';
    const strict: Answerer = (response, { body: sent }) =>
      JSON.parse(sent).messages[0].role === 'system'
        ? json(response, whole('adapted'))
        : json(response, { error: { code: 500, message, type: 'server_error' } }, 500);
    const [a, b] = [await upstream(strict), await upstream(says('fallback'))];
    const { proxy } = await through([{ url: a.url, formats, fallbacks: [{ url: b.url, formats }] }]);
    const mixed = [...messages, { role: 'system', content: 'Be brief' }, ...messages];
    const { text } = await ask(`${proxy.url}${path}`, { body: JSON.stringify({ model: 'm', messages: mixed }) });
    expect(JSON.parse(text).choices[0].message.content).toBe('adapted');
    expect([a.heard.length, b.heard.length]).toEqual([2, 0]);
  });

  it.each([
    ['is sent again', 'GET', 500, 'fallback'],
    ['guard: is not sent again', 'GET', 404, 'error'],
    ['is sent again', 'POST', 503, 'fallback'],
    ['guard: is not sent again', 'POST', 500, 'error'],
  ])('%s if it is not for a turn: %s with status %i', async (_, method, status, expected) => {
    const [a, b] = [await upstream(fails(status)), await upstream((response) => json(response, { from: 'fallback' }))];
    const { proxy } = await through([{ url: a.url, formats, fallbacks: [{ url: b.url, formats }] }]);
    const { text } = await ask(`${proxy.url}/v1/batches`, { method, body: '{"model":"m"}' });
    expect(text.includes('fallback') ? 'fallback' : 'error').toBe(expected);
  });

  it.each<[string, (url: string) => Promise<string | null | undefined>]>([
    [
      'openai',
      async (url) => {
        const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'k', maxRetries: 0 });
        let text = '';
        for await (const chunk of await client.chat.completions.create({ model: 'm', messages, stream: true }))
          text += chunk.choices[0]?.delta.content ?? '';
        return text;
      },
    ],
    [
      '@anthropic-ai/sdk',
      async (url) => {
        const client = new Anthropic({ baseURL: url, apiKey: 'k', maxRetries: 0 });
        return await client.messages.stream({ model: 'm', max_tokens: 9, messages }).finalText();
      },
    ],
  ])('is not noticed by a client that streams (%s)', async (_, streamed) => {
    const sse: Answerer = (response) => {
      const chunk = (delta: object, finish_reason: string | null) =>
        `data: ${JSON.stringify({ id: 'r', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`${chunk({ role: 'assistant', content: 'streamed' }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`);
    };
    const [a, b] = [await upstream(fails(529)), await upstream(sse)];
    const { proxy } = await through([{ url: a.url, formats, fallbacks: [{ url: b.url, formats }] }]);
    expect(await streamed(proxy.url)).toBe('streamed');
  });
});

describe('an upstream with several URLs', () => {
  const spread = async (answers: Answerer[], failover?: FailoverOptions) => {
    const servers = await Promise.all(answers.map(upstream));
    const [url = '', ...alternates] = servers.map((one) => one.url);
    return { servers, ...(await through([{ name: 'many', url, alternates, formats }], failover)) };
  };
  const ofSession = (user: string, text = 'Hi') =>
    JSON.stringify({ model: 'm', messages: [{ role: 'user', content: text }], metadata: { user_id: user } });

  it('keeps each conversation at one URL, and uses all URLs', async () => {
    const { servers, proxy } = await spread([says('a'), says('b'), says('c')]);
    for (const user of Array.from({ length: 30 }, (_, at) => `user-${at}`))
      for (let turn = 0; turn < 2; turn += 1) await ask(`${proxy.url}${path}`, { body: ofSession(user) });
    const counts = servers.map(({ heard }) => heard.length);
    expect(counts.every((count) => count > 0 && count % 2 === 0)).toBe(true);
    for (const { heard } of servers)
      for (const one of heard) expect(heard.filter(({ body: sent }) => sent === one.body)).toHaveLength(2);
  });

  it('guard: knows a conversation without a session by its first message', async () => {
    const { servers, proxy } = await spread([says('a'), says('b'), says('c')]);
    const first = { role: 'user', content: 'The first' };
    for (const more of [
      [],
      [
        { role: 'assistant', content: 'x' },
        { role: 'user', content: 'y' },
      ],
    ])
      await ask(`${proxy.url}${path}`, { body: JSON.stringify({ model: 'm', messages: [first, ...more] }) });
    expect(servers.map(({ heard }) => heard.length).sort()).toEqual([0, 0, 2]);
  });

  it('tries the other URLs before it fails', async () => {
    const { servers, send, seen } = await spread([fails(503), fails(502), says('c')]);
    for (let at = 0; at < 3; at += 1) expect(await send()).toBe('c');
    expect(servers[2]?.heard).toHaveLength(3);
    expect(seen.every(({ attempts = [] }) => attempts.length <= 2)).toBe(true);
  });

  it('no longer uses a URL that fails in a row, and uses it again after a probe', async () => {
    let broken = true;
    const flaky: Answerer = (response, heard) => (broken ? fails(503) : says('back'))(response, heard);
    const [bad, good] = [await upstream(flaky), await upstream(says('good'))];
    const { proxy, notices } = await through([{ name: 'many', url: bad.url, alternates: [good.url], formats }], {
      ejectAfter: 2,
      ejectFor: 300,
    });
    const users = Array.from({ length: 12 }, (_, at) => ofSession(`user-${at}`));
    const sendAll = async () => {
      for (const one of users) expect((await ask(`${proxy.url}${path}`, { body: one })).status).toBe(200);
    };
    await sendAll();
    expect(bad.heard.filter(({ url }) => url === path)).toHaveLength(2);
    expect(notices[0]).toMatch(/^many: http:\/\/127.* failed 2 times in a row and is not used for 0.3 s$/);
    broken = false;
    await until(async () => {
      await sendAll();
      return bad.heard.filter(({ url }) => url === path).length > 2;
    });
    expect(bad.heard.filter(({ url }) => url === '/v1/models').length).toBeGreaterThan(0);
    expect(notices.at(-1)).toMatch(/responds again$/);
  });

  it('does not use an ejected URL earlier because the wall clock jumps', async () => {
    const [bad, good] = [await upstream(fails(503)), await upstream(says('good'))];
    const { proxy } = await through([{ url: bad.url, alternates: [good.url], formats }], {
      ejectAfter: 1,
      ejectFor: 60_000,
    });
    const sendAll = async () => {
      for (let at = 0; at < 8; at += 1) await ask(`${proxy.url}${path}`, { body: ofSession(`user-${at}`) });
    };
    await sendAll();
    expect(bad.heard).toHaveLength(1);
    const now = Date.now();
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now + 3_600_000);
    try {
      await sendAll();
    } finally {
      clock.mockRestore();
    }
    expect(bad.heard).toHaveLength(1);
  });

  it('guard: uses an ejected URL if there is no other', async () => {
    const port = await freePort();
    const { send } = await through(
      [{ url: `http://127.0.0.1:${port}`, alternates: [`http://127.0.0.1:${port}/b`], formats }],
      {
        ejectAfter: 1,
      },
    );
    expect(await send()).toBe('502');
    const server = await import('node:http').then(({ createServer: make }) =>
      make((_, response) => json(response, whole('up'))),
    );
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    open.push({ close: () => server.close() });
    expect(await send()).toBe('up');
  });

  it('guard: a 500 or 400 does not eject a URL', async () => {
    const a = await upstream(fails(500));
    const { send, proxy } = await through([{ url: a.url, formats }], { ejectAfter: 1 });
    for (let at = 0; at < 3; at += 1) expect(await send()).toBe('500');
    expect((await ask(`${proxy.url}/readyz`, { method: 'GET' })).status).toBe(200);
  });
});

describe('a pause that an upstream requests', () => {
  const token = 'sixteen-letters-x';
  const rows = (a: string, b: string, headers?: Record<string, string>): Upstream[] => [
    { url: a, formats, ...(headers && { headers }), fallbacks: [{ url: b, formats }] },
  ];
  const twice = async (headers?: Record<string, string>) => {
    const [a, b] = [await upstream(fails(429, { 'retry-after': '20' })), await upstream(says('fallback'))];
    const proxy = await proxied(says(''), { token, upstreams: rows(a.url, b.url, headers) });
    for (let at = 0; at < 2; at += 1) await ask(`${proxy.url}${path}`, { body, 'x-toolmend-token': token });
    return [a.heard.length, b.heard.length];
  };

  it("is respected for all requests with the proxy's key", async () => {
    expect(await twice({ authorization: 'Bearer OWN' })).toEqual([1, 2]);
  });

  it('guard: only affects the client whose key it is', async () => {
    expect(await twice()).toEqual([2, 2]);
  });
});

describe('/readyz', () => {
  it('is 503 while no upstream can be used, and recovers without requests', async () => {
    let broken = true;
    const flaky: Answerer = (response, heard) => (broken ? fails(503) : says('back'))(response, heard);
    const a = await upstream(flaky);
    const { proxy, send } = await through([{ url: a.url, formats }], { ejectAfter: 2, ejectFor: 200 });
    const ready = async () => (await ask(`${proxy.url}/readyz`, { method: 'GET' })).status;
    expect(await ready()).toBe(200);
    await send();
    expect(await ready()).toBe(200);
    await send();
    expect(await ready()).toBe(503);
    expect((await ask(`${proxy.url}/healthz`, { method: 'GET' })).status).toBe(200);
    broken = false;
    await until(async () => (await ready()) === 200);
  });

  it('is 200 while one of several upstreams can be used, and needs no token', async () => {
    const [a, b] = [await upstream(fails(503)), await upstream(says('b'))];
    const proxy = await proxied(says(''), {
      token: 'sixteen-letters-x',
      upstreams: [
        { url: a.url, formats, models: ['a'] },
        { url: b.url, formats, models: ['b'] },
      ],
      failover: { ejectAfter: 1 },
    });
    await ask(`${proxy.url}${path}`, {
      body: JSON.stringify({ model: 'a', messages }),
      'x-toolmend-token': 'sixteen-letters-x',
    });
    const { status, text } = await ask(`${proxy.url}/readyz`, { method: 'GET' });
    expect([status, text]).toEqual([200, 'ready\n']);
  });
});
