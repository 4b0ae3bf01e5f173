import { describe, expect, it } from 'vitest';
import { decoded } from '../../../../test/provider/decoded.ts';
import { mend, Toolbox, tool } from '../../../index.ts';
import { readJson } from '../../../json/index.ts';
import type { CallPart, TurnEvent, TurnResponse } from '../../../model/index.ts';
import { geminiContent } from './index.ts';

const frame = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (parts: unknown[], more: object = {}): string => frame({ candidates: [{ content: { parts }, ...more }] });
const last = (bytes: string): Extract<TurnEvent, { response: TurnResponse }> => {
  const event = decoded(geminiContent, bytes).at(-1);
  if (event?.type !== 'turn.finished' && event?.type !== 'turn.failed') throw new Error('The stream did not end');
  return event;
};
const calls = (response: TurnResponse): CallPart[] => response.message.parts.filter((part) => part.type === 'call');

describe('S3.7 streams', () => {
  it('C7 separates parallel calls, with or without ids', () => {
    const { response } = last(
      chunk([{ functionCall: { name: 'f', args: { a: 1 } } }, { functionCall: { name: 'f', args: { a: 2 } } }]) +
        chunk(
          [{ functionCall: { id: 'x', name: 'f', args: {} } }, { functionCall: { id: 'x', name: 'g', args: {} } }],
          {
            finishReason: 'STOP',
          },
        ),
    );
    expect(calls(response).map((call) => call.arguments)).toEqual([{ a: 1 }, { a: 2 }, {}, {}]);
    expect(new Set(calls(response).map(({ id }) => id)).size).toBe(4);
    expect(response.finish).toBe('tool_calls');
  });

  it('runs a call repeated with the same id once', () => {
    const call = { functionCall: { id: 'x', name: 'f', args: { a: 1 } } };
    expect(calls(last(chunk([call]) + chunk([call], { finishReason: 'STOP' })).response)).toHaveLength(1);
    const unnamed = { functionCall: { name: 'f', args: { a: 1 } } };
    expect(calls(last(chunk([unnamed]) + chunk([unnamed], { finishReason: 'STOP' })).response)).toHaveLength(2);
  });

  it('keeps counts that a later frame omits', () => {
    const counted = (usageMetadata: object, more: object = {}): string => frame({ ...more, usageMetadata });
    const bytes =
      counted({ promptTokenCount: 4, candidatesTokenCount: 1, thoughtsTokenCount: 2 }) +
      counted({ candidatesTokenCount: 5 }, { candidates: [{ finishReason: 'STOP' }] });
    expect(last(bytes).response.usage).toMatchObject({ input: 4, output: 7, reasoning: 2 });
  });

  it('C17 reads split characters and CRLF frames', () => {
    const text = chunk([{ text: 'é 🌊' }, { functionCall: { name: 'f', args: { é: '🌊' } } }], {
      finishReason: 'STOP',
    });
    const bytes = new TextEncoder().encode(text.replaceAll('\n', '\r\n'));
    const event = decoded(
      geminiContent,
      bytes,
      Array.from(bytes, (_, index) => index),
    ).at(-1);
    expect(event).toMatchObject({
      response: { message: { parts: [{ text: 'é 🌊' }, { arguments: { é: '🌊' } }] }, finish: 'tool_calls' },
    });
  });

  it('C8 reads a call without arguments', () => {
    const { response } = last(chunk([{ functionCall: { name: 'now' } }], { finishReason: 'STOP' }));
    expect(calls(response)).toMatchObject([{ name: 'now', arguments: {} }]);
  });

  it('S4.4 omits and records calls without a name', () => {
    const parts = [{ functionCall: { name: '⚙', args: { a: 1 } } }, { functionCall: { args: {} } }, { text: 'ok' }];
    for (const { response } of [
      last(chunk(parts, { finishReason: 'STOP' })),
      { response: geminiContent.readResponse({ candidates: [{ content: { parts }, finishReason: 'STOP' }] }) },
    ]) {
      expect(response).toMatchObject({
        message: { parts: [{ type: 'text', text: 'ok' }] },
        ignored: [{ name: '⚙', arguments: { a: 1 } }, { name: '' }],
        finish: 'stop',
      });
    }
  });

  const begun = chunk([{ functionCall: { name: 'write', willContinue: true } }]);
  const piece = (...partialArgs: object[]): string => chunk([{ functionCall: { partialArgs, willContinue: true } }]);

  it.each([
    [
      'the finish reason lies',
      begun + piece({ jsonPath: '$.text', stringValue: 'half' }) + chunk([], { finishReason: 'STOP' }),
    ],
    [
      'the tokens ran out',
      begun + piece({ jsonPath: '$.text', stringValue: 'half' }) + chunk([], { finishReason: 'MAX_TOKENS' }),
    ],
    ['nothing of its arguments came', begun + chunk([], { finishReason: 'STOP' })],
    ['the bytes ended', begun + piece({ jsonPath: '$.list[0]', numberValue: 1 })],
    [
      'another call began',
      begun + piece({ jsonPath: '$.text', stringValue: 'x' }) + begun + chunk([], { finishReason: 'STOP' }),
    ],
  ])('C18 reports streamed arguments that stop as truncated: %s', (_, bytes) => {
    const { response } = last(bytes);
    const toolbox = new Toolbox([
      tool({ name: 'write', description: 'Writes', inputSchema: { type: 'object' }, execute: () => undefined }),
    ]);
    for (const call of calls(response)) {
      const reading = readJson(String(call.arguments));
      expect(reading.problems.map(({ code }) => code)).toContain('truncated');
      expect(mend({ ...call, finishReason: response.finish }, toolbox).status).toBe('invalid');
    }
    expect(calls(response).length).toBeGreaterThan(0);
  });

  it.each(['$.list[5]', 'list', '$', '$.a[', `$${'.a'.repeat(600)}`, '$.text.more'])(
    'refuses a piece for an impossible position: %s',
    (jsonPath) => {
      const bytes = begun + piece({ jsonPath: '$.text', stringValue: 'x' }) + piece({ jsonPath, stringValue: 'y' });
      const event = last(bytes + chunk([], { finishReason: 'STOP' }));
      expect(event).toMatchObject({ type: 'turn.failed', error: { kind: 'protocol' } });
    },
  );

  it('F9 accepts a key named __proto__', () => {
    const bytes = begun + piece({ jsonPath: "$['__proto__'].x", numberValue: 1 }) + chunk([{ functionCall: {} }]);
    const { response } = last(bytes + chunk([], { finishReason: 'STOP' }));
    expect(JSON.stringify(calls(response)[0]?.arguments)).toBe('{"__proto__":{"x":1}}');
    expect(({} as { x?: number }).x).toBe(undefined);
  });
});

describe('how a stream ends', () => {
  it('keeps a limit or a filter that a normal end follows', () => {
    for (const [word, finish] of [
      ['MAX_TOKENS', 'length'],
      ['SAFETY', 'filter'],
    ] as const) {
      const said = chunk([{ text: 'a' }], { finishReason: word }) + chunk([{ text: 'b' }], { finishReason: 'STOP' });
      expect(last(said).response.finish).toBe(finish);
      const every = chunk([{ text: 'a' }], { finishReason: 'STOP' }) + chunk([], { finishReason: word });
      expect(last(every).response.finish).toBe(finish);
    }
  });

  const text = chunk([{ text: 'a' }]);
  it.each([
    ['a finish reason and the end of bytes', text + chunk([], { finishReason: 'STOP' }), 'turn.finished', 'stop'],
    [
      'a finish reason, then usage alone',
      `${chunk([{ text: 'a' }], { finishReason: 'MAX_TOKENS' })}${frame({ usageMetadata: { promptTokenCount: 1 } })}`,
      'turn.finished',
      'length',
    ],
    ['an end mark without a finish reason', `${text}data: [DONE]\n\n`, 'turn.finished', 'stop'],
    [
      'an unspecified reason and no more',
      chunk([{ text: 'a' }], { finishReason: 'FINISH_REASON_UNSPECIFIED' }),
      'turn.failed',
      'error',
    ],
    ['neither', text, 'turn.failed', 'error'],
    ['no bytes at all', '', 'turn.failed', 'error'],
    [
      'an error object',
      text + frame({ error: { code: 429, message: 'Slow down', status: 'RESOURCE_EXHAUSTED' } }),
      'turn.failed',
      'error',
    ],
    ['no JSON', `${text}data: {oops\n\n`, 'turn.failed', 'error'],
    ['a frame that is no object', text + frame('hello'), 'turn.failed', 'error'],
    ['a part that is no object', chunk(['hello']), 'turn.failed', 'error'],
    ['parts that are no list', frame({ candidates: [{ content: { parts: 'x' } }] }), 'turn.failed', 'error'],
    [
      'frames in lists, as some relays send them',
      frame([{ candidates: [{ content: { parts: [{ text: 'a' }] }, finishReason: 'STOP' }] }]),
      'turn.finished',
      'stop',
    ],
  ])('%s', (_, bytes, type, finish) => {
    expect(last(bytes)).toMatchObject({ type, response: { finish } });
  });

  it('gives the reason for a failure, and whether to retry', () => {
    expect(last(text)).toMatchObject({
      error: { kind: 'protocol', retryable: true, message: 'The stream ended before a finish reason' },
      response: { message: { parts: [{ type: 'text', text: 'a' }] } },
    });
    expect(last(frame({ error: { code: 503, message: 'Busy', status: 'UNAVAILABLE' } }))).toMatchObject({
      error: { kind: 'server', retryable: true, message: 'Busy', code: 'UNAVAILABLE', status: 503 },
    });
  });
});
