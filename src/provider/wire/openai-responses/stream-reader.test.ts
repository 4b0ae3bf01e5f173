import { describe, expect, it } from 'vitest';
import { decoded } from '../../../../test/provider/decoded.ts';
import { answer, call, message, text } from '../../../../test/provider/fixtures/openai-responses/responses.ts';
import { events, sse } from '../../../../test/provider/fixtures/openai-responses/streams.ts';
import type { JsonObject } from '../../../json/value.ts';
import type { TurnEvent, TurnResponse } from '../../../model/index.ts';
import { openaiResponses } from './index.ts';

const read = (list: readonly JsonObject[], end = ''): TurnEvent[] => decoded(openaiResponses, sse(list) + end);

/** The answer of a stream that ends as it should. */
function finished(list: readonly JsonObject[], end = ''): TurnResponse {
  const last = read(list, end).at(-1);
  if (last?.type !== 'turn.finished') throw new Error(`ended with ${JSON.stringify(last)}`);
  return last.response;
}
/** What was called, and with what. */
const calls = (response: TurnResponse): unknown[] =>
  response.message.parts.flatMap((part) => (part.type === 'call' ? [[part.name, part.arguments]] : []));
const words = (response: TurnResponse): string[] =>
  response.message.parts.flatMap((part) => ('text' in part ? [part.text] : []));
/** What grew, put together by part. */
const grown = (list: readonly JsonObject[]): string[] => {
  const parts: string[] = [];
  for (const event of read(list)) {
    if (event.type === 'part.delta') parts[event.index] = (parts[event.index] ?? '') + event.text;
  }
  return parts;
};

const created: JsonObject = { type: 'response.created', response: { id: 'resp_1', model: 'm', output: [] } };
const completed: JsonObject = { type: 'response.completed', response: { id: 'resp_1', status: 'completed' } };
const added = (item: JsonObject, output_index = 0): JsonObject => ({
  type: 'response.output_item.added',
  output_index,
  item,
});
const done = (item: JsonObject, output_index = 0): JsonObject => ({
  type: 'response.output_item.done',
  output_index,
  item,
});
const given = (delta: string, place: JsonObject = {}): JsonObject => ({
  type: 'response.function_call_arguments.delta',
  delta,
  ...place,
});
const said = (delta: string, place: JsonObject = {}): JsonObject => ({
  type: 'response.output_text.delta',
  delta,
  ...place,
});

const two = [
  ['f', '{"a":1}'],
  ['g', '{"b":2}'],
];

describe('C7 separates two calls', () => {
  const [f, g] = [call('1', 'f', '{"a":1}'), call('2', 'g', '{"b":2}')];
  const [begunF, begunG] = [call('1', 'f', ''), call('2', 'g', '')];
  const at = (id: string): JsonObject => ({ item_id: id, output_index: 0 });

  it.each<[string, JsonObject[]]>([
    [
      'side by side under one index, by their ids',
      [
        added(begunF),
        added(begunG),
        given('{"a"', at('fc_1')),
        given('{"b"', at('fc_2')),
        given(':1}', at('fc_1')),
        given(':2}', at('fc_2')),
        done(f),
        done(g),
      ],
    ],
    [
      'one after the other without ids, under one index',
      [
        added({ type: 'function_call', name: 'f', call_id: 'a' }),
        given('{"a":'),
        given('1}'),
        done({ type: 'function_call', name: 'f', call_id: 'a', arguments: '{"a":1}' }),
        added({ type: 'function_call', name: 'g', call_id: 'b' }),
        given('{"b":2}'),
        done({ type: 'function_call', name: 'g', call_id: 'b', arguments: '{"b":2}' }),
      ],
    ],
    [
      'side by side without any id, by what is told whole at the end',
      [
        added({ ...begunF, id: null }),
        added({ ...begunG, id: null }),
        given('{"b":2}', { output_index: 0 }),
        done({ ...f, id: null }),
        done({ ...g, id: null }),
      ],
    ],
    [
      'that were never announced, by their ids',
      [given('{"a":1}', at('fc_1')), given('{"b":2}', at('fc_2')), done(f), done(g)],
    ],
    ['of one id, by their call ids', [added({ ...begunF, id: 'x' }), done({ ...f, id: 'x' }), done({ ...g, id: 'x' })]],
  ])('%s', (_, list) => {
    expect(calls(finished([created, ...list, completed]))).toEqual(two);
  });
});

describe('what imitations omit', () => {
  const whole = call('1', 'f', '{"a":1}');
  const hello = message([text('Hello')]);

  it.each<[string, JsonObject[]]>([
    ['everything but the end', [{ type: 'response.completed', response: answer([hello, whole]) }]],
    ['everything but the whole items', [created, done(hello), done(whole, 1), completed]],
    ['the announcements', [said('Hel'), said('lo'), given('{"a":'), given('1}'), done(hello), done(whole), completed]],
    [
      'the pieces',
      [
        created,
        added(message([])),
        { type: 'response.output_text.done', text: 'Hello' },
        added(call('1', 'f', ''), 1),
        { type: 'response.function_call_arguments.done', arguments: '{"a":1}', output_index: 1 },
        completed,
      ],
    ],
    [
      'the ends of items',
      [created, added(message([])), said('Hel'), said('lo'), added(call('1', 'f', ''), 1), given('{"a":1}'), completed],
    ],
    [
      'the name, until the arguments are whole',
      [
        created,
        said('Hello'),
        given('{"a"', { item_id: 'fc_1' }),
        given(':1}', { item_id: 'fc_1' }),
        { type: 'response.function_call_arguments.done', item_id: 'fc_1', name: 'f', arguments: '{"a":1}' },
        completed,
      ],
    ],
    [
      'the words of the items at their end',
      [
        created,
        added(message([])),
        said('Hello'),
        done(message([])),
        added(call('1', 'f', ''), 1),
        given('{"a":1}', { item_id: 'fc_1' }),
        done(call('1', 'f', ''), 1),
        completed,
      ],
    ],
    ['all but whole items at their beginning', [created, added(hello), added(whole, 1), completed]],
    [
      'ids that stay the same, and indexes that begin at 0',
      [
        created,
        added(message([], { id: 'a' }), 1),
        said('Hel', { item_id: 'b', output_index: 1, content_index: 1 }),
        said('lo', { item_id: 'c', output_index: 1, content_index: 1 }),
        done(message([text('Hello')], { id: 'd' }), 1),
        added(call('1', 'f', ''), 2),
        done(whole, 2),
        { type: 'response.completed', response: answer([message([text('Hello')], { id: 'e' }), whole]) },
      ],
    ],
  ])('%s', (_, list) => {
    const response = finished(list);
    expect([words(response), calls(response)]).toEqual([['Hello'], [['f', '{"a":1}']]]);
    expect(grown(list)).toEqual(['Hello', '{"a":1}']);
    expect(response.finish).toBe('tool_calls');
  });

  it('the event name in its data', () => {
    const list = [said('Hello'), { type: 'response.completed', response: answer([]) }];
    const text = list.map(({ type, ...data }) => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`).join('');
    expect(decoded(openaiResponses, text).at(-1)).toMatchObject({ type: 'turn.finished' });
  });

  it("the model's name, until the end", () => {
    expect(finished([said('Hello'), { type: 'response.completed', response: answer([]) }])).toMatchObject({
      id: 'resp_1',
      model: 'm-2026',
      usage: { input: 291, output: 23, cached: 128 },
    });
  });
});

describe('a call', () => {
  it('C8 without parameters has empty arguments', () => {
    const list = [
      created,
      added(call('1', 'f', '')),
      given('', { item_id: 'fc_1' }),
      done(call('1', 'f', '')),
      completed,
    ];
    expect(calls(finished(list))).toEqual([['f', '']]);
  });

  it('C17 announced twice keeps its arguments', () => {
    const again = added(call('1', 'f', ''));
    const list = [
      created,
      again,
      given('{"a"', { item_id: 'fc_1' }),
      again,
      given(':1}', { item_id: 'fc_1' }),
      completed,
    ];
    expect(calls(finished(list))).toEqual([['f', '{"a":1}']]);
  });

  it('C18 that was truncated keeps its unfinished text, even if the response claims to be complete', () => {
    const cut = call('1', 'write', '{"text":"ab', { status: 'incomplete' });
    const response = finished([created, added(call('1', 'write', '')), done(cut), completed]);
    expect(calls(response)).toEqual([['write', '{"text":"ab']]);
    expect(finished(events['cut by length'] ?? []).finish).toBe('length');
  });

  it('with its arguments as an object keeps them as a value', () => {
    const item = { type: 'function_call', call_id: 'c', name: 'f', arguments: { a: 1 } };
    expect(calls(finished([created, added(item), done(item), completed]))).toEqual([['f', { a: 1 }]]);
  });

  it('without an id gets one', () => {
    const [part] = finished([created, done({ type: 'function_call', name: 'f', arguments: '{}' }), completed]).message
      .parts;
    expect(part).toMatchObject({ type: 'call', id: expect.stringMatching(/^call_\w{24}$/) });
  });

  it('repeated at the end under another id runs once', () => {
    const first = { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'f', arguments: '{"a":1}' };
    const again = { ...first, id: 'fc_9', call_id: 'z', arguments: '{ "a": 1 }' };
    const end = (...output: JsonObject[]): JsonObject => ({ type: 'response.completed', response: answer(output) });
    const streamed = [added({ ...first, arguments: '' }), given('{"a":1}', { item_id: 'fc_1' })];
    for (const list of [
      [done(first), end(again)],
      [...streamed, end(again)],
      [...streamed, done(again), end({ ...again, call_id: 'y', id: 'fc_8' })],
    ])
      expect(calls(finished([created, ...list]))).toHaveLength(1);
    const twice = [
      done(first),
      done({ ...first, id: 'fc_2', call_id: 'b' }, 1),
      end(again, { ...again, call_id: 'y' }),
    ];
    expect(calls(finished([created, ...twice]))).toHaveLength(2);
    const other = [done(first), end({ ...again, arguments: '{"a":2}' })];
    expect(calls(finished([created, ...other]))).toHaveLength(2);
  });

  it('whose pieces have separate ids keeps them', () => {
    const list = [
      created,
      added(call('1', 'f', '')),
      given('{"a":', { item_id: 'x', output_index: 0 }),
      given('1}', { item_id: 'y' }),
      completed,
    ];
    const response = finished(list);
    expect(calls(response)).toEqual([['f', '{"a":1}']]);
    expect(response.ignored).toBe(undefined);
  });

  it('whose pieces are objects keeps them', () => {
    const piece = { type: 'response.function_call_arguments.delta', item_id: 'fc_1', delta: { a: 1 } };
    expect(calls(finished([created, added(call('1', 'f', '')), piece, completed]))).toEqual([['f', '{"a":1}']]);
  });

  it('S4.4 whose name is empty or a symbol is filtered and recorded', () => {
    const list = [
      created,
      done(call('1', '⚙', '{}')),
      done(call('2', '', '{}'), 1),
      given('{', { item_id: 'fc_3' }),
      completed,
    ];
    const response = finished([...list.slice(0, 3), added(call('4', '⚙', ''), 2), ...list.slice(3)]);
    expect(response.message.parts).toEqual([]);
    expect(response.ignored?.map(({ name }) => name).sort()).toEqual(['', '', '⚙', '⚙']);
    expect(response.finish).toBe('stop');
  });
});

describe('F4 the end', () => {
  const start = events.words?.slice(0, 4) ?? [];

  it("accepts other formats' end marks, once, twice or missing", () => {
    const list = events.words ?? [];
    expect(finished(list, 'data: [DONE]\n\ndata: [DONE]\n\n')).toEqual(finished(list));
  });

  it('accepts an end mark alone', () => {
    expect(finished(start, 'data: [DONE]\n\n')).toMatchObject({ finish: 'stop', id: 'resp_1' });
  });

  it('fails if the connection closes early, at any position', () => {
    const list = events['two calls'] ?? [];
    for (let count = 0; count < list.length; count += 1) {
      const last = read(list.slice(0, count)).at(-1);
      expect(last).toMatchObject({ type: 'turn.failed', error: { kind: 'protocol', retryable: true } });
      expect(last?.type === 'turn.failed' && last.error.message).toContain('ended before');
    }
  });

  it('is reported once, whatever follows it', () => {
    const list = [...(events.words ?? []), ...(events['an error'] ?? []), ...(events.words ?? [])];
    expect(read(list).filter(({ type }) => type === 'turn.finished' || type === 'turn.failed')).toHaveLength(1);
  });

  it.each<[string, JsonObject, object]>([
    [
      'response.failed',
      { type: 'response.failed', response: { error: { code: 'rate_limit_exceeded', message: 'Slow' } } },
      { kind: 'rate_limit', code: 'rate_limit_exceeded', message: 'Slow', retryable: true },
    ],
    ['error', { type: 'error', code: 'server_error', message: 'Sorry' }, { kind: 'server', retryable: true }],
    [
      'an error inside',
      { type: 'error', error: { code: 'insufficient_quota', message: 'No more' } },
      { kind: 'rate_limit', retryable: false },
    ],
    [
      'an error without a type',
      { error: { message: 'Bad', code: 'invalid_prompt' } },
      { kind: 'request', retryable: false },
    ],
    ['an error that says nothing', { type: 'error' }, { kind: 'server', retryable: true }],
  ])('%s is a failure that shows what was received before', (_, event, error) => {
    const name = event.type === undefined ? '' : `event: ${event.type}\n`;
    const last = decoded(openaiResponses, `${sse(start)}${name}data: ${JSON.stringify(event)}\n\n`).at(-1);
    expect(last).toMatchObject({ type: 'turn.failed', error, response: { message: { parts: [{ type: 'text' }] } } });
  });
});

describe('unknown events', () => {
  it('are passed on unchanged', () => {
    const list = events['a search of the web'] ?? [];
    const unknown = read(list).flatMap((event) => (event.type === 'provider.unknown' ? [event.value] : []));
    expect(unknown).toMatchObject(
      ['in_progress', 'searching', 'completed'].map((step) => ({ type: `response.web_search_call.${step}` })),
    );
  });

  it('streams reasoning as it arrives, with the signature at its end', () => {
    const list = events['summaries of thoughts, sealed'] ?? [];
    expect(finished(list).message.parts).toMatchObject([
      { type: 'reasoning', id: 'rs_1', text: 'First.\n\nThen.', signature: { value: 'gAAAA=' } },
    ]);
    expect(grown(list)).toEqual(['First.\n\nThen.']);
  });
});
