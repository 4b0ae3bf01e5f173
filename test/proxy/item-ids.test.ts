import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Format } from '../../src/model/index.ts';
import { createProxy } from '../../src/proxy/server.ts';
import { closeAll, open, upstream } from './around.ts';
import { cuttingServer, type Sent, type SentCall } from './cutting-server.ts';

const formats: readonly Format[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'ollama'];
const call = (text: string, value: unknown): SentCall => ({ text, value });
const a = call('{"path": "a.txt"}', { path: 'a.txt' });
const mended = call("{path: 'b.txt', limit: '5',}", { path: 'b.txt', limit: '5' });
const merged = call('{"path": "a.txt"}{"path": "b.txt"}', { path: 'a.txt' });
const cut = call('{"path": "a.txt", "content": "first hal', { path: 'a.txt', content: 'first hal' });
const twice = call('{"path": "a.txt", "path": "b.txt"}', { path: 'a.txt', limit: {} });
const inText = '<tool_call>\n{"name": "write_file", "arguments": {"path": "a.txt"}}\n</tool_call>';

/** Responses whose calls are mended, split, found in text or removed. */
const sent: Readonly<Record<string, Sent>> = {
  sound: { words: 'I write.', calls: [a, a], ends: 'tool_calls' },
  mended: { words: 'I write.', calls: [mended, a, mended], ends: 'tool_calls' },
  merged: { words: 'I write.', calls: [merged], ends: 'tool_calls' },
  'merged-between': { calls: [a, merged, mended], ends: 'tool_calls' },
  text: { words: `I write.\n${inText}`, calls: [], ends: 'tool_calls' },
  'two-in-text': { words: `${inText}\n${inText.replace('a.txt', 'b.txt')}`, calls: [], ends: 'tool_calls' },
  cut: { words: 'I write.', calls: [mended, cut], ends: 'length' },
  'only-cut': { calls: [cut], ends: 'length' },
  refused: { calls: [a, twice, mended], ends: 'tool_calls' },
};

/** What servers do to ids. */
const spellings: Readonly<Record<string, (stream: string) => string>> = {
  own: (stream) => stream,
  'same-call-ids': (stream) => stream.replace(/"(call|toolu)_\d"/g, '"$1_0"'),
  'same-item-ids': (stream) => stream.replace(/"fc_\d"/g, '"fc_0"'),
  'no-item-ids': (stream) => stream.replace(/"id":"fc_\d",/g, '').replace(/"item_id":"fc_\d",/g, ''),
  'no-indexes': (stream) => stream.replace(/"output_index":\d,/g, ''),
};

const proxies = new Map<Format, string>();
beforeAll(async () => {
  const answer = cuttingServer((model) => sent[model.split('.')[0] as string] as Sent);
  const { url } = await upstream((response, heard) => {
    const name = /"model":"([^"]*)"/.exec(heard.body)?.[1] ?? /models\/([^:]*):/.exec(heard.url)?.[1] ?? '';
    const end = response.end.bind(response) as (text: string) => typeof response;
    response.end = ((text = '') => end(spellings[name.split('.')[1] as string]?.(text) ?? text)) as never;
    answer(response, heard);
  });
  for (const format of formats) {
    const proxy = await createProxy({ upstreams: [{ url, formats: [format] }] }).listen();
    open.push(proxy);
    proxies.set(format, proxy.url);
  }
});
afterAll(closeAll);

interface Item {
  readonly type: string;
  readonly id: string;
  readonly call_id?: string;
  readonly arguments?: string;
}
interface Event {
  readonly type: string;
  readonly sequence_number: number;
  readonly output_index?: number;
  readonly item_id?: string;
  readonly item?: Item;
  readonly arguments?: string;
  readonly delta?: string;
  readonly response?: { readonly id: string; readonly output: readonly Item[] };
}

async function textFor(server: Format, model: string, stream: boolean): Promise<string> {
  const parameters = {
    type: 'object',
    properties: { path: { type: 'string' }, content: { type: 'string' }, limit: { type: 'integer' } },
  };
  const response = await fetch(`${proxies.get(server)}/v1/responses`, {
    method: 'POST',
    body: JSON.stringify({
      model,
      input: 'Write it.',
      store: false,
      stream,
      tools: [{ type: 'function', name: 'write_file', parameters, strict: false }],
    }),
  });
  return await response.text();
}

const eventsFor = async (server: Format, model: string): Promise<Event[]> =>
  [...(await textFor(server, model, true)).matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data as string));

/** Checks that each id and number means the same thing in all events. */
function check(events: readonly Event[]): void {
  expect(events.map((one) => one.sequence_number)).toEqual(events.map((_, at) => at));
  expect(new Set(events.flatMap(({ response }) => response?.id ?? [])).size).toBe(1);
  const added = events.filter(({ type }) => type === 'response.output_item.added');
  const done = events.filter(({ type }) => type === 'response.output_item.done');
  expect(added.map((one) => one.output_index)).toEqual(added.map((_, at) => at));
  const ids = added.map(({ item }) => item?.id);
  expect(ids.every((id) => typeof id === 'string' && id !== '')).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect(done.map((one) => one.output_index).sort()).toEqual(ids.map((_, at) => at));
  for (const event of events) {
    if (event.output_index === undefined) continue;
    const id = ids[event.output_index];
    expect(event.item_id ?? event.item?.id).toBe(id);
  }
  const last = events.at(-1)?.response?.output ?? [];
  expect(last.map(({ id }) => id)).toEqual(ids);
  const calls = last.filter(({ type }) => type === 'function_call');
  expect(new Set(calls.map((one) => one.call_id)).size).toBe(calls.length);
  for (const [at, item] of last.entries()) {
    const own = events.filter((one) => one.output_index === at);
    expect(own.find(({ type }) => type === 'response.output_item.done')?.item).toMatchObject({ ...item });
    if (item.type !== 'function_call') continue;
    expect(own.find(({ type }) => type === 'response.output_item.added')?.item?.call_id).toBe(item.call_id);
    const deltas = own.filter(({ type }) => type === 'response.function_call_arguments.delta');
    expect(deltas.map(({ delta }) => delta).join('')).toBe(item.arguments);
    expect(own.find(({ type }) => type === 'response.function_call_arguments.done')?.arguments).toBe(item.arguments);
  }
}

const rows = formats.flatMap((server) =>
  Object.keys(sent).flatMap((name) =>
    Object.keys(spellings)
      .filter((how) => server === 'openai-responses' || how === 'own' || how === 'same-call-ids')
      .map((how) => [server, name, how] as const),
  ),
);

describe('ids and numbers of the Responses API are the same in all events', () => {
  it.each(rows)('before %s: %s, %s', async (server, name, how) => check(await eventsFor(server, `${name}.${how}`)));
});

it.each(rows)('ids of a complete response are unique before %s: %s, %s', async (server, name, how) => {
  const { output } = JSON.parse(await textFor(server, `${name}.${how}`, false)) as { output: Item[] };
  const ids = output.flatMap(({ id }) => id ?? []);
  expect(new Set(ids).size).toBe(ids.length);
  const calls = output.flatMap((item) => item.call_id ?? []);
  expect(new Set(calls).size).toBe(calls.length);
});
