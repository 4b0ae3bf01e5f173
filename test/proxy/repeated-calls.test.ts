import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Format } from '../../src/model/index.ts';
import { createProxy } from '../../src/proxy/server.ts';
import { type Answerer, ask, closeAll, open, proxied, upstream } from './around.ts';
import { cuttingServer, type Sent, type SentCall } from './cutting-server.ts';
import { received } from './reading-clients.ts';

const formats: readonly Format[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'ollama'];
const pairs = formats.flatMap((client) =>
  formats.flatMap((server) =>
    [false, true].map(
      (streamed) =>
        [`${client} before ${server}, ${streamed ? 'streamed' : 'whole'}`, client, server, streamed] as const,
    ),
  ),
);

const call = (text: string, value: unknown): SentCall => ({ text, value });
const a = call('{"path":"a.txt","limit":1}', { path: 'a.txt', limit: 1 });
const spaced = call('{ "path": "a.txt", "limit": 1 }', { path: 'a.txt', limit: 1 });
const turned = call('{"limit":1,"path":"a.txt"}', { limit: 1, path: 'a.txt' });
const twiceEncoded = call(JSON.stringify(a.text), { path: 'a.txt', limit: 1 });
const b = call('{"path":"b.txt","limit":1}', { path: 'b.txt', limit: 1 });
const damaged = call("{path: 'a.txt', limit: '1',}", { path: 'a.txt', limit: '1' });
const cut = call('{"path":"a.txt","lim', { path: 'a.txt', lim: '' });
const pathsOf = (...paths: string[]): string[] => paths.map((path) => `${path}.txt`);

type Ids = 'same' | 'items' | 'own' | 'none';

/** How a server writes the ids of calls. Only those of Ollama are missing in what the test server writes. */
const spellings: Readonly<Record<Ids, (sent: string) => string>> = {
  same: (sent) => withIds(sent).replace(/"(call_|toolu_|f)\d"/g, '"$10"'),
  items: (sent) => spellings.same(sent).replace(/"fc_\d"/g, '"fc_0"'),
  own: (sent) => withIds(sent),
  none: (sent) => sent.replace(/"(?:call_)?id":"(?:call_|toolu_|f)\d",/g, ''),
};
const withIds = (sent: string): string => {
  let number = 0;
  return sent.replace(/\{"function":\{"name":"\w+","arguments":\{/g, (at) => `{"id":"call_${number++}",${at.slice(1)}`);
};

/** What a server sends, how it writes its ids, and the paths of the calls that a client must get. */
const rows: Readonly<Record<string, { readonly sent: Sent; readonly ids: Ids; readonly paths: string[] }>> = {
  'one call sent twice': { sent: { calls: [a, a], ends: 'tool_calls' }, ids: 'same', paths: pathsOf('a') },
  'after text': { sent: { words: 'Now.', calls: [a, a], ends: 'tool_calls' }, ids: 'same', paths: pathsOf('a') },
  'three times': { sent: { calls: [a, a, a], ends: 'tool_calls' }, ids: 'same', paths: pathsOf('a') },
  'again after another': { sent: { calls: [a, b, a], ends: 'tool_calls' }, ids: 'same', paths: pathsOf('a', 'b') },
  'before another': { sent: { calls: [a, a, b], ends: 'tool_calls' }, ids: 'same', paths: pathsOf('a', 'b') },
  'with other spaces': { sent: { calls: [a, spaced], ends: 'tool_calls' }, ids: 'same', paths: pathsOf('a') },
  'with its keys in another order': {
    sent: { calls: [a, turned], ends: 'tool_calls' },
    ids: 'same',
    paths: pathsOf('a'),
  },
  'encoded twice': { sent: { calls: [a, twiceEncoded], ends: 'tool_calls' }, ids: 'same', paths: pathsOf('a') },
  damaged: { sent: { calls: [damaged, damaged], ends: 'tool_calls' }, ids: 'same', paths: pathsOf('a') },
  'with its item': { sent: { calls: [a, a], ends: 'tool_calls' }, ids: 'items', paths: pathsOf('a') },
  'and cut off': { sent: { calls: [a, cut], ends: 'length' }, ids: 'same', paths: pathsOf('a') },
};

/** Look-alikes, which are two calls. */
const two: typeof rows = {
  'two calls with one id': { sent: { calls: [a, b], ends: 'tool_calls' }, ids: 'same', paths: pathsOf('a', 'b') },
  'the same call with two ids': { sent: { calls: [a, a], ends: 'tool_calls' }, ids: 'own', paths: pathsOf('a', 'a') },
  'the same call without ids': { sent: { calls: [a, a], ends: 'tool_calls' }, ids: 'none', paths: pathsOf('a', 'a') },
};

const proxies = new Map<Format, string>();
beforeAll(async () => {
  const all = { ...rows, ...two };
  const answer = cuttingServer((model) => all[decodeURIComponent(model)]?.sent as Sent);
  const { url } = await upstream(spelled(answer, (model) => spellings[all[model]?.ids ?? 'own']));
  for (const format of formats) {
    const proxy = await createProxy({ upstreams: [{ url, formats: [format] }] }).listen();
    open.push(proxy);
    proxies.set(format, proxy.url);
  }
});
afterAll(closeAll);

const spelled =
  (answer: Answerer, spellingOf: (model: string) => (sent: string) => string): Answerer =>
  (response, heard) => {
    const end = response.end.bind(response) as () => ServerResponse;
    const model = /"model":"([^"]*)"/.exec(heard.body)?.[1] ?? /models\/([^:]*):/.exec(heard.url)?.[1] ?? '';
    response.end = ((sent: string) => {
      const [first, ...frames] = spellingOf(decodeURIComponent(model))(sent).split(/(?<=\n)/);
      const next = (): unknown => {
        const frame = frames.shift();
        return frame === undefined ? end() : response.write(frame, () => setImmediate(next));
      };
      response.write(first, next);
    }) as never;
    answer(response, heard);
  };

const pathOf = (given: unknown): unknown => {
  const value = typeof given === 'string' ? JSON.parse(given) : given;
  return (typeof value === 'string' ? JSON.parse(value) : value).path;
};

describe.each(pairs)('a call with the id of another: %s', (_, client, server, streamed) => {
  const ask = (model: string) => received(client, streamed, proxies.get(server) as string, model);

  it.each(Object.entries(rows))('runs once if it repeats it: %s', async (name, { paths }) => {
    const { calls, error } = await ask(name);
    expect(error).toBeUndefined();
    expect(calls.map((one) => pathOf(one.arguments))).toEqual(paths);
  });

  it.each(Object.entries(two))('runs too if it differs: %s', async (name, { paths }) => {
    const { calls, error } = await ask(name);
    expect(error).toBeUndefined();
    expect(calls.map((one) => pathOf(one.arguments))).toEqual(paths);
  });
});

/** An item of the Responses API, and the events that stream it. */
type Item = Record<string, unknown> & { readonly type: string; readonly id: string };
const patch = (id: string, callId: string, input = '*** Begin Patch'): Item => ({
  id,
  type: 'custom_tool_call',
  status: 'completed',
  call_id: callId,
  name: 'apply_patch',
  input,
});
const shell = (id: string, callId: string, command = 'ls'): Item => ({
  id,
  type: 'local_shell_call',
  status: 'completed',
  call_id: callId,
  action: { type: 'exec', command: [command], env: {} },
});
const called = (id: string, callId: string): Item => ({
  id,
  type: 'function_call',
  status: 'completed',
  call_id: callId,
  name: 'write_file',
  arguments: '{"path":"a.txt"}',
});
const event = (type: string, fields: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: 0, ...fields })}\n\n`;
const ended = (item: Item, output_index: number): string => event('response.output_item.done', { output_index, item });
const streamedItem = (item: Item, output_index: number): string[] => {
  const at = { item_id: item.id, output_index };
  const added = { ...item, status: 'in_progress', ...(item.type === 'custom_tool_call' && { input: '' }) };
  return [
    event('response.output_item.added', { output_index, item: added }),
    ...(item.type === 'custom_tool_call'
      ? [
          event('response.custom_tool_call_input.delta', { ...at, delta: item.input }),
          event('response.custom_tool_call_input.done', { ...at, input: item.input }),
        ]
      : []),
    ended(item, output_index),
  ];
};
const bodyOf = (output: readonly Item[], status = 'completed') => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'm',
  status,
  output,
  error: null,
  incomplete_details: null,
  parallel_tool_calls: true,
  tool_choice: 'auto',
  tools: [],
  usage: null,
});
const streamOf = (items: readonly string[], output: readonly Item[]): string =>
  [
    event('response.created', { response: bodyOf([], 'in_progress') }),
    ...items,
    event('response.completed', { response: bodyOf(output) }),
  ].join('');
const request = (stream: boolean): string =>
  JSON.stringify({
    model: 'm',
    input: 'Do it.',
    store: false,
    stream,
    tools: [
      { type: 'custom', name: 'apply_patch' },
      { type: 'local_shell' },
      { type: 'function', name: 'write_file', parameters: { type: 'object', properties: { path: {} } }, strict: false },
    ],
  });
const callIds = (items: readonly Item[]): unknown[] => items.map((item) => item.call_id);

/** The items that a client has, by their events and by the last event. */
function itemsIn(stream: string): { done: Item[]; last: Item[]; deltas: number } {
  const events = stream.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []));
  return {
    done: events.flatMap(({ type, item }) => (type === 'response.output_item.done' ? [item] : [])),
    last: events.findLast(({ type }) => type === 'response.completed')?.response.output,
    deltas: events.filter(({ type }) => type === 'response.custom_tool_call_input.delta').length,
  };
}

describe('an item of the Responses API', () => {
  const items: Readonly<Record<string, { readonly sent: readonly Item[]; readonly ids: readonly string[] }>> = {
    'a patch twice': { sent: [patch('ctc_1', 'c1'), patch('ctc_2', 'c1')], ids: ['c1'] },
    'a patch twice as one item': { sent: [patch('ctc_1', 'c1'), patch('ctc_1', 'c1')], ids: ['c1'] },
    'a shell call twice': { sent: [shell('lsh_1', 'c1'), shell('lsh_2', 'c1')], ids: ['c1'] },
    'a patch again after another': {
      sent: [patch('ctc_1', 'c1'), shell('lsh_1', 'c2'), patch('ctc_2', 'c1')],
      ids: ['c1', 'c2'],
    },
    'a patch twice before a function call': {
      sent: [patch('ctc_1', 'c1'), patch('ctc_2', 'c1'), called('fc_1', 'c2')],
      ids: ['c1', 'c2'],
    },
    'guard: the same patch with two ids': {
      sent: [patch('ctc_1', 'c1'), patch('ctc_2', 'c2')],
      ids: ['c1', 'c2'],
    },
    'guard: another patch with the same id': {
      sent: [patch('ctc_1', 'c1'), patch('ctc_2', 'c1', '*** Update File')],
      ids: ['c1', 'c1'],
    },
  };

  it.each(Object.entries(items))('runs once if it is sent twice, streamed: %s', async (_, { sent, ids }) => {
    const stream = streamOf(sent.flatMap(streamedItem), sent);
    const { url } = await proxied((response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream),
    );
    const { text } = await ask(`${url}/v1/responses`, { body: request(true) });
    const { done, last, deltas } = itemsIn(text);
    expect(callIds(done)).toEqual(ids);
    expect(callIds(last)).toEqual(ids);
    expect(deltas).toBe(done.filter(({ type }) => type === 'custom_tool_call').length);
  });

  it.each(Object.entries(items))('runs once if it is sent twice, whole: %s', async (_, { sent, ids }) => {
    const { url } = await proxied((response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(bodyOf(sent))),
    );
    const { text } = await ask(`${url}/v1/responses`, { body: request(false) });
    expect(callIds(JSON.parse(text).output)).toEqual(ids);
  });

  it.each([patch('ctc_1', 'c1'), shell('lsh_1', 'c1'), called('fc_1', 'c1')])(
    'runs once if it ends twice',
    async (item) => {
      for (const again of [ended(item, 0), ended(item, 1), ended({ ...item, id: 'other_1' }, 0)]) {
        const stream = streamOf([...streamedItem(item, 0), again], [item]);
        const { url } = await proxied((response) =>
          response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream),
        );
        const { done, last } = itemsIn((await ask(`${url}/v1/responses`, { body: request(true) })).text);
        expect(callIds(done)).toEqual(['c1']);
        expect(callIds(last)).toEqual(['c1']);
      }
    },
  );

  it('has one id if the last event gives the call another', async () => {
    const stream = streamOf(streamedItem(called('fc_1', 'fc_1'), 0), [called('fc_1', 'c1')]);
    const { url } = await proxied((response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream),
    );
    const { done, last } = itemsIn((await ask(`${url}/v1/responses`, { body: request(true) })).text);
    expect(callIds(last)).toEqual(callIds(done));
  });
});
