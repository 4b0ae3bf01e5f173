import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createProxy, type ProxyOptions, type RunningProxy } from '../../src/proxy/server.ts';
import { lived } from '../lived.ts';
import { until } from '../until.ts';
import { wait } from './around.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

/** A proxy before an upstream that answers as it is told. */
async function proxyTo(
  answer: (request: IncomingMessage, response: ServerResponse, body: Buffer) => void,
  options: Partial<ProxyOptions> = {},
): Promise<RunningProxy & { direct: string; errors: string[] }> {
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming
      .on('data', (piece) => pieces.push(piece))
      .on('end', () => answer(incoming, response, Buffer.concat(pieces)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const direct = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const errors: string[] = [];
  const upstreams = [
    { url: direct, formats: ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'ollama'] as const },
  ];
  const proxy = await createProxy({ upstreams, onError: (message) => errors.push(message), ...options }).listen();
  open.push({ close: () => proxy.close() }, { close: () => server.closeAllConnections() }, server);
  return { ...proxy, direct, errors };
}

interface Got {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
  broken: boolean;
}

function got(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
  onPiece: (piece: Buffer) => void = () => {},
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
      (message) => {
        const pieces: Buffer[] = [];
        const end = (broken: boolean) => () =>
          resolve({ status: message.statusCode ?? 0, headers: message.headers, body: Buffer.concat(pieces), broken });
        message
          .on('data', (piece) => {
            pieces.push(piece);
            onPiece(piece);
          })
          .on('end', end(false))
          .on('error', end(true));
      },
    );
    asked.on('error', reject);
    asked.end(typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body));
  });
}

const tools = [
  {
    type: 'function',
    function: { name: 'read_file', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
  },
];
const ask = { model: 'm', messages: [{ role: 'user', content: 'x' }], tools, stream: true };
const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'r', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const head = chunk({
  tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'read_file', arguments: '' } }],
});
const piece = (text: string): string => chunk({ tool_calls: [{ index: 0, function: { arguments: text } }] });
const sse = { 'content-type': 'text/event-stream' };

describe('the proxy, when something fails', () => {
  it.each([
    ['with tools', ask],
    ['without', { ...ask, tools: undefined }],
  ])(
    'F1 turns an upstream that fails in the middle of a stream into an error or a reset, never a clean end: %s',
    async (_, asked) => {
      let die = (): void => {};
      const proxy = await proxyTo((_request, response) => {
        response.writeHead(200, sse);
        response.write(chunk({ content: 'Hello' }));
        die = () => response.socket?.destroy();
      });
      const { body, broken } = await got(`${proxy.url}/v1/chat/completions`, asked, {}, () => die());
      expect(body.toString()).toContain('Hello');
      expect(broken || body.toString().includes('"error"')).toBe(true);
      expect(body.toString()).not.toContain('[DONE]');
    },
  );

  it.each([
    ['with tools', ask],
    ['without', { ...ask, tools: undefined }],
  ])('F2 aborts the upstream request within 100 ms after the client disconnects: %s', async (_, asked) => {
    let gone = false;
    let came = 0;
    const proxy = await proxyTo((_request, response) => {
      response.writeHead(200, sse);
      const timer = setInterval(() => response.write(chunk({ content: 'x' })), 5);
      response.on('close', () => {
        clearInterval(timer);
        gone = true;
      });
    });
    const asking = request(`${proxy.url}/v1/chat/completions`, { method: 'POST' }, (message) =>
      message.on('data', () => {
        came += 1;
      }),
    );
    asking.on('error', () => {});
    asking.end(JSON.stringify(asked));
    await until(() => came > 5);
    asking.destroy();
    expect(await lived(() => until(() => gone))).toBeLessThan(100);
  });

  it('F3 slows the upstream down for a slow reader, and buffers little', async () => {
    let written = 0;
    const line = chunk({ content: 'x'.repeat(10_000) });
    const proxy = await proxyTo((_request, response) => {
      response.writeHead(200, sse);
      const pump = (): void => {
        while (written < 200e6 && response.write(line)) written += line.length;
        if (written < 200e6) response.once('drain', pump);
      };
      pump();
    });
    const asking = request(`${proxy.url}/v1/chat/completions`, { method: 'POST' }, (message) => message.pause());
    asking.on('error', () => {});
    asking.end(JSON.stringify(ask));
    await until(async () => {
      const before = written;
      await wait(200);
      return before > 0 && written === before;
    });
    expect(written).toBeLessThan(40e6);
    asking.destroy();
  });

  it.each([
    ['that says its length', {}],
    ['in chunks', { 'transfer-encoding': 'chunked' }],
  ])('F5 refuses a body of 60 MB %s before contacting the upstream', async (_, headers) => {
    let reached = false;
    const proxy = await proxyTo((_request, response) => {
      reached = true;
      response.end();
    });
    const asking = got(`${proxy.url}/v1/chat/completions`, Buffer.alloc(60e6, 'x'), headers);
    const seen = await asking.then(
      ({ status, body }) => `${status} ${body}`,
      (error: Error) => error.message,
    );
    expect(seen).toMatch(/413|EPIPE|ECONNRESET/);
    expect(reached).toBe(false);
    await until(() => proxy.errors.join().includes('too large'));
  });

  it.each([
    [
      'HTML',
      (response: ServerResponse) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad</h1>'),
      502,
    ],
    [
      'half a JSON',
      (response: ServerResponse) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"choi'),
      200,
    ],
    [
      '429',
      (response: ServerResponse) => response.writeHead(429, { 'retry-after': '7' }).end('{"error":{"message":"slow"}}'),
      429,
    ],
    ['nothing', (response: ServerResponse) => response.writeHead(200).end(), 200],
  ])('forwards a response with %s unchanged', async (_, answer, status) => {
    const proxy = await proxyTo((_request, response) => answer(response));
    const direct = await got(`${proxy.direct}/v1/chat/completions`, ask);
    const through = await got(`${proxy.url}/v1/chat/completions`, ask);
    expect(through.status).toBe(status);
    expect(through.body.equals(direct.body)).toBe(true);
    expect(through.headers['retry-after']).toBe(direct.headers['retry-after']);
  });

  it.each([
    ['byte by byte', (text: string) => Array.from(Buffer.from(text), (byte) => Buffer.of(byte))],
    ['with CRLF', (text: string) => [text.replaceAll('\n', '\r\n')]],
    ['after a BOM', (text: string) => [`\uFEFF${text}`]],
    ['with comments between', (text: string) => [text.replaceAll('\n\n', '\n\n: still here\n\n')]],
    ['without [DONE]', (text: string) => [text.replace('data: [DONE]\n\n', '')]],
    ['without the last line end', (text: string) => [text.trimEnd()]],
  ])('F4 mends a damaged call for every format of the stream: %s', async (_, write) => {
    const text = [
      chunk({ content: 'Sé' }),
      head,
      piece('{path: '),
      piece("'é.ts',}"),
      chunk({}, 'tool_calls'),
      'data: [DONE]\n\n',
    ].join('');
    const proxy = await proxyTo((_request, response) => {
      response.writeHead(200, sse);
      for (const part of write(text)) response.write(part);
      response.end();
    });
    const { body } = await got(`${proxy.url}/v1/chat/completions`, ask);
    expect(body.toString()).toContain('{\\"path\\":\\"é.ts\\"}');
    expect(body.toString()).toContain('Sé');
    expect(body.toString()).not.toContain("'é.ts'");
  });

  it('F4 limits the length of a line, and reports an error', async () => {
    const proxy = await proxyTo((_request, response) => {
      response.writeHead(200, sse);
      response.write(chunk({ content: 'Hello' }));
      response.end(`data: {"a": "${'x'.repeat(20e6)}`);
    });
    const { body, broken } = await got(`${proxy.url}/v1/chat/completions`, ask);
    expect(broken || body.subarray(-2000).toString().includes('error')).toBe(true);
    expect(body.length).toBeLessThan(19e6);
  });

  it("reports an unavailable upstream in the client's API format", async () => {
    const proxy = await createProxy({ upstreams: [{ url: 'http://127.0.0.1:9', formats: ['anthropic'] }] }).listen();
    open.push(proxy);
    const { status, body } = await got(`${proxy.url}/v1/messages`, { ...ask, tools: undefined });
    expect(status).toBe(502);
    expect(JSON.parse(body.toString())).toMatchObject({
      type: 'error',
      error: { message: expect.stringContaining("can't be reached") },
    });
  });

  it('forwards text immediately while a call is buffered', async () => {
    let next: () => void = () => {};
    const proxy = await proxyTo((_request, response) => {
      response.writeHead(200, sse);
      response.write(chunk({ content: 'Hello' }));
      next = () => response.end([head, piece("{path: 'a'}"), chunk({}, 'tool_calls'), 'data: [DONE]\n\n'].join(''));
    });
    const seen: string[] = [];
    const asking = request(`${proxy.url}/v1/chat/completions`, { method: 'POST' }, (message) => {
      message.on('data', (part) => seen.push(String(part)));
      message.on('end', () => seen.push('end'));
    });
    asking.end(JSON.stringify(ask));
    await until(() => seen.join('').includes('Hello'));
    next();
    await until(() => seen.at(-1) === 'end');
    expect(seen.join('')).toContain('{\\"path\\":\\"a\\"}');
    expect(seen.join('')).not.toContain("{path: 'a'}");
  });
});

describe('data that needs no mending passes byte for byte, in both directions', () => {
  const bodies: Record<string, [path: string, body: object]> = {
    'cache-control marks and beta headers': [
      '/v1/messages?beta=true',
      {
        model: 'm',
        max_tokens: 5,
        system: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }],
        messages: [],
        tools: [
          { name: 'f', input_schema: { type: 'object' }, cache_control: { type: 'ephemeral' } },
          { type: 'web_search_20250305', name: 'web_search' },
        ],
        tool_choice: { type: 'auto', disable_parallel_tool_use: true },
        mcp_servers: [{ type: 'url', url: 'https://x.test', name: 'x' }],
      },
    ],
    'response_format, tool_choice, images': [
      '/v1/chat/completions',
      {
        ...ask,
        response_format: { type: 'json_object' },
        tool_choice: { type: 'function', function: { name: 'read_file' } },
        parallel_tool_calls: false,
        messages: [
          {
            role: 'user',
            content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } }],
          },
        ],
      },
    ],
    'previous_response_id and server tools': [
      '/v1/responses',
      {
        model: 'm',
        input: 'x',
        previous_response_id: 'resp_1',
        tools: [
          { type: 'function', name: 'f', parameters: { type: 'object' } },
          { type: 'web_search' },
          { type: 'mcp', server_label: 'x', server_url: 'https://x.test' },
        ],
        include: ['reasoning.encrypted_content'],
      },
    ],
    'thought signatures': [
      '/v1beta/models/m:generateContent',
      {
        contents: [{ role: 'model', parts: [{ functionCall: { name: 'f', args: {} }, thoughtSignature: 'AAA' }] }],
        tools: [{ functionDeclarations: [{ name: 'f' }] }, { googleSearch: {} }],
      },
    ],
    'options of Ollama': [
      '/api/chat',
      { model: 'm', messages: [], tools, options: { num_ctx: 8192, temperature: 0 }, keep_alive: '5m', stream: false },
    ],
  };

  it.each(Object.entries(bodies))('%s', async (_, [path, body]) => {
    const answer = JSON.stringify({ any: 'thing', 'with spaces': [1.0, 'é'] }, null, 3);
    const heard: { url: string | undefined; headers: IncomingMessage['headers']; body: Buffer }[] = [];
    const proxy = await proxyTo((incoming, response, came) => {
      heard.push({ url: incoming.url, headers: incoming.headers, body: came });
      response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'r9' }).end(answer);
    });
    const text = JSON.stringify(body, null, 2);
    const headers = {
      'anthropic-beta': 'a,b',
      authorization: 'Bearer key',
      'x-custom': 'é'.normalize('NFC').replace('é', 'e'),
    };
    const direct = await got(proxy.direct + path, text, headers);
    const through = await got(proxy.url + path, text, headers);
    const [first, second] = heard;
    expect(second?.body.equals(first?.body as Buffer)).toBe(true);
    expect(second?.url).toBe(first?.url);
    for (const name of Object.keys(headers)) expect(second?.headers[name]).toBe(first?.headers[name]);
    expect(through.body.equals(direct.body)).toBe(true);
    expect(through.headers['x-request-id']).toBe('r9');
    expect(through.headers['x-toolmend-id']).toMatch(/^tm_/);
  });

  it.each([1, 100, 1000])('guard: all bytes, %i times', async (count) => {
    const heard: Buffer[] = [];
    const proxy = await proxyTo((_, response, came) => {
      heard.push(came);
      response.end('{}');
    });
    const all = Buffer.from(
      Array.from({ length: 224 }, (_, at) => at + 32).filter((byte) => byte !== 34 && byte !== 92),
    );
    const text = Buffer.alloc(all.length * count, all);
    const messages = [Buffer.from('{"model":"m","messages":[{"role":"user","content":"'), text, Buffer.from('"}]}')];
    const body = Buffer.concat(messages);
    await got(`${proxy.url}/v1/chat/completions`, body);
    expect(heard[0]?.equals(body)).toBe(true);
  });

  it('other paths and methods', async () => {
    const proxy = await proxyTo((incoming, response) => response.end(`${incoming.method} ${incoming.url}`));
    const response = await fetch(`${proxy.url}/v1/models?limit=3`);
    expect(await response.text()).toBe('GET /v1/models?limit=3');
  });
});
