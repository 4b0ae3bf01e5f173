import { describe, expect, it } from 'vitest';
import { decoded } from '../../../../test/provider/decoded.ts';
import { calls, chunk, delta, done, entry } from '../../../../test/provider/fixtures/openai-chat/streams.ts';
import type { TurnEvent, TurnResponse } from '../../../model/index.ts';
import { decodeStream } from '../decode-stream.ts';
import { openaiChat } from './index.ts';

const last = (text: string): TurnEvent | undefined => decoded(openaiChat, text).at(-1);
const ended = (text: string): TurnResponse => {
  const event = last(text);
  if (event?.type !== 'turn.finished') throw new Error(`ended as ${event?.type}`);
  return event.response;
};
const stop = delta({}, 'stop');
const hi = delta({ content: 'Hi' });
const text = { type: 'text', text: 'Hi' };

describe('fields in other places', () => {
  it('usage in a separate field', () => {
    const counted = chunk({
      choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
      x_groq: { usage: { prompt_tokens: 5, completion_tokens: 2 } },
    });
    expect(ended(hi + counted + done).usage).toMatchObject({ input: 5, output: 2 });
  });

  it('text in the older field', () => {
    const older = (words: string, finish_reason: string | null): string =>
      chunk({ choices: [{ index: 0, text: words, finish_reason }] });
    expect(ended(older('H', null) + older('i', 'stop') + done).message.parts).toEqual([text]);
  });

  it('an unknown part between text', () => {
    const list = [
      { type: 'text', text: 'H' },
      { type: 'reference', ids: [1] },
      { type: 'text', text: 'i' },
    ];
    expect(ended(delta({ content: list }) + stop + done).message.parts.map(({ type }) => type)).toEqual([
      'text',
      'opaque',
      'text',
    ]);
  });
});

describe('a stream ends', () => {
  it.each([
    ['with a finish reason and [DONE]', hi + stop + done, 'stop'],
    ['without [DONE]', hi + stop, 'stop'],
    ['with [DONE] twice', hi + stop + done + done, 'stop'],
    ['with [DONE] and no finish reason', hi + done, 'stop'],
    ['with [DONE] and no finish reason after a call', calls(entry(0, 'a', 'f', '{}')) + done, 'tool_calls'],
    ['by length', hi + delta({}, 'length') + done, 'length'],
    ['by a filter', hi + delta({}, 'content_filter') + done, 'filter'],
    ["by an imitator's word", hi + delta({}, 'eos') + done, 'stop'],
    ['by a word nobody knows', hi + delta({}, 'bored') + done, 'other'],
    [
      'with a finish reason in every chunk',
      delta({ content: 'H' }, 'stop') + delta({ content: 'i' }, 'stop') + done,
      'stop',
    ],
    ['with an empty finish reason until the last', delta({ content: 'Hi' }, '') + stop + done, 'stop'],
    ['by length, though a later chunk says stop', hi + delta({}, 'length') + stop + done, 'length'],
    ['without the last line’s end', hi + stop.trimEnd(), 'stop'],
    ['after empty frames, with a space behind [DONE]', `data: \n\n${hi}data:\n\n${stop}data: [DONE] \n\n`, 'stop'],
  ])('%s', (_, wire, finish) => {
    expect(ended(wire).finish).toBe(finish);
    expect(decoded(openaiChat, wire).filter(({ type }) => type === 'turn.finished')).toHaveLength(1);
  });

  it('and ignores everything after [DONE]', () => {
    expect(decoded(openaiChat, `${hi + stop + done + hi}data: {"error":"late"}\n\n`)).toEqual(
      decoded(openaiChat, hi + stop + done),
    );
  });

  it('with an unknown reason, which is kept', () => {
    expect(ended(hi + delta({}, 'bored')).passthrough?.fields).toMatchObject({ choices: [{ finish_reason: 'bored' }] });
  });
});

describe('a stream fails', () => {
  it.each([
    [
      'where the bytes end first',
      hi,
      { kind: 'protocol', retryable: true, message: expect.stringContaining('ended before') },
    ],
    ['where nothing came', '', { kind: 'protocol', retryable: true }],
    [
      'with an error object',
      `${hi}data: {"error":{"message":"Busy","type":"server_error","code":null}}\n\n${stop}${done}`,
      { kind: 'server', message: 'Busy', retryable: true, code: 'server_error' },
    ],
    [
      'with an error that has a status',
      `${hi}data: {"error":{"message":"Slow down","code":429}}\n\n`,
      { kind: 'rate_limit', status: 429, retryable: true },
    ],
    ['with an error as text', `${hi}data: {"error":"Out of memory"}\n\n`, { kind: 'server', message: 'Out of memory' }],
    [
      'with an error as the whole frame',
      `${hi}data: {"object":"error","message":"Bad","code":400}\n\n`,
      { kind: 'request', message: 'Bad' },
    ],
    ['with an error event', `${hi}event: error\ndata: {"message":"Bad"}\n\n`, { kind: 'server', message: 'Bad' }],
    [
      'with an error in a choice',
      hi + chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'error', error: { message: 'Gone', code: 502 } }] }),
      { kind: 'server', message: 'Gone', status: 502 },
    ],
    [
      'with a frame that is no object',
      `${hi}data: 7\n\n`,
      { kind: 'protocol', message: expect.stringContaining('must be an object') },
    ],
    ['with a frame that is no JSON', `${hi}data: <html>\n\n`, { kind: 'protocol' }],
  ])('%s', (_, wire, error) => {
    const events = decoded(openaiChat, wire);
    expect(events.at(-1)).toMatchObject({ type: 'turn.failed', error, response: { finish: 'error' } });
    expect(events.filter(({ type }) => type === 'turn.failed' || type === 'turn.finished')).toHaveLength(1);
  });

  it('with everything received until then, including pending calls', () => {
    const wire = hi + calls(entry(0, 'a', 'f', '{"n"')) + calls(entry(1, 'b', 'g'));
    expect(last(wire)).toMatchObject({
      response: { message: { parts: [text, { name: 'f', arguments: '{"n"' }, { name: 'g', arguments: '' }] } },
    });
    expect(decoded(openaiChat, wire).filter(({ type }) => type === 'part.finished')).toHaveLength(1);
  });

  it('if the connection closes after a finish reason', () => {
    const events: TurnEvent[] = [];
    const decoder = decodeStream(openaiChat, (event) => events.push(event));
    decoder.feed(hi + stop);
    decoder.end({ kind: 'network', message: 'reset', retryable: true });
    expect(events.at(-1)).toMatchObject({ type: 'turn.failed', error: { kind: 'network' } });
  });
});

describe('incomplete chunks', () => {
  it.each([
    ['keep-alive comments', `: OPENROUTER PROCESSING\n\n${hi}: ping\n\n`],
    ['a role only', delta({ role: 'assistant' }) + hi],
    ['a null delta', delta(null) + hi + delta(null)],
    ['no delta', chunk({ choices: [{ index: 0 }] }) + hi],
    ['a null choice', chunk({ choices: [null] }) + hi],
    ['null choices', chunk({ choices: null }) + hi],
    ['no choices', chunk({}) + hi],
    ['empty choices first', chunk({ choices: [], prompt_filter_results: [] }) + hi],
    ['a null frame', `data: null\n\n${hi}`],
    [
      'nulls for all',
      delta({ role: null, content: null, refusal: null, tool_calls: null, function_call: null, audio: null }) + hi,
    ],
    ['empty calls', delta({ content: 'H', tool_calls: [] }) + delta({ content: 'i', tool_calls: [] })],
    ['empty words', delta({ content: '', reasoning_content: '', refusal: '' }) + hi + delta({ content: '' })],
    ['an empty error', chunk({ error: {}, choices: [] }) + chunk({ error: '', choices: [] }) + hi],
    ['no index', chunk({ choices: [{ delta: { content: 'Hi' } }] })],
    [
      'a whole message at once',
      chunk({ object: 'chat.completion', choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' } }] }),
    ],
    [
      'the whole message again at the end',
      hi + chunk({ choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' } }] }),
    ],
    [
      'content as a list',
      delta({
        content: [
          { type: 'text', text: 'H' },
          { type: 'text', text: 'i' },
        ],
      }),
    ],
  ])('%s', (_, wire) => {
    expect(ended(wire + stop + done).message).toEqual({ role: 'assistant', parts: [text] });
  });

  it('usage in a separate chunk, in the last, or in all: the last counts', () => {
    const usage = (output: number) => ({ prompt_tokens: 5, completion_tokens: output, total_tokens: 5 + output });
    expect(ended(hi + stop + chunk({ choices: [], usage: usage(3) }) + done).usage).toEqual({ input: 5, output: 3 });
    expect(
      ended(hi + chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: usage(4) })).usage,
    ).toEqual({ input: 5, output: 4 });
    const all = [1, 2].map((count) => chunk({ choices: [{ index: 0, delta: { content: 'x' } }], usage: usage(count) }));
    expect(ended(all.join('') + stop + done).usage).toEqual({ input: 5, output: 2 });
    expect(ended(hi + chunk({ choices: [], usage: null }) + stop).usage).toBeUndefined();
  });

  it("keep the last chunk's fields and those of its choice", () => {
    const last = chunk({
      timings: { ms: 3 },
      choices: [{ index: 0, delta: {}, finish_reason: 'stop', native_finish_reason: 'eos' }],
    });
    expect(ended(hi + last).passthrough?.fields).toMatchObject({
      system_fingerprint: 'fp_1',
      timings: { ms: 3 },
      choices: [{ native_finish_reason: 'eos' }],
    });
  });

  it('pass unknown fields on, and other choices too', () => {
    const wire =
      delta({ content: 'Hi', audio: { id: 'a' } }) +
      chunk({ choices: [{ index: 1, delta: { content: 'Yo' } }] }) +
      stop;
    const unknown = decoded(openaiChat, wire).flatMap((event) =>
      event.type === 'provider.unknown' ? [event.value] : [],
    );
    expect(unknown).toEqual([
      { choices: [{ index: 0, delta: { audio: { id: 'a' } } }] },
      { choices: [{ index: 1, delta: { content: 'Yo' } }] },
    ]);
    expect(ended(wire).message.parts).toEqual([text]);
  });
});

describe('bytes', () => {
  it('C17 may split characters and end lines with CR LF', () => {
    const wire = (delta({ content: 'a🌍é' }) + stop + done).replaceAll('\n', '\r\n');
    const bytes = new TextEncoder().encode(wire);
    const inside = bytes.indexOf(0xf0) + 2;
    expect(decoded(openaiChat, bytes, [inside]).at(-1)).toMatchObject({
      response: { message: { parts: [{ text: 'a🌍é' }] } },
    });
  });

  it('F4 may contain a line of 10 MB, unless the limit is lower', () => {
    const long = 'x'.repeat(10_000_000);
    const wire = calls(entry(0, 'a', 'f', `{"n":"${long}"}`)) + stop + done;
    expect(ended(wire).message.parts).toMatchObject([{ arguments: `{"n":"${long}"}` }]);
    const events: TurnEvent[] = [];
    const decoder = decodeStream(openaiChat, (event) => events.push(event), { maxFrame: 1_000_000 });
    for (let at = 0; at < wire.length; at += 65_536) decoder.feed(wire.slice(at, at + 65_536));
    decoder.end();
    expect(events).toMatchObject([{ type: 'turn.failed', error: { kind: 'protocol', retryable: false } }]);
  });

  it('cost in proportion to thousands of calls, including nameless ones', () => {
    const many = (count: number): string =>
      Array.from({ length: count }, (_, at) =>
        calls(entry(2 * at, `n${at}`), entry(2 * at + 1, `c${at}`, 'f', '{}')),
      ).join('') + stop;
    expect(ended(many(5000)).message.parts).toHaveLength(5000);
    expect(ended(many(5000)).ignored).toHaveLength(5000);
  });
});

describe('parts of a stream', () => {
  it('S3.7 equal the complete response: id, model, text, calls, usage', () => {
    expect(ended(hi + calls(entry(0, 'a', 'f', '{}')) + delta({}, 'tool_calls') + done)).toMatchObject({
      id: 'chatcmpl-1',
      model: 'gpt-x',
      message: { role: 'assistant', parts: [text, { type: 'call', id: 'a', name: 'f', arguments: '{}' }] },
      finish: 'tool_calls',
    });
  });

  it('include refusals', () => {
    expect(ended(delta({ refusal: 'I can' }) + delta({ refusal: ' not' }) + stop).message.parts).toEqual([
      { type: 'refusal', text: 'I can not' },
    ]);
  });

  it.each([
    ['reasoning_content', delta({ reasoning_content: 'h' }) + delta({ reasoning_content: 'm' }), undefined],
    ['reasoning', delta({ reasoning: 'h' }) + delta({ reasoning: 'm' }), ['reasoning']],
    [
      'both at once',
      delta({ reasoning: 'h', reasoning_content: 'h' }) + delta({ reasoning: 'm', reasoning_content: 'm' }),
      ['reasoning_content', 'reasoning'],
    ],
  ])('return reasoning in %s to the same field', (_, wire, fields) => {
    const { message } = ended(wire + hi + stop);
    const passthrough = fields && { passthrough: { format: 'openai-chat', fields: { in: fields } } };
    expect(message.parts).toEqual([{ type: 'reasoning', text: 'hm', ...passthrough }, text]);
    const sent = openaiChat.writeRequest({ model: 'm', messages: [message] }).wire.messages;
    expect(sent).toEqual([
      {
        role: 'assistant',
        content: 'Hi',
        ...Object.fromEntries((fields ?? ['reasoning_content']).map((field) => [field, 'hm'])),
      },
    ]);
  });

  it('join, show and return lists of reasoning with their signature', () => {
    const piece = (fields: object) => delta({ reasoning_details: [{ type: 'reasoning.text', index: 0, ...fields }] });
    const { message } = ended(
      piece({ text: 'h' }) +
        piece({ text: 'm' }) +
        piece({ signature: 'sig' }) +
        delta({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'x', index: 1 }] }) +
        hi +
        stop,
    );
    expect(message.parts[0]).toMatchObject({ type: 'reasoning', text: 'hm', signature: { format: 'openai-chat' } });
    const details = [
      { type: 'reasoning.text', index: 0, text: 'hm', signature: 'sig' },
      { type: 'reasoning.encrypted', data: 'x', index: 1 },
    ];
    expect(openaiChat.writeRequest({ model: 'm', messages: [message] }).wire.messages).toEqual([
      { role: 'assistant', content: 'Hi', reasoning_details: details },
    ]);
  });

  it('keep the order of text, a call and more text', () => {
    const { parts } = ended(hi + calls(entry(0, 'a', 'f', '{}')) + hi + stop).message;
    expect(parts.map(({ type }) => type)).toEqual(['text', 'call', 'text']);
  });

  it('are written as a stream, and read the same', () => {
    const wire =
      delta({ reasoning: 'hm' }) +
      hi +
      calls(entry(0, 'a', 'f', '{"n"'), entry(1, 'b', 'g', '')) +
      calls(entry(0, undefined, undefined, ':1}')) +
      delta({}, 'tool_calls') +
      done;
    const writer = openaiChat.writeStream();
    const again = decoded(openaiChat, wire)
      .map((event) => writer.write(event))
      .join('');
    expect(ended(again)).toEqual(ended(wire));
  });
});
