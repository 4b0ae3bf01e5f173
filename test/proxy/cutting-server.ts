import type { ServerResponse } from 'node:http';
import type { Format } from '../../src/model/index.ts';
import { routeOf } from '../../src/provider/wire/route.ts';
import type { Answerer, Heard } from './around.ts';

/** A call that an upstream sends: its argument text, and the object that servers make of it whose API carries objects. */
export interface SentCall {
  readonly text: string;
  readonly value: unknown;
}

/** What an upstream sends, and how it ends; `ended` closes a stream regularly without its last frames. */
export interface Sent {
  readonly words?: string;
  readonly calls: readonly SentCall[];
  readonly ends: 'length' | 'tool_calls' | 'dropped' | 'ended';
  /** The finish reason as it is written, in place of the format's own. */
  readonly word?: string;
  /** Milliseconds of silence in the middle of the last call. */
  readonly pause?: number;
  /** The bytes of a stream as they go out, in place of its frames at once. */
  readonly pieces?: (stream: string) => readonly Buffer[];
}

const name = 'write_file';
const words: Readonly<Record<Format, readonly [length: string, calls: string]>> = {
  'openai-chat': ['length', 'tool_calls'],
  'openai-responses': ['incomplete', 'completed'],
  anthropic: ['max_tokens', 'tool_use'],
  gemini: ['MAX_TOKENS', 'STOP'],
  ollama: ['length', 'stop'],
};

/** Text in three pieces. */
const pieces = (text: string): string[] => {
  const size = Math.max(1, Math.ceil(text.length / 3));
  return text === '' ? [] : [text.slice(0, size), text.slice(size, 2 * size), text.slice(2 * size)].filter(Boolean);
};

const sse = (value: object, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(value)}\n\n`;

type Writer = (sent: Sent, finish: string) => { whole: object; stream: string[] };

const chat: Writer = ({ words: said = '', calls }, finish) => {
  const head = { id: 'c1', created: 1, model: 'm' };
  const chunk = (delta: object, finish_reason: string | null = null): string =>
    sse({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] });
  const called = calls.map(({ text }, index) => ({
    id: `call_${index}`,
    type: 'function',
    function: { name, arguments: text },
  }));
  const message = { role: 'assistant', content: said || null, tool_calls: called };
  return {
    whole: { ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: finish }] },
    stream: [
      chunk({ role: 'assistant', content: said }),
      ...called.flatMap((call, index) => [
        chunk({ tool_calls: [{ index, ...call, function: { name, arguments: '' } }] }),
        ...pieces(call.function.arguments).map((text) =>
          chunk({ tool_calls: [{ index, function: { arguments: text } }] }),
        ),
      ]),
      chunk({}, finish),
      'data: [DONE]\n\n',
    ],
  };
};

const responses: Writer = ({ words: said = '', calls }, finish) => {
  const cut = finish !== 'completed';
  const items: Record<string, unknown>[] = [
    ...(said
      ? [
          {
            type: 'message',
            id: 'msg_1',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: said, annotations: [] }],
          },
        ]
      : []),
    ...calls.map(({ text }, index) => ({
      type: 'function_call',
      id: `fc_${index}`,
      call_id: `call_${index}`,
      name,
      arguments: text,
      status: cut && index === calls.length - 1 && !text.endsWith('}') ? 'incomplete' : 'completed',
    })),
  ];
  const body = (status: string, output: object[]) => ({
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model: 'm',
    output,
    status,
    error: null,
    incomplete_details:
      status === 'incomplete' ? { reason: finish === 'incomplete' ? 'max_output_tokens' : finish } : null,
    ...(status === 'failed' && { error: { code: 'server_error', message: 'The model crashed.' } }),
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
  });
  let sequence = 0;
  const event = (type: string, fields: object): string => sse({ type, sequence_number: sequence++, ...fields }, type);
  const stream = [event('response.created', { response: body('in_progress', []) })];
  for (const [output_index, item] of items.entries()) {
    const at = { item_id: item.id, output_index };
    if (item.type === 'message') {
      stream.push(
        event('response.output_item.added', { output_index, item: { ...item, content: [] } }),
        event('response.content_part.added', { ...at, content_index: 0, part: { type: 'output_text', text: '' } }),
        event('response.output_text.delta', { ...at, content_index: 0, delta: said }),
        event('response.output_text.done', { ...at, content_index: 0, text: said }),
        event('response.output_item.done', { output_index, item }),
      );
      continue;
    }
    stream.push(
      event('response.output_item.added', { output_index, item: { ...item, arguments: '', status: 'in_progress' } }),
      ...pieces(String(item.arguments)).map((delta) =>
        event('response.function_call_arguments.delta', { ...at, delta }),
      ),
      event('response.function_call_arguments.done', { ...at, arguments: item.arguments }),
      event('response.output_item.done', { output_index, item }),
    );
  }
  const state = finish === 'failed' ? finish : cut ? 'incomplete' : 'completed';
  const ended = body(state, items);
  stream.push(event(`response.${state}`, { response: ended }));
  return { whole: ended, stream };
};

const anthropic: Writer = ({ words: said = '', calls }, finish) => {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm' };
  const blocks = [
    ...(said ? [{ type: 'text', text: said }] : []),
    ...calls.map(({ value }, index) => ({ type: 'tool_use', id: `toolu_${index}`, name, input: value })),
  ];
  const event = (type: string, fields: object): string => sse({ type, ...fields }, type);
  const first = said ? 1 : 0;
  return {
    whole: { ...head, content: blocks, stop_reason: finish, stop_sequence: null, usage },
    stream: [
      event('message_start', { message: { ...head, content: [], stop_reason: null, usage } }),
      ...(said
        ? [
            event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
            event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: said } }),
            event('content_block_stop', { index: 0 }),
          ]
        : []),
      ...calls.flatMap(({ text }, at) => [
        event('content_block_start', {
          index: at + first,
          content_block: { type: 'tool_use', id: `toolu_${at}`, name, input: {} },
        }),
        ...pieces(text).map((partial_json) =>
          event('content_block_delta', { index: at + first, delta: { type: 'input_json_delta', partial_json } }),
        ),
        event('content_block_stop', { index: at + first }),
      ]),
      event('message_delta', { delta: { stop_reason: finish, stop_sequence: null }, usage }),
      event('message_stop', {}),
    ],
  };
};

const gemini: Writer = ({ words: said = '', calls }, finishReason) => {
  const parts = [
    ...(said ? [{ text: said }] : []),
    ...calls.map(({ value }, index) => ({ functionCall: { id: `f${index}`, name, args: value } })),
  ];
  const body = (some: object[], more: object = {}) => ({
    candidates: [{ content: { role: 'model', parts: some }, index: 0, ...more }],
    modelVersion: 'm',
  });
  return {
    whole: body(parts, { finishReason }),
    stream: [...parts.map((part) => sse(body([part]))), sse(body([{ text: '' }], { finishReason }))],
  };
};

const ollama: Writer = ({ words: said = '', calls }, done_reason) => {
  const line = (message: object, more: object = { done: false }): object => ({
    model: 'm',
    created_at: '2026-01-01T00:00:00Z',
    message: { role: 'assistant', content: '', ...message },
    ...more,
  });
  const called = calls.map(({ value }) => ({ function: { name, arguments: value } }));
  const end = { done: true, done_reason };
  return {
    whole: line({ content: said, tool_calls: called }, end),
    stream: [line({ content: said }), ...called.map((call) => line({ tool_calls: [call] })), line({}, end)].map(
      (one) => `${JSON.stringify(one)}\n`,
    ),
  };
};

const writers: Readonly<Record<Format, Writer>> = {
  'openai-chat': chat,
  'openai-responses': responses,
  anthropic,
  gemini,
  ollama,
};

/** A server that speaks every API format and sends what the requested model's name stands for. */
export const cuttingServer =
  (sentFor: (model: string, heard: Heard) => Sent): Answerer =>
  (response, heard) => {
    const { provider, address } = routeOf(heard.url.split('?')[0] ?? '') ?? {};
    if (!provider) {
      response.writeHead(404).end();
      return;
    }
    const asked = JSON.parse(heard.body) as { model?: string; stream?: boolean };
    const sent = sentFor(address?.model ?? asked.model ?? '', heard);
    const finish = sent.word ?? words[provider.format][sent.ends === 'tool_calls' ? 1 : 0];
    const { whole, stream } = writers[provider.format](sent, finish);
    const streamed = address?.stream ?? asked.stream ?? provider.format === 'ollama';
    const type = provider.framing === 'sse' ? 'text/event-stream' : 'application/x-ndjson';
    if (sent.ends === 'dropped') {
      response.writeHead(200, { 'content-type': streamed ? type : 'application/json' });
      drop(response, streamed ? stream.slice(0, -3).join('') : JSON.stringify(whole).slice(0, -20));
    } else if (streamed && sent.ends === 'ended')
      response.writeHead(200, { 'content-type': type }).end(stream.slice(0, -endFrames[provider.format]).join(''));
    else if (!streamed) response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole));
    else if (sent.pieces) inPieces(response.writeHead(200, { 'content-type': type }), sent.pieces(stream.join('')));
    else slowly(response.writeHead(200, { 'content-type': type }), stream, sent.pause);
  };

/** How many frames end a stream. */
const endFrames: Readonly<Record<Format, number>> = {
  'openai-chat': 2,
  'openai-responses': 1,
  anthropic: 2,
  gemini: 1,
  ollama: 1,
};

const drop = (response: ServerResponse, text: string): unknown =>
  response.write(text, () => setTimeout(() => response.destroy(), 5));

function slowly(response: ServerResponse, frames: readonly string[], pause = 0): void {
  const at = pause === 0 ? 0 : frames.length - 4;
  response.write(frames.slice(0, at).join(''));
  if (pause === 0) response.end(frames.join(''));
  else setTimeout(() => response.end(frames.slice(at).join('')), pause);
}

function inPieces(response: ServerResponse, [first, ...rest]: readonly Buffer[]): void {
  if (first === undefined) response.end();
  else response.write(first, () => setImmediate(() => inPieces(response, rest)));
}
