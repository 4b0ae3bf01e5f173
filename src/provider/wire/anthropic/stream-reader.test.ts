import { describe, expect, it } from 'vitest';
import { decoded } from '../../../../test/provider/decoded.ts';
import {
  begin,
  delta,
  ended,
  json,
  last,
  odd,
  sound,
  sse,
  start,
  stop,
  text,
  tool,
  words,
} from '../../../../test/provider/fixtures/anthropic/streams.ts';
import { mend } from '../../../mend/mend.ts';
import type { Outcome } from '../../../mend/outcome.ts';
import type { AssistantPart, CallPart, RawCall, TurnEvent, TurnResponse } from '../../../model/index.ts';
import { tool as defineTool } from '../../../tools/tool.ts';
import { Toolbox } from '../../../tools/toolbox.ts';
import { decodeStream } from '../decode-stream.ts';
import { anthropicMessages } from './index.ts';

const read = (bytes: string): TurnEvent[] => decoded(anthropicMessages, bytes);

function answer(bytes: string): TurnResponse {
  const end = read(bytes).at(-1);
  if (end?.type !== 'turn.finished') throw new Error(`The stream ended with ${end?.type}`);
  return end.response;
}

const parts = (bytes: string): readonly AssistantPart[] => answer(bytes).message.parts;
const calls = (bytes: string): [string, unknown][] =>
  parts(bytes).flatMap((part) => (part.type === 'call' ? [[part.name, part.arguments]] : []));

/** What becomes of a call to a tool that takes anything. */
const judged = (raw: RawCall): Outcome =>
  mend(raw, new Toolbox([defineTool({ name: raw.name, description: 'Does it', inputSchema: { type: 'object' } })]));

describe('a stream of the provider', () => {
  it('S3.7 streams text and calls', () => {
    const types = read(sound['two calls after words'] ?? '').map(({ type }) => type);
    expect(types).toEqual([
      'turn.started',
      'part.started',
      'part.delta',
      'part.finished',
      'part.started',
      'part.delta',
      'part.delta',
      'part.finished',
      'part.started',
      'part.finished',
      'turn.finished',
    ]);
    expect(answer(sound['two calls after words'] ?? '')).toEqual({
      id: 'msg_1',
      model: 'some-model',
      message: {
        role: 'assistant',
        parts: [
          { type: 'text', text: 'I will look.' },
          {
            type: 'call',
            id: 'toolu_1',
            name: 'weather',
            arguments: '{"city": "Oslo", "note": "☃"}',
            passthrough: { format: 'anthropic', fields: { caller: { type: 'direct' } } },
          },
          { type: 'call', id: 'toolu_2', name: 'now', arguments: '' },
        ],
      },
      finish: 'tool_calls',
      usage: { input: 25, output: 15 },
      passthrough: { format: 'anthropic', fields: { stop_sequence: null } },
    });
  });

  it('attaches signatures to reasoning', () => {
    const format = 'anthropic';
    expect(parts(sound['thoughts, signed and hidden'] ?? '').slice(0, 2)).toEqual([
      { type: 'reasoning', text: 'Let me think', signature: { format, value: 'EqQBCgIYAhIM' } },
      { type: 'reasoning', text: '', hidden: true, signature: { format, value: 'EmwKAhgBEgy3' } },
    ]);
  });

  it('keeps calls that the server ran, with their input, and citations in their text', () => {
    const [ran, result, said] = parts(sound['a search with citations'] ?? '');
    expect(ran).toMatchObject({ type: 'opaque', value: { type: 'server_tool_use', input: { query: 'weather' } } });
    expect(result).toMatchObject({ type: 'opaque', value: { type: 'web_search_tool_result' } });
    expect(said).toMatchObject({ type: 'text', text: 'It rains', passthrough: { fields: { citations: [{}, {}] } } });
  });

  it('adds cached tokens, and uses the last count of each', () => {
    expect(answer(sound['a search with citations'] ?? '').usage).toEqual({
      input: 130,
      cached: 20,
      cacheWritten: 10,
      output: 30,
      reasoning: 7,
      passthrough: {
        format: 'anthropic',
        fields: { server_tool_use: { web_search_requests: 1, web_fetch_requests: 0 } },
      },
    });
  });

  it('equals the complete response', () => {
    const wire = sse(begin(), ended('refusal', { stop_details: { type: 'refusal' } }), last);
    expect(answer(wire)).toMatchObject({
      finish: 'filter',
      passthrough: { fields: { stop_details: { type: 'refusal' }, stop_sequence: null } },
    });
  });
});

describe('a stream that ends early', () => {
  it('C18 leaves an unfinished call open, whatever the reason', () => {
    for (const reason of ['max_tokens', 'tool_use']) {
      const wire = sse(begin(), tool(0, 'toolu_1', 'write_file'), json(0, '{"path": "a'), stop(0), ended(reason), last);
      const { message, finish } = answer(wire);
      const [call] = message.parts as CallPart[];
      expect(call?.arguments).toBe('{"path": "a');
      expect(judged({ name: 'write_file', arguments: call?.arguments, finishReason: finish })).toMatchObject({
        status: 'invalid',
        problems: [{ code: 'truncated' }],
      });
    }
  });

  it('fails with a retryable error if the connection closes early', () => {
    expect(read(odd['the end of bytes in the middle'] ?? '').at(-1)).toMatchObject({
      type: 'turn.failed',
      error: { kind: 'protocol', retryable: true, message: 'The stream ended before the response was complete' },
      response: { finish: 'error', message: { parts: [{ text: 'Hel' }] } },
    });
  });

  it("fails with the provider's error, and ignores everything after it", () => {
    const events = read(odd['an error in the middle'] ?? '');
    expect(events.at(-1)).toMatchObject({
      type: 'turn.failed',
      error: { kind: 'server', code: 'overloaded_error', message: 'Overloaded', retryable: true },
      response: { message: { parts: [{ type: 'text', text: 'Hel' }] } },
    });
    expect(events.filter(({ type }) => type === 'part.finished')).toEqual([]);
  });

  it('returns the buffered part of a call', () => {
    const wire = sse(begin(), tool(0, 'toolu_1', 'a', { x: 1 }));
    expect(read(wire).at(-1)).toMatchObject({ response: { message: { parts: [{ arguments: '{"x":1}' }] } } });
  });

  it('fails and names the invalid field of an event', () => {
    const wire = sse(begin(), { type: 'content_block_start', index: 0, content_block: null }, last);
    expect(read(wire).at(-1)).toMatchObject({
      type: 'turn.failed',
      error: { kind: 'protocol', message: 'In content_block_start: content_block must be an object, not null' },
    });
  });

  it('F4 fails on a line above the limit', () => {
    const events: TurnEvent[] = [];
    const decoder = decodeStream(anthropicMessages, (event) => events.push(event), { maxFrame: 1000 });
    const bytes = sse(begin(), text(0), words(0, 'x'.repeat(2000)));
    for (let at = 0; at < bytes.length; at += 100) decoder.feed(bytes.slice(at, at + 100));
    decoder.end();
    expect(events.at(-1)).toMatchObject({
      type: 'turn.failed',
      error: { message: expect.stringMatching(/longer than 1000/) },
    });
  });
});

describe('a stream of an imitation', () => {
  it('C7 separates calls that all have index 0', () => {
    expect(calls(odd['index always 0'] ?? '')).toEqual([
      ['a', '{"x":1}'],
      ['b', '{"y":2}'],
    ]);
  });

  it('C8 reads missing arguments of a tool without parameters as none', () => {
    const wire = sse(begin(), tool(0, 'toolu_1', 'now'), json(0, ''), stop(0), ended('tool_use'), last);
    expect(calls(wire)).toEqual([['now', '']]);
    expect(judged({ name: 'now', arguments: '', finishReason: 'tool_calls' })).toMatchObject({ input: {} });
  });

  it('C17 keeps the arguments of a call that is announced twice', () => {
    const twice = [tool(0, 'toolu_1', 'a'), json(0, '{"x":'), tool(0, 'toolu_1', 'a'), json(0, '1}'), stop(0)];
    expect(calls(sse(begin(), ...twice, ended('tool_use'), last))).toEqual([['a', '{"x":1}']]);
  });

  it('S4.4 records and omits a call without a name', () => {
    const { message, ignored } = answer(odd['no ids and no names'] ?? '');
    expect(message.parts).toMatchObject([{ type: 'call', name: 'a', id: expect.stringMatching(/^call_/) }]);
    expect(ignored).toEqual([{ id: 'toolu_2', name: '⚙', arguments: '{}' }]);
  });

  it('accepts a missing end event if there is a stop reason', () => {
    expect(answer(odd['no end marks at all'] ?? '')).toMatchObject({
      finish: 'tool_calls',
      message: { parts: [{ text: 'Hi' }, { name: 'now', arguments: '{}' }] },
    });
  });

  it('accepts a missing stop reason if there is an end event or [DONE]', () => {
    const open = [begin(), tool(0, 'toolu_1', 'a'), json(0, '{}')];
    for (const bytes of [sse(...open, last), `${sse(...open)}data: [DONE]\n\ndata: [DONE]\n\n`])
      expect(answer(bytes)).toMatchObject({ finish: 'tool_calls', message: { parts: [{ arguments: '{}' }] } });
  });

  it('accepts complete input, as an object or as text, followed by pieces', () => {
    expect(calls(odd['input whole at the beginning'] ?? '')).toEqual([
      ['a', { x: 1 }],
      ['b', '{"y":2}'],
    ]);
    const both = [begin(), tool(0, 'toolu_1', 'a', { x: 1 }), json(0, '{"x"'), json(0, ': 1}'), stop(0)];
    expect(calls(sse(...both, ended('tool_use'), last))).toEqual([['a', '{"x": 1}']]);
    const object = [begin(), tool(0, 'toolu_1', 'a'), json(0, { x: 1 }), stop(0)];
    expect(calls(sse(...object, ended('tool_use'), last))).toEqual([['a', '{"x":1}']]);
  });

  it('ends with tool_use if calls come with end_turn', () => {
    const wire = sse(begin(), tool(0, 'toolu_1', 'a'), json(0, '{}'), stop(0), ended('end_turn'), last);
    expect(answer(wire).finish).toBe('tool_calls');
  });

  it('accepts missing announcements, types and indexes', () => {
    const unannounced = sse(words(0, 'Hi'), delta(1, 'thinking_delta', { thinking: 'Hm' }), ended('end_turn'));
    expect(parts(unannounced)).toMatchObject([{ text: 'Hi' }, { type: 'reasoning', text: 'Hm' }]);
    const untyped = sse(begin(), text(0), words(0, 'Hi'), ended('end_turn'), last).replaceAll(
      /"type":"[a-z_]+_(?:start|stop)",?/g,
      '',
    );
    expect(parts(untyped)).toMatchObject([{ text: 'Hi' }]);
    const astray = [begin(), text(0), words(0, 'a'), tool(1, 't', 'f'), json(0, '{"x":1}'), words(1, 'b')];
    expect(parts(sse(...astray, ended('tool_use')))).toMatchObject([{ text: 'ab' }, { arguments: '{"x":1}' }]);
  });

  it('accepts everything in the first event', () => {
    const wire = sse(begin({ content: [{ type: 'text', text: 'Hi' }], stop_reason: 'end_turn' }));
    expect(answer(wire)).toMatchObject({ finish: 'stop', message: { parts: [{ text: 'Hi' }] } });
  });

  it('does not end at a stop reason before any content', () => {
    for (const reason of ['end_turn', '']) {
      const open = [begin({ stop_reason: reason }), text(0), words(0, 'Hi'), stop(0)];
      expect(read(sse(...open)).at(-1)).toMatchObject({ type: 'turn.failed', error: { retryable: true } });
      expect(answer(sse(...open, last)).finish).toBe('stop');
      expect(answer(sse(...open, ended('max_tokens'), last)).finish).toBe('length');
    }
  });

  it('accepts text under the index of a call that continues', () => {
    const wire = [begin(), tool(0, 'toolu_1', 'a'), words(0, 'Hi'), json(0, '{"x":'), words(0, '!'), json(0, '1}')];
    expect(parts(sse(...wire, stop(0), ended('tool_use'), last))).toMatchObject([
      { name: 'a', arguments: '{"x":1}' },
      { text: 'Hi!' },
    ]);
  });

  it('refuses arguments if no call is open, because a call would run without them', () => {
    const wire = sse(begin(), tool(0, 'toolu_1', 'a'), stop(0), json(0, '{"x":1}'), ended('tool_use'), last);
    expect(read(wire).at(-1)).toMatchObject({
      type: 'turn.failed',
      error: { kind: 'protocol', message: 'In content_block_delta: delta has arguments, but no call is open' },
    });
  });

  it('keeps the usage if the last event has none', () => {
    const wire = sse(begin(), text(0), { ...ended('end_turn'), usage: { input_tokens: 0, output_tokens: 7 } }, last);
    expect(answer(wire).usage).toMatchObject({ input: 25, output: 7 });
  });

  it('may contain unknown events, which are passed on and written again', () => {
    const events = read(odd['events and deltas of tomorrow'] ?? '');
    const unknown = events.filter((event) => event.type === 'provider.unknown');
    expect(unknown.map(({ value }) => value)).toMatchObject([{ type: 'heartbeat' }, { delta: { colour: 'red' } }]);
    const writer = anthropicMessages.writeStream();
    const again = events.map((event) => writer.write(event)).join('');
    expect(again).toContain('event: heartbeat\ndata: {"type":"heartbeat","at":1}\n\n');
  });

  it('ignores signatures and citations of finished blocks', () => {
    const late = [delta(0, 'signature_delta', { signature: 's' }), delta(0, 'citations_delta', { citation: {} })];
    const events = read(sse(begin(), text(0), words(0, 'Hi'), stop(0), ...late, ended('end_turn'), last));
    expect(events.at(-1)).toMatchObject({ response: { message: { parts: [{ type: 'text', text: 'Hi' }] } } });
    expect(events.filter(({ type }) => type === 'part.started')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'provider.unknown')).toHaveLength(2);
  });

  it('returns unsigned reasoning unsigned', () => {
    const unsigned = [start(0, { type: 'thinking' }), delta(0, 'thinking_delta', { thinking: 'Hm' }), stop(0)];
    const [thought] = parts(sse(begin(), ...unsigned, ended('end_turn'), last));
    expect(thought).toEqual({ type: 'reasoning', text: 'Hm', passthrough: { format: 'anthropic', fields: {} } });
  });
});
