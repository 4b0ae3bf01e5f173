import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Format } from '../../src/model/index.ts';
import { createProxy } from '../../src/proxy/server.ts';
import { type Answerer, closeAll, open, upstream } from './around.ts';
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
