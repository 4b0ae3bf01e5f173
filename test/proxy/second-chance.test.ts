import { afterEach, describe, expect, it } from 'vitest';
import type { Format } from '../../src/model/index.ts';
import type { ServedTurn } from '../../src/provider/scripted/script.ts';
import { serveScripted } from '../../src/provider/scripted/server.ts';
import { createProxy, type ProxyOptions, type ResponseReport } from '../../src/proxy/server.ts';
import { sdks } from '../provider/sdks.ts';
import { ask, closeAll, open, proxied } from './around.ts';
import { cuttingServer } from './cutting-server.ts';

afterEach(closeAll);

async function through(turns: readonly ServedTurn[], formats: readonly Format[], more: Partial<ProxyOptions> = {}) {
  const upstream = await serveScripted(turns);
  const reports: ResponseReport[] = [];
  const proxy = await createProxy({
    upstreams: [{ url: upstream.url, formats }],
    retries: 2,
    onResponse: (report) => reports.push(report),
    ...more,
  }).listen();
  open.push(proxy, upstream);
  return { url: proxy.url, reports, upstream };
}

type Args = Record<string, unknown>;
const calls = (...given: Args[]): ServedTurn => ({
  text: 'Let me look.',
  calls: given.map((one, at) => ({ id: `call_${at}`, name: 'get_weather', arguments: one })),
  usage: { input: 11, output: 7 },
  chunk: 5,
});
const wrong = { city: 'Oslo', days: 'many' };
const bad = calls(wrong);
const good = calls({ city: 'Oslo', days: '3' });
const seen = (tries: number, ...given: Args[]) => ({
  text: 'Let me look.',
  calls: given.map((one) => ({ name: 'get_weather', arguments: one })),
  input: 11 * tries,
  output: 7 * tries,
});
const oslo = { city: 'Oslo', days: 3 };
const chat = sdks['openai chat'] as (typeof sdks)[string];
const ways = ['whole', 'stream'] as const;

describe.each(['openai-chat', 'anthropic', 'gemini', 'ollama'] as const)('a retry with %s', (format) => {
  describe.each(Object.entries(sdks))('for the %s package', (_, sdk) => {
    it.each(ways)('replaces an invalid call without the client noticing, and adds its cost, %s', async (way) => {
      const { url, upstream, reports } = await through([bad, good], [format]);
      expect(await sdk[way](url)).toEqual(seen(2, oslo));
      const [first, second] = upstream.requests.map(({ question }) => question?.messages ?? []);
      expect(second?.slice(0, first?.length)).toEqual(first);
      expect(JSON.stringify(second?.at(-1))).toContain("'days' expected");
      expect(reports).toMatchObject([{ calls: [{ status: 'mended', retried: 1 }] }]);
    });
  });
});

describe.each(Object.entries(sdks).filter(([name]) => !/responses/i.test(name)))(
  'a retry with openai-responses for the %s package',
  (_, sdk) => {
    it.each(ways)("is made, because the client can't refer to a stored conversation, %s", async (way) => {
      const { url, upstream } = await through([bad, good], ['openai-responses']);
      expect(await sdk[way](url)).toEqual(seen(2, oslo));
      expect(upstream.requests).toHaveLength(2);
    });
  },
);

it.each([false, true])('a retry repeats no id of an item of the Responses API, streamed: %s', async (stream) => {
  const call = (text: string) => ({ text, value: {} });
  let turns = 0;
  const proxy = await proxied(
    cuttingServer(() => ({
      calls: turns++ === 0 ? [call('{"days": 1}'), call('{"days": "many"}')] : [call('{"days": 3}')],
      ends: 'tool_calls',
    })),
    { retries: 1 },
  );
  const parameters = { type: 'object', properties: { days: { type: 'integer' } }, required: ['days'] };
  const tools = [{ type: 'function', name: 'write_file', parameters }];
  const body = JSON.stringify({ model: 'm', input: 'x', store: false, stream, tools });
  const { text } = await ask(`${proxy.url}/v1/responses`, { body });
  expect(turns).toBe(2);
  const last = stream ? (/^data: (\{"type":"response\.completed".*)$/m.exec(text)?.[1] ?? '{}') : text;
  const { output } = stream ? JSON.parse(last).response : JSON.parse(last);
  expect(output.map((item: { arguments: string }) => item.arguments)).toEqual(['{"days": 1}', '{"days": 3}']);
  const ids = stream
    ? [...text.matchAll(/"type":"response\.output_item\.added".*?"id":"([^"]*)"/g)].map(([, id]) => id)
    : output.map((item: { id: string }) => item.id);
  expect(new Set(ids).size).toBe(2);
});

const written = (args: Args): ServedTurn => ({
  text: `Let me look.\n<tool_call>\n${JSON.stringify({ name: 'get_weather', arguments: args })}\n</tool_call>`,
  usage: { input: 11, output: 7 },
  chunk: 5,
});

describe.each(['openai-chat', 'anthropic', 'gemini', 'ollama'] as const)('a retry in text with %s', (format) => {
  describe.each(ways)('%s', (way) => {
    it.each(Object.entries(sdks))('replaces an invalid call in the text, for the %s package', async (_, sdk) => {
      const { url, upstream, reports } = await through(
        [written(wrong), written({ city: 'Oslo', days: '3' })],
        [format],
      );
      const { text, ...rest } = await sdk[way](url);
      expect({ ...rest, text: text.trim() }).toEqual(seen(2, oslo));
      expect(upstream.requests).toHaveLength(2);
      expect(reports).toMatchObject([{ calls: [{ status: 'mended', retried: 1 }] }]);
    });

    it('stays in text for a model with tools in the prompt', async () => {
      const upstream = await serveScripted([written(wrong), written({ city: 'Oslo', days: '3' })]);
      const upstreams = [{ url: upstream.url, formats: [format], toolsInText: true, dialect: 'hermes' }];
      const proxy = await createProxy({ upstreams, retries: 1 }).listen();
      open.push(proxy, upstream);
      const { text, ...rest } = await chat[way](proxy.url);
      expect({ ...rest, text: text.trim() }).toEqual(seen(2, oslo));
      const [first, second] = upstream.requests.map(({ question }) => question);
      expect(second?.tools ?? []).toEqual([]);
      expect(second?.messages.slice(0, first?.messages.length)).toEqual(first?.messages);
      const [said, told] = second?.messages.slice(-2) ?? [];
      expect(said).toMatchObject({ role: 'assistant', parts: [{ type: 'text' }] });
      expect(JSON.stringify(said)).toContain('many');
      expect(told).toMatchObject({ role: 'user', parts: [{ type: 'text' }] });
      expect(JSON.stringify(told)).toContain("'days' expected");
    });

    it('forwards the call unchanged if it fails again, and reports the cost', async () => {
      const { url } = await through([written(wrong), written(wrong), written(wrong)], [format]);
      const { text, ...rest } = await chat[way](url);
      expect({ ...rest, text: text.trim() }).toEqual(seen(3, wrong));
    });
  });
});

describe('a retry', () => {
  it.each(ways)('leaves valid calls next to an invalid one unchanged, %s', async (way) => {
    const { url } = await through(
      [calls(oslo, { days: 'few' }, { city: 'Rome' }), calls({ city: 'Bergen' })],
      ['openai-chat'],
    );
    expect(await chat[way](url)).toEqual(seen(2, oslo, { city: 'Bergen' }, { city: 'Rome' }));
  });

  it.each(ways)('is repeated up to its limit, %s', async (way) => {
    const { url, upstream } = await through([bad, bad, good], ['openai-chat']);
    expect(await chat[way](url)).toEqual(seen(3, oslo));
    expect(upstream.requests).toHaveLength(3);
    const other = await through([bad, bad, bad, good], ['openai-chat']);
    expect(await chat[way](other.url)).toEqual(seen(3, wrong));
    expect(other.upstream.requests).toHaveLength(3);
  });

  it.each<[string, ServedTurn, Partial<ProxyOptions>]>([
    ['it is not asked for', bad, { retries: 0 }],
    ['only a report is wanted', bad, { dryRun: true }],
  ])('changes nothing if %s', async (_, first, more) => {
    for (const way of ways) {
      const { url } = await through([first, good], ['openai-chat'], more);
      expect(await chat[way](url)).toEqual(seen(1, wrong));
    }
  });

  it.each(Object.entries(sdks))('changes only the cost if it fails, for the %s package', async (_, sdk) => {
    const sorry = { text: 'Sorry.', usage: { input: 11, output: 7 } };
    for (const format of ['openai-chat', 'anthropic', 'gemini', 'ollama'] as const) {
      for (const way of ways) {
        const { url, reports } = await through([bad, sorry], [format]);
        expect(await sdk[way](url)).toEqual(seen(2, wrong));
        expect(reports).toMatchObject([{ calls: [{ status: 'invalid', changed: false }] }]);
      }
    }
  });

  it.each(ways)('C2 replaces a truncated call, %s', async (way) => {
    const cut = {
      calls: [{ id: 'c', name: 'get_weather', arguments: '{"city": "Os' }],
      finish: 'length',
      chunk: 5,
    } as const;
    const { url, upstream } = await through([cut, good], ['openai-chat']);
    expect(await chat[way](url)).toMatchObject({ calls: [expect.objectContaining({ name: 'get_weather' })] });
    expect(upstream.requests).toHaveLength(2);
    expect(JSON.stringify(upstream.requests[1])).toContain('token limit');
  });

  it.each(ways)('C2 forwards no call if it is truncated again, %s', async (way) => {
    const cut = {
      calls: [{ id: 'c', name: 'get_weather', arguments: '{"city": "Os' }],
      finish: 'length',
      chunk: 5,
    } as const;
    const { url } = await through([cut, cut, cut], ['openai-chat']);
    const { calls, text } = await chat[way](url);
    expect(calls).toEqual([]);
    expect(text).toContain("The call to 'get_weather' was cut off");
  });

  it.each([
    [{ store: true }, 1],
    [{}, 1],
    [{ previous_response_id: 'r', store: false }, 1],
    [{ conversation: 'c', store: false }, 1],
    [{ store: false }, 2],
  ])('is not made if the upstream stores the conversation: %j', async (more, asked) => {
    const { url, upstream } = await through([bad, good], ['openai-responses']);
    const parameters = {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city', 'days'],
    };
    const tools = [{ type: 'function', name: 'get_weather', parameters }];
    const body = JSON.stringify({ model: 'm', input: 'Weather?', tools, ...more });
    const answer = await fetch(`${url}/v1/responses`, { method: 'POST', body });
    expect(await answer.text()).toContain(asked === 2 ? '3' : 'many');
    expect(upstream.requests).toHaveLength(asked);
  });

  it.each(ways)('is not made after signed reasoning, %s', async (way) => {
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'abc' };
    const use = { type: 'tool_use', id: 't', name: 'get_weather', input: wrong };
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', usage, stop_reason: 'tool_use' };
    const event = (data: { type: string; [more: string]: unknown }): string =>
      `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
    const streamed = [
      event({ type: 'message_start', message: { ...message, content: [], stop_reason: null } }),
      event({
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'thinking', thinking: '', signature: '' },
      }),
      event({ type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'abc' } }),
      event({ type: 'content_block_stop', index: 0 }),
      event({ type: 'content_block_start', index: 1, content_block: { ...use, input: {} } }),
      event({
        type: 'content_block_delta',
        index: 1,
        delta: { type: 'input_json_delta', partial_json: JSON.stringify(wrong) },
      }),
      event({ type: 'content_block_stop', index: 1 }),
      event({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage }),
      event({ type: 'message_stop' }),
    ].join('');
    const raw = way === 'stream' ? streamed : JSON.stringify({ ...message, content: [thinking, use] });
    const headers = { 'content-type': way === 'stream' ? 'text/event-stream' : 'application/json' };
    const { url, upstream } = await through([{ raw, headers }, good], ['anthropic']);
    expect((await (sdks.anthropic as (typeof sdks)[string])[way](url)).calls).toHaveLength(1);
    expect(upstream.requests).toHaveLength(1);
  });

  it('ends with its time limit, and the response is sent unchanged', async () => {
    const slow: ServedTurn = { raw: '{}', delay: 3_600_000 };
    const { url } = await through([bad, slow], ['openai-chat'], { retryLimits: { time: 100 } });
    expect(await chat.stream(url)).toEqual(seen(1, wrong));
  });

  it('ends at its token limit', async () => {
    const { url, upstream } = await through([bad, bad, good], ['openai-chat'], { retryLimits: { tokens: 5 } });
    expect(await chat.whole(url)).toEqual(seen(2, wrong));
    expect(upstream.requests).toHaveLength(2);
  });
});

describe('a truncated call without the finish reason `length`', () => {
  const tools = [
    {
      type: 'function',
      function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
    },
  ];
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x' }], tools, stream: true });
  const chunk = (delta: object, finish: string | null = null): string =>
    `data: ${JSON.stringify({ id: 'r', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const called = (args: string): string =>
    chunk({
      tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'get_weather', arguments: args } }],
    });
  const done = 'data: [DONE]\n\n';

  it.each([
    ['is retried if the stream just ends', ''],
    ['guard: is retried with tool_calls', chunk({}, 'tool_calls') + done],
    ['is retried with stop', chunk({}, 'stop') + done],
    ['guard: is retried with [DONE] alone', done],
  ])('%s', async (_, end) => {
    let tries = 0;
    const proxy = await proxied(
      (response) => {
        tries += 1;
        const text =
          tries === 1 ? called('{"city": "Os') + end : `${called('{"city":"Oslo"}')}${chunk({}, 'tool_calls')}${done}`;
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
      },
      { retries: 1 },
    );
    const { text } = await ask(`${proxy.url}/v1/chat/completions`, { body });
    expect(tries).toBe(2);
    expect(text).toContain(JSON.stringify('{"city":"Oslo"}').slice(1, -1));
    expect(text).toContain('"finish_reason":"tool_calls"');
    expect(text).not.toMatch(/cut off|"error"/);
  });
});

describe.each(['openai-chat', 'anthropic', 'gemini', 'ollama'] as const)('an empty response of %s', (format) => {
  const empty: ServedTurn = { text: '', usage: { input: 11, output: 7 } };
  const answered: ServedTurn = { text: 'It is sunny.', usage: { input: 11, output: 7 }, chunk: 5 };

  it.each(ways)('is requested again up to the limit, %s', async (way) => {
    for (const [turns, text, requests] of [
      [[empty, answered], 'It is sunny.', 2],
      [[empty, empty, answered], 'It is sunny.', 3],
      [[empty, empty, empty, answered], '', 3],
      [[answered, empty], 'It is sunny.', 1],
    ] as const) {
      const { url, upstream } = await through(turns, [format]);
      expect(await chat[way](url)).toMatchObject({ text, calls: [] });
      expect(upstream.requests).toHaveLength(requests);
      expect(new Set(upstream.requests.map(({ question }) => JSON.stringify(question?.messages))).size).toBe(1);
    }
  });

  it.each(ways)('is followed by a response with a call, which is mended, %s', async (way) => {
    const { url, upstream } = await through([empty, good], [format]);
    expect(await chat[way](url)).toEqual(seen(1, oslo));
    expect(upstream.requests).toHaveLength(2);
  });

  it.each(ways)('is forwarded if retries are not enabled or only a report is wanted, %s', async (way) => {
    for (const more of [{ retries: 0 }, { dryRun: true }]) {
      const { url, upstream } = await through([empty, answered], [format], more);
      expect(await chat[way](url)).toMatchObject({ text: '', calls: [] });
      expect(upstream.requests).toHaveLength(1);
    }
  });
});
