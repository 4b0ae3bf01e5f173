import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { Format } from '../../src/model/index.ts';
import { type Answerer, ask, closeAll, json, open, proxied, raw, upstream } from './around.ts';

afterEach(closeAll);

const fine: Answerer = (response) => json(response, { fine: true });
const token = 'a-token-that-is-long-enough';
const messages = [{ role: 'user', content: 'x' }];
const chat = { path: '/v1/chat/completions', body: { model: 'm', messages } };
const anthropic = { path: '/v1/messages', body: { model: 'm', max_tokens: 9, messages } };
const gemini = {
  path: '/v1beta/models/m:generateContent?key=K',
  body: { contents: [{ role: 'user', parts: [{ text: 'x' }] }] },
};

describe('the headers of a translated request', () => {
  const bearer = { authorization: 'Bearer K' };
  it.each<[string, { path: string; body: object }, Record<string, string>, Format, Record<string, string | undefined>]>(
    [
      ['Chat to Messages', chat, bearer, 'anthropic', { 'anthropic-version': '2023-06-01', 'x-api-key': 'K' }],
      ['Chat to Gemini', chat, bearer, 'gemini', { 'x-goog-api-key': 'K', authorization: undefined }],
      [
        'Messages to Gemini',
        anthropic,
        { 'x-api-key': 'K' },
        'gemini',
        { 'x-goog-api-key': 'K', authorization: undefined },
      ],
      [
        'an access token to Gemini',
        chat,
        { authorization: 'Bearer ya29.T' },
        'gemini',
        { authorization: 'Bearer ya29.T', 'x-api-key': undefined },
      ],
      ['Gemini with a key in the URL to Chat', gemini, {}, 'openai-chat', bearer],
      [
        'Gemini with a key in the URL to Messages',
        gemini,
        {},
        'anthropic',
        { 'anthropic-version': '2023-06-01', 'x-api-key': 'K' },
      ],
    ],
  )('are those of its API format: %s', async (name, { path, body }, headers, format, expected) => {
    const { url, heard } = await upstream(fine);
    const proxy = await proxied(fine, { upstreams: [{ url, formats: [format] }] });
    await ask(`${proxy.url}${path}`, { body: JSON.stringify(body), ...headers });
    const [sent] = heard;
    expect(sent?.headers, name).toMatchObject(
      Object.fromEntries(Object.entries(expected).filter(([, value]) => value)),
    );
    for (const [key, value] of Object.entries(expected)) if (!value) expect(sent?.headers[key]).toBeUndefined();
    expect(sent?.url).not.toContain('key=');
  });

  it("guard: use the proxy's own key and version if it has them", async () => {
    const { url, heard } = await upstream(fine);
    const headers = { 'x-api-key': 'OWN', 'anthropic-version': '2024-01-01' };
    const proxy = await proxied(fine, { token, upstreams: [{ url, formats: ['anthropic'], headers }] });
    await ask(`${proxy.url}${chat.path}`, { body: JSON.stringify(chat.body), authorization: `Bearer ${token}` });
    expect(heard[0]?.headers).toMatchObject(headers);
    expect(heard[0]?.headers.authorization).toBeUndefined();
  });

  it("F22 never contain a client's key in the URL if the proxy has its own", async () => {
    const { url, heard } = await upstream(fine);
    const headers = { 'x-goog-api-key': 'OWN' };
    const proxy = await proxied(fine, { token, upstreams: [{ url, formats: ['gemini'], headers }] });
    await ask(`${proxy.url}${gemini.path}&alt=json`, { body: JSON.stringify(gemini.body), 'x-toolmend-token': token });
    expect(heard.map(({ url: at }) => at)).toEqual(['/v1beta/models/m:generateContent?alt=json']);
  });
});

describe('a request that is not for a turn', () => {
  const form = (model: string): string =>
    `--XX\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\nRIFF\r\n--XX\r\nContent-Disposition: form-data; name="model"\r\n\r\n${model}\r\n--XX--\r\n`;
  const bodyOf = JSON.stringify({ model: 'b-one', input: 'x' });

  it.each<[string, Record<string, string>]>([
    ['/v1/embeddings', { body: bodyOf }],
    ['/v1/completions', { body: bodyOf }],
    ['/v1/images/generations', { body: bodyOf }],
    ['/v1/messages/count_tokens', { body: bodyOf }],
    ['/v1/messages/batches', { body: JSON.stringify({ requests: [{ custom_id: 'a', params: { model: 'b-one' } }] }) }],
    ['/v1/rerank', { body: bodyOf, 'content-type': 'text/plain' }],
    ['/api/show', { body: JSON.stringify({ name: 'b-one' }) }],
    ['/v1beta/models/b-one:embedContent', {}],
    ['/v1beta/models/b-one:countTokens', {}],
    ['/v1/models/b-one', { method: 'GET' }],
    ['/v1/models/b-org%2Fone:latest', { method: 'GET' }],
    ['/openai/deployments/b-one/embeddings?api-version=1', {}],
    ['/v1/realtime/sessions?model=b-one', {}],
    ['/v1/audio/transcriptions', { body: form('b-one'), 'content-type': 'multipart/form-data; boundary=XX' }],
  ])('F22 goes to the upstream of its model, with the key of that upstream: %s', async (path, how) => {
    const [a, b] = [await upstream(fine), await upstream(fine)];
    const formats = ['openai-chat', 'anthropic', 'gemini'] as const;
    const proxy = await proxied(fine, {
      token,
      upstreams: [
        { url: a.url, formats, models: ['a-*'], headers: { authorization: 'Bearer A' } },
        { url: b.url, formats, models: ['b-*'], headers: { authorization: 'Bearer B' } },
      ],
    });
    expect((await ask(`${proxy.url}${path}`, { 'x-toolmend-token': token, ...how })).status).toBe(200);
    expect(a.heard).toEqual([]);
    expect(b.heard.map(({ url, headers }) => [url, headers.authorization])).toEqual([[path, 'Bearer B']]);
    if (how.body) expect(b.heard[0]?.body).toBe(how.body);
  });

  it.each([
    ['/api/ps', {}, 'ollama'],
    ['/v1beta/files', {}, 'gemini'],
    ['/v1/files', { 'anthropic-version': '2023-06-01' }, 'anthropic'],
    ['/v1/files', {}, 'openai-chat'],
  ])('goes to an upstream of its API format if it has no model: %s %j', async (path, headers, format) => {
    const formats = ['openai-responses', 'gemini', 'anthropic', 'openai-chat', 'ollama'] as const;
    const servers = await Promise.all(formats.map(async (one) => ({ one, ...(await upstream(fine)) })));
    const proxy = await proxied(fine, { upstreams: servers.map(({ url, one }) => ({ url, formats: [one] })) });
    await ask(`${proxy.url}${path}`, { method: 'GET', ...headers });
    expect(servers.filter(({ heard }) => heard.length > 0).map(({ one }) => one)).toEqual([format]);
  });

  it('is forwarded as it arrives if it is an upload, without the limit for bodies', async () => {
    let size = 0;
    let begun = false;
    const server = createServer((incoming, response) => {
      incoming
        .on('data', (piece: Buffer) => {
          size += piece.length;
          begun = true;
        })
        .on('end', () => json(response, { length: incoming.headers['content-length'] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => server.close() });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const proxy = await proxied(fine, { maxBody: 100_000, upstreams: [{ url, formats: ['openai-chat'] }] });
    const total = 5_000_000;
    const text = await new Promise<string>((resolve, reject) => {
      const headers = { 'content-type': 'multipart/form-data; boundary=XX', 'content-length': String(total) };
      const asked = request(`${proxy.url}/v1/files`, { method: 'POST', headers }, (message) => {
        let came = '';
        message.on('data', (piece) => {
          came += piece;
        });
        message.on('end', () => resolve(came));
      });
      asked.on('error', reject);
      asked.write(Buffer.alloc(total - 10));
      const timer = setInterval(() => {
        if (!begun) return;
        clearInterval(timer);
        asked.end(Buffer.alloc(10));
      }, 5);
    });
    expect([size, JSON.parse(text)]).toEqual([total, { length: String(total) }]);
  });

  it('guard: is refused if it is JSON above the limit', async () => {
    const proxy = await proxied(fine, { maxBody: 1000 });
    const { status } = await ask(`${proxy.url}/v1/embeddings`, { body: JSON.stringify({ input: 'x'.repeat(2000) }) });
    expect(status).toBe(413);
  });
});

describe('the query and the path', () => {
  it.each([
    ['/v1/things?a=1&a=2&b=%20x+y&flag', '/base/v1/things?api-version=1&a=1&a=2&b=%20x+y&flag'],
    [`/v1/things?a=%2C&key=${token}&a=2`, '/base/v1/things?api-version=1&a=%2C&a=2'],
    ['/v1/things?api-version=9&api%2Dversion=8&x=1', '/base/v1/things?api-version=1&x=1'],
    ['/v1/chat/completions?a=1&a=2&api-version=9', '/base/v1/chat/completions?api-version=1&a=1&a=2'],
  ])("are forwarded as they were written, but never replace the upstream's: %s", async (path, expected) => {
    const { url, heard } = await upstream(fine);
    const upstreams = [{ url: `${url}/base?api-version=1`, formats: ['openai-chat'] as const }];
    const proxy = await proxied(fine, { token, upstreams });
    await ask(`${proxy.url}${path}`, { 'x-toolmend-token': token, body: JSON.stringify(chat.body) });
    expect(heard.map(({ url: at }) => at)).toEqual([expected]);
  });

  it.each([
    '/..%2fadmin',
    '/v1/..%2F..%2fadmin',
    '/v1/x%2f..%2f..%2fadmin',
    '/v1/..%5cadmin',
    '/v1/%2e%2e%2fadmin',
    '/v1/..;a=b/admin',
    '/v1/x%252f..%252fadmin',
    '/v1/%25252e%25252e/admin',
    '/v1/..%00/..%00/admin',
    '/v1/..%09/admin',
    '/v1/.%0a./admin',
    '/v1/x%250d%250aX-Evil:%201',
    '/v1beta/models/..%2f..%2fadmin:generateContent',
  ])('F32 are refused if the path leaves the upstream after decoding: %s', async (path) => {
    const proxy = await proxied(fine);
    const text = await raw(
      proxy.port,
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`,
    );
    expect(text).toMatch(/^HTTP\/1.1 400/);
    expect(proxy.heard).toEqual([]);
  });

  it.each(['/v1/models/org%2Fname', '/v1/files/a..b', '/v1/files/50%25', '/v1/files/...'])(
    'guard: are forwarded if the path only looks unusual: %s',
    async (path) => {
      const proxy = await proxied(fine);
      expect((await ask(`${proxy.url}${path}`, { method: 'GET' })).status).toBe(200);
      expect(proxy.heard.map(({ url }) => url)).toEqual([path]);
    },
  );

  it.each(['../../admin', 'models/../../admin', '..'])(
    'F22 are refused if the model name leaves the path of a translated request: %s',
    async (model) => {
      const { url, heard } = await upstream(fine);
      const proxy = await proxied(fine, { upstreams: [{ url, formats: ['gemini'] }] });
      const { status } = await ask(`${proxy.url}${chat.path}`, { body: JSON.stringify({ ...chat.body, model }) });
      expect(status).toBe(400);
      expect(heard).toEqual([]);
    },
  );
});

describe('the rate limit', () => {
  const statuses = async (url: string, headers: (at: number) => Record<string, string>): Promise<number[]> => {
    const all: number[] = [];
    for (let at = 0; at < 4; at += 1) all.push((await ask(`${url}${chat.path}`, headers(at))).status);
    return all;
  };

  it.each<[string, (at: number) => Record<string, string>]>([
    ['a key header', (at) => ({ 'x-api-key': `decoy-${at}` })],
    ['another scheme', (at) => ({ authorization: `Basic decoy-${at}` })],
  ])('F32 is not evaded with %s that changes', async (_, decoy) => {
    const open = await proxied(fine, { limits: { perMinute: 2 } });
    expect(await statuses(open.url, decoy)).toEqual([200, 200, 429, 429]);
    const closed = await proxied(fine, { token, limits: { perMinute: 2 } });
    expect(await statuses(closed.url, (at) => ({ 'x-toolmend-token': token, ...decoy(at) }))).toEqual([
      200, 200, 429, 429,
    ]);
  });

  it('guard: is not evaded with a forwarded address that changes', async () => {
    const proxy = await proxied(fine, { limits: { perMinute: 2 } });
    const headers = (at: number) => ({ 'x-forwarded-for': `10.0.0.${at}` });
    expect(await statuses(proxy.url, headers)).toEqual([200, 200, 429, 429]);
  });
});

describe('C2 a truncated call stays out of the response to a request that is written in another way', () => {
  const called = {
    id: 'c',
    type: 'function',
    function: { name: 'write_file', arguments: '{"path": "a", "content": "ha' },
  };
  const choices = [
    { index: 0, message: { role: 'assistant', content: null, tool_calls: [called] }, finish_reason: 'length' },
  ];
  const item = {
    type: 'function_call',
    id: 'fc',
    call_id: 'c',
    name: 'write_file',
    arguments: called.function.arguments,
  };
  const stored = {
    id: 'resp_1',
    object: 'response',
    status: 'incomplete',
    output: [{ ...item, status: 'incomplete' }],
  };
  const reason = { incomplete_details: { reason: 'max_output_tokens' } };
  const answer: Answerer = (response, { url }) => {
    const isStored = /responses/i.test(url);
    if (!url.includes('stream=true')) {
      json(response, isStored ? { ...stored, ...reason } : { id: 'r', object: 'chat.completion', choices });
      return;
    }
    const events = [
      { type: 'response.created', sequence_number: 0, response: { ...stored, status: 'in_progress', output: [] } },
      {
        type: 'response.output_item.added',
        sequence_number: 1,
        output_index: 0,
        item: { ...item, arguments: '', status: 'in_progress' },
      },
      {
        type: 'response.function_call_arguments.delta',
        sequence_number: 2,
        item_id: 'fc',
        output_index: 0,
        delta: item.arguments,
      },
      { type: 'response.output_item.done', sequence_number: 3, output_index: 0, item: stored.output[0] },
      { type: 'response.incomplete', sequence_number: 4, response: { ...stored, ...reason } },
    ];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
  };
  const isWithheld = (text: string): void => {
    expect(text).toContain("The call to 'write_file' was cut off");
    expect(text).not.toContain('"ha');
  };
  const body = JSON.stringify(chat.body);

  it.each([
    ['gzip', gzipSync(body)],
    ['br', brotliCompressSync(body)],
    ['zstd', zstdCompressSync(body)],
    ['gzip, br', brotliCompressSync(gzipSync(body))],
  ])('a compressed request: %s', async (encoding, bytes) => {
    const { url, heard } = await proxied(answer);
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
    const got = await fetch(url + chat.path, { method: 'POST', body: new Uint8Array(bytes), headers });
    isWithheld(await got.text());
    expect(heard[0]).toMatchObject({ body });
    expect(heard[0]?.headers['content-encoding']).toBeUndefined();
  });

  it.each([
    ['an unknown encoding', 'x-other', Buffer.from(body), 415],
    ['damaged bytes', 'gzip', gzipSync(body).subarray(4), 400],
    ['too many encodings', 'gzip, gzip, gzip, gzip, gzip', gzipSync(body), 415],
  ])("refuses a compressed request that it can't read: %s", async (_, encoding, bytes, status) => {
    const { url, heard } = await proxied(answer);
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
    const got = await fetch(url + chat.path, { method: 'POST', body: new Uint8Array(bytes), headers });
    expect(got.status).toBe(status);
    expect(await got.json()).toMatchObject({ error: { message: expect.any(String) } });
    expect(heard).toEqual([]);
  });

  it('limits the size of a body after decompression', async () => {
    const { url, heard } = await proxied(answer, { maxBody: 1000 });
    const bytes = gzipSync(JSON.stringify({ ...chat.body, user: 'x'.repeat(5000) }));
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const got = await fetch(url + chat.path, { method: 'POST', body: new Uint8Array(bytes), headers });
    expect([got.status, heard]).toEqual([413, []]);
  });

  it.each([
    ['GET', '/v1/responses/resp_1'],
    ['GET', '/v1/responses/resp_1?stream=true'],
    ['GET', '/v1/responses/resp_1/'],
    ['POST', '/v1/responses/resp_1/cancel'],
    ['GET', '/v1/chat/completions/chatcmpl_1'],
  ])('a stored response: %s %s', async (method, path) => {
    const { url } = await proxied(answer, { retries: 1 });
    isWithheld((await ask(url + path, { method })).text);
  });

  it.each(['/v1/chat/completions/', '/v1/chat/completion%73', '/v1/Chat/Completions', '/v1/chat/completions;a=1'])(
    'a path in another form: %s',
    async (path) => {
      const { url } = await proxied(answer);
      isWithheld((await ask(url + path, { body })).text);
    },
  );

  it('a path of Gemini with an escaped colon', async () => {
    const parts = [{ functionCall: { name: 'write_file', args: { path: 'a' } } }];
    const { url } = await proxied((response) =>
      json(response, { candidates: [{ content: { role: 'model', parts }, finishReason: 'MAX_TOKENS' }] }),
    );
    const { text } = await ask(`${url}/v1beta/models/m%3AgenerateContent`, { body: JSON.stringify(gemini.body) });
    expect(text).toContain("The call to 'write_file' was cut off");
    expect(text).not.toContain('functionCall');
  });

  it('the method PUT', async () => {
    const { url } = await proxied(answer);
    isWithheld(await (await fetch(url + chat.path, { method: 'PUT', body })).text());
  });

  it("a byte order mark, which isn't forwarded", async () => {
    const { url, heard } = await proxied(answer);
    isWithheld((await ask(url + chat.path, { body: `\uFEFF${body}` })).text);
    expect(heard[0]?.body).toBe(body);
  });

  it.each([
    ['UTF-16', Buffer.from(body, 'utf16le')],
    ['NaN', Buffer.from(body.replace('"m"', 'NaN'))],
    ['a trailing comma', Buffer.from(body.replace(/\}$/, ',}'))],
  ])("refuses a body that isn't JSON, because some servers read it: %s", async (_, bytes) => {
    const { url, heard } = await proxied(answer);
    const got = await fetch(url + chat.path, { method: 'POST', body: new Uint8Array(bytes) });
    expect([got.status, heard]).toEqual([400, []]);
    expect(await got.json()).toMatchObject({ error: { message: "The body isn't valid JSON in UTF-8" } });
  });

  it('a stored response that is still running stays so', async () => {
    const running = { ...stored, status: 'in_progress', output: [{ ...item, status: 'in_progress' }] };
    const { url } = await proxied((response) => json(response, running));
    const { text } = await ask(`${url}/v1/responses/resp_1`, { method: 'GET' });
    isWithheld(text);
    expect(JSON.parse(text)).toMatchObject({ status: 'in_progress' });
  });

  it("guard: an unknown response isn't taken for an unknown API", async () => {
    const { url } = await proxied((response, { method }) =>
      method === 'GET' ? json(response, { error: { message: 'No response found' } }, 404) : json(response, stored),
    );
    expect((await ask(`${url}/v1/responses/resp_2`, { method: 'GET' })).status).toBe(404);
    expect((await ask(`${url}/v1/responses`, { body: JSON.stringify({ model: 'm', input: 'x' }) })).status).toBe(200);
  });
});
