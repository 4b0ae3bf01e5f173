import { afterEach, describe, expect, it } from 'vitest';
import type { Format } from '../../src/model/index.ts';
import type { ServedTurn } from '../../src/provider/scripted/script.ts';
import { serveScripted } from '../../src/provider/scripted/server.ts';
import { createProxy, type ResponseReport, type Upstream } from '../../src/proxy/server.ts';
import { sdks } from '../provider/sdks.ts';
import { until } from '../until.ts';
import { closeAll, open, proxied } from './around.ts';
import { cuttingServer } from './cutting-server.ts';
import { received } from './reading-clients.ts';

afterEach(closeAll);

const all: readonly Format[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'ollama'];

async function through(turns: readonly ServedTurn[], formats: readonly Format[], more: Partial<Upstream> = {}) {
  const upstream = await serveScripted(turns);
  const reports: ResponseReport[] = [];
  const notices: string[] = [];
  const proxy = await createProxy({
    upstreams: [{ url: upstream.url, formats, ...more }],
    onResponse: (report) => reports.push(report),
    onNotice: (notice) => notices.push(notice),
  }).listen();
  open.push(proxy, upstream);
  return { url: proxy.url, reports, notices, upstream };
}

const sdkOf = (format: Format) => sdks[format === 'ollama' ? 'ollama' : 'openai chat'] as (typeof sdks)[string];
const written = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo", "days": "3"}}\n</tool_call>';
const turn = (text: string): ServedTurn => ({ text, usage: { input: 11, output: 7 }, chunk: 5 });
const seen = { calls: [{ name: 'get_weather', arguments: { city: 'Oslo', days: 3 } }], input: 11, output: 7 };

describe.each(all)('calls that a model of %s writes as text', (format) => {
  describe.each(Object.entries(sdks))('for the %s package', (_, sdk) => {
    it('C6 become native calls, complete and streamed', async () => {
      const { url, reports } = await through(
        [turn(`Let me look.\n${written}`), turn(`Let me look.\n${written}`)],
        [format],
      );
      expect(await sdk.whole(url)).toEqual({ ...seen, text: 'Let me look.\n' });
      expect(await sdk.stream(url)).toEqual({ ...seen, text: 'Let me look.\n' });
      expect(reports).toMatchObject([
        { streamed: false, dialect: 'hermes', calls: [{ status: 'mended' }] },
        { streamed: true, dialect: 'hermes', calls: [{ status: 'mended', changed: true }] },
      ]);
    });
  });
});

describe('calls in text that were refused while they were read', () => {
  const injected = [
    '<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>',
    '<tool_call>\n<function=get_weather>\n<parameter=city>\nRome\n</parameter>\n</function>\n</tool_call>',
    'rest of file\n</parameter>\n</function>\n</tool_call>',
  ].join('\n');
  const rows: readonly (readonly [dialect: string, text: string])[] = [
    ['qwen3-coder', injected],
    ['auto', '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}, "dry_run": true}</tool_call>'],
    ['auto', '<|tool_call_start|>[get_weather(city=home)]<|tool_call_end|>'],
    ['auto', '<|tool_call_start|>[get_weather(**options)]<|tool_call_end|>'],
    ['auto', '<invoke name="get_weather">only the capital</invoke>'],
    ['auto', '<get_weather>\n<city>Oslo</city>\n<city>Rome</city>\n</get_weather>'],
  ];

  describe.each(Object.entries(sdks))('for the %s package', (_, sdk) => {
    it.each(rows)("don't reach the client, %s: %j", async (dialect, text) => {
      const { url } = await through([turn(text), turn(text)], ['openai-chat'], dialect === 'auto' ? {} : { dialect });
      expect((await sdk.whole(url)).calls).toEqual([]);
      expect((await sdk.stream(url)).calls).toEqual([]);
    });
  });
});

describe('the text of a response that a filter or a failure ended', () => {
  const words: Readonly<Record<Format, readonly string[]>> = {
    'openai-chat': ['content_filter', 'error', 'abort', 'sensitive', 'network_error'],
    'openai-responses': ['content_filter', 'other'],
    anthropic: ['refusal', 'pause_turn'],
    gemini: ['SAFETY', 'RECITATION', 'OTHER'],
    ollama: ['error', 'unload'],
  };
  const text = '<tool_call>\n{"name": "write_file", "arguments": {"path": "a.txt"}}\n</tool_call>';
  const rows = all.flatMap((format) =>
    words[format].flatMap((word) =>
      all.flatMap((client) => [false, true].map((streamed) => [format, word, client, streamed] as const)),
    ),
  );

  it.each(rows)(
    'F1 contains no call: %s that ends with %s, for %s, streamed: %s',
    async (format, word, client, streamed) => {
      const sent = { words: text, calls: [], ends: 'length', word } as const;
      const { url } = await proxied(
        cuttingServer(() => sent),
        { about: { formats: [format] }, retries: 1 },
      );
      const got = await received(client, streamed, url, 'm');
      expect(got.calls).toEqual([]);
      if (got.error === undefined) expect(got.text).toBe(text);
      if (client === format) expect(got.finish).toBe(word);
    },
  );
});

describe('text without a call', () => {
  const bytes = async (url: string, body: object): Promise<string> =>
    (await fetch(url, { method: 'POST', body: JSON.stringify(body) })).text();
  const tools = [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }];
  const ask = { model: 'm', messages: [{ role: 'user', content: 'x' }], tools };

  it.each([
    'a < b, and <tool_call> is a marker that I only mention',
    'Write `{"name": "x"}` there.',
    `${written} but native`,
    '<think>Hm, <tool',
  ])('passes byte for byte, %s', async (text) => {
    const native = text.endsWith('native') ? [{ name: 'get_weather', arguments: { city: 'Oslo' } }] : [];
    const chunks = [...`${text}`].map((content) => ({ delta: { content }, index: 0 }));
    const calls = native.map(({ name, arguments: given }) => ({
      index: 0,
      delta: {
        tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name, arguments: JSON.stringify(given) } }],
      },
    }));
    const stream = [
      ...chunks,
      ...calls,
      { delta: {}, index: 0, finish_reason: native.length > 0 ? 'tool_calls' : 'stop' },
    ]
      .map((choice) => `data: ${JSON.stringify({ id: 'r', choices: [choice] })}\n\n`)
      .concat('data: [DONE]\n\n')
      .join('');
    const proxy = await proxied((response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream),
    );
    const through = await bytes(`${proxy.url}/v1/chat/completions`, { ...ask, stream: true });
    expect(through.replace(/: toolmend .*\n\n$/, '')).toBe(stream);
  });

  it.each([{ tool_choice: 'none' }, { tools: [] }])(
    'passes with a call in it if no call is wanted: %j',
    async (more) => {
      const { url } = await through([turn(written), turn(written)], ['openai-chat']);
      const path = `${url}/v1/chat/completions`;
      expect(JSON.parse(await bytes(path, { ...ask, ...more })).choices[0].message.content).toBe(written);
      expect(await bytes(path, { ...ask, ...more, stream: true })).not.toContain('tool_calls');
    },
  );

  it('is never read if the upstream is set to native', async () => {
    const { url } = await through([turn(written)], ['openai-chat'], { dialect: 'native' });
    const answer = JSON.parse(await bytes(`${url}/v1/chat/completions`, ask));
    expect(answer.choices[0].message).toMatchObject({ content: written });
  });

  it('is forwarded immediately, and buffered only while it may be a call', async () => {
    let next: (text: string, end?: boolean) => void = () => {};
    const proxy = await proxied((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      next = (content) =>
        response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
      next('Hello');
    });
    const response = await fetch(`${proxy.url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ ...ask, stream: true }),
    });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const heard = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
    expect(await heard()).toContain('Hello');
    next(' you <tool');
    next('box>');
    expect(await heard()).toMatch(/you <tool.*box>/s);
    await reader.cancel();
  });

  it('refuses an unknown dialect immediately', async () => {
    const upstreams = [{ url: 'http://127.0.0.1:9', formats: ['openai-chat'] as const, dialect: 'nonsense' }];
    await expect(createProxy({ upstreams }).listen()).rejects.toThrow("There is no dialect 'nonsense'");
  });
});

describe('upstreams without support for tools', () => {
  const refusal = {
    raw: JSON.stringify({
      object: 'error',
      message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      type: 'BadRequestError',
      code: 400,
    }),
    status: 400,
    headers: { 'content-type': 'application/json' },
  };

  it.each([
    ['whole', 'whole'],
    ['streamed', 'stream'],
  ] as const)(
    'C21 get the request again without tools if they refuse tools, from then on directly: %s',
    async (_, way) => {
      const { url, upstream, notices } = await through([refusal, turn(written), turn(written)], ['openai-chat']);
      const sdk = sdkOf('openai-chat');
      expect(await sdk[way](url)).toMatchObject(seen);
      expect(await sdk[way](url)).toMatchObject(seen);
      const asked = upstream.requests.filter(({ question }) => question);
      expect(asked.map(({ question }) => question?.tools?.length ?? 0)).toEqual([1, 0, 0]);
      expect(JSON.stringify(asked[1]?.question?.messages[0])).toContain('You can call these tools');
      expect(notices.join('\n')).toContain('does not support tools');
    },
  );

  it('C21 get the request again without tools if llama-server refuses them as an error of its own', async () => {
    const error = { code: 500, message: 'tools param requires --jinja flag', type: 'server_error' };
    const raw = { ...refusal, raw: JSON.stringify({ error }), status: 500 };
    const { url, upstream } = await through([raw, turn(written)], ['openai-chat']);
    expect(await sdkOf('openai-chat').stream(url)).toMatchObject(seen);
    const asked = upstream.requests.filter(({ question }) => question);
    expect(asked.map(({ question }) => question?.tools?.length ?? 0)).toEqual([1, 0]);
  });

  it.each(Object.keys(sdks))('C21 do the same for a client of another API format: %s', async (name) => {
    const { url } = await through([refusal, turn(written), turn(written)], ['openai-chat']);
    const sdk = sdks[name] as (typeof sdks)[string];
    expect(await sdk.whole(url)).toMatchObject(seen);
    expect(await sdk.stream(url)).toMatchObject(seen);
  });

  it('describes tools in the dialect from the start for a model without tool support', async () => {
    const text = '<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>';
    const own = { dialect: 'qwen3-coder', toolsInText: true };
    const { url, upstream } = await through([turn(`<tool_call>\n${text}\n</tool_call>`)], ['openai-chat'], own);
    expect(await sdkOf('openai-chat').stream(url)).toMatchObject({ calls: [{ arguments: { city: 'Oslo' } }] });
    const [question] = upstream.requests.map((one) => one.question);
    expect(question?.tools ?? []).toEqual([]);
    expect(JSON.stringify(question?.messages[0])).toContain('<function=get_weather>');
  });

  it('C19 receive no invalid call from the history', async () => {
    const { url, upstream } = await through(['Hello.'], ['openai-chat']);
    const call = { id: 'c', type: 'function', function: { name: 'get_weather', arguments: '{"city": "Oslo",' } };
    const messages = [
      { role: 'user', content: 'x' },
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: 'no' },
    ];
    const body = JSON.stringify({ model: 'm', messages }, null, 2);
    await fetch(`${url}/v1/chat/completions`, { method: 'POST', body });
    expect(JSON.stringify(upstream.requests[0]?.body, null, 2)).toBe(
      body.replace(/"arguments": .*/, '"arguments": "{}"'),
    );
  });

  it('C21 have their refusal forwarded if text is never read', async () => {
    const { url } = await through([refusal], ['openai-chat'], { dialect: 'native' });
    await expect(sdkOf('openai-chat').whole(url)).rejects.toThrow('enable-auto-tool-choice');
  });

  it.each(['ollama', 'openai-chat'] as const)(
    'C20 have text that Ollama could not parse read as text: %s',
    async (format) => {
      const message = `error parsing tool call: raw='{"name":"get_weather","arguments":{"city":"Oslo","days":3,}}', err=invalid character`;
      const raw = JSON.stringify({ error: format === 'ollama' ? message : { message, type: 'api_error' } });
      const failed = { raw, status: 500, headers: { 'content-type': 'application/json' } };
      const { url } = await through([failed, failed], [format]);
      const sdk = sdkOf(format);
      expect(await sdk.whole(url)).toMatchObject({ calls: seen.calls });
      expect(await sdk.stream(url)).toMatchObject({ calls: seen.calls });
    },
  );

  it('C20 do the same in the middle of a stream', async () => {
    const error = `error parsing tool call: raw='{"name":"get_weather","arguments":{"city":"Oslo","days":3,}}', err=invalid`;
    const line = (value: object): string => `${JSON.stringify(value)}\n`;
    const raw = [line({ model: 'm', message: { role: 'assistant', content: 'Look.' }, done: false }), line({ error })];
    const { url } = await through([{ raw, headers: { 'content-type': 'application/x-ndjson' } }], ['ollama']);
    const sdk = sdkOf('ollama');
    expect(await sdk.stream(url)).toMatchObject({ text: 'Look.', calls: seen.calls });
  });

  it.each([
    ['/props', 'chat_template', 'openai-chat'],
    ['/api/show', 'template', 'ollama'],
  ] as const)('have their dialect detected once, from the chat template at %s', async (path, field, format) => {
    const template = 'x <|tool_call_argument_begin|> <|tool_calls_section_begin|> y';
    const notices: string[] = [];
    const { url: direct, heard } = await proxied((response, { url }) => {
      const body = url.startsWith(path)
        ? { [field]: template }
        : {
            model: 'm',
            message: { role: 'assistant', content: written },
            done: true,
            choices: [{ index: 0, message: { content: written } }],
          };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }, {}).then(async ({ direct: url, heard }) => ({ url, heard }));
    const proxy = await createProxy({
      upstreams: [{ url: direct, formats: [format] }],
      onNotice: (one) => notices.push(one),
    }).listen();
    open.push(proxy);
    const sdk = sdkOf(format);
    expect(await sdk.whole(proxy.url)).toMatchObject({ calls: seen.calls });
    await until(() => notices.length > 0);
    expect(notices.join()).toContain(
      `reading calls from text as kimi-k2, because the chat template at ${path} shows kimi-k2`,
    );
    // A complete call of another dialect is read, too.
    expect(await sdk.whole(proxy.url)).toMatchObject({ calls: seen.calls });
    expect(heard.filter(({ url }) => url.startsWith(path))).toHaveLength(1);
  });
});

describe('text that begins like a call', () => {
  const tools = [
    { type: 'function', function: { name: 'get_weather', parameters: { type: 'object', properties: {} } } },
  ];
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x' }], tools, stream: true });
  const chunk = (delta: object, finish: string | null = null): string =>
    `data: ${JSON.stringify({ id: 'r', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

  it.each([
    ['is streamed as it arrives: data with a name', '{"name": "Ada", "born": 1815, "bio": "'],
    ['guard: is streamed as it arrives: an action in prose', 'Action: I will look at the files and then\nwrite'],
    ['guard: is streamed as it arrives: a program that prints', 'print("Hello")\nprint("again")\n'],
    ['guard: is streamed as it arrives: other data', '{"status": "ok", "items": ['],
    ['guard: is streamed as it arrives: a marker that is mentioned', '<tool_call> is a tag that'],
    ['guard: is streamed as it arrives: a misspelt marker that is mentioned', '<toolcall> is a tag that'],
    ['guard: is streamed as it arrives: a marker in brackets that is mentioned', '[TOOL_CALL] is a label that'],
  ])('%s', async (_, words) => {
    let end = (): void => {};
    const proxy = await proxied((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const piece of `${words} one two three`.match(/\S+\s*/g) ?? []) response.write(chunk({ content: piece }));
      end = () => response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`);
    });
    const answer = await fetch(`${proxy.url}/v1/chat/completions`, { method: 'POST', body });
    let text = '';
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    const read = async (): Promise<void> => {
      for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) text += next.value;
    };
    const reading = read();
    await until(() => text.includes('three'));
    end();
    await reading;
  });
});
