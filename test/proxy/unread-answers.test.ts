/** C2 C27 Calls beside what no reader understands, behind the end of an answer, in a stream of another type, or without a name. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Format } from '../../src/model/index.ts';
import { createProxy } from '../../src/proxy/server.ts';
import { readArrived } from '../entrances/plain-client.ts';
import { closeAll, open, upstream } from './around.ts';

const name = 'write_file';
const cut = '{"path": "a.txt", "content": "first hal';
const some = { path: 'a.txt', content: 'first' };
const good = { path: 'b.txt' };
const parameters = { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } } };

const chat = (message: object, finish_reason: string, more: object = {}): object => ({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  ...more,
  choices: [{ index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason }],
});
const called = (given: unknown, as = name): object => ({
  id: 'c1',
  type: 'function',
  function: { name: as, arguments: given },
});
const response = (output: unknown[], status: string): object => ({
  id: 'r',
  object: 'response',
  created_at: 1,
  model: 'm',
  output,
  status,
});
const item = (given: unknown, status: string, as = name): object => ({
  type: 'function_call',
  id: 'fc',
  call_id: 'call_1',
  name: as,
  arguments: given,
  status,
});
const message = (content: unknown[], stop_reason: string): object => ({
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content,
  stop_reason,
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
});
const use = (input: unknown, as = name): object => ({ type: 'tool_use', id: 't1', name: as, input });
const candidate = (parts: unknown[], finishReason = 'MAX_TOKENS'): object => ({
  candidates: [{ content: { role: 'model', parts }, ...(finishReason && { finishReason }), index: 0 }],
  modelVersion: 'm',
});
const fn = (args: unknown, more: object = {}): object => ({ functionCall: { name, args, ...more } });
const line = (said: object, more: object = {}): object => ({
  model: 'm',
  created_at: '2026-01-01T00:00:00Z',
  message: { role: 'assistant', content: '', ...said },
  done: false,
  ...more,
});
const over = { done: true, done_reason: 'length' };
const tool = (given: unknown, as = name): object => ({ tool_calls: [{ function: { name: as, arguments: given } }] });

/** Answers in one piece, none of which may bring its call. */
const wholes: Readonly<Record<Format, Readonly<Record<string, unknown>>>> = {
  'openai-chat': {
    'words that are a number': chat({ content: 5, tool_calls: [called(cut)] }, 'length'),
    'words that are an object': chat({ content: { text: 'x' }, tool_calls: [called(cut)] }, 'length'),
    'an error beside it': chat({ tool_calls: [called(cut)] }, 'length', { error: { message: 'x' } }),
    'an object for its arguments, ended by length': chat({ tool_calls: [called(some)] }, 'length'),
    'a custom tool without an id': chat(
      { tool_calls: [{ type: 'custom', custom: { name, input: '*** Add File: a.txt' } }] },
      'length',
    ),
    'no name': chat({ tool_calls: [called('{"path":"a.txt"}', '')] }, 'tool_calls'),
    'no name, cut off': chat({ tool_calls: [called(cut, '---')] }, 'length'),
  },
  'openai-responses': {
    'an item that is null': response([null, item(cut, 'incomplete')], 'incomplete'),
    'an item in progress': response([item('{"path":"a.txt"}', 'in_progress')], 'in_progress'),
    'an item in progress, cancelled': response([item('{"path":"a.txt"}', 'in_progress')], 'cancelled'),
    'free text in progress': response(
      [{ type: 'custom_tool_call', id: 'x', call_id: 'y', name, input: '*** Add: a.txt', status: 'in_progress' }],
      'in_progress',
    ),
    'no name': response([item('{"path":"a.txt"}', 'completed', '')], 'completed'),
  },
  anthropic: {
    'a block that is null': message([null, use(cut)], 'max_tokens'),
    'a block that is text': message(['I write', use(some)], 'max_tokens'),
    'an empty text behind it': message([use(some), { type: 'text', text: '' }], 'max_tokens'),
    'no name': message([use(some, '')], 'tool_use'),
  },
  gemini: {
    'a part that is null': candidate([null, fn(some)]),
    'a part that is text': candidate(['I write', fn(some)]),
    'a call that is text': candidate([{ functionCall: 'write' }, fn(some)]),
    'data that are a number': candidate([{ inlineData: 5 }, fn(some)]),
    'arguments that go on': candidate([fn(some, { willContinue: true })], 'STOP'),
    'pieces that go on': candidate(
      [fn(undefined, { willContinue: true, partialArgs: [{ jsonPath: '$.path', stringValue: 'a.txt' }] })],
      'STOP',
    ),
    'a list of frames': [candidate([{ text: 'I write.' }], ''), candidate([fn(some)])],
    'no name': candidate([{ functionCall: { name: '', args: some } }], 'STOP'),
  },
  ollama: {
    'a call without a function': line({ tool_calls: [{ id: 'x' }, { function: { name, arguments: some } }] }, over),
    'words that are a list': line({ content: ['x'], ...tool(some) }, over),
    'thoughts that are an object': line({ thinking: { a: 1 }, ...tool(some) }, over),
    'images that are a number': line({ images: 5, ...tool(some) }, over),
    'no name': line(tool(some, '---'), { done: true, done_reason: 'stop' }),
  },
};

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (delta: object, finish_reason: string | null = null): string =>
  data({ id: 'c', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta, finish_reason }] });
const opens = (as = name, given = ''): string =>
  chunk({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: as, arguments: given } }] });
const done = 'data: [DONE]\n\n';
const cutChat = [
  opens(),
  chunk({ tool_calls: [{ index: 0, function: { arguments: cut } }] }),
  chunk({}, 'length'),
  done,
];
const event = (type: string, more: object = {}): string => `event: ${type}\n${data({ type, ...more })}`;
const created = event('response.created', { response: response([], 'in_progress') });
const cutItem = [
  event('response.output_item.added', { output_index: 0, item: item('', 'in_progress') }),
  event('response.function_call_arguments.delta', { output_index: 0, item_id: 'fc', delta: cut }),
];
const incomplete = event('response.incomplete', { response: response([item(cut, 'incomplete')], 'incomplete') });
const begin = event('message_start', { message: message([], 'x') });
const block = (as = name): string => event('content_block_start', { index: 0, content_block: use({}, as) });
const json = (partial_json: string): string =>
  event('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json } });
const closed = [
  event('content_block_stop', { index: 0 }),
  event('message_delta', { delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 1 } }),
  event('message_stop'),
];
const cutBlock = [block(), json(cut), ...closed];
const lineOf = (said: object, more: object = {}): string => `${JSON.stringify(line(said, more))}\n`;
const cutLines = [lineOf(tool(some)), lineOf({}, over)];

/** Streams, none of which may bring its call; with the type they come as, where it is another. */
const streams: Readonly<Record<Format, Readonly<Record<string, readonly [readonly string[], type?: string]>>>> = {
  'openai-chat': {
    'behind what is no JSON': [['data: hello\n\n', ...cutChat]],
    'behind a number': [['data: 5\n\n', ...cutChat]],
    'behind the end': [[done, ...cutChat]],
    'behind an error': [[data({ error: { message: 'x' } }), ...cutChat]],
    'lines that end with CR': [cutChat.map((frame) => frame.replaceAll('\n', '\r'))],
    'as plain text': [cutChat, 'text/plain'],
    'as JSON': [cutChat, 'application/json'],
    'without a type': [cutChat, ''],
    'no name': [[opens('', '{"path":"a.txt"}'), chunk({}, 'tool_calls'), done]],
    'no name, cut off': [[opens('', cut), chunk({}, 'length'), done]],
  },
  'openai-responses': {
    'behind what is no JSON': [['data: hello\n\n', created, ...cutItem, incomplete]],
    'behind the end': [[created, event('response.completed', { response: response([], 'completed') }), ...cutItem]],
    'as plain text': [[created, ...cutItem, incomplete], 'text/plain'],
    'no name': [
      [
        created,
        event('response.output_item.added', { output_index: 0, item: item('', 'in_progress', '') }),
        event('response.function_call_arguments.delta', { output_index: 0, item_id: 'fc', delta: '{"path":"a.txt"}' }),
        event('response.completed', { response: response([item('{"path":"a.txt"}', 'completed', '')], 'completed') }),
      ],
    ],
  },
  anthropic: {
    'behind what is no JSON': [['data: hello\n\n', begin, ...cutBlock]],
    'behind a block that is null': [
      [begin, event('content_block_start', { index: 0, content_block: null }), ...cutBlock],
    ],
    'behind the end': [[begin, event('message_stop'), ...cutBlock]],
    'as plain text': [[begin, ...cutBlock], 'text/plain'],
    'no name': [[begin, block(''), json('{"path":"a.txt"}'), ...closed]],
  },
  gemini: {
    'behind what is no JSON': [['data: hello\n\n', data(candidate([fn(some)]))]],
    'behind a part that is null': [[data(candidate([null], '')), data(candidate([fn(some)]))]],
    'beside a part that is text': [[data(candidate(['x', fn(some)]))]],
    'as plain text': [[data(candidate([fn(some)]))], 'text/plain'],
    'no name': [[data(candidate([{ functionCall: { name: '', args: some } }], 'STOP'))]],
  },
  ollama: {
    'behind what is no JSON': [['hello\n', ...cutLines]],
    'behind a call that is null': [[lineOf({ tool_calls: [null] }), ...cutLines]],
    'behind the end': [[lineOf({}, { done: true, done_reason: 'stop' }), ...cutLines]],
    'as JSON': [cutLines, 'application/json'],
    'as plain text': [cutLines, 'text/plain'],
    'no name': [[lineOf(tool(some, '---')), lineOf({}, { done: true, done_reason: 'stop' })]],
  },
};

const goodChat = [opens(name, JSON.stringify(good)), chunk({}, 'tool_calls'), done];
const usual: Readonly<Record<Format, string>> = {
  'openai-chat': 'text/event-stream',
  'openai-responses': 'text/event-stream',
  anthropic: 'text/event-stream',
  gemini: 'text/event-stream',
  ollama: 'application/x-ndjson',
};
const formats = Object.keys(usual) as Format[];

let next: { readonly body: string; readonly type: string };
const proxies = new Map<Format, string>();
beforeAll(async () => {
  const { url } = await upstream((response) => {
    response.writeHead(200, next.type ? { 'content-type': next.type } : {});
    response.end(next.body);
  });
  for (const format of formats) {
    const proxy = await createProxy({ upstreams: [{ url, formats: [format] }] }).listen();
    open.push(proxy);
    proxies.set(format, proxy.url);
  }
});
afterAll(closeAll);

const messages = [{ role: 'user', content: 'Write it.' }];
const asks: Readonly<Record<Format, (stream: boolean) => [path: string, body: object]>> = {
  'openai-chat': (stream) => [
    '/v1/chat/completions',
    { model: 'm', stream, messages, tools: [{ type: 'function', function: { name, parameters } }] },
  ],
  'openai-responses': (stream) => [
    '/v1/responses',
    { model: 'm', stream, input: 'Write it.', tools: [{ type: 'function', name, parameters }] },
  ],
  anthropic: (stream) => [
    '/v1/messages',
    { model: 'm', stream, max_tokens: 9, messages, tools: [{ name, input_schema: parameters }] },
  ],
  gemini: (stream) => [
    `/v1beta/models/m:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    {
      contents: [{ role: 'user', parts: [{ text: 'Write it.' }] }],
      tools: [{ functionDeclarations: [{ name, parametersJsonSchema: parameters }] }],
    },
  ],
  ollama: (stream) => [
    '/api/chat',
    { model: 'm', stream, messages, tools: [{ type: 'function', function: { name, parameters } }] },
  ],
};

/** What a client reads of what the upstream sends, byte by byte. */
async function came(client: Format, server: Format, stream: boolean, body: string, type: string): Promise<string> {
  next = { body, type };
  const [path, asked] = asks[client](stream);
  const answer = await fetch(proxies.get(server) + path, { method: 'POST', body: JSON.stringify(asked) });
  return await answer.text();
}

const rowsOf = <T>(all: Readonly<Record<Format, Readonly<Record<string, T>>>>) =>
  formats.flatMap((server) => Object.entries(all[server]).map(([title, one]) => [server, title, one] as const));

describe("a call from an invalid response doesn't reach the client", () => {
  it.each(rowsOf(wholes))('complete, %s: %s', async (server, _, body) => {
    const text = await came(server, server, false, JSON.stringify(body), 'application/json');
    expect(text).not.toContain('a.txt');
  });

  it.each(rowsOf(streams))('streamed, %s: %s', async (server, _, [frames, type = usual[server]]) => {
    const text = await came(server, server, true, frames.join(''), type);
    expect(text).not.toContain('a.txt');
    expect(text.replaceAll('\\', '')).not.toContain('first hal');
  });
});

describe('a complete call reaches the client', () => {
  const read = async (client: Format, body: string, type: string): Promise<unknown[]> => {
    const { calls } = readArrived(client, await came(client, 'openai-chat', true, body, type), true);
    return calls.map(({ arguments: given }) => (typeof given === 'string' ? JSON.parse(given) : given));
  };

  it.each(formats.filter((client) => client !== 'openai-chat'))(
    'from a stream as plain text, to %s',
    async (client) => {
      expect(await read(client, goodChat.join(''), 'text/plain')).toEqual([good]);
    },
  );

  it('from a stream without a last line break', async () => {
    expect(await read('openai-chat', goodChat.slice(0, 2).join('').trimEnd(), 'text/event-stream')).toEqual([good]);
  });

  it("guard: unchanged after text that isn't JSON", async () => {
    const body = ['data: hello\n\n', ...goodChat].join('');
    expect(await came('openai-chat', 'openai-chat', true, body, 'text/event-stream')).toContain(body);
  });

  it.each([
    ['a list of frames', 'gemini', JSON.stringify([candidate([{ text: 'I' }], ''), candidate([fn(good)], 'STOP')])],
    ['words that no reader takes', 'openai-chat', JSON.stringify(chat({ content: { text: 'Hello.' } }, 'stop'))],
  ] as const)('guard: %s, byte for byte', async (_, server, body) => {
    expect(await came(server, server, false, body, 'application/json')).toBe(body);
  });
});
