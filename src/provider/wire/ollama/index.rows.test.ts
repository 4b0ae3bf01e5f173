import { describe, expect, it } from 'vitest';
import { decoded } from '../../../../test/provider/decoded.ts';
import { requests } from '../../../../test/provider/fixtures/ollama/requests.ts';
import type { CallPart, TurnEvent, TurnRequest, TurnResponse } from '../../../model/index.ts';
import { ollamaChat } from './index.ts';

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
const said = (message: object, more: object = {}): string => line({ model: 'm', message, done: false, ...more });
const done = said({ content: '' }, { done: true, done_reason: 'stop' });
const last = (bytes: string): Extract<TurnEvent, { response: TurnResponse }> => {
  const event = decoded(ollamaChat, bytes).at(-1);
  if (event?.type !== 'turn.finished' && event?.type !== 'turn.failed') throw new Error('The stream did not end');
  return event;
};
const calls = (response: TurnResponse): CallPart[] => response.message.parts.filter((part) => part.type === 'call');
const request = (messages: TurnRequest['messages']): TurnRequest => ({ model: 'm', messages });

describe('results', () => {
  it('S0.5 S1.4 a failed call reaches the model as text, with a warning', () => {
    const told = JSON.stringify({ ok: false, error: 'No such file', errorType: 'logical', retryable: true });
    const content = [{ type: 'text' as const, text: told }];
    const { wire, warnings } = ollamaChat.writeRequest(
      request([
        { role: 'assistant', parts: [{ type: 'call', id: 'a', name: 'read', arguments: {} }] },
        {
          role: 'user',
          parts: [
            { type: 'result', callId: 'a', content, isError: true },
            { type: 'text', text: 'Go on' },
          ],
        },
      ]),
    );
    expect(wire.messages).toEqual([
      { role: 'assistant', content: '', tool_calls: [{ id: 'a', function: { name: 'read', arguments: {} } }] },
      { role: 'tool', content: told, tool_name: 'read', tool_call_id: 'a' },
      { role: 'user', content: 'Go on' },
    ]);
    expect(warnings).toMatchObject([{ where: 'messages.1.parts.0.isError' }]);
  });

  it('match calls by name and order if the format has no ids', () => {
    const { wire } = requests['calls without ids, results by name, by order, and empty'] ?? {};
    const [, asked, given] = ollamaChat.readRequest(wire).messages;
    const [lyon, now, third] = asked?.parts.map((part) => (part.type === 'call' ? part.id : '')) ?? [];
    expect(given?.parts.map((part) => (part.type === 'result' ? part.callId : ''))).toEqual([now, lyon, third]);
  });

  it('match calls by name if the client omitted the id', () => {
    const { wire } = requests['ids that the client did not send back'] ?? {};
    expect(ollamaChat.readRequest(wire).messages[1]).toMatchObject({ parts: [{ type: 'result', callId: 'call_a' }] });
  });
});

describe('S3.6 tools', () => {
  it('an empty list stays an empty list', () => {
    expect(ollamaChat.writeTools([])).toEqual([]);
    expect(ollamaChat.readTools([])).toEqual([]);
  });

  it('keeps tools that are not functions unchanged', () => {
    const tool = { type: 'browser', settings: {} };
    expect(ollamaChat.writeTools(ollamaChat.readTools([tool]))).toEqual([tool]);
  });
});

describe('S3.7 streams', () => {
  it('C7 separates calls that all have index 0, and merges a repeated one', () => {
    const call = (id: string | undefined, a: number) => ({
      ...(id && { id }),
      function: { index: 0, name: 'f', arguments: { a } },
    });
    const { response } = last(
      said({ tool_calls: [call(undefined, 1), call(undefined, 1)] }) +
        said({ tool_calls: [call('x', 2)] }) +
        said({ tool_calls: [call('x', 2), call('x', 3)] }, { done: true }),
    );
    expect(calls(response).map((one) => one.arguments)).toEqual([{ a: 1 }, { a: 1 }, { a: 2 }, { a: 3 }]);
    expect(new Set(calls(response).map(({ id }) => id)).size).toBe(4);
    expect(response.finish).toBe('tool_calls');
  });

  it('C17 reads split characters and CRLF lines', () => {
    const text = said({ content: 'é 🌊', tool_calls: [{ function: { name: 'f', arguments: { é: '🌊' } } }] }) + done;
    const bytes = new TextEncoder().encode(text.replaceAll('\n', '\r\n'));
    const event = decoded(
      ollamaChat,
      bytes,
      Array.from(bytes, (_, index) => index),
    ).at(-1);
    expect(event).toMatchObject({
      response: { message: { parts: [{ text: 'é 🌊' }, { arguments: { é: '🌊' } }] }, finish: 'tool_calls' },
    });
  });

  it('C8 reads a call without arguments', () => {
    const { response } = last(said({ tool_calls: [{ function: { name: 'now' } }] }) + done);
    expect(calls(response)).toMatchObject([{ name: 'now', arguments: {} }]);
  });

  it('C18 keeps arguments sent as text, however they end', () => {
    const { response } = last(said({ tool_calls: [{ function: { name: 'f', arguments: '{"a":' } }] }) + done);
    expect(calls(response)).toMatchObject([{ arguments: '{"a":' }]);
  });

  it('S4.4 omits and records calls without a name', () => {
    const tool_calls = [{ function: { name: '⚙', arguments: { a: 1 } } }, { function: { arguments: {} } }];
    for (const { response } of [
      last(said({ content: 'ok', tool_calls }) + done),
      { response: ollamaChat.readResponse({ message: { content: 'ok', tool_calls }, done: true }) },
    ]) {
      expect(response).toMatchObject({
        message: { parts: [{ type: 'text', text: 'ok' }] },
        ignored: [{ name: '⚙', arguments: { a: 1 } }, { name: '' }],
        finish: 'stop',
      });
    }
  });

  it.each([
    ['done', said({ content: 'a' }) + done, 'turn.finished', 'stop'],
    ['done without a reason', said({ content: 'a' }, { done: true }), 'turn.finished', 'stop'],
    ['the limit', said({ content: 'a' }, { done: true, done_reason: 'length' }), 'turn.finished', 'length'],
    ['a reason of tomorrow', said({ content: 'a' }, { done: true, done_reason: 'bored' }), 'turn.finished', 'other'],
    ['no end', said({ content: 'a' }), 'turn.failed', 'error'],
    ['no bytes at all', '', 'turn.failed', 'error'],
    ['an error', said({ content: 'a' }) + line({ error: 'out of memory' }), 'turn.failed', 'error'],
    ['no JSON', `${said({ content: 'a' })}{oops\n`, 'turn.failed', 'error'],
    ['a line that is no object', `${said({ content: 'a' })}1\n`, 'turn.failed', 'error'],
    ['a message that is no object', line({ message: 'x' }), 'turn.failed', 'error'],
    ['words that are none', said({ content: 7 }), 'turn.failed', 'error'],
  ])('ends by %s', (_, bytes, type, finish) => {
    expect(last(bytes)).toMatchObject({ type, response: { finish } });
  });

  it('gives the reason for a failure, and whether to retry', () => {
    expect(last(said({ content: 'a' }))).toMatchObject({
      error: { kind: 'protocol', retryable: true, message: 'The stream ended before the response was complete' },
      response: { message: { parts: [{ type: 'text', text: 'a' }] } },
    });
    expect(last(line({ error: 'out of memory' }))).toMatchObject({
      error: { kind: 'server', retryable: true, message: 'out of memory' },
    });
  });
});

describe('bad bodies', () => {
  it.each([
    [null, 'The body must be an object, not null'],
    [{ messages: {} }, 'messages must be a list, not object'],
    [{ messages: [1] }, 'messages.0 must be an object, not number'],
    [{ messages: [{ role: 'user', content: [] }] }, 'messages.0.content must be text, not array'],
    [
      { messages: [{ role: 'assistant', tool_calls: [{}] }] },
      'messages.0.tool_calls.0.function must be an object, not undefined',
    ],
    [{ messages: [], tools: [{ type: 'function' }] }, 'tools.0.function must be an object, not undefined'],
    [{ messages: [], options: [] }, 'options must be an object, not array'],
  ])('a request %j: %s', (wire, message) => {
    expect(() => ollamaChat.readRequest(wire)).toThrow(message);
  });

  it.each([
    [[], 'The body must be an object, not array'],
    [{ done: true }, 'message must be an object, not undefined'],
    [{ error: 'busy' }, 'error reports that the request failed: busy'],
  ])('an answer %j: %s', (wire, message) => {
    expect(() => ollamaChat.readResponse(wire)).toThrow(message);
  });
});

describe("what the format can't express", () => {
  it('is omitted with a warning', () => {
    const { wire, warnings } = ollamaChat.writeRequest({
      model: 'm',
      toolChoice: 'required',
      parallelCalls: false,
      reasoning: { enabled: true, budget: 100 },
      messages: [
        {
          role: 'user',
          parts: [{ type: 'media', mediaType: 'image/png', source: { url: 'https://example.com/a.png' } }],
        },
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: '', hidden: true, signature: { format: 'anthropic', value: 's' } },
            { type: 'refusal', text: 'No.' },
          ],
        },
      ],
    });
    expect(warnings.map(({ where }) => where).sort()).toEqual([
      'messages.0.parts.0',
      'messages.1.parts.0.signature',
      'messages.1.parts.1',
      'parallelCalls',
      'reasoning.budget',
      'toolChoice',
    ]);
    expect(wire).toEqual({
      model: 'm',
      messages: [
        { role: 'user', content: '' },
        { role: 'assistant', content: 'No.' },
      ],
      think: true,
      stream: false,
    });
  });

  it('C19 writes an earlier call with invalid JSON as an object, and changes nothing else', () => {
    const parts = ['{"a":1}', '{"a":', '[1]', '', "{'a': 1,}"].map((text, index) => ({
      type: 'call' as const,
      id: `c${index}`,
      name: 'f',
      arguments: text,
    }));
    const { wire, warnings } = ollamaChat.writeRequest(request([{ role: 'assistant', parts }]));
    expect(wire.messages).toMatchObject([
      { tool_calls: [{ a: 1 }, {}, {}, {}, { a: 1 }].map((args) => ({ function: { name: 'f', arguments: args } })) },
    ]);
    expect(warnings.map(({ where }) => where)).toEqual([1, 2, 4].map((place) => `messages.0.parts.${place}.arguments`));
  });
});
