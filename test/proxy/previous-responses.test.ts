import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { memoryStore } from '../../src/log/memory-store.ts';
import { sqliteStore } from '../../src/log/sqlite-store.ts';
import { keepResponses } from '../../src/proxy/observe/response-history.ts';
import { type Answerer, ask, closeAll, type Heard, json, open, proxied } from './around.ts';

afterEach(closeAll);

/** A chat server that calls its first tool, and then says how many messages it got. Its ids are all the same. */
const server: Answerer = (response, { body }) => {
  const { messages, tools, stream } = JSON.parse(body) as {
    messages: { role: string }[];
    tools?: { function: { name: string } }[];
    stream?: boolean;
  };
  const head = { id: 'chatcmpl-1', created: 1, model: 'm' };
  const call = {
    index: 0,
    id: 'call_1',
    type: 'function',
    function: { name: tools?.[0]?.function.name, arguments: "{'input': 'x',}" },
  };
  const calls = tools && messages.at(-1)?.role !== 'tool';
  const message = calls
    ? { role: 'assistant', content: null, tool_calls: [call] }
    : { role: 'assistant', content: `${messages.length} messages` };
  const finish_reason = calls ? 'tool_calls' : 'stop';
  if (!stream)
    return json(response, { ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }] });
  const chunk = (delta: object, finish: string | null) =>
    `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  return response
    .writeHead(200, { 'content-type': 'text/event-stream' })
    .end(`${chunk(message, null)}${chunk({}, finish_reason)}data: [DONE]\n\n`);
};

const about = { formats: ['openai-chat'] as const };
const redact = <T>(event: T): T => event;
const messagesOf = (heard: readonly Heard[]) =>
  (JSON.parse(heard.at(-1)?.body ?? '{}') as { messages: { role: string; content: unknown }[] }).messages;
const stores = [
  ['memory', () => memoryStore()],
  ['SQLite', () => sqliteStore(':memory:')],
] as const;

describe.each(stores)('previous_response_id with a log in %s', (_, make) => {
  it.each([
    ['whole', false],
    ['streamed', true],
  ])('continues the stored conversation, %s', async (__, stream) => {
    const store = await make();
    open.push(store);
    const { url, heard } = await proxied(server, { about, history: keepResponses(store, { redact }) });
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'k', maxRetries: 0 });
    const tools = [{ type: 'custom' as const, name: 'run' }];
    const create = async (body: object): Promise<OpenAI.Responses.Response> => {
      if (!stream) return client.responses.create({ model: 'm', tools, ...body, stream: false });
      return client.responses.stream({ model: 'm', tools, ...body }).finalResponse();
    };
    const first = await create({ input: 'Go.', instructions: 'You code.' });
    expect(first.output).toMatchObject([{ type: 'custom_tool_call', name: 'run', input: 'x', call_id: 'call_1' }]);
    const result = { type: 'custom_tool_call_output', call_id: 'call_1', output: 'Done.' };
    const second = await create({ input: [result], previous_response_id: first.id });
    expect(second.id).not.toBe(first.id);
    expect(messagesOf(heard).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    await create({ input: 'More.', previous_response_id: second.id, tools: undefined });
    expect(messagesOf(heard).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
    expect(messagesOf(heard)[3]?.content).toBe('3 messages');
  });
});

it('F10 keeps the digits of a request that continues a stored conversation', async () => {
  const { url, heard } = await proxied(server, { about, history: keepResponses(memoryStore(), { redact }) });
  const send = async (fields: string): Promise<string> => {
    const parameters = '{"type":"object","properties":{"n":{"type":"integer","maximum":9223372036854775807}}}';
    const tools = `[{"type":"function","name":"run","parameters":${parameters}}]`;
    const { text } = await ask(`${url}/v1/responses`, { body: `{"model":"m","tools":${tools},${fields}}` });
    return JSON.parse(text).id;
  };
  const id = await send('"input":"Go."');
  await send(`"input":"More.","previous_response_id":"${id}"`);
  expect(heard).toHaveLength(2);
  for (const { body } of heard) expect(body).toContain('9223372036854775807');
});

describe('Content that the upstream does not have', () => {
  const refused = async (body: object, stored: boolean): Promise<string> => {
    const history = stored ? { history: keepResponses(memoryStore(), { redact }) } : {};
    const { url, heard } = await proxied(server, { about, ...history });
    const { status, text } = await ask(`${url}/v1/responses`, {
      body: JSON.stringify({ model: 'm', input: 'Go.', ...body }),
    });
    expect([status, heard.length]).toEqual([400, 0]);
    return (JSON.parse(text) as { error: { message: string } }).error.message;
  };

  it.each([
    [
      'a response, without a log',
      { previous_response_id: 'resp_1' },
      false,
      /^previous_response_id can't be used.*"responses": true/,
    ],
    ['an unknown response', { previous_response_id: 'resp_1' }, true, /^previous_response_id "resp_1" is unknown/],
    ['a conversation', { conversation: 'conv_1' }, true, /^conversation can't be used/],
    ['a prompt', { prompt: { id: 'p' } }, true, /^prompt can't be used/],
    ['an item', { input: [{ type: 'item_reference', id: 'msg_1' }] }, true, /item_reference/],
  ])('is refused with a clear error: %s', async (__, body, stored, message) => {
    expect(await refused(body, stored)).toMatch(message);
  });

  it('guard: stays with an upstream that has the format', async () => {
    const { url, heard } = await proxied((response) =>
      json(response, { id: 'resp_2', object: 'response', status: 'completed', output: [] }),
    );
    const body = JSON.stringify({ model: 'm', input: 'Go.', previous_response_id: 'resp_1' });
    expect((await ask(`${url}/v1/responses`, { body })).status).toBe(200);
    expect(heard[0]?.body).toBe(body);
  });

  it('is not stored if the client says so', async () => {
    const store = memoryStore();
    const { url } = await proxied(server, { about, history: keepResponses(store, { redact }) });
    await ask(`${url}/v1/responses`, { body: JSON.stringify({ model: 'm', input: 'Go.', store: false }) });
    expect(await store.runs()).toEqual([]);
    await ask(`${url}/v1/responses`, { body: JSON.stringify({ model: 'm', input: 'Go.' }) });
    expect((await store.runs()).length).toBe(1);
  });

  it('keeps the last responses only, if the log is in memory', async () => {
    const store = memoryStore();
    const history = keepResponses(store, { redact, last: 2 });
    for (const id of ['resp_1', 'resp_2', 'resp_3']) await history.save(id, undefined, []);
    expect(await history.load('resp_1')).toBeUndefined();
    expect(await history.load('resp_3')).toEqual([]);
  });
});

describe('stored responses belong to the client that made them', () => {
  const [alice, bob] = ['alice', 'bob'].map((name) => ({ name, key: `key-of-${name}-1234567890` }));
  const token = 'token-of-the-proxy-1';

  it('is unknown to clients with another key or the token, also after a restart', async () => {
    const store = memoryStore();
    const keys = [alice, bob].flatMap((one) => one ?? []);
    const begin = () => proxied(server, { about, keys, token, history: keepResponses(store, { redact }) });
    const send = async (url: string, key: string | undefined, more: object) =>
      ask(`${url}/v1/responses`, {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        body: JSON.stringify({ model: 'm', input: 'private', ...more }),
      });
    const first = await begin();
    const { id } = JSON.parse((await send(first.url, alice?.key, {})).text);
    for (const { url, heard } of [first, await begin()]) {
      const before = heard.length;
      for (const key of [bob?.key, token]) {
        const { status, text } = await send(url, key, { previous_response_id: id });
        expect([status, text]).toEqual([400, expect.stringContaining('unknown to the proxy')]);
      }
      expect(heard).toHaveLength(before);
      expect((await send(url, alice?.key, { previous_response_id: id })).status).toBe(200);
      expect(messagesOf(heard)).toHaveLength(3);
    }
  });
});
