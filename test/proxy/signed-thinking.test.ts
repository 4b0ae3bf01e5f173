import { afterAll, describe, expect, it } from 'vitest';
import type { AssistantPart, Format, TurnEvent } from '../../src/model/index.ts';
import { decodeStream } from '../../src/provider/wire/decode-stream.ts';
import { wires } from '../../src/provider/wire/route.ts';
import type { RequestRecord } from '../../src/proxy/observe/request-record.ts';
import { closeAll, json, proxied } from './around.ts';

afterAll(closeAll);

const formats: readonly Format[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'ollama'];
const signed: readonly Format[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'];
const schema = { type: 'object', properties: { path: { type: 'string' }, limit: { type: 'integer' } } };

/** Signatures, with characters that a translation could change. */
const one = 'ErUB+CkYIBRgCIkD/SIGNATURE==';
const other = 'EmYK/HIDDEN+data/==';

/** The reasoning and calls of a message in each format. The arguments of the last call are damaged. */
const items: Readonly<Partial<Record<Format, readonly object[]>>> = {
  'openai-responses': [
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'Hm.\u2028' }],
      encrypted_content: one,
      status: 'completed',
    },
    { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: other },
    {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'c1',
      name: 'read',
      status: 'completed',
      arguments: '{"path": "a", "limit": "5",}',
    },
  ],
  anthropic: [
    { type: 'thinking', thinking: 'Hm.\u2028 ', signature: one },
    { type: 'redacted_thinking', data: other },
    { type: 'text', text: 'I read.' },
    { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a', limit: '5' } },
  ],
  gemini: [
    { thought: true, text: 'Hm.\u2028 ' },
    { text: 'I read.', thoughtSignature: other },
    { functionCall: { id: 'c1', name: 'read', args: { path: 'a', limit: '5' } }, thoughtSignature: one },
    { functionCall: { id: 'c2', name: 'read', args: { path: 'b' } } },
  ],
  'openai-chat': [
    { type: 'reasoning.text', text: 'Hm.\u2028 ', signature: one, format: 'anthropic-claude-v1', index: 0 },
    { type: 'reasoning.encrypted', data: other, id: 'r', format: 'anthropic-claude-v1', index: 1 },
  ],
};
const chatCall = {
  id: 'c1',
  type: 'function',
  function: { name: 'read', arguments: '{"path": "a", "limit": "5",}' },
};
const chatMessage = { role: 'assistant', content: 'I read.', reasoning_details: items['openai-chat'] };

/** A conversation whose last turn has the signed reasoning. */
const requests: Readonly<Record<Format, readonly [path: string, body: object]>> = {
  'openai-chat': [
    '/v1/chat/completions',
    {
      model: 'm',
      messages: [
        { role: 'user', content: 'Read.' },
        { ...chatMessage, tool_calls: [chatCall] },
        { role: 'tool', tool_call_id: 'c1', content: 'ok' },
      ],
      tools: [{ type: 'function', function: { name: 'read', parameters: schema } }],
    },
  ],
  'openai-responses': [
    '/v1/responses',
    {
      model: 'm',
      store: false,
      include: ['reasoning.encrypted_content'],
      input: [
        { role: 'user', content: 'Read.' },
        ...(items['openai-responses'] ?? []),
        { type: 'function_call_output', call_id: 'c1', output: 'ok' },
      ],
      tools: [{ type: 'function', name: 'read', parameters: schema, strict: false }],
    },
  ],
  anthropic: [
    '/v1/messages',
    {
      model: 'm',
      max_tokens: 2000,
      thinking: { type: 'enabled', budget_tokens: 1024 },
      messages: [
        { role: 'user', content: 'Read.' },
        { role: 'assistant', content: items.anthropic },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'ok' }] },
      ],
      tools: [{ name: 'read', input_schema: schema }],
    },
  ],
  gemini: [
    '/v1beta/models/m:generateContent',
    {
      contents: [
        { role: 'user', parts: [{ text: 'Read.' }] },
        { role: 'model', parts: items.gemini },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 'c1', name: 'read', response: { output: 'ok' } } },
            { functionResponse: { id: 'c2', name: 'read', response: { output: 'ok' } } },
          ],
        },
      ],
      tools: [{ functionDeclarations: [{ name: 'read', parametersJsonSchema: schema }] }],
    },
  ],
  ollama: ['/api/chat', { model: 'm', stream: false, messages: [{ role: 'user', content: 'Read.' }] }],
};

/** A response with the signed reasoning. */
const whole: Readonly<Partial<Record<Format, object>>> = {
  'openai-chat': {
    id: 'r',
    choices: [{ index: 0, message: { ...chatMessage, tool_calls: [chatCall] }, finish_reason: 'tool_calls' }],
  },
  'openai-responses': { id: 'r', object: 'response', status: 'completed', output: items['openai-responses'] },
  anthropic: { id: 'r', type: 'message', role: 'assistant', content: items.anthropic, stop_reason: 'tool_use' },
  gemini: { candidates: [{ content: { role: 'model', parts: items.gemini }, finishReason: 'STOP' }] },
};

const pairs = signed.flatMap((client) =>
  formats.map((server) => [`${client} before ${server}`, client, server] as const),
);
const plain: Readonly<Record<Format, object>> = {
  'openai-chat': { choices: [{ message: { role: 'assistant', content: 'Ok.' }, finish_reason: 'stop' }] },
  'openai-responses': { id: 'r', object: 'response', status: 'completed', output: [] },
  anthropic: { id: 'r', type: 'message', role: 'assistant', content: [], stop_reason: 'end_turn' },
  gemini: { candidates: [{ content: { parts: [{ text: 'Ok.' }] }, finishReason: 'STOP' }] },
  ollama: { model: 'm', message: { role: 'assistant', content: 'Ok.' }, done: true },
};

/** The items that are no calls, which stay as they are. */
const kept = (format: Format): string[] =>
  (items[format] ?? [])
    .map((item) => JSON.stringify(item))
    .filter((item) => !/"function_?[cC]all"|"tool_use"/.test(item));

describe('signed reasoning in a request', () => {
  it.each(pairs)('%s', async (_, client, server) => {
    const records: RequestRecord[] = [];
    const { url, heard } = await proxied((response) => json(response, plain[server]), {
      about: { formats: [server] },
      onRequest: (one) => records.push(one),
    });
    const [path, body] = requests[client];
    const response = await fetch(url + path, { method: 'POST', body: JSON.stringify(body) });
    expect(response.status).toBe(200);
    const sent = heard.at(-1)?.body ?? '';
    const lines = records[0]?.warnings.filter((line) => /signature|[Ss]igned/.test(line)) ?? [];
    if (client === server) {
      for (const item of kept(client)) expect(sent).toContain(item);
      expect(lines).toEqual([]);
      return;
    }
    expect(sent).not.toMatch(/SIGNATURE|HIDDEN/);
    expect(lines.at(-1)).toMatch(/^not sent, without an effect on the response: .*signature/);
    expect(records[0]?.warnings.join()).not.toMatch(/left out: in\b/);
  });
});

describe('signed reasoning in a response', () => {
  it.each(pairs.filter(([, , server]) => signed.includes(server)))('%s', async (_, client, server) => {
    const { url } = await proxied((response) => json(response, whole[server]), { about: { formats: [server] } });
    const [path, body] = requests[client];
    const response = await fetch(url + path, { method: 'POST', body: JSON.stringify(body) });
    const got = await response.text();
    if (client !== server) {
      expect(got).not.toMatch(/SIGNATURE|HIDDEN/);
      expect(got).toContain('Hm.');
    } else for (const item of kept(client)) expect(got).toContain(item);
    expect(got).toMatch(/limit\W+5\b/);
    expect(got).not.toMatch(/limit\W+"5"/);
  });
});

/** Reads a stream, and returns its reasoning with the signatures, and what else has one. */
function signedParts(format: Format, bytes: string): { parts: readonly AssistantPart[]; error: boolean } {
  const ends: TurnEvent[] = [];
  const decoder = decodeStream(wires[format], (event) => {
    if (event.type === 'turn.finished' || event.type === 'turn.failed') ends.push(event);
  });
  decoder.feed(bytes);
  decoder.end();
  const [end] = ends;
  const parts = end && 'response' in end ? end.response.message.parts : [];
  return { parts, error: end?.type !== 'turn.finished' };
}

const frame = (value: { readonly type?: string; readonly [field: string]: unknown }): string =>
  `${value.type?.includes('.') || value.type?.includes('_') ? `event: ${value.type}\n` : ''}data: ${JSON.stringify(value)}\n\n`;

type Tail = { text?: string; args?: string; cut?: boolean; stop?: boolean };

const streams: Readonly<Record<'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini', (tail: Tail) => string[]>> =
  {
    'openai-chat': ({ text = 'I read.', args, cut, stop }) => {
      const chunk = (delta: object, finish_reason: string | null = null) =>
        frame({
          id: 'r',
          object: 'chat.completion.chunk',
          model: 'm',
          choices: [{ index: 0, delta, finish_reason }],
        });
      return [
        chunk({ role: 'assistant', content: '' }),
        ...(items['openai-chat'] ?? []).map((one) => chunk({ reasoning_details: [one] })),
        chunk({ content: text }),
        ...(args === undefined
          ? []
          : [
              chunk({
                tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'read', arguments: '' } }],
              }),
              chunk({ tool_calls: [{ index: 0, function: { arguments: args } }] }),
            ]),
        chunk({}, cut ? 'length' : stop ? 'stop' : 'tool_calls'),
        'data: [DONE]\n\n',
      ];
    },
    'openai-responses': ({ text = 'I read.', args, cut }) => {
      let sequence_number = 0;
      const event = (type: string, more: object) => frame({ type, sequence_number: sequence_number++, ...more });
      const base = { id: 'r', object: 'response', created_at: 1, model: 'm' };
      const [first, second, call] = items['openai-responses'] as [object, object, object];
      const message = {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text, annotations: [] }],
      };
      const called = { ...call, arguments: args };
      const output = [first, second, message, ...(args === undefined ? [] : [called])];
      return [
        event('response.created', { response: { ...base, status: 'in_progress', output: [] } }),
        ...[first, second].flatMap((item, output_index) => [
          event('response.output_item.added', { output_index, item: { ...item, summary: [] } }),
          event('response.output_item.done', { output_index, item }),
        ]),
        event('response.output_item.added', {
          output_index: 2,
          item: { ...message, content: [], status: 'in_progress' },
        }),
        event('response.content_part.added', {
          output_index: 2,
          item_id: 'msg_1',
          content_index: 0,
          part: { type: 'output_text', text: '', annotations: [] },
        }),
        event('response.output_text.delta', { output_index: 2, item_id: 'msg_1', content_index: 0, delta: text }),
        event('response.output_text.done', { output_index: 2, item_id: 'msg_1', content_index: 0, text }),
        event('response.content_part.done', {
          output_index: 2,
          item_id: 'msg_1',
          content_index: 0,
          part: message.content[0],
        }),
        event('response.output_item.done', { output_index: 2, item: message }),
        ...(args === undefined
          ? []
          : [
              event('response.output_item.added', {
                output_index: 3,
                item: { ...called, arguments: '', status: 'in_progress' },
              }),
              event('response.function_call_arguments.delta', { output_index: 3, item_id: 'fc_1', delta: args }),
              event('response.function_call_arguments.done', { output_index: 3, item_id: 'fc_1', arguments: args }),
              event('response.output_item.done', { output_index: 3, item: called }),
            ]),
        event(cut ? 'response.incomplete' : 'response.completed', {
          response: {
            ...base,
            status: cut ? 'incomplete' : 'completed',
            output,
            ...(cut && { incomplete_details: { reason: 'max_output_tokens' } }),
          },
        }),
      ];
    },
    anthropic: ({ text = 'I read.', args, cut, stop }) => [
      frame({
        type: 'message_start',
        message: {
          id: 'r',
          type: 'message',
          role: 'assistant',
          model: 'm',
          content: [],
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      }),
      frame({
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'thinking', thinking: '', signature: '' },
      }),
      frame({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'thinking_delta', thinking: 'Hm.\u2028 ' },
      }),
      frame({ type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: one } }),
      frame({ type: 'content_block_stop', index: 0 }),
      frame({
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'redacted_thinking', data: other },
      }),
      frame({ type: 'content_block_stop', index: 1 }),
      frame({ type: 'content_block_start', index: 2, content_block: { type: 'text', text: '' } }),
      frame({ type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text } }),
      frame({ type: 'content_block_stop', index: 2 }),
      ...(args === undefined
        ? []
        : [
            frame({
              type: 'content_block_start',
              index: 3,
              content_block: { type: 'tool_use', id: 'c1', name: 'read', input: {} },
            }),
            frame({
              type: 'content_block_delta',
              index: 3,
              delta: { type: 'input_json_delta', partial_json: args },
            }),
            frame({ type: 'content_block_stop', index: 3 }),
          ]),
      frame({
        type: 'message_delta',
        delta: { stop_reason: cut ? 'max_tokens' : stop ? 'end_turn' : 'tool_use' },
        usage: { output_tokens: 3 },
      }),
      frame({ type: 'message_stop' }),
    ],
    gemini: ({ text = 'I read.', args, cut }) => {
      const chunk = (parts: object[], more: object = {}) =>
        frame({ candidates: [{ content: { role: 'model', parts }, index: 0, ...more }], modelVersion: 'm' });
      return [
        chunk([{ thought: true, text: 'Hm.\u2028 ' }]),
        chunk([{ text, thoughtSignature: other }]),
        ...(args === undefined
          ? []
          : [
              chunk([
                { functionCall: { id: 'c1', name: 'read', args: { path: 'a', limit: '5' } }, thoughtSignature: one },
                { functionCall: { id: 'c2', name: 'read', args: { path: 'b' } } },
              ]),
            ]),
        chunk([{ text: '' }], { finishReason: cut ? 'MAX_TOKENS' : 'STOP' }),
      ];
    },
  };

const inText = '<tool_call>\n{"name": "read", "arguments": {"path": "a"}}\n</tool_call>';
const tails: Readonly<Record<string, Tail>> = {
  'a mended call': { args: '{"path": "a", "limit": "5",}' },
  'a truncated call': { args: '{"path": "a", "limit": "5', cut: true },
  'a call beside stop': { args: '{"path": "a"}', stop: true },
  'a call in text': { text: inText },
  'a call in text after words': { text: `I read.\n${inText}` },
};

describe.each(Object.keys(streams) as (keyof typeof streams)[])('signed reasoning in a stream of %s', (format) => {
  it.each(
    Object.entries(tails).flatMap(
      ([name, tail]) =>
        [
          [name, tail, true],
          [name, tail, false],
        ] as const,
    ),
  )('before %s, %o, at once: %s', async (_, tail, atOnce) => {
    const frames = streams[format](tail);
    const { url } = await proxied(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (atOnce) response.write(frames.join(''));
      else
        for (const one of frames) {
          response.write(one);
          await new Promise((resolve) => setTimeout(resolve, 2));
        }
      response.end();
    });
    const [path, body] = requests[format];
    const response = await fetch(url + path.replace(':generateContent', ':streamGenerateContent?alt=sse'), {
      method: 'POST',
      body: JSON.stringify({ ...body, ...(format !== 'gemini' && { stream: true }) }),
    });
    const got = signedParts(format, await response.text());
    const sent = signedParts(format, frames.join(''));
    const reasoning = (parts: readonly AssistantPart[]) => parts.filter(({ type }) => type === 'reasoning');
    expect(got.error).toBe(false);
    expect(reasoning(got.parts)).toEqual(reasoning(sent.parts));
    for (const part of got.parts)
      if ('signature' in part && part.type !== 'call') expect(sent.parts).toContainEqual(part);
    expect(got.parts.slice(0, reasoning(sent.parts).length)).toEqual(reasoning(sent.parts));
  });
});

describe('signed reasoning in a stream for a client of another format', () => {
  const sources = Object.keys(streams) as (keyof typeof streams)[];
  it.each(
    pairs.flatMap(([name, client, server]) =>
      sources.filter((one) => one === server && one !== client).map((one) => [name, client, one] as const),
    ),
  )('has its text and no signature: %s', async (_, client, server) => {
    const frames = streams[server]({ args: '{"path": "a"}' });
    const { url } = await proxied(
      (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(frames.join('')),
      { about: { formats: [server] } },
    );
    const [path, body] = requests[client];
    const response = await fetch(url + path.replace(':generateContent', ':streamGenerateContent?alt=sse'), {
      method: 'POST',
      body: JSON.stringify({ ...body, ...(client !== 'gemini' && { stream: true }) }),
    });
    const text = await response.text();
    expect(text).not.toMatch(/SIGNATURE|HIDDEN/);
    const { parts, error } = signedParts(client, text);
    expect(error).toBe(false);
    expect(parts.flatMap((part) => (part.type === 'reasoning' ? [part.text.trim()] : []))).toEqual(['Hm.']);
    // The last event repeats the items.
    const repeated = text.split('\n').findLast((line) => line.includes('"response.completed"'));
    if (repeated) expect(repeated).toContain('"text":"Hm.');
  });
});
