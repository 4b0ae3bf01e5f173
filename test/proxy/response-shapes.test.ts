import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { brotliCompressSync, createGzip, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { CallReport } from '../../src/proxy/server.ts';
import { until } from '../until.ts';
import { ask, closeAll, json, proxied, upstream } from './around.ts';
import {
  chatCall,
  chatPath,
  chatRequest,
  chatChunk as chunk,
  damagedArguments,
  doneFrame,
  fileParameters,
  mendedArguments,
  sse,
} from './chat-frames.ts';

afterEach(closeAll);

const streaming = JSON.stringify({ ...chatRequest, stream: true });
const stream = `${chunk({ tool_calls: [chatCall()] })}${chunk({}, 'tool_calls')}${doneFrame}`;
const choice = (index = 0, more: object = {}) => ({
  index,
  message: { role: 'assistant', content: null, tool_calls: [chatCall()] },
  finish_reason: 'tool_calls',
  ...more,
});
const whole = { id: 'r', object: 'chat.completion', model: 'm', choices: [choice()] };

/** The argument texts of a Chat stream, by choice. */
function argumentsIn(text: string): string[] {
  const found: string[] = [];
  for (const line of text.split(/[\r\n]/).filter((one) => one.startsWith('data: {')))
    for (const { index, delta } of JSON.parse(line.slice(6)).choices)
      for (const one of delta?.tool_calls ?? []) found[index] = (found[index] ?? '') + (one.function.arguments ?? '');
  return found;
}

/** A request whose pieces can be watched. */
function watch(url: string, body: string): { text: () => string; ended: Promise<IncomingMessage> } {
  let text = '';
  const ended = new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers: { 'content-type': 'application/json' } }, (message) => {
      message.on('data', (piece) => {
        text += piece;
      });
      message.on('end', () => resolve(message)).on('error', reject);
    });
    sent.on('error', reject).end(body);
  });
  return { text: () => text, ended };
}

describe('a compressed response', () => {
  const codings: [string, (text: string) => Buffer][] = [
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['zstd', zstdCompressSync],
    ['gzip, br', (text) => brotliCompressSync(gzipSync(text))],
  ];

  it('C2 is refused if its encoding is unknown', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip, x-other' };
    const proxy = await proxied((response) => response.writeHead(200, headers).end(gzipSync(JSON.stringify(whole))));
    const got = await ask(`${proxy.url}${chatPath}`, { body: JSON.stringify(chatRequest) });
    expect(got.status).toBe(502);
    expect(got.text).toContain('unknown content encoding gzip, x-other');
  });

  it.each(codings)('is mended: %s', async (encoding, compress) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
    const proxy = await proxied((response) => response.writeHead(200, headers).end(compress(JSON.stringify(whole))));
    const got = await ask(`${proxy.url}${chatPath}`, { body: JSON.stringify(chatRequest) });
    expect(got.headers['content-encoding']).toBeUndefined();
    expect(JSON.parse(got.text).choices[0].message.tool_calls[0].function.arguments).toBe(mendedArguments);
  });

  it.each(codings)('is mended if it is a stream: %s', async (encoding, compress) => {
    const proxy = await proxied((response) =>
      response.writeHead(200, { ...sse, 'content-encoding': encoding }).end(compress(stream)),
    );
    const got = await ask(`${proxy.url}${chatPath}`, { body: streaming });
    expect(got.headers['content-encoding']).toBeUndefined();
    expect(argumentsIn(got.text)).toEqual([mendedArguments]);
    expect(got.text).toContain('[DONE]');
  });

  it('is streamed as it arrives', async () => {
    let finish = (): void => {};
    const proxy = await proxied((response) => {
      const packed = createGzip();
      packed.pipe(response.writeHead(200, { ...sse, 'content-encoding': 'gzip' }));
      packed.write(chunk({ content: 'Hello' }));
      packed.flush();
      finish = () => packed.end(chunk({}, 'stop'));
    });
    const got = watch(`${proxy.url}${chatPath}`, streaming);
    await until(() => got.text().includes('Hello'));
    finish();
    await got.ended;
  });

  it('is read if it is an error, also for a client of another API format', async () => {
    const { url } = await upstream((response) =>
      response
        .writeHead(400, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(gzipSync(JSON.stringify({ error: { message: 'no such model', type: 'invalid_request_error' } }))),
    );
    const proxy = await proxied(() => {}, { upstreams: [{ url, formats: ['openai-chat'] }] });
    for (const path of [chatPath, '/v1/messages']) {
      const { status, text } = await ask(`${proxy.url}${path}`, {
        body: JSON.stringify({ ...chatRequest, tools: undefined }),
      });
      expect([status, JSON.parse(text).error.message]).toEqual([400, 'no such model']);
    }
  });
});

describe('a response with a mended call', () => {
  it('has all other fields as the upstream sent them, in the same order', async () => {
    const text = `{"timings":{"prompt_ms":1.50,"n":-0},"choices":[{"finish_reason":"tool_calls","stop":null,"message":{"tool_calls":[{"function":{"arguments":ARGS,"name":"read_file"},"provider":{"seed":7},"type":"function","id":"c1"}],"content":"I read","role":"assistant","audio":null},"index":0}],"usage":{"total_tokens":3,"prompt_tokens":2,"completion_tokens":1,"cost":0.10},"model":"m","id":"r","system_fingerprint":null}`;
    const proxy = await proxied((response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(text.replace('ARGS', JSON.stringify(damagedArguments))),
    );
    const got = await ask(`${proxy.url}${chatPath}`, { body: JSON.stringify(chatRequest) });
    expect(got.text).toBe(text.replace('ARGS', JSON.stringify(mendedArguments)));
    expect(got.headers['x-toolmend-calls']).toBe('ok=0 mended=1 invalid=0');
  });
});

describe('a stream without its content type', () => {
  it.each([['text/plain'], ['application/json'], [undefined]])('is streamed and marked as one: %s', async (type) => {
    let finish = (): void => {};
    const proxy = await proxied((response) => {
      response.writeHead(200, type === undefined ? {} : { 'content-type': type });
      response.write(chunk({ content: 'Hello' }));
      finish = () => response.end(stream);
    });
    const got = watch(`${proxy.url}${chatPath}`, streaming);
    await until(() => got.text().includes('Hello'));
    finish();
    expect((await got.ended).headers['content-type']).toBe('text/event-stream');
    expect(argumentsIn(got.text())).toEqual([mendedArguments]);
  });

  it('guard: is mended with CR alone at the ends of lines', async () => {
    const proxy = await proxied((response) => response.writeHead(200, sse).end(stream.replaceAll('\n', '\r')));
    expect(argumentsIn((await ask(`${proxy.url}${chatPath}`, { body: streaming })).text)).toEqual([mendedArguments]);
  });

  it('guard: is a complete response if the server does not stream', async () => {
    const proxy = await proxied((response) => json(response, whole));
    const { text } = await ask(`${proxy.url}${chatPath}`, { body: streaming });
    expect(JSON.parse(text).choices[0].message.tool_calls[0].function.arguments).toBe(mendedArguments);
  });
});

describe("Gemini's JSON list of events", () => {
  const body = JSON.stringify({
    contents: [{ role: 'user', parts: [{ text: 'x' }] }],
    tools: [{ functionDeclarations: [{ name: 'read_file', parameters: fileParameters }] }],
  });
  const path = '/v1beta/models/g:streamGenerateContent';
  const words = { candidates: [{ content: { role: 'model', parts: [{ text: 'He "[llo]" {' }] }, index: 0 }] };
  const functionCall = { name: 'read_file', args: { path: 'a', limit: '3' } };
  const last = {
    candidates: [{ content: { role: 'model', parts: [{ functionCall }] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 3 },
  };

  interface Item {
    candidates: { content?: { parts?: { text?: string; functionCall?: { args: object } }[] }; finishReason?: string }[];
    usageMetadata?: object;
  }
  const partsOf = (items: Item[]) => items.flatMap(({ candidates }) => candidates[0]?.content?.parts ?? []);

  it.each([
    ['compact', 0],
    ['over several lines', 2],
  ])('is mended and streamed as it arrives: %s', async (_, space) => {
    let finish = (): void => {};
    const proxy = await proxied((response) => {
      response.writeHead(200, { 'content-type': 'application/json; charset=UTF-8' });
      response.write(`[${JSON.stringify(words, null, space)}`);
      finish = () => response.end(`,\r\n${JSON.stringify(last, null, space)}\n]`);
    });
    const got = watch(`${proxy.url}${path}`, body);
    await until(() => got.text().includes('He '));
    finish();
    expect((await got.ended).headers['content-type']).toMatch(/^application\/json/);
    const items = JSON.parse(got.text()) as Item[];
    expect(partsOf(items)).toEqual([
      { text: 'He "[llo]" {' },
      { functionCall: { name: 'read_file', args: { path: 'a', limit: 3 } } },
    ]);
    expect(items.flatMap(({ candidates }) => candidates[0]?.finishReason ?? [])).toEqual(['STOP']);
    expect(items.flatMap(({ usageMetadata }) => usageMetadata ?? [])).toEqual([last.usageMetadata]);
  });

  it('is what a client without alt=sse receives from an upstream with another API format', async () => {
    const { url } = await upstream((response) => response.writeHead(200, sse).end(stream));
    const proxy = await proxied(() => {}, { upstreams: [{ url, formats: ['openai-chat'] }] });
    const { text, headers } = await ask(`${proxy.url}${path}`, { body });
    expect(headers['content-type']).toBe('application/json');
    expect(partsOf(JSON.parse(text)).map((part) => part.functionCall?.args)).toEqual([{ path: 'a', limit: 3 }]);
    const events = await ask(`${proxy.url}${path}?alt=sse`, { body });
    expect(events.headers['content-type']).toBe('text/event-stream');
    expect(events.text).toMatch(/^data: /);
  });

  it('becomes events if the client asked for them', async () => {
    const proxy = await proxied((response) => json(response, [words, last]));
    const { text } = await ask(`${proxy.url}${path}?alt=sse`, { body });
    const items = text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []));
    expect(partsOf(items)).toHaveLength(2);
  });

  it('guard: ends with an error if the connection breaks', async () => {
    const proxy = await proxied((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(`[${JSON.stringify(words)}`, () => response.socket?.destroy());
    });
    const answer = await ask(`${proxy.url}${path}`, { body }).then(
      ({ text }) => text,
      () => 'broken',
    );
    expect(answer === 'broken' || /"error"/.test(answer)).toBe(true);
  });
});

describe('several choices', () => {
  const reports: CallReport[][] = [];
  const onResponse = ({ calls }: { calls: readonly CallReport[] }) => reports.push([...calls]);

  it('are all mended in a complete response', async () => {
    reports.length = 0;
    const text = {
      role: 'assistant',
      content: '<tool_call>\n{"name":"read_file","arguments":{"path":"a"}}\n</tool_call>',
    };
    const choices = [choice(), choice(1), choice(2, { message: text, finish_reason: 'stop' })];
    const proxy = await proxied((response) => json(response, { ...whole, choices }), { onResponse });
    const got = await ask(`${proxy.url}${chatPath}`, { body: JSON.stringify({ ...chatRequest, n: 3 }) });
    const made = JSON.parse(got.text).choices as ReturnType<typeof choice>[];
    expect(made.map(({ message }) => message.tool_calls[0]?.function.arguments)).toEqual([
      mendedArguments,
      mendedArguments,
      '{"path":"a"}',
    ]);
    expect(made.map(({ index, finish_reason }) => [index, finish_reason])).toEqual([
      [0, 'tool_calls'],
      [1, 'tool_calls'],
      [2, 'tool_calls'],
    ]);
    expect(reports.map((calls) => calls.length)).toEqual([3]);
  });

  it('are all mended in a stream', async () => {
    const both = [0, 1]
      .map((at) => chunk({ tool_calls: [chatCall()] }, null, { index: at }) + chunk({}, 'tool_calls', { index: at }))
      .join('');
    const proxy = await proxied((response) => response.writeHead(200, sse).end(`${both}data: [DONE]\n\n`));
    expect(argumentsIn((await ask(`${proxy.url}${chatPath}`, { body: streaming })).text)).toEqual([
      mendedArguments,
      mendedArguments,
    ]);
  });

  const written = '<tool_call>\n{"name":"read_file","arguments":{"path":"a","limit":"3",}}\n</tool_call>';
  const pieces = (text: string): string[] => text.match(/[\s\S]{1,7}/g) ?? [];
  /** The text, the calls and the finish reasons of a Chat stream, by choice. */
  function choicesIn(text: string) {
    const found: { content: string; calls: string; finish: string | null }[] = [];
    for (const line of text.split('\n').filter((one) => one.startsWith('data: {')))
      for (const { index, delta, finish_reason } of JSON.parse(line.slice(6)).choices) {
        found[index] ??= { content: '', calls: '', finish: null };
        found[index].content += delta?.content ?? '';
        for (const one of delta?.tool_calls ?? []) found[index].calls += one.function.arguments ?? '';
        found[index].finish ??= finish_reason;
      }
    return found;
  }

  it.each([
    [
      'are read in a stream if they have a call in the text',
      written,
      'stop',
      { content: '', calls: mendedArguments, finish: 'tool_calls' },
    ],
    [
      'guard: remain text in a stream',
      'There is <nothing> to do.',
      'stop',
      { content: 'There is <nothing> to do.', calls: '', finish: 'stop' },
    ],
    [
      'guard: remain text in a stream if they quote a call',
      `You would write:\n\`\`\`\n${written}\n\`\`\`\nto read it.`,
      'stop',
      { content: expect.stringContaining('to read it.'), calls: '', finish: 'stop' },
    ],
    [
      'guard: remain text in a stream without an end',
      'It goes on',
      null,
      { content: 'It goes on', calls: '', finish: null },
    ],
  ])('%s', async (_, text, finish, expected) => {
    const first = chunk({ role: 'assistant', content: 'Hi' }) + chunk({}, 'stop');
    const second =
      pieces(text)
        .map((content) => chunk({ content }, null, { index: 1 }))
        .join('') + (finish ? chunk({}, finish, { index: 1 }) : '');
    const proxy = await proxied((response) => response.writeHead(200, sse).end(`${first}${second}data: [DONE]\n\n`));
    const got = await ask(`${proxy.url}${chatPath}`, { body: JSON.stringify({ ...chatRequest, n: 2, stream: true }) });
    expect(choicesIn(got.text)).toEqual([{ content: 'Hi', calls: '', finish: 'stop' }, expected]);
  });

  it('guard: are forwarded as they arrive if the request has no tools', async () => {
    const frames = `${chunk({ content: 'a' }, null, { index: 1 })}${chunk({ content: 'b' }, 'stop', { index: 1 })}${chunk({}, 'stop')}data: [DONE]\n\n`;
    const proxy = await proxied((response) => response.writeHead(200, sse).end(frames));
    const { tools: _, ...bare } = chatRequest;
    const got = await ask(`${proxy.url}${chatPath}`, { body: JSON.stringify({ ...bare, n: 2, stream: true }) });
    expect(got.text).toBe(frames);
  });

  it('are read in a Gemini stream', async () => {
    const frame = (index: number, text: string, finishReason?: string) =>
      `data: ${JSON.stringify({ candidates: [{ index, content: { role: 'model', parts: [{ text }] }, ...(finishReason && { finishReason }) }] })}\r\n\r\n`;
    const all = pieces(written);
    const frames = [
      frame(0, 'Hi', 'STOP'),
      ...all.map((text, at) => frame(1, text, at === all.length - 1 ? 'STOP' : undefined)),
    ];
    const proxy = await proxied((response) => response.writeHead(200, sse).end(frames.join('')));
    const { text } = await ask(`${proxy.url}/v1beta/models/g:streamGenerateContent?alt=sse`, {
      body: JSON.stringify({
        contents: [{ role: 'user', parts: [{ text: 'x' }] }],
        tools: [{ functionDeclarations: [{ name: 'read_file', parameters: fileParameters }] }],
      }),
    });
    const parts = text
      .split(/[\r\n]+/)
      .flatMap((line) =>
        line.startsWith('data: ')
          ? JSON.parse(line.slice(6)).candidates.flatMap((one: { index: number; content?: { parts?: object[] } }) =>
              one.index === 1 ? (one.content?.parts ?? []) : [],
            )
          : [],
      );
    expect(parts).toMatchObject([{ functionCall: { name: 'read_file', args: { path: 'a', limit: 3 } } }]);
  });

  it('are all mended in a Gemini response', async () => {
    const content = {
      role: 'model',
      parts: [{ functionCall: { name: 'read_file', args: { path: 'a', limit: '3' } } }],
    };
    const candidates = [0, 1].map((index) => ({ content, finishReason: 'STOP', index }));
    const proxy = await proxied((response) => json(response, { candidates }));
    const { text } = await ask(`${proxy.url}/v1beta/models/g:generateContent`, {
      body: JSON.stringify({
        contents: [{ role: 'user', parts: [{ text: 'x' }] }],
        tools: [{ functionDeclarations: [{ name: 'read_file', parameters: fileParameters }] }],
      }),
    });
    const made = JSON.parse(text).candidates as { content: typeof content }[];
    expect(made.map((one) => one.content.parts[0]?.functionCall.args)).toEqual([
      { path: 'a', limit: 3 },
      { path: 'a', limit: 3 },
    ]);
  });
});

describe('the numbers of events in the Responses API', () => {
  let sequence = 0;
  const event = (type: string, fields: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields, sequence_number: sequence++ })}\n\n`;

  /** A call in a stream, with its arguments in two pieces, as the API sends it. */
  function item(at: number, text: string): string {
    const bare = { type: 'function_call', id: `fc_${at}`, call_id: `call_${at}`, name: 'read_file' };
    const place = { item_id: bare.id, output_index: at };
    return (
      event('response.output_item.added', {
        output_index: at,
        item: { ...bare, status: 'in_progress', arguments: '' },
      }) +
      event('response.function_call_arguments.delta', { ...place, delta: text.slice(0, 5) }) +
      event('response.function_call_arguments.delta', { ...place, delta: text.slice(5) }) +
      event('response.function_call_arguments.done', { ...place, arguments: text }) +
      event('response.output_item.done', { output_index: at, item: { ...bare, status: 'completed', arguments: text } })
    );
  }

  it.each([
    ['are consecutive with a mended call before a valid one', [damagedArguments, '{"path":"b"}']],
    ['guard: are consecutive with a mended call after a valid one', ['{"path":"b"}', damagedArguments]],
    ['guard: are consecutive with a call that is cut off', ['{"path":"b"}', '{"path":"b', '{"path":"c"}']],
  ])('%s', async (_, texts) => {
    sequence = 0;
    const response = { id: 'r', object: 'response', model: 'm', status: 'in_progress', output: [] };
    const text =
      event('response.created', { response }) +
      event('response.in_progress', { response }) +
      texts.map((one, at) => item(at, one)).join('') +
      event('response.completed', { response: { ...response, status: 'completed' } });
    const proxy = await proxied((answer: ServerResponse) => answer.writeHead(200, sse).end(text));
    const body = JSON.stringify({
      model: 'm',
      input: 'x',
      stream: true,
      tools: [{ type: 'function', name: 'read_file', parameters: fileParameters }],
    });
    const got = await ask(`${proxy.url}/v1/responses`, { body });
    const numbers = got.text
      .split('\n')
      .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6)).sequence_number] : []));
    expect(numbers).toEqual(numbers.map((_one, at) => at));
    expect(numbers.length).toBeGreaterThan(5);
  });
});
