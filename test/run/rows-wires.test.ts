/** Rows that are about a wire: client, server and loop together. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Model } from '../../src/model/index.ts';
import { scripted } from '../../src/provider/scripted/scripted.ts';
import { agent } from '../../src/run/agent.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { clientFor, clients, closeServers, serving } from '../provider/clients.ts';
import { endsOf, recording } from './recorded.ts';

afterEach(closeServers);

const path = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } as const;
const frames = (chunks: readonly object[], end = '\n\n'): string =>
  [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}${end}`).join('');
const delta = (tool_calls: readonly object[]): object => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta: { tool_calls }, finish_reason: null }],
});
const finish = { ...delta([]), choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] };
const call = (id: string, name: string, given: string, index = 0): object => ({
  index,
  id,
  type: 'function',
  function: { name, arguments: given },
});
const more = (given: string, index = 0): object => ({ index, function: { arguments: given } });

/** What a tool receives of a stream of the chat wire. */
async function receivedFrom(raw: string | readonly Uint8Array[]): Promise<unknown[]> {
  const read = recording({ name: 'read', inputSchema: path, effect: 'read' });
  const now = recording({ name: 'now', effect: 'read' });
  const server = await serving((_, turn) =>
    turn === 0 ? { raw, headers: { 'content-type': 'text/event-stream' } } : 'Done.',
  );
  const run = agent({ model: clientFor('openai-chat', server), tools: [read, now] }).run('x');
  expect((await run.result).end).toBe('done');
  return [...read.received, ...now.received];
}

describe('streams', () => {
  it('C7 distinguish calls that all have index 0, and each runs with its own arguments', async () => {
    const chunks = [
      delta([call('a', 'read', '{"path"')]),
      delta([more(': "1"}')]),
      delta([call('b', 'read', '{"path": "2"}')]),
      finish,
    ];
    expect(await receivedFrom(frames(chunks))).toEqual([{ path: '1' }, { path: '2' }]);
  });

  it('C8 run a tool without parameters that streamed "" with no arguments', async () => {
    expect(await receivedFrom(frames([delta([call('a', 'now', '')]), finish]))).toEqual([{}]);
  });

  it('C17 keep arguments complete despite a repeated name, a split character and CRLF frames', async () => {
    const text = frames(
      [delta([call('a', 'read', '{"path": "gr')]), delta([call('a', 'read', 'ün 🌍.md"')]), delta([more('}')]), finish],
      '\r\n\r\n',
    );
    const bytes = new TextEncoder().encode(text);
    const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) => bytes.slice(at * 7, at * 7 + 7));
    expect(await receivedFrom(pieces)).toEqual([{ path: 'grün 🌍.md' }]);
  });
});

/** Every value under one of these keys, anywhere. */
function valuesOf(body: unknown, keys: readonly string[]): unknown[] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) => [
    ...(keys.includes(key) ? [value] : []),
    ...valuesOf(value, keys),
  ]);
}

describe.each(Object.keys(clients))('over %s', (wire) => {
  it('C19 an invalid call in the history breaks no later request, and nothing else in the history changes', async () => {
    const server = await serving(['Sorry.']);
    const client = clientFor(wire, server);
    const bad = scripted([{ text: 'I read.', calls: [{ id: 'bad', name: 'read', arguments: '{"path": [1, ' }] }]);
    let turns = 0;
    const model: Model = {
      name: 'm',
      provider: 'test',
      stream(question, options) {
        turns += 1;
        return (turns === 1 ? bad : client).stream(question, options);
      },
    };
    const run = agent({ model, tools: [recording({ name: 'read', inputSchema: path })] }).run('Read it.');
    expect((await run.result).text).toBe('Sorry.');
    const { body } = server.requests[0] ?? {};
    const written = valuesOf({ ...(body as object), tools: [] }, ['arguments', 'input', 'args']).filter(
      (value) => !Array.isArray(value),
    );
    expect(written.length).toBeGreaterThan(0);
    for (const value of written) {
      const read = typeof value === 'string' ? JSON.parse(value) : value;
      expect(Object.prototype.toString.call(read)).toBe('[object Object]');
    }
    expect(JSON.stringify(body)).toContain('I read.');
    expect(run.calls()[0]?.call.arguments).toBe('{"path": [1, ');
  });

  it('S0.5 S1.4 a refused call reaches the provider as an error, complete and structured', async () => {
    const server = await serving([{ calls: [{ name: 'read', arguments: '{"limit": 5}' }] }, 'Sorry.']);
    const read = recording({ name: 'read', inputSchema: path });
    const run = agent({ model: clientFor(wire, server), tools: [read], results: { form: 'structured' } }).run('x');
    await run.result;
    const body = JSON.stringify(server.requests[1]?.body);
    expect(body).toContain(marks[wire]);
    expect(body.replaceAll('\\', '')).toContain('"errorType":"validation","retryable":false');
    expect(read.received).toEqual([]);
  });

  it('C11 C14 a schema that the provider rejects is sent reduced, and calls are checked with the original', async () => {
    const input = {
      type: 'object',
      properties: { path: { type: 'string', pattern: '^src/', not: { const: 'src/secret' } } },
      required: ['path', 'missing'],
    };
    const server = await serving([{ calls: [{ name: 'read', arguments: { path: 'src/secret' } }] }, 'Sorry.']);
    const read = recording({ name: 'read', inputSchema: input });
    const tools = new Toolbox([read], { validate: false });
    const run = agent({ model: clientFor(wire, server), tools }).run('x');
    expect((await run.result).end).toBe('done');
    expect(endsOf(run)).toEqual(['validation']);
    if (wire === 'gemini') expect(valuesOf(server.requests[0]?.body, ['required'])).toEqual([['path']]);
  });
});

/** How each wire says that a result is an error. */
const marks: Readonly<Record<string, string>> = {
  'openai-chat': '"role":"tool"',
  'openai-responses': '"type":"function_call_output"',
  anthropic: '"is_error":true',
  gemini: '"error":',
  ollama: '"role":"tool"',
};
