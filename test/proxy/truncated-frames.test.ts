/** C2 Truncated calls in frames that the providers' documentation allows and few servers send. */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Format } from '../../src/model/index.ts';
import { createProxy } from '../../src/proxy/server.ts';
import { closeAll, open, upstream } from './around.ts';
import { received } from './reading-clients.ts';

const formats: readonly Format[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'ollama'];

/** What a server sends: frames, how they are cut into pieces on the wire, and whether the connection ends well. */
interface Told {
  readonly frames: readonly string[];
  readonly type?: string;
  readonly pieces?: (bytes: Buffer) => Buffer[];
  readonly breaks?: boolean;
  /** Paths of the calls that are whole and must come through; all others must not. */
  readonly good?: readonly string[];
}

const name = 'write_file';
const cut = '{"path": "a.txt", "content": "first hal';
const whole = '{"path": "b.txt"}';
const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const event = (value: { type: string }): string => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
const line = (value: unknown): string => `${JSON.stringify(value)}\n`;

const chunk = (delta: unknown, finish_reason: string | null = null): string =>
  data({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason }],
  });
const opens = (index: number, more: object = {}): string =>
  chunk({ tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: '' }, ...more }] });
const grows = (index: number, text: string): string =>
  chunk({ tool_calls: [{ index, function: { arguments: text } }] });
const carries = (index: number, value: unknown, finish: string | null = null): string =>
  chunk(
    { tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: value } }] },
    finish,
  );
const usageChunk = data({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [],
  usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
});
const done = 'data: [DONE]\n\n';
const bytes = (size: number) => (all: Buffer) =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.subarray(at * size, (at + 1) * size));

const chat: Readonly<Record<string, Told>> = {
  'the second of two, reason in a frame of its own, usage behind it': {
    frames: [opens(0), grows(0, whole), opens(1), grows(1, cut), chunk({}, 'length'), usageChunk, done],
    good: ['b.txt'],
  },
  'the first of two that grow by turns': {
    frames: [
      opens(0),
      opens(1),
      grows(0, '{"path": "a.txt", '),
      grows(1, '{"path": '),
      grows(0, '"content": "first'),
      grows(1, '"b.txt"}'),
      chunk({}, 'length'),
      done,
    ],
    good: ['b.txt'],
  },
  'words behind it': { frames: [opens(0), grows(0, cut), chunk({ content: 'And so' }), chunk({}, 'length'), done] },
  'words behind it, no reason': { frames: [opens(0), grows(0, cut), chunk({ content: 'And so' }), done] },
  'no reason': { frames: [opens(0), grows(0, cut), done] },
  'no reason and no end': { frames: [opens(0), grows(0, cut)] },
  'a broken connection': { frames: [opens(0), grows(0, cut)], breaks: true },
  'a broken connection inside a frame': { frames: [opens(0), grows(0, cut).slice(0, -30)], breaks: true },
  'a reason of stop': { frames: [opens(0), grows(0, cut), chunk({}, 'stop'), done] },
  'a filter': { frames: [opens(0), grows(0, cut), chunk({}, 'content_filter'), done] },
  'a refusal behind it': { frames: [opens(0), grows(0, cut), chunk({ refusal: "I can't" }), chunk({}, 'stop'), done] },
  'the reason with the last piece': {
    frames: [opens(0), chunk({ tool_calls: [{ index: 0, function: { arguments: cut } }] }, 'length'), done],
  },
  'all in one frame': {
    frames: [
      chunk(
        {
          role: 'assistant',
          tool_calls: [{ index: 0, id: 'x', type: 'function', function: { name, arguments: cut } }],
        },
        'length',
      ),
      done,
    ],
  },
  'an error in the middle': {
    frames: [opens(0), grows(0, cut), data({ error: { message: 'overloaded', type: 'server_error' } })],
  },
  'pieces of one byte': {
    frames: [opens(0), grows(0, cut.replace('first', 'prémière 😀')), chunk({}, 'length'), done],
    pieces: bytes(1),
  },
  'pieces of seven bytes, CRLF, comments, no space': {
    frames: [
      ': ping\r\n\r\n',
      ...[opens(0), grows(0, cut), chunk({}, 'length'), done].map((one) =>
        one.replace('data: ', 'data:').replaceAll('\n', '\r\n'),
      ),
    ],
    pieces: bytes(7),
  },
  'a legacy function call': {
    frames: [
      chunk({ function_call: { name, arguments: '' } }),
      chunk({ function_call: { arguments: cut } }),
      chunk({}, 'length'),
      done,
    ],
  },
  'no index': {
    frames: [
      chunk({ tool_calls: [{ id: 'x', type: 'function', function: { name, arguments: cut.slice(0, 20) } }] }),
      chunk({ tool_calls: [{ function: { arguments: cut.slice(20) } }] }),
      chunk({}, 'length'),
      done,
    ],
  },
  'a name in pieces': {
    frames: [
      opens(0, { function: { name: 'write_', arguments: '' } }),
      chunk({ tool_calls: [{ index: 0, function: { name: 'file', arguments: cut } }] }),
      chunk({}, 'length'),
      done,
    ],
  },
  'the reason twice, the second harmless': {
    frames: [opens(0), grows(0, cut), chunk({}, 'length'), chunk({}, 'tool_calls'), done],
  },
  'arguments as an object': { frames: [carries(0, { path: 'a.txt' }), chunk({}, 'length'), done] },
  'arguments as an object, the reason beside them': {
    frames: [carries(0, { path: 'a.txt', content: 'first hal' }, 'length'), done],
  },
  'arguments as an empty object': { frames: [carries(0, {}), chunk({}, 'length'), done] },
  'arguments as a list': { frames: [carries(0, [{ path: 'a.txt' }]), chunk({}, 'length'), done] },
  'arguments as an object, a filter': { frames: [carries(0, { path: 'a.txt' }), chunk({}, 'content_filter'), done] },
  'arguments as an object, the second of two': {
    frames: [carries(0, { path: 'b.txt' }), carries(1, { path: 'a.txt' }), chunk({}, 'length'), done],
    good: ['b.txt'],
  },
  'reasoning behind it': {
    frames: [opens(0), grows(0, cut), chunk({ reasoning_content: 'hm' }), chunk({}, 'length'), done],
  },
};

const head = { id: 'r', object: 'response', created_at: 1, model: 'm', output: [] as unknown[], status: 'in_progress' };
const fcall = (at: number, text: string, status: string) => ({
  type: 'function_call',
  id: `fc_${at}`,
  call_id: `call_${at}`,
  name,
  arguments: text,
  status,
});
const started = event({ type: 'response.created', response: head } as never);
const added = (at: number): string =>
  event({ type: 'response.output_item.added', output_index: at, item: fcall(at, '', 'in_progress') } as never);
const argued = (at: number, delta: string): string =>
  event({ type: 'response.function_call_arguments.delta', output_index: at, item_id: `fc_${at}`, delta } as never);
const ended = (at: number, text: string, status: string): string =>
  event({ type: 'response.output_item.done', output_index: at, item: fcall(at, text, status) } as never);
const incomplete = (output: unknown[], reason = 'max_output_tokens'): string =>
  event({
    type: 'response.incomplete',
    response: { ...head, output, status: 'incomplete', incomplete_details: { reason } },
  } as never);
const completed = (output: unknown[]): string =>
  event({ type: 'response.completed', response: { ...head, output, status: 'completed' } } as never);

const responses: Readonly<Record<string, Told>> = {
  'the second of two': {
    frames: [
      started,
      added(0),
      argued(0, whole),
      ended(0, whole, 'completed'),
      added(1),
      argued(1, cut),
      incomplete([fcall(0, whole, 'completed'), fcall(1, cut, 'incomplete')]),
    ],
    good: ['b.txt'],
  },
  'in the last event alone': { frames: [started, incomplete([fcall(0, cut, 'incomplete')])] },
  'in the last event alone, said to be complete': { frames: [started, completed([fcall(0, cut, 'completed')])] },
  'in its item alone': { frames: [started, ended(0, cut, 'incomplete'), incomplete([fcall(0, cut, 'incomplete')])] },
  'an item that is said to be done': {
    frames: [started, added(0), argued(0, cut), ended(0, cut, 'completed'), completed([fcall(0, cut, 'completed')])],
  },
  'a filter': {
    frames: [started, added(0), argued(0, cut), incomplete([fcall(0, cut, 'incomplete')], 'content_filter')],
  },
  'a failure': {
    frames: [
      started,
      added(0),
      argued(0, cut),
      event({
        type: 'response.failed',
        response: { ...head, status: 'failed', error: { code: 'server_error', message: 'x' } },
      } as never),
    ],
  },
  'an error event': {
    frames: [
      started,
      added(0),
      argued(0, cut),
      event({ type: 'error', code: 'server_error', message: 'x', param: null } as never),
    ],
  },
  'no last event': { frames: [started, added(0), argued(0, cut)] },
  'a broken connection': { frames: [started, added(0), argued(0, cut)], breaks: true },
  'an empty last event': { frames: [started, added(0), argued(0, cut), incomplete([])] },
  'complete text in an incomplete item': {
    frames: [
      started,
      added(0),
      argued(0, '{"path":"a.txt"}'),
      incomplete([fcall(0, '{"path":"a.txt"}', 'incomplete')]),
    ],
  },
  'words behind it': {
    frames: [
      started,
      added(0),
      argued(0, cut),
      ended(0, cut, 'incomplete'),
      event({
        type: 'response.output_item.added',
        output_index: 1,
        item: { type: 'message', id: 'm', role: 'assistant', status: 'in_progress', content: [] },
      } as never),
      event({
        type: 'response.output_text.delta',
        output_index: 1,
        item_id: 'm',
        content_index: 0,
        delta: 'And',
      } as never),
      incomplete([fcall(0, cut, 'incomplete')]),
    ],
  },
  'pieces of one byte': {
    frames: [started, added(0), argued(0, cut), incomplete([fcall(0, cut, 'incomplete')])],
    pieces: bytes(1),
  },
};

const begin = event({
  type: 'message_start',
  message: {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  },
} as never);
const block = (index: number, input: object = {}): string =>
  event({
    type: 'content_block_start',
    index,
    content_block: { type: 'tool_use', id: `t${index}`, name, input },
  } as never);
const json = (index: number, partial_json: string): string =>
  event({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } } as never);
const stopBlock = (index: number): string => event({ type: 'content_block_stop', index } as never);
const ends = (stop_reason: string): string =>
  event({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 9 } } as never);
const stopMessage = event({ type: 'message_stop' });
const ping = event({ type: 'ping' });

const anthropic: Readonly<Record<string, Told>> = {
  'the second of two': {
    frames: [
      begin,
      block(0),
      json(0, ''),
      json(0, whole),
      stopBlock(0),
      ping,
      block(1),
      json(1, cut),
      stopBlock(1),
      ends('max_tokens'),
      stopMessage,
    ],
    good: ['b.txt'],
  },
  'no end of the block': { frames: [begin, block(0), json(0, cut), ends('max_tokens'), stopMessage] },
  'no reason': { frames: [begin, block(0), json(0, cut), stopBlock(0), stopMessage] },
  'no end at all': { frames: [begin, block(0), json(0, cut)] },
  'a broken connection': { frames: [begin, block(0), json(0, cut)], breaks: true },
  'an error in the middle': {
    frames: [
      begin,
      block(0),
      json(0, cut),
      event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } as never),
    ],
  },
  'a refusal': { frames: [begin, block(0), json(0, cut), stopBlock(0), ends('refusal'), stopMessage] },
  'a full context': {
    frames: [begin, block(0), json(0, cut), stopBlock(0), ends('model_context_window_exceeded'), stopMessage],
  },
  'a pause': { frames: [begin, block(0), json(0, cut), stopBlock(0), ends('pause_turn'), stopMessage] },
  'a reason of tool_use': { frames: [begin, block(0), json(0, cut), stopBlock(0), ends('tool_use'), stopMessage] },
  'words behind it': {
    frames: [
      begin,
      block(0),
      json(0, cut),
      stopBlock(0),
      event({ type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } } as never),
      event({ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'And' } } as never),
      stopBlock(1),
      ends('max_tokens'),
      stopMessage,
    ],
  },
  'no argument yet': { frames: [begin, block(0), ends('max_tokens'), stopMessage] },
  'no argument yet, block ended': { frames: [begin, block(0), stopBlock(0), ends('max_tokens'), stopMessage] },
  'an object at the start of the block': {
    frames: [begin, block(0, { path: 'a.txt' }), stopBlock(0), ends('max_tokens'), stopMessage],
  },
  'pieces of three bytes': {
    frames: [begin, block(0), json(0, cut), stopBlock(0), ends('max_tokens'), stopMessage],
    pieces: bytes(3),
  },
};

const candidate = (parts: unknown[], finishReason?: string): string =>
  data({
    candidates: [{ index: 0, content: { role: 'model', parts }, ...(finishReason && { finishReason }) }],
    modelVersion: 'm',
  });
const fn = (args: unknown, more: object = {}) => ({ functionCall: { name, args, ...more } });

const gemini: Readonly<Record<string, Told>> = {
  'the reason in a frame of its own': { frames: [candidate([fn({ path: 'a.txt' })]), candidate([], 'MAX_TOKENS')] },
  'the reason and no content': {
    frames: [
      candidate([fn({ path: 'a.txt' })]),
      data({ candidates: [{ index: 0, finishReason: 'MAX_TOKENS' }], usageMetadata: { totalTokenCount: 4 } }),
    ],
  },
  'the second of two': {
    frames: [candidate([fn({ path: 'b.txt' })]), candidate([fn({ path: 'a.txt' })], 'MAX_TOKENS')],
    good: ['b.txt'],
  },
  'both in one frame': {
    frames: [candidate([fn({ path: 'b.txt' }), fn({ path: 'a.txt' })], 'MAX_TOKENS')],
    good: ['b.txt'],
  },
  'an empty part behind it': { frames: [candidate([fn({ path: 'a.txt' })]), candidate([{ text: '' }], 'MAX_TOKENS')] },
  'arguments that go on': {
    frames: [
      candidate([
        fn(undefined, {
          willContinue: true,
          partialArgs: [{ jsonPath: '$.path', stringValue: 'a.txt', willContinue: true }],
        }),
      ]),
      candidate([], 'MAX_TOKENS'),
    ],
  },
  'a malformed call': { frames: [candidate([fn({ path: 'a.txt' })]), candidate([], 'MALFORMED_FUNCTION_CALL')] },
  'a broken connection inside a frame': {
    frames: [candidate([{ text: 'I write.' }]), candidate([fn({ path: 'a.txt' })]).slice(0, -20)],
    breaks: true,
  },
};

const said = (message: object, more: object = {}): string =>
  line({
    model: 'm',
    created_at: '2024-01-01T00:00:00Z',
    message: { role: 'assistant', content: '', ...message },
    done: false,
    ...more,
  });
const ollama: Readonly<Record<string, Told>> = {
  'the reason in a line of its own': {
    frames: [
      said({ tool_calls: [{ function: { name, arguments: { path: 'a.txt' } } }] }),
      said({}, { done: true, done_reason: 'length' }),
    ],
    type: 'application/x-ndjson',
  },
  'the second of two': {
    frames: [
      said({ tool_calls: [{ function: { name, arguments: { path: 'b.txt' } } }] }),
      said({ tool_calls: [{ function: { name, arguments: { path: 'a.txt' } } }] }),
      said({}, { done: true, done_reason: 'length' }),
    ],
    type: 'application/x-ndjson',
    good: ['b.txt'],
  },
  'text for arguments': {
    frames: [
      said({ tool_calls: [{ function: { name, arguments: cut } }] }),
      said({}, { done: true, done_reason: 'stop' }),
    ],
    type: 'application/x-ndjson',
  },
  'a broken connection inside a line': {
    frames: [
      said({ content: 'I' }),
      said({ tool_calls: [{ function: { name, arguments: { path: 'a.txt' } } }] }).slice(0, -30),
    ],
    type: 'application/x-ndjson',
    breaks: true,
  },
};

const told: Readonly<Record<Format, Readonly<Record<string, Told>>>> = {
  'openai-chat': chat,
  'openai-responses': responses,
  anthropic,
  gemini,
  ollama,
};
const byModel = new Map<string, Told>();
const slug = (server: Format, title: string): string => `${server}-${title.replace(/[^a-z]+/gi, '-')}`;
for (const server of formats)
  for (const [title, one] of Object.entries(told[server])) byModel.set(slug(server, title), one);

async function send(
  response: ServerResponse,
  { frames, type = 'text/event-stream', pieces = (all) => [all], breaks }: Told,
): Promise<void> {
  response.writeHead(200, { 'content-type': type });
  for (const frame of frames) {
    for (const piece of pieces(Buffer.from(frame))) response.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  if (breaks) response.destroy();
  else response.end();
}

const proxies = new Map<Format, string>();
beforeAll(async () => {
  const { url } = await upstream((response, { url: path, body }) => {
    const model = /models\/([^:]+):/.exec(path)?.[1] ?? JSON.parse(body).model;
    void send(response, byModel.get(model) as Told);
  });
  for (const format of formats) {
    const proxy = await createProxy({ upstreams: [{ url, formats: [format] }] }).listen();
    open.push(proxy);
    proxies.set(format, proxy.url);
  }
});
afterAll(closeAll);

const rows = formats.flatMap((server) =>
  Object.keys(told[server]).flatMap((title) => formats.map((client) => [server, title, client] as const)),
);

/** What held before calls were withheld. */
const before = new RegExp(
  [
    '(no end|no last|no reason and no end|broken|error|failure).*, (gemini|ollama)$',
    '^(gemini|ollama), a broken connection inside|^anthropic, no end at all, anthropic$',
    '^openai-chat, (no index|a legacy function call), openai-chat$',
    '^openai-responses, in (the last event|its item) alone.*, openai-responses$',
  ].join('|'),
);
/** How an answer ends of which nothing is left, in each format. */
const plainEnds: Readonly<Record<Format, string>> = {
  'openai-chat': 'stop',
  'openai-responses': 'completed',
  anthropic: 'end_turn',
  gemini: 'STOP',
  ollama: 'stop',
};
const nameless: Readonly<Record<string, readonly [Format, readonly string[]]>> = {
  'an empty name': [
    'anthropic',
    [
      event({
        type: 'message_start',
        message: { id: 'm', type: 'message', role: 'assistant', content: [], usage: { output_tokens: 1 } },
      } as never),
      event({
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 't', name: '', input: {} },
      } as never),
      event({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json: whole },
      } as never),
      event({ type: 'content_block_stop', index: 0 } as never),
      event({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 1 } } as never),
      event({ type: 'message_stop' }),
    ],
  ],
  'an empty name in a chunk': [
    'openai-chat',
    [opens(0, { function: { name: '', arguments: whole } }), chunk({}, 'tool_calls'), done],
  ],
  'a name of dots': [
    'openai-chat',
    [opens(0, { function: { name: '...', arguments: whole } }), chunk({}, 'tool_calls'), done],
  ],
};
for (const [title, [server, frames]] of Object.entries(nameless)) byModel.set(slug(server, title), { frames });

describe('C7 a response whose only call has no name ends like text', () => {
  it.each(Object.entries(nameless).map(([title, [server]]) => [title, server] as const))(
    '%s, from %s',
    async (title, server) => {
      const { calls, finish, error } = await received(server, true, proxies.get(server) as string, slug(server, title));
      expect([calls, finish, error]).toEqual([[], plainEnds[server], undefined]);
    },
  );
});

const titled = rows.map((row) => [before.test(row.join(', ')) ? 'guard: ' : '', ...row] as const);

describe("C2 a truncated call doesn't reach a client that streams", () => {
  it.each(titled)('%s%s, %s, client %s', { timeout: 10_000 }, async (_, server, title, client) => {
    const { good = [] } = told[server][title] as Told;
    const { calls } = await received(client, true, proxies.get(server) as string, slug(server, title));
    const paths = calls.map(({ arguments: given }) => (typeof given === 'string' ? JSON.parse(given) : given)?.path);
    expect(paths).toEqual(good);
  });
});
