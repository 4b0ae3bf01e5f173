import { afterEach, describe, expect, it } from 'vitest';
import { type Answerer, closeAll, proxied } from './around.ts';

afterEach(closeAll);

type Json = Record<string, unknown>;
const sse = (value: object | string): string =>
  `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
const chunk = (choices: readonly Json[], more: Json = {}): string =>
  sse({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...more });
const a = '{"path":"a.txt","content":"AAA"}';
const b = '{"path":"b.txt"}';
const entry = (index: number | undefined, id: string | undefined, name: string | undefined, args?: unknown) => ({
  tool_calls: [{ index, id, ...(name && { type: 'function' }), function: { name, arguments: args } }],
});
const grown = Array.from({ length: a.length }, (_, at) => a.slice(0, at + 1));
const open = a.slice(0, 28);
const damaged = `${a.slice(0, -1)},}`;

/** The deltas of one choice, and its finish reason. */
const faults: Readonly<Record<string, readonly [deltas: readonly Json[], finish: string | null]>> = {
  'two tools at index 0': [[entry(0, 'p', 'write_file', a), entry(0, 'q', 'delete_file', b)], 'tool_calls'],
  'two tools without an index': [
    [entry(undefined, 'p', 'write_file', a), entry(undefined, 'q', 'delete_file', b)],
    'tool_calls',
  ],
  'indexes 1 and 2': [
    [entry(1, 'p', 'write_file', ''), entry(2, 'q', 'delete_file', b), entry(1, undefined, undefined, a)],
    'tool_calls',
  ],
  'arguments as an object': [[entry(0, 'p', 'write_file', JSON.parse(a))], 'tool_calls'],
  'cumulative arguments': [grown.map((text) => entry(0, 'p', 'write_file', text)), 'tool_calls'],
  'guard: ids that are null': [
    [entry(0, null as never, 'write_file', a), entry(1, null as never, 'delete_file', b)],
    'tool_calls',
  ],
  'guard: damaged arguments': [[entry(0, 'p', 'write_file', "{'path': 'a.txt', 'content': 'AAA'}")], 'tool_calls'],
  'guard: `stop` next to a call': [[entry(0, 'p', 'write_file', a)], 'stop'],
  'guard: a truncated call': [[entry(0, 'p', 'write_file', open)], 'length'],
  'a truncated call without a finish reason': [[entry(0, 'p', 'write_file', open)], null],
  'a complete call without a finish reason': [[entry(0, 'p', 'write_file', a)], null],
  'guard: a truncated call of a custom tool': [
    [{ tool_calls: [{ index: 0, id: 'p', type: 'custom', custom: { name: 'patch', input: '*** Be' } }] }],
    'length',
  ],
  '`tool_calls` as an object': [[{ tool_calls: entry(0, 'p', 'write_file', a).tool_calls[0] }], 'tool_calls'],
  '`tool_calls` as an object, truncated': [[{ tool_calls: entry(0, 'p', 'write_file', open).tool_calls[0] }], 'length'],
  'guard: a deprecated call': [
    [{ function_call: { name: 'write_file', arguments: '' } }, { function_call: { arguments: a } }],
    'function_call',
  ],
  'a damaged deprecated call': [
    [{ function_call: { name: 'write_file', arguments: '' } }, { function_call: { arguments: damaged } }],
    'function_call',
  ],
  'a truncated deprecated call': [
    [{ function_call: { name: 'write_file', arguments: '' } }, { function_call: { arguments: open } }],
    'length',
  ],
  'guard: a call in text': [
    [{ content: 'Sure.\n<tool_call>' }, { content: `\n{"name":"write_file","arguments":${a}}\n</tool_call>` }],
    'stop',
  ],
  'guard: plain text': [[{ content: 'Hi' }, { content: ' there' }], 'stop'],
};

const tools = ['write_file', 'delete_file'].map((name) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: { path: {}, content: {} } } },
}));
const sending =
  (body: string, type = 'text/event-stream'): Answerer =>
  (response) => {
    response.writeHead(200, { 'content-type': type }).end(body);
  };
async function ask(body: string, stream: boolean, more: Json = {}): Promise<{ status: number; text: string }> {
  const { url } = await proxied(sending(body, stream ? 'text/event-stream' : 'application/json'));
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content: 'go' }], tools, ...more }),
  });
  return { status: response.status, text: await response.text() };
}

/** A choice as a client reads it that takes every frame literally. Ids that the proxy creates are left out. */
function literal(text: string, index: number): Json {
  const calls = new Map<unknown, { id: string; name: string; args: string }>();
  const read: Json & { text: string; legacy: string } = { text: '', legacy: '' };
  for (const line of text.split('\n')) {
    if (!line.startsWith('data: {')) continue;
    for (const choice of JSON.parse(line.slice(6)).choices ?? []) {
      if (choice.index !== index) continue;
      const { content, tool_calls: listed = [], function_call: one } = choice.delta;
      read.text += content ?? '';
      if (one) read.legacy += `${one.name ?? ''} ${one.arguments ?? ''}`;
      for (const call of listed) {
        const { name = '', arguments: args = '', input = '' } = call.function ?? call.custom;
        const before = calls.get(call.index) ?? { id: call.id, name: '', args: '' };
        calls.set(call.index, { ...before, name: before.name + name, args: before.args + args + input });
      }
      if (choice.finish_reason) read.finish = choice.finish_reason;
    }
  }
  const all = [...calls.values()];
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  return { ...read, calls: all.map(({ name, args }) => [name, args]) };
}

const streamOf = (index: number, [deltas, finish]: readonly [readonly Json[], string | null]): string[] => [
  ...deltas.map((delta) => chunk([{ index, delta, finish_reason: null }])),
  ...(finish ? [chunk([{ index, delta: {}, finish_reason: finish }])] : []),
];
const zero: readonly [readonly Json[], string] = [[{ role: 'assistant', content: 'zero' }], 'stop'];
const zipped = (one: readonly string[], other: readonly string[]): string =>
  Array.from({ length: Math.max(one.length, other.length) }, (_, at) => `${one[at] ?? ''}${other[at] ?? ''}`).join('');

describe('each choice of a stream reaches the client like the first', () => {
  it.each(Object.entries(faults))('%s', async (_, fault) => {
    const first = await ask(streamOf(0, fault).join('') + sse('[DONE]'), true);
    const second = await ask(zipped(streamOf(0, zero), streamOf(1, fault)) + sse('[DONE]'), true, { n: 2 });
    expect(literal(second.text, 1)).toEqual(literal(first.text, 0));
    expect(literal(second.text, 0)).toEqual({ text: 'zero', legacy: '', finish: 'stop', calls: [] });
    expect(second.text.match(/\[DONE\]/g)).toHaveLength(1);
  });

  it.each(Object.entries(faults).filter(([name]) => name.includes('truncated')))(
    '%s: no part of it is sent',
    async (_, fault) => {
      const { text } = await ask(zipped(streamOf(0, zero), streamOf(1, fault)) + sse('[DONE]'), true, { n: 2 });
      expect(text).not.toMatch(/"(?:tool_calls|function_call)":[[{]/);
      expect(literal(text, 1).text).toMatch(/^\[The call to '(?:write_file|patch)' was cut off/);
    },
  );

  it('two calls of different tools keep their own arguments', async () => {
    const fault = faults['two tools at index 0'] as (typeof faults)[string];
    const { text } = await ask(zipped(streamOf(0, zero), streamOf(1, fault)) + sse('[DONE]'), true, { n: 2 });
    expect(literal(text, 1).calls).toEqual([
      ['write_file', a],
      ['delete_file', b],
    ]);
  });

  it('guard: a call that breaks off with the connection is withheld', async () => {
    const { url } = await proxied((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(streamOf(1, [[entry(0, 'p', 'write_file', open)], null]).join(''));
      setTimeout(() => response.destroy(), 30);
    });
    const body = JSON.stringify({ model: 'm', n: 2, stream: true, messages: [], tools });
    const text = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body }).then((one) => one.text());
    expect(text).not.toContain('tool_calls');
    expect(text).toContain('"error"');
  });

  it('guard: choices and usage in one frame are all kept', async () => {
    const call = entry(0, 'p', 'write_file', damaged);
    const both = chunk(
      [
        { index: 0, delta: call, finish_reason: 'tool_calls' },
        { index: 1, delta: call, finish_reason: 'tool_calls' },
      ],
      { usage: { prompt_tokens: 3, completion_tokens: 4 } },
    );
    const { text } = await ask(both + sse('[DONE]'), true, { n: 2 });
    const expected = { text: '', legacy: '', finish: 'tool_calls', calls: [['write_file', a]] };
    expect([literal(text, 0), literal(text, 1)]).toEqual([expected, expected]);
    expect(text.match(/"prompt_tokens":3/g)).toHaveLength(1);
  });

  it('guard: the frames of sound choices are forwarded byte for byte', async () => {
    const sound = [[entry(0, 'p', 'write_file', ''), entry(0, undefined, undefined, a)], 'tool_calls'] as const;
    const both = chunk([
      { index: 0, delta: { content: 'x' } },
      { index: 1, delta: { content: 'y' } },
    ]);
    const body = both + zipped(streamOf(0, zero), streamOf(1, sound)) + sse('[DONE]');
    const { text } = await ask(body, true, { n: 2 });
    const frames = (from: string): string[] => from.replace(/: toolmend .*\n\n/, '').split('\n\n');
    // A choice doesn't wait for the call of another.
    expect(frames(text).toSorted()).toEqual(frames(body).toSorted());
    expect(frames(text).filter((one) => one.includes('"index":1'))).toEqual(
      frames(body).filter((one) => one.includes('"index":1')),
    );
  });
});

const message = ([deltas]: readonly [readonly Json[], string | null]): Json => ({
  role: 'assistant',
  content: null,
  ...deltas[0],
});

describe('each choice of a complete response reaches the client like the first', () => {
  /** Complete responses had the same mender for each choice before, except for calls that it didn't find. */
  const titleOf = (name: string): string =>
    name.startsWith('guard:') || name.includes('`tool_calls`') ? name : `guard: ${name}`;
  const rows: Readonly<Record<string, readonly [Json, string]>> = {
    ...Object.fromEntries(
      Object.entries(faults).flatMap(([name, fault]) =>
        fault[0].length === 1 && fault[1] ? [[titleOf(name), [message(fault), fault[1]]]] : [],
      ),
    ),
    'guard: a deprecated call': [
      { role: 'assistant', content: null, function_call: { name: 'write_file', arguments: a } },
      'function_call',
    ],
    'guard: a truncated deprecated call': [
      { role: 'assistant', content: null, function_call: { name: 'write_file', arguments: open } },
      'length',
    ],
  };
  const whole = (...choices: readonly (readonly [Json, string])[]): string =>
    JSON.stringify({
      id: 'x',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: choices.map(([said, finish_reason], index) => ({ index, message: said, finish_reason })),
    });
  const plain: readonly [Json, string] = [{ role: 'assistant', content: 'zero' }, 'stop'];

  it.each(Object.entries(rows))('%s', async (_, row) => {
    const first = JSON.parse((await ask(whole(row), false)).text).choices[0];
    const second = JSON.parse((await ask(whole(plain, row), false, { n: 2 })).text).choices[1];
    for (const choice of [first, second]) {
      for (const call of choice.message.tool_calls ?? []) delete call.id;
      if (!choice.message.refusal) delete choice.message.refusal;
      delete choice.logprobs;
    }
    expect(second).toEqual({ ...first, index: 1 });
    if (row[1] === 'length') expect(JSON.stringify(second)).not.toMatch(/tool_calls|function_call/);
  });

  it("a choice that can't be read is withheld if it has a call", async () => {
    const bad: readonly [Json, string] = [{ ...entry(0, 'p', 'write_file', open), content: 5 }, 'length'];
    const { text, status } = await ask(whole(plain, bad), false, { n: 2 });
    const { choices } = JSON.parse(text);
    expect(status).toBe(200);
    expect(choices[0].message.content).toBe('zero');
    expect(choices[1]).toMatchObject({ index: 1, message: { content: expect.stringContaining('was withheld') } });
    expect(text).not.toContain('tool_calls');
  });
});
