import { afterEach, describe, expect, it } from 'vitest';
import { lived } from '../../../test/lived.ts';
import { canary, clientFor, clients, closeServers, serving } from '../../../test/provider/clients.ts';
import { answered, asking, collect, failure } from '../../../test/provider/collect.ts';
import { until } from '../../../test/until.ts';
import type { ToolSpec, TurnEvent } from '../../model/index.ts';
import type { ScriptedServer } from '../scripted/server.ts';

afterEach(closeServers);

const weather: ToolSpec = {
  type: 'function',
  name: 'get_weather',
  description: 'Tells the weather',
  schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

describe.each(Object.keys(clients))('a client of %s', (wire) => {
  it('gives words and calls side by side as they come', async () => {
    const calls = [
      { id: 'call_a', name: 'get_weather', arguments: '{"city":"Oslo"}' },
      { id: 'call_b', name: 'get_weather', arguments: '{"city":"Rome"}' },
    ];
    const server = await serving([{ text: 'I look twice.', calls, usage: { input: 11, output: 7 }, chunk: 3 }]);
    const events = await collect(clientFor(wire, server), asking('Weather?', { tools: [weather] }));
    const last = events.at(-1);
    if (last?.type !== 'turn.finished') throw new Error(JSON.stringify(last));
    const { message, finish, usage } = last.response;
    expect(finish).toBe('tool_calls');
    expect(usage).toMatchObject({ input: 11, output: 7 });
    expect(
      message.parts.map((part) => (part.type === 'call' ? [part.name, asValue(part.arguments)] : part.type)),
    ).toEqual(['text', ['get_weather', { city: 'Oslo' }], ['get_weather', { city: 'Rome' }]]);
    expect(events.filter((event) => event.type === 'part.delta' && event.index === 0).length).toBeGreaterThan(2);
    const [asked] = server.requests;
    expect(asked?.question).toMatchObject({ model: 'm', stream: true, tools: [{ name: 'get_weather' }] });
  });

  it('sends its key in a header, and nowhere else', async () => {
    const server = await serving(['ok']);
    await answered(clientFor(wire, server), asking('?'));
    const { headers, path, body } = server.requests[0] as (typeof server.requests)[number];
    expect(Object.values(headers).filter((value) => String(value).includes(canary))).toHaveLength(1);
    expect(path + JSON.stringify(body)).not.toContain(canary);
  });

  it('F1 a connection that is cut in mid-stream is no clean end, and is not asked for again', async () => {
    const server = await serving([
      { text: 'A long story of many words. '.repeat(20), chunk: 2, truncateAfter: 6000 },
      'never',
    ]);
    const events = await collect(clientFor(wire, server), asking('?'));
    const last = events.at(-1);
    expect(last).toMatchObject({ type: 'turn.failed', error: { kind: 'network' } });
    if (last?.type === 'turn.failed') expect(JSON.stringify(last.response.message)).toContain('A long');
    expect(server.requests).toHaveLength(1);
  });

  it('asks again after errors that pass, as often as it may, and counts', async () => {
    const busy = { error: { message: 'busy', status: 503, kind: 'server' as const } };
    const server = await serving([busy, { error: { message: 'slow down', status: 429, kind: 'rate_limit' } }, 'Well.']);
    const told: number[] = [];
    const model = clientFor(wire, server, { onRetry: ({ attempt: tries }) => told.push(tries) });
    expect((await answered(model, asking('?'))).message.parts).toMatchObject([{ type: 'text', text: 'Well.' }]);
    expect(told).toEqual([1, 2]);
    expect(server.requests).toHaveLength(3);
    const never = await serving([busy, busy, busy, busy]);
    const { error } = await failure(clientFor(wire, never, { retry: { base: 1, times: 2 } }), asking('?'));
    expect(error).toMatchObject({ kind: 'server', status: 503, retryable: true });
    expect(error.message).toContain('busy');
    expect(never.requests).toHaveLength(3);
  });

  it('never asks again once output has begun', async () => {
    const server = await serving([{ text: 'Half', error: { message: 'overloaded', kind: 'server' } }, 'never']);
    const failed = await failure(clientFor(wire, server), asking('?'));
    expect(failed.error.message).toContain('overloaded');
    expect(failed.response.message.parts).toMatchObject([{ type: 'text', text: 'Half' }]);
    expect(server.requests).toHaveLength(1);
  });

  it('F23 says what to do about a refused key, and never shows it', async () => {
    const echo = JSON.stringify({ error: { message: `Incorrect API key provided: ${canary}`, code: canary } });
    const server = await serving([{ raw: echo, status: 401, headers: { 'content-type': 'application/json' } }]);
    const failed = await failure(clientFor(wire, server), asking('?'));
    expect(failed.error).toMatchObject({ kind: 'request', status: 401, retryable: false });
    expect(failed.error.message).toMatch(/401.*Incorrect API key.*[A-Z]+_API_KEY/);
    expect(JSON.stringify(failed)).not.toContain(canary);
    expect(server.requests).toHaveLength(1);
  });

  it('F2 ends within 100 ms when aborted, and when the loop is left', async () => {
    const slow = { text: 'word '.repeat(2000), chunk: 5, pace: 5 };
    const server = await serving([slow, slow]);
    const stop = new AbortController();
    const events: TurnEvent[] = [];
    const left = (turn: number) => until(() => server.requests[turn]?.leftAt !== undefined);
    const values = clientFor(wire, server).stream(asking('?'), { signal: stop.signal })[Symbol.asyncIterator]();
    while (events.length < 5) events.push((await values.next()).value);
    stop.abort();
    const ended = await lived(async () => {
      for (let next = await values.next(); !next.done; next = await values.next()) events.push(next.value);
      await left(0);
    });
    expect(ended).toBeLessThan(100);
    expect(events.at(-1)).toMatchObject({ type: 'turn.failed', error: { kind: 'aborted' } });
    for await (const event of clientFor(wire, server).stream(asking('?'))) {
      if (event.type === 'part.delta') break;
    }
    expect(await lived(() => left(1))).toBeLessThan(100);
  });

  it('reads an answer that comes whole, though a stream was asked for', async () => {
    const played = await serving([{ text: 'Hi.', calls: [{ name: 'get_weather', arguments: '{"city":"Oslo"}' }] }]);
    const bytes = await wholeBytes(wire, played);
    const server = await serving([{ raw: bytes, headers: { 'content-type': 'application/json' } }]);
    const { message, finish } = await answered(clientFor(wire, server), asking('?', { tools: [weather] }));
    expect(message.parts.map(({ type }) => type)).toEqual(['text', 'call']);
    expect(finish).toBe('tool_calls');
  });
});

/** What a server sends for an answer that was not asked for as a stream. */
async function wholeBytes(wire: string, server: ScriptedServer): Promise<string> {
  const paths: Record<string, string> = {
    'openai-chat': '/v1/chat/completions',
    'openai-responses': '/v1/responses',
    anthropic: '/v1/messages',
    gemini: '/v1beta/models/m:generateContent',
    ollama: '/api/chat',
  };
  const messages = [{ role: 'user', content: '?' }];
  const body = { model: 'm', messages, input: '?', max_tokens: 9, contents: [], stream: false };
  const response = await fetch(server.url + paths[wire], { method: 'POST', body: JSON.stringify(body) });
  return response.text();
}

const asValue = (given: unknown): unknown => (typeof given === 'string' ? JSON.parse(given) : given);

describe('what the provider would refuse', () => {
  it('is fitted on the way there, and undone on the way back', async () => {
    const tools: ToolSpec[] = [
      { type: 'function', name: 'files.read über', description: 'Reads', schema: { type: 'object' } },
    ];
    const warnings: string[] = [];
    const server = await serving(({ tools: [asked] = [] }) => ({
      calls: [{ name: asked?.type === 'function' ? asked.name : '', arguments: '{}' }],
    }));
    const model = clientFor('openai-chat', server, {
      onWarnings: (all) => warnings.push(...all.map(({ where }) => where)),
    });
    const events = await collect(model, asking('?', { tools }));
    const { question } = server.requests[0] as (typeof server.requests)[number];
    const [sent] = question?.tools ?? [];
    expect(sent?.type === 'function' && sent.name).toMatch(/^[a-zA-Z0-9_-]+$/);
    expect(events.flatMap((event) => ('part' in event && event.part.type === 'call' ? [event.part.name] : []))).toEqual(
      ['files.read über', 'files.read über'],
    );
    expect(events.at(-1)).toMatchObject({ response: { message: { parts: [{ name: 'files.read über' }] } } });
    expect(warnings).toContain('tools.0.name');
  });

  it('C19 a call in the history that is no JSON does not spoil the question', async () => {
    const server = await serving(['ok']);
    const broken = { type: 'call' as const, id: 'a', name: 'get_weather', arguments: '{"city": "Os' };
    await answered(clientFor('openai-chat', server), {
      messages: [
        { role: 'assistant', parts: [broken] },
        {
          role: 'user',
          parts: [{ type: 'result', callId: 'a', content: [{ type: 'text', text: 'no' }], isError: true }],
        },
      ],
    });
    const [call] = server.requests[0]?.question?.messages[0]?.parts ?? [];
    const text = call?.type === 'call' ? String(call.arguments) : '';
    expect(text).not.toBe(broken.arguments);
    expect(JSON.parse(text)).toBeTypeOf('object');
  });

  it('and fields of your own are laid over the body', async () => {
    const server = await serving(['ok']);
    await answered(clientFor('openai-chat', server, { body: { seed: 7 } }), asking('?'));
    expect(server.requests[0]?.body).toMatchObject({ seed: 7, stream: true });
  });
});

describe('a tool that does not say whether it is strict', () => {
  const toolsSent = async (wire: string, tool: ToolSpec): Promise<unknown> => {
    const server = await serving(['ok']);
    await answered(clientFor(wire, server), asking('?', { tools: [tool] }));
    const [sent] = server.requests;
    return (sent?.body as { tools: unknown[] } | undefined)?.tools[0];
  };

  it('is sent as one that is not to the wire which takes silence for yes', async () => {
    expect(await toolsSent('openai-responses', weather)).toMatchObject({ name: 'get_weather', strict: false });
    expect(await toolsSent('openai-responses', { ...weather, strict: true })).toMatchObject({ strict: true });
  });

  it('stays silent on the wire where that means no', async () => {
    expect(await toolsSent('openai-chat', weather)).not.toHaveProperty('function.strict');
  });
});

it('an empty list of tools is not sent at all', async () => {
  const server = await serving(['ok']);
  await answered(clientFor('openai-chat', server), asking('?', { tools: [], toolChoice: 'auto' }));
  expect(server.requests[0]?.body).not.toHaveProperty('tools');
});
