import { afterEach, describe, expect, it } from 'vitest';
import { ask, closeAll, json, proxied } from './around.ts';
import {
  chatCall as call,
  chatPath,
  chatRequest,
  chatChunk as chunk,
  damagedArguments as damaged,
  doneFrame as done,
  fileParameters,
  dataFrame as frame,
  mendedArguments,
  sse,
} from './chat-frames.ts';

afterEach(closeAll);

const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };

/** What a Chat client reads that follows each frame to the letter. */
interface Literal {
  calls: { id: unknown; name: string; args: string }[];
  finish: unknown;
  usage: unknown[];
}

function literally(text: string, choice = 0): Literal {
  const read: Literal = { calls: [], finish: undefined, usage: [] };
  for (const line of text.split('\n').filter((one) => one.startsWith('data: {'))) {
    const { choices = [], usage: counted } = JSON.parse(line.slice(6));
    if (counted) read.usage.push(counted);
    for (const { index, delta, finish_reason: finish } of choices) {
      if (index !== choice) continue;
      for (const { index: at, id, function: called = {} } of delta?.tool_calls ?? []) {
        const one = read.calls[at] ?? { id, name: '', args: '' };
        read.calls[at] = one;
        one.name += called.name ?? '';
        one.args += called.arguments ?? '';
      }
      if (finish) read.finish = finish;
    }
  }
  return read;
}

async function streamed(text: string, path = chatPath, body: object = chatRequest): Promise<string> {
  const proxy = await proxied((response) => response.writeHead(200, sse).end(text));
  return (await ask(`${proxy.url}${path}`, { body: JSON.stringify({ ...body, stream: true }) })).text;
}

describe('a mended call in the frame that ends the response', () => {
  const mended = { id: 'c1', name: 'read_file', args: mendedArguments };

  it.each([
    ['the finish reason and the usage', chunk({ tool_calls: [call(damaged)] }, 'tool_calls', { usage }), [usage]],
    ['the finish reason', chunk({ tool_calls: [call(damaged)] }, 'tool_calls'), []],
    [
      'the finish reason, before a chunk with the usage',
      chunk({ tool_calls: [call(damaged)] }, 'tool_calls') + frame({ id: 'r', choices: [], usage }),
      [usage],
    ],
  ])('keeps %s of a Chat stream', async (_, text, counted) => {
    const read = literally(await streamed(text + done));
    expect(read).toEqual({ calls: [mended], finish: 'tool_calls', usage: counted });
  });

  it('guard: keeps the finish reason and the usage next to arguments as an object', async () => {
    const text = chunk({ tool_calls: [call({ path: 'a', limit: '3' })] }, 'tool_calls', { usage }) + done;
    expect(literally(await streamed(text))).toEqual({ calls: [mended], finish: 'tool_calls', usage: [usage] });
  });

  it('sends the finish reason of a Chat stream after the call and before [DONE]', async () => {
    const text = await streamed(chunk({ content: 'Hi', tool_calls: [call(damaged)] }, 'tool_calls', { usage }) + done);
    const frames = text.split('\n\n').filter((one) => one.startsWith('data: '));
    expect(frames.at(-1)).toBe('data: [DONE]');
    expect(frames.at(-2)).toContain('"finish_reason":"tool_calls"');
    expect(frames.filter((one) => one.includes('"finish_reason":"tool_calls"'))).toHaveLength(1);
    expect(text).toContain('"content":"Hi"');
  });

  it('keeps the finish reason and the usage of a Gemini stream, once', async () => {
    const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 4, totalTokenCount: 7 };
    const functionCall = { name: 'read_file', args: { path: 'a', limit: '3' } };
    const content = { role: 'model', parts: [{ functionCall }] };
    const text = await streamed(
      frame({ candidates: [{ content, finishReason: 'STOP', index: 0 }], usageMetadata, modelVersion: 'g' }),
      '/v1beta/models/g:streamGenerateContent?alt=sse',
      {
        contents: [{ role: 'user', parts: [{ text: 'x' }] }],
        tools: [{ functionDeclarations: [{ name: 'read_file', parameters: fileParameters }] }],
      },
    );
    const frames = text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []));
    expect(frames.flatMap(({ candidates }) => candidates[0].finishReason ?? [])).toEqual(['STOP']);
    expect(frames.flatMap((one) => one.usageMetadata ?? [])).toEqual([usageMetadata]);
    expect(frames.flatMap(({ candidates }) => candidates[0].content?.parts ?? [])).toEqual([
      { functionCall: { name: 'read_file', args: { path: 'a', limit: 3 } } },
    ]);
  });

  it('guard: keeps both in an Ollama stream', async () => {
    const message = {
      role: 'assistant',
      content: '',
      tool_calls: [{ function: { name: 'read_file', arguments: { path: 'a', limit: '3' } } }],
    };
    const proxy = await proxied((response) =>
      response
        .writeHead(200, { 'content-type': 'application/x-ndjson' })
        .end(
          `${JSON.stringify({ model: 'm', message, done: true, done_reason: 'stop', prompt_eval_count: 3, eval_count: 4 })}\n`,
        ),
    );
    const { text } = await ask(`${proxy.url}/api/chat`, { body: JSON.stringify(chatRequest) });
    expect(JSON.parse(text.trim().split('\n').at(-1) ?? '')).toMatchObject({ done: true, eval_count: 4 });
  });
});

describe('valid calls in a stream that breaks the Chat format', () => {
  const a = '{"path":"a"}';
  const b = '{"path":"b"}';
  const end = chunk({}, 'tool_calls') + done;
  const two = (first: object, second: object): string =>
    chunk({ role: 'assistant', tool_calls: [first] }) + chunk({ tool_calls: [second] }) + end;
  const none = undefined;

  it.each([
    ['all calls at index 0', two(call(a), call(b, { id: 'c2' }))],
    ['all calls at index 0 in one delta', chunk({ tool_calls: [call(a), call(b, { id: 'c2' })] }) + end],
    ['no index', two(call(a, { index: none }), call(b, { id: 'c2', index: none }))],
    ['indexes that start at 1', two(call(a, { index: 1 }), call(b, { id: 'c2', index: 2 }))],
    ['ids that are null', two(call(a, { id: null }), call(b, { id: null, index: 1 }))],
    ['ids that are empty', two(call(a, { id: '' }), call(b, { id: '', index: 1 }))],
    ['one id for both', two(call(a), call(b, { index: 1 }))],
    ['arguments as objects', two(call({ path: 'a' }), call({ path: 'b' }, { id: 'c2', index: 1 }))],
    [
      'an empty object before the arguments',
      chunk({ tool_calls: [call('{}'), call('{}', { index: 1, id: 'c2' })] }) +
        two({ index: 0, function: { arguments: a } }, { index: 1, function: { arguments: b } }),
    ],
    [
      'arguments that each chunk repeats',
      chunk({ tool_calls: [call('{"path"')] }) +
        two({ index: 0, function: { arguments: a } }, call(b, { id: 'c2', index: 1 })),
    ],
    [
      'the name in each chunk',
      chunk({ tool_calls: [call('{"path"')] }) +
        two({ index: 0, function: { name: 'read_file', arguments: ':"a"}' } }, call(b, { id: 'c2', index: 1 })),
    ],
    [
      '`stop` next to the calls',
      two(call(a), call(b, { id: 'c2', index: 1 })).replace('"finish_reason":"tool_calls"', '"finish_reason":"stop"'),
    ],
  ])('reach the client as the format says: %s', async (_, text) => {
    const { calls, finish } = literally(await streamed(text));
    expect(calls.map(({ name, args }) => [name, args])).toEqual([
      ['read_file', a],
      ['read_file', b],
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    expect(calls.every(({ id }) => typeof id === 'string' && id !== '')).toBe(true);
    expect(finish).toBe('tool_calls');
  });

  it.each([
    ['two calls', two(call(a), call(b, { id: 'c2', index: 1 }))],
    [
      'arguments in pieces',
      chunk({ tool_calls: [call('')] }) + chunk({ tool_calls: [{ index: 0, function: { arguments: a } }] }) + end,
    ],
    ['no type', two(call(a, { type: none }), call(b, { id: 'c2', index: 1, type: none }))],
    ['`stop` without calls', chunk({ content: 'Hi' }) + chunk({}, 'stop') + done],
    [
      '`length` next to a call',
      two(call(a), call(b, { id: 'c2', index: 1 })).replace('"finish_reason":"tool_calls"', '"finish_reason":"length"'),
    ],
  ])('guard: stay byte by byte with %s', async (_, text) => {
    expect((await streamed(text)).startsWith(text)).toBe(true);
  });
});

describe('valid calls in a complete response that breaks its format', () => {
  const a = '{"path":"a"}';
  const textOf = (args: unknown) => (typeof args === 'string' ? args : JSON.stringify(args));
  const chat = async (calls: object[], finish = 'tool_calls') => {
    const message = { role: 'assistant', content: null, tool_calls: calls };
    const proxy = await proxied((response) =>
      json(response, {
        id: 'r',
        object: 'chat.completion',
        model: 'm',
        choices: [{ index: 0, message, finish_reason: finish }],
      }),
    );
    const { text } = await ask(`${proxy.url}/v1/chat/completions`, { body: JSON.stringify(chatRequest) });
    return JSON.parse(text).choices[0];
  };

  it.each([
    ['arguments as an object', [call({ path: 'a' })]],
    ['ids that are null', [call(a, { id: null }), call(a, { id: null })]],
    ['ids that are empty', [call(a, { id: '' }), call(a, { id: '' })]],
    ['one id for different calls', [call(a), call('{"path":"b"}')]],
    ['`stop` next to calls', [call(a)], 'stop'],
  ])('reach the client as the Chat format says: %s', async (_, sent, finish?: string) => {
    const { message, finish_reason } = await chat(sent, finish);
    const ids = message.tool_calls.map(({ id }: { id: unknown }) => id);
    expect(message.tool_calls.map((one: { function: object }) => one.function)).toEqual(
      sent.map((one) => ({ name: 'read_file', arguments: textOf(one.function.arguments) })),
    );
    expect(ids.every((id: unknown) => typeof id === 'string' && id !== '') && new Set(ids).size).toBe(sent.length);
    expect(finish_reason).toBe('tool_calls');
  });

  const anthropic = { ...chatRequest, max_tokens: 9, tools: [{ name: 'read_file', input_schema: fileParameters }] };
  const use = (id: string, path: string) => ({ type: 'tool_use', id, name: 'read_file', input: { path } });

  it('reach the client as the Messages format says', async () => {
    const message = {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'm',
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    const proxy = await proxied((response) =>
      json(response, { ...message, content: [use('t', 'a'), use('t', 'b')], stop_reason: 'end_turn' }),
    );
    const { text } = await ask(`${proxy.url}/v1/messages`, { body: JSON.stringify(anthropic) });
    const { content, stop_reason } = JSON.parse(text);
    expect(content.map(({ input }: { input: object }) => input)).toEqual([{ path: 'a' }, { path: 'b' }]);
    expect(new Set(content.map(({ id }: { id: string }) => id)).size).toBe(2);
    expect(stop_reason).toBe('tool_use');
  });

  it('reach the client as the Messages format says, streamed', async () => {
    const event = (value: Record<string, unknown>): string => `event: ${value.type}\n${frame(value)}`;
    const block = (id: string, path: string): string =>
      event({ type: 'content_block_start', index: 0, content_block: { ...use(id, path), input: {} } }) +
      event({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json: JSON.stringify({ path }) },
      }) +
      event({ type: 'content_block_stop', index: 0 });
    const message = {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    const text = await streamed(
      event({ type: 'message_start', message }) +
        block('t', 'a') +
        block('t', 'b') +
        event({ type: 'message_delta', delta: { stop_reason: 'end_turn' } }) +
        event({ type: 'message_stop' }),
      '/v1/messages',
      anthropic,
    );
    const events = text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []));
    const starts = events.filter(({ type }) => type === 'content_block_start');
    expect(starts.map(({ index }) => index)).toEqual([0, 1]);
    expect(new Set(starts.map(({ content_block: { id } }) => id)).size).toBe(2);
    expect(events.find(({ type }) => type === 'message_delta').delta.stop_reason).toBe('tool_use');
  });

  it('reach the client as the Ollama format says', async () => {
    const message = { role: 'assistant', content: '', tool_calls: [{ function: { name: 'read_file', arguments: a } }] };
    const proxy = await proxied((response) => json(response, { model: 'm', message, done: true, done_reason: 'stop' }));
    const { text } = await ask(`${proxy.url}/api/chat`, { body: JSON.stringify({ ...chatRequest, stream: false }) });
    expect(JSON.parse(text).message.tool_calls[0].function.arguments).toEqual({ path: 'a' });
  });
});

describe('calls with one id, in a format that does not require ids', () => {
  const gemini = {
    contents: [{ role: 'user', parts: [{ text: 'x' }] }],
    tools: [{ functionDeclarations: [{ name: 'read_file', parameters: fileParameters }] }],
  };
  const asGemini = (called: object, more: object = {}) => ({
    candidates: [{ index: 0, content: { role: 'model', parts: [{ functionCall: called }] }, ...more }],
  });
  const asOllama = (id: string, path: string, done = false) => {
    const called = { id, function: { index: 0, name: 'read_file', arguments: { path } } };
    return { model: 'm', message: { role: 'assistant', content: '', tool_calls: [called] }, done };
  };
  const named = (id: string | undefined, path: string) => ({ ...(id && { id }), name: 'read_file', args: { path } });
  const geminiStream = (first: object, second: object) =>
    frame(asGemini(first)) + frame(asGemini(second, { finishReason: 'STOP' }));
  const ollamaStream = (...lines: object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const toGemini = (text: string) => streamed(text, '/v1beta/models/g:streamGenerateContent?alt=sse', gemini);
  const toOllama = async (text: string) => {
    const type = { 'content-type': 'application/x-ndjson' };
    const proxy = await proxied((response) => response.writeHead(200, type).end(text));
    return (await ask(`${proxy.url}/api/chat`, { body: JSON.stringify(chatRequest) })).text;
  };
  const idsIn = (text: string): string[] => [...text.matchAll(/"id":"([^"]*)"/g)].map(([, id = '']) => id);
  const pathsIn = (text: string): string[] => [...text.matchAll(/"path":"(\w)"/g)].map(([, path = '']) => path);

  it.each([
    ['Gemini stream', () => toGemini(geminiStream(named('f', 'a'), named('f', 'b')))],
    ['Ollama stream', () => toOllama(ollamaStream(asOllama('k', 'a'), asOllama('k', 'b', true)))],
  ])('have their own in a %s', async (_, send) => {
    const text = await send();
    expect(pathsIn(text)).toEqual(['a', 'b']);
    expect(new Set(idsIn(text)).size).toBe(2);
  });

  it('have their own in a complete response', async () => {
    const parts = [{ functionCall: named('f', 'a') }, { functionCall: named('f', 'b') }];
    const candidates = [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }];
    const proxy = await proxied((response) => json(response, { candidates }));
    const { text } = await ask(`${proxy.url}/v1beta/models/g:generateContent`, { body: JSON.stringify(gemini) });
    expect([pathsIn(text), new Set(idsIn(text)).size]).toEqual([['a', 'b'], 2]);
  });

  it('run once if they are the same call', async () => {
    expect(pathsIn(await toGemini(geminiStream(named('f', 'a'), named('f', 'a'))))).toEqual(['a']);
    const lines = [asOllama('k', 'a'), asOllama('k', 'a'), { model: 'm', done: true, done_reason: 'stop' }];
    expect(pathsIn(await toOllama(ollamaStream(...lines)))).toEqual(['a']);
  });

  it.each([
    ['different ids', geminiStream(named('f', 'a'), named('g', 'b'))],
    ['no ids', geminiStream(named(undefined, 'a'), named(undefined, 'a'))],
    [
      'one call in pieces',
      frame(asGemini({ id: 'f', name: 'read_file', willContinue: true })) +
        geminiStream(
          { id: 'f', partialArgs: [{ jsonPath: '$.path', stringValue: 'a' }], willContinue: true },
          { id: 'f' },
        ),
    ],
  ])('guard: stay byte by byte with %s', async (_, text) => {
    expect(await toGemini(text)).toBe(text);
  });
});

describe('the `call_id` of a Responses stream', () => {
  const calls = ['{"path":"a"}', '{"path":"b"}'];
  const item = (at: number, id: unknown, args: string) => ({
    type: 'function_call',
    id: `fc_${at}`,
    name: 'read_file',
    arguments: args,
    status: 'completed',
    call_id: id,
  });
  const upstream = (id: unknown): string => {
    let sequence = 0;
    const event = (type: string, fields: object): string =>
      `event: ${type}\n${frame({ type, sequence_number: sequence++, ...fields })}`;
    const response = (status: string, output: object[]) => ({
      id: 'resp_1',
      object: 'response',
      model: 'm',
      status,
      output,
    });
    const items = calls.map((args, at) => item(at, id, args));
    return [
      event('response.created', { response: response('in_progress', []) }),
      ...items.flatMap((one, output_index) => [
        event('response.output_item.added', { output_index, item: { ...one, arguments: '', status: 'in_progress' } }),
        event('response.function_call_arguments.delta', { output_index, item_id: one.id, delta: one.arguments }),
        event('response.function_call_arguments.done', { output_index, item_id: one.id, arguments: one.arguments }),
        event('response.output_item.done', { output_index, item: one }),
      ]),
      event('response.completed', { response: response('completed', items) }),
    ].join('');
  };
  const body = {
    model: 'm',
    input: 'go',
    tools: [{ type: 'function', name: 'read_file', parameters: fileParameters }],
  };

  it.each([
    ['repeated', 'c'],
    ['null', null],
    ['empty', ''],
    ['missing', undefined],
  ])('is unique and the same in all events if it is %s', async (_, id) => {
    const text = await streamed(upstream(id), '/v1/responses', body);
    const events = text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []));
    const idsOf = (type: string): unknown[] => events.filter((one) => one.type === type).map((one) => one.item.call_id);
    const ids = idsOf('response.output_item.added');
    expect(ids).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
    expect(new Set(ids).size).toBe(2);
    expect(idsOf('response.output_item.done')).toEqual(ids);
    const { output } = events.find(({ type }) => type === 'response.completed').response;
    expect(output.map((one: { call_id: unknown; arguments: string }) => [one.call_id, one.arguments])).toEqual(
      ids.map((one, at) => [one, calls[at]]),
    );
    expect(events.map((one) => one.sequence_number)).toEqual(events.map((_, at) => at));
  });

  it('guard: stays as it is if the calls follow the format', async () => {
    const text = upstream('c').replaceAll(/("id":"fc_1".*?)"call_id":"c"/g, '$1"call_id":"d"');
    expect((await streamed(text, '/v1/responses', body)).replace(/: toolmend .*\n\n/, '')).toBe(text);
  });
});
