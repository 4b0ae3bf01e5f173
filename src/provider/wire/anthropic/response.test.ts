import { describe, expect, it } from 'vitest';
import type { AssistantPart, FinishReason, TurnEvent, TurnResponse } from '../../../model/index.ts';
import { anthropicMessages } from './index.ts';

const answer = (parts: readonly AssistantPart[], more: Partial<TurnResponse> = {}): TurnResponse => ({
  message: { role: 'assistant', parts },
  finish: 'stop',
  ...more,
});
const { writeResponse, readResponse } = anthropicMessages;

/** The data of the frames that are written for these events. */
// biome-ignore lint/suspicious/noExplicitAny: frames are looked into field by field, as a client does
function framesOf(events: readonly TurnEvent[]): any[] {
  const writer = anthropicMessages.writeStream();
  const text = events.map((event) => writer.write(event)).join('');
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''));
}

describe('a response from another API', () => {
  it('has every field that clients rely on', () => {
    expect(writeResponse(answer([{ type: 'text', text: 'Hi' }])).wire).toEqual({
      id: expect.stringMatching(/^msg_\w{24}$/),
      type: 'message',
      role: 'assistant',
      model: '',
      content: [{ type: 'text', text: 'Hi' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 0, output_tokens: 0 },
    });
  });

  it('shows unsigned reasoning, and omits unreadable reasoning', () => {
    const signature = { format: 'openai-responses' as const, value: 's' };
    const { wire, warnings } = writeResponse(
      answer([
        { type: 'reasoning', text: 'Hm', signature },
        { type: 'reasoning', text: '', hidden: true, signature },
      ]),
    );
    expect(wire.content).toEqual([{ type: 'thinking', thinking: 'Hm', signature: '' }]);
    expect(warnings.map(({ where }) => where)).toEqual([
      'message.parts.0.signature',
      'message.parts.1.signature',
      'message.parts.1',
    ]);
  });

  it.each<[FinishReason, string]>([
    ['stop', 'end_turn'],
    ['tool_calls', 'tool_use'],
    ['length', 'max_tokens'],
    ['filter', 'refusal'],
    ['other', 'end_turn'],
    ['error', 'end_turn'],
  ])('that ended with %s has the stop reason %s', (finish, word) => {
    const { wire, warnings } = writeResponse(answer([], { finish }));
    expect(wire.stop_reason).toBe(word);
    expect(warnings.length).toBe(finish === 'other' || finish === 'error' ? 1 : 0);
  });

  it('counts cached tokens separately', () => {
    const usage = { input: 100, cached: 60, cacheWritten: 10, output: 5, reasoning: 2 };
    expect(writeResponse(answer([], { usage })).wire.usage).toEqual({
      input_tokens: 30,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 10,
      output_tokens: 5,
      output_tokens_details: { thinking_tokens: 2 },
    });
  });

  it('streams blocks one after another, even if its parts streamed in parallel', () => {
    const call = (id: string): AssistantPart => ({ type: 'call', id, name: 'f', arguments: '' });
    const response = answer([], { finish: 'tool_calls' });
    const events: TurnEvent[] = [
      { type: 'part.started', index: 0, part: call('a') },
      { type: 'part.started', index: 1, part: { type: 'opaque', format: 'gemini', value: {} } },
      { type: 'part.started', index: 2, part: call('b') },
      { type: 'part.delta', index: 2, text: '{"y"' },
      { type: 'part.delta', index: 0, text: '{"x":1}' },
      { type: 'part.delta', index: 2, text: ':2}' },
      { type: 'part.finished', index: 0, part: { ...call('a'), arguments: '{"x":1}' } as AssistantPart },
      { type: 'turn.finished', response },
    ];
    const frames = framesOf(events);
    expect(frames.map(({ type, index }) => [type, index])).toEqual([
      ['message_start', undefined],
      ['content_block_start', 0],
      ['content_block_delta', 0],
      ['content_block_stop', 0],
      ['content_block_start', 1],
      ['content_block_delta', 1],
      ['content_block_stop', 1],
      ['message_delta', undefined],
      ['message_stop', undefined],
    ]);
    expect(frames[5].delta).toEqual({ type: 'input_json_delta', partial_json: '{"y":2}' });
  });
});

describe('a block in a stream', () => {
  const format = 'anthropic' as const;
  const server = { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'a' } };
  const rows: [AssistantPart, object][] = [
    [
      { type: 'text', text: 'Hi', passthrough: { format, fields: { citations: [{ type: 'x' }] } } },
      { type: 'text', text: '', citations: [] },
    ],
    [
      { type: 'reasoning', text: 'Hm', signature: { format, value: 's' } },
      { type: 'thinking', thinking: '', signature: '' },
    ],
    [
      { type: 'call', id: 'a', name: 'f', arguments: { x: 1 } },
      { type: 'tool_use', id: 'a', name: 'f', input: {} },
    ],
    [
      { type: 'opaque', format, value: server },
      { ...server, input: {} },
    ],
  ];

  it.each(rows)('starts empty, and deltas fill it: %j', (part, begun) => {
    const [, first, ...others] = framesOf([
      { type: 'part.started', index: 0, part },
      { type: 'part.finished', index: 0, part },
    ]);
    expect(first).toEqual({ type: 'content_block_start', index: 0, content_block: begun });
    expect(others.length).toBeGreaterThan(1);
    expect(others.at(-1)).toEqual({ type: 'content_block_stop', index: 0 });
  });
});

describe('a complete response', () => {
  it('S4.4 omits a call without a name, and creates missing ids', () => {
    const read = readResponse({
      content: [
        { type: 'tool_use', id: 'a', name: '⚙', input: {} },
        { type: 'tool_use', name: 'f', input: { x: 1 } },
        { type: 'tool_use', id: null, name: 'g', input: '{"y":2}' },
        { type: 'tool_use', id: 'b', name: null, input: null },
      ],
      stop_reason: 'tool_use',
    });
    expect(read.message.parts).toEqual([
      { type: 'call', id: expect.stringMatching(/^call_/), name: 'f', arguments: { x: 1 } },
      { type: 'call', id: expect.stringMatching(/^call_/), name: 'g', arguments: '{"y":2}' },
    ]);
    expect(read.ignored).toEqual([
      { id: 'a', name: '⚙', arguments: {} },
      { id: 'b', name: '', arguments: {} },
    ]);
  });

  it('with calls and end_turn ends with tool_use', () => {
    const call = { type: 'tool_use', id: 'a', name: 'f', input: {} };
    const read = readResponse({ content: [call], stop_reason: 'end_turn' });
    expect(read.finish).toBe('tool_calls');
    expect(writeResponse(read).wire.stop_reason).toBe('tool_use');
  });

  it('that is an error or empty is refused', () => {
    expect(() => readResponse({ type: 'error', error: { type: 'api_error', message: 'Oh' } })).toThrow('Oh');
    expect(() => readResponse([])).toThrow('The body must be an object');
    expect(() => readResponse({ content: 5 })).toThrow('content must be a string or a list of blocks');
    expect(readResponse({ content: null })).toMatchObject({ message: { parts: [] }, finish: 'stop' });
  });
});

describe('an error', () => {
  it.each([
    [400, { type: 'error', error: { type: 'invalid_request_error', message: 'a' } }, 'request', false, 'a'],
    [429, { type: 'error', error: { type: 'rate_limit_error', message: 'a' } }, 'rate_limit', true, 'a'],
    [200, { type: 'error', error: { type: 'overloaded_error', message: 'a' } }, 'server', true, 'a'],
    [504, { error: 'late' }, 'timeout', true, 'late'],
    [503, '<html>down</html>', 'server', true, '<html>down</html>'],
    [418, null, 'request', false, 'The provider responded with status 418'],
    [400, { detail: 'x' }, 'request', false, 'The provider responded with status 400'],
  ])('of status %i with %j has the kind %s', (status, body, kind, retryable, message) => {
    expect(anthropicMessages.readError(status, body)).toMatchObject({ kind, retryable, message, status });
  });

  it('is written as it was read', () => {
    const body = { type: 'error', error: { type: 'billing_error', message: 'Pay' }, request_id: 'req_1' };
    expect(anthropicMessages.writeError(anthropicMessages.readError(402, body))).toEqual(body);
  });
});
