import { describe, expect, it } from 'vitest';
import { decoded } from '../../../../test/provider/decoded.ts';
import { calls, delta, done, entry } from '../../../../test/provider/fixtures/openai-chat/streams.ts';
import type { JsonObject } from '../../../json/value.ts';
import { mend } from '../../../mend/mend.ts';
import type { TurnEvent, TurnResponse } from '../../../model/index.ts';
import { tool } from '../../../tools/tool.ts';
import { Toolbox } from '../../../tools/toolbox.ts';
import { openaiChat } from './index.ts';

const ended = (text: string): TurnResponse => {
  const last = decoded(openaiChat, text).at(-1);
  if (last?.type !== 'turn.finished') throw new Error(`ended as ${last?.type}`);
  return last.response;
};
const end = delta({}, 'tool_calls') + done;
/** The calls that came, as name and arguments. */
const seen = (text: string): [string, unknown][] =>
  ended(text + end).message.parts.flatMap((part) => (part.type === 'call' ? [[part.name, part.arguments]] : []));
const x = undefined;

/** What servers do to a call's deltas: what they send, and the calls that must come of it. */
const rows: Readonly<Record<string, readonly [wire: string, expected: readonly [string, string][]]>> = {
  'C7 index 0 for every call, with ids': [
    calls(entry(0, 'a', 'f', '{"n":1}')) + calls(entry(0, 'b', 'g', '{"n":2}')) + calls(entry(0, 'c', 'g', '{"n":2}')),
    [
      ['f', '{"n":1}'],
      ['g', '{"n":2}'],
      ['g', '{"n":2}'],
    ],
  ],
  'C7 index 0 for every call, in pieces': [
    calls(entry(0, 'a', 'f', '{"n"')) +
      calls(entry(0, x, x, ':1}')) +
      calls(entry(0, 'b', 'f', '')) +
      calls(entry(0, x, x, '{"n":2}')),
    [
      ['f', '{"n":1}'],
      ['f', '{"n":2}'],
    ],
  ],
  'C7 index 0 for every call, without ids': [
    calls(entry(0, x, 'f', '{"n":1}')) + calls(entry(0, x, 'f', '{"n":2}')) + calls(entry(0, x, 'g', '{}')),
    [
      ['f', '{"n":1}'],
      ['f', '{"n":2}'],
      ['g', '{}'],
    ],
  ],
  'C7 index 0 and no ids: equal calls are two calls': [
    calls(entry(0, x, 'f', '{"n":1}')) + calls(entry(0, x, 'f', '{"n":1}')),
    [
      ['f', '{"n":1}'],
      ['f', '{"n":1}'],
    ],
  ],
  'C7 the index as text': [
    calls(entry('0' as never, 'a', 'f', '{"n":')) +
      calls(entry('1' as never, 'b', 'g', '{"n":')) +
      calls(entry('0' as never, x, x, '1}')) +
      calls(entry('1' as never, x, x, '2}')),
    [
      ['f', '{"n":1}'],
      ['g', '{"n":2}'],
    ],
  ],
  'an empty object first, and then the arguments': [
    calls(entry(0, 'a', 'f', '{}')) + calls(entry(0, 'a', x, '{"n"')) + calls(entry(0, x, x, ':1}')),
    [['f', '{"n":1}']],
  ],
  'an empty object and no more, twice': [
    calls(entry(0, 'a', 'f', '{}')) + calls(entry(1, 'b', 'f', '{}')),
    [
      ['f', '{}'],
      ['f', '{}'],
    ],
  ],
  'C7 index 0, and the call before was cut off': [
    calls(entry(0, 'a', 'f', '{"n":')) + calls(entry(0, 'b', 'f', '{"n":2}')),
    [
      ['f', '{"n":'],
      ['f', '{"n":2}'],
    ],
  ],
  'C7 no index, with ids': [
    calls(entry(x, 'a', 'f', '{"n"')) +
      calls(entry(x, 'a', x, ':1}')) +
      calls(entry(x, 'b', 'f', '{')) +
      calls(entry(x, x, x, '}')),
    [
      ['f', '{"n":1}'],
      ['f', '{}'],
    ],
  ],
  'C7 no index and no ids': [
    calls(entry(x, x, 'f', '{"n"')) + calls(entry(x, x, x, ':1}')) + calls(entry(x, x, 'g', '{}')),
    [
      ['f', '{"n":1}'],
      ['g', '{}'],
    ],
  ],
  'C7 index 0 and no ids: a head whose arguments come later': [
    calls(entry(0, x, 'f', '{"n":1}')) + calls(entry(0, x, 'g', '')) + calls(entry(0, x, x, '{}')),
    [
      ['f', '{"n":1}'],
      ['g', '{}'],
    ],
  ],
  'calls that grow side by side': [
    calls(entry(0, 'a', 'f', '{')) +
      calls(entry(1, 'b', 'g', '[')) +
      calls(entry(0, x, x, '"n":1')) +
      calls(entry(1, x, x, '2')) +
      calls(entry(0, x, x, '}'), entry(1, x, x, ']')),
    [
      ['f', '{"n":1}'],
      ['g', '[2]'],
    ],
  ],
  'two calls in one delta': [
    calls(entry(0, 'a', 'f', '{"n":1}'), entry(1, 'b', 'g', '{}')),
    [
      ['f', '{"n":1}'],
      ['g', '{}'],
    ],
  ],
  'two calls in one delta with one index': [
    calls(entry(0, 'a', 'f', '{'), entry(0, 'b', 'g', '{}')),
    [
      ['f', '{'],
      ['g', '{}'],
    ],
  ],
  'two calls in one delta with nothing but their names': [
    calls(entry(x, x, 'f', ''), entry(x, x, 'f', '')),
    [
      ['f', ''],
      ['f', ''],
    ],
  ],
  'head and arguments of one call as two entries of one delta': [
    calls(entry(0, 'a', 'f'), entry(0, x, x, '{"n":1}')),
    [['f', '{"n":1}']],
  ],
  'two calls with one id': [
    calls(entry(0, 'a', 'f', '{"n":1}')) + calls(entry(1, 'a', 'f', '{"n":2}')),
    [
      ['f', '{"n":1}'],
      ['f', '{"n":2}'],
    ],
  ],
  'two calls with one id and one index': [
    calls(entry(0, 'a', 'f', '{"n":1}')) + calls(entry(0, 'a', 'f', '{"n":2}')) + calls(entry(0, 'a', 'g', '{}')),
    [
      ['f', '{"n":1}'],
      ['f', '{"n":2}'],
      ['g', '{}'],
    ],
  ],
  'two calls with one id that grow side by side': [
    calls(entry(0, 'a', 'f', '{')) +
      calls(entry(1, 'a', 'g', '[')) +
      calls(entry(0, 'a', x, '}')) +
      calls(entry(1, 'a', x, ']')),
    [
      ['f', '{}'],
      ['g', '[]'],
    ],
  ],
  'a call sent again under its id': [
    calls(entry(0, 'a', 'f', '{"n":1}')) + calls(entry(0, 'a', 'f', '{"n":1}')),
    [['f', '{"n":1}']],
  ],
  'an id that comes late': [calls(entry(0, x, 'f')) + calls(entry(0, 'late', x, '{}')), [['f', '{}']]],
  'a new id with every piece': [
    calls(entry(0, 'a', 'f', '')) + calls(entry(0, 'b', x, '{"n"')) + calls(entry(0, 'c', x, ':1}')),
    [['f', '{"n":1}']],
  ],
  'C17 the name repeated in each delta': [
    calls(entry(0, 'a', 'f', '')) +
      calls(entry(0, 'a', 'f', '{"n"')) +
      calls(entry(0, 'a', 'f', ':1}')) +
      calls(entry(0, 'a', 'f', '')),
    [['f', '{"n":1}']],
  ],
  'C17 the name repeated without an id': [
    calls(entry(0, x, 'f', '{"n"')) + calls(entry(0, x, 'f', ':1')) + calls(entry(0, x, 'f', '}')),
    [['f', '{"n":1}']],
  ],
  'C17 the name repeated with what may follow whole arguments': [
    calls(entry(0, 'a', 'f', '{"n":1}')) + calls(entry(0, 'a', 'f', '\n')) + calls(entry(0, 'a', 'f', '}')),
    [['f', '{"n":1}\n}']],
  ],
  'C17 the name repeated, and arguments that only look whole': [
    calls(entry(0, 'a', 'f', '{"n":"x"y"z"}')) + calls(entry(0, 'a', 'f', '{"}')),
    [['f', '{"n":"x"y"z"}{"}']],
  ],
  'the name in pieces': [
    calls(entry(0, 'a', 'get_')) +
      calls(entry(0, x, 'wea')) +
      calls(entry(0, x, 'ther', '{')) +
      calls(entry(0, x, x, '}')),
    [['get_weather', '{}']],
  ],
  'the name longer each time': [
    calls(entry(0, 'a', 'get_')) + calls(entry(0, 'a', 'get_weather')) + calls(entry(0, x, x, '{}')),
    [['get_weather', '{}']],
  ],
  'arguments before the name': [
    calls(entry(0, 'a', x, '{"n"')) + calls(entry(0, x, x, ':1}')) + calls(entry(0, x, 'f')),
    [['f', '{"n":1}']],
  ],
  'arguments before the name, of two calls': [
    calls(entry(0, 'a', x, '{"n":1')) +
      calls(entry(1, 'b', x, '{"n":2')) +
      calls(entry(0, x, 'f', '}')) +
      calls(entry(1, x, 'g', '}')),
    [
      ['f', '{"n":1}'],
      ['g', '{"n":2}'],
    ],
  ],
  'arguments as an object': [
    calls(entry(0, 'a', 'f', { n: 1 })) + calls(entry(0, 'b', 'f', { n: 2 })) + calls(entry(0, x, 'g', {})),
    [
      ['f', '{"n":1}'],
      ['f', '{"n":2}'],
      ['g', '{}'],
    ],
  ],
  'cumulative arguments': [
    calls(entry(0, 'a', 'f', '')) +
      calls(entry(0, 'a', 'f', '{')) +
      calls(entry(0, 'a', 'f', '{"n": "x')) +
      calls(entry(0, 'a', 'f', '{"n": "x')) +
      calls(entry(0, 'a', 'f', '{"n": "xy"}')) +
      calls(entry(0, 'a', 'f', '{"n": "xy"}')),
    [['f', '{"n": "xy"}']],
  ],
  'cumulative arguments that stop before a value': [
    calls(entry(0, 'a', 'f', '{"n":')) + calls(entry(0, x, x, '{"n":1')) + calls(entry(0, x, x, '{"n":1}')),
    [['f', '{"n":1}']],
  ],
  'cumulative arguments of two calls': [
    calls(entry(0, x, 'f', '{"n"')) +
      calls(entry(0, x, 'f', '{"n":1}')) +
      calls(entry(0, x, 'f', '{"m"')) +
      calls(entry(0, x, 'f', '{"m":1}')),
    [
      ['f', '{"n":1}'],
      ['f', '{"m":1}'],
    ],
  ],
  'pieces that only look cumulative': [
    calls(entry(0, 'a', 'f', '{"n":')) + calls(entry(0, x, x, '{"n":1}')) + calls(entry(0, x, x, '}')),
    [['f', '{"n":{"n":1}}']],
  ],
  'the same piece twice': [
    calls(entry(0, 'a', 'f', '[[')) + calls(entry(0, x, x, '[[')) + calls(entry(0, x, x, ']]]]')),
    [['f', '[[[[]]]]']],
  ],
  'C8 no arguments for a tool without parameters': [
    calls(entry(0, 'a', 'f', '')) + calls(entry(1, 'b', 'g')) + calls(entry(2, 'c', 'h', null)),
    [
      ['f', ''],
      ['g', ''],
      ['h', ''],
    ],
  ],
  'C8 calls without arguments and ids, index 0': [
    calls({ index: 0, type: 'function', function: { name: 'f', arguments: '' } }) +
      calls({ index: 0, type: 'function', function: { name: 'g', arguments: '' } }),
    [
      ['f', ''],
      ['g', ''],
    ],
  ],
  'C8 a call without arguments keeps its place before one with': [
    calls(entry(0, 'a', 'f', '')) + calls(entry(1, 'b', 'g', '{}')),
    [
      ['f', ''],
      ['g', '{}'],
    ],
  ],
  'two objects in one call stay one call, which is refused later': [
    calls(entry(0, 'a', 'f', '{"n":1}')) + calls(entry(0, x, x, '{"n":2}')),
    [['f', '{"n":1}{"n":2}']],
  ],
  'entries that are none': [
    calls(null, 'x', {}, { index: 0, function: null }) + calls(entry(0, 'a', 'f', '{}')),
    [['f', '{}']],
  ],
  'a call between words': [
    delta({ content: 'a' }) + calls(entry(0, 'a', 'f', '{')) + delta({ content: 'b' }) + calls(entry(0, x, x, '}')),
    [['f', '{}']],
  ],
};

describe('calls of a stream', () => {
  it.each(Object.entries(rows))('%s', (_, [wire, expected]) => {
    expect(seen(wire)).toEqual(expected);
  });

  it.each(Object.entries(rows))('have unique ids, and their deltas add up: %s', (_, [wire]) => {
    const events = decoded(openaiChat, wire + end);
    const ids = ended(wire + end).message.parts.flatMap((part) => (part.type === 'call' ? [part.id] : []));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => id !== '')).toBe(true);
    expect(grownOf(events)).toEqual(
      ended(wire + end).message.parts.map((part) =>
        part.type === 'call' ? part.arguments : 'text' in part && part.text,
      ),
    );
  });

  it('C17 use an id that arrives late', () => {
    const { parts } = ended(calls(entry(0, x, 'f')) + calls(entry(0, 'late', x, '{}')) + end).message;
    expect(parts).toEqual([{ type: 'call', id: 'late', name: 'f', arguments: '{}' }]);
  });

  it('S4.4 are omitted and recorded if named by nothing or by a symbol', () => {
    const wire =
      calls(entry(0, 'a', '', '{"n":1}')) +
      calls(entry(1, 'b', '⚙', '{"n"')) +
      calls(entry(1, x, x, ':2}')) +
      calls(entry(2, 'c', 'f', '{}'));
    const { message, ignored } = ended(wire + end);
    expect(message.parts).toEqual([{ type: 'call', id: 'c', name: 'f', arguments: '{}' }]);
    expect(ignored).toHaveLength(2);
    expect(ignored).toContainEqual({ id: 'a', name: '', arguments: '{"n":1}' });
    expect(ignored).toContainEqual({ id: 'b', name: '⚙', arguments: '{"n":2}' });
    expect(decoded(openaiChat, wire + end).filter(({ type }) => type === 'call.ignored')).toHaveLength(2);
  });

  it('keep fields next to a call, such as a signature', () => {
    const signed: JsonObject = { ...entry(0, 'a', 'f', '{'), extra_content: { google: { thought_signature: 's' } } };
    const { parts } = ended(calls(signed) + calls(entry(0, x, x, '}')) + end).message;
    const passthrough = { format: 'openai-chat', fields: { extra_content: { google: { thought_signature: 's' } } } };
    expect(parts).toEqual([{ type: 'call', id: 'a', name: 'f', arguments: '{}', passthrough }]);
  });
});

describe('a wrong finish reason', () => {
  const toolbox = new Toolbox([
    tool({
      name: 'f',
      description: 'f',
      inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
      execute: () => 1,
    }),
  ]);

  it('ends with calls on `stop`, and keeps the original reason', () => {
    const response = ended(calls(entry(0, 'a', 'f', '{}')) + delta({}, 'stop') + done);
    expect(response.finish).toBe('tool_calls');
    expect(response.passthrough?.fields.choices).toEqual([{ logprobs: null, finish_reason: 'stop' }]);
  });

  it('ends with stop on `tool_calls` without calls', () => {
    expect(ended(delta({ content: 'x' }) + delta({}, 'tool_calls') + done).finish).toBe('stop');
  });

  it.each([
    ['tool_calls', '{"n":'],
    ['tool_calls', '{"n":"a'],
    ['length', '{"n":1'],
    ['stop', '{"n":'],
  ])('C18 a call truncated under `%s` stays unchanged, and is refused as truncated: %s', (finish, given) => {
    const { message, finish: finishReason } = ended(calls(entry(0, 'a', 'f', given)) + delta({}, finish) + done);
    const [call] = message.parts;
    if (call?.type !== 'call') throw new Error('no call');
    expect(call.arguments).toBe(given);
    const outcome = mend({ ...call, finishReason }, toolbox);
    expect(outcome.status).toBe('invalid');
    expect(outcome.problems.map(({ code }) => code)).toContain('truncated');
  });

  it('C8 accepts a call without arguments', () => {
    const [call] = ended(calls(entry(0, 'a', 'f', '')) + end).message.parts;
    if (call?.type !== 'call') throw new Error('no call');
    expect(mend(call, toolbox)).toMatchObject({ input: {} });
  });

  it('does not accept a possibly repeated piece as complete if the response was truncated', () => {
    const wire = calls(entry(0, 'a', 'f', '{"n":')) + calls(entry(0, x, x, '{"n":1}'));
    expect(seen(wire)).toEqual([['f', '{"n":1}']]);
    expect(ended(wire + delta({}, 'length')).message.parts).toMatchObject([{ arguments: '{"n":{"n":1}' }]);
  });
});

/** What each part grew to, by its events alone. */
function grownOf(events: readonly TurnEvent[]): unknown[] {
  const texts: string[] = [];
  for (const event of events) {
    if (event.type === 'part.started')
      texts[event.index] = event.part.type === 'call' ? String(event.part.arguments) : '';
    if (event.type === 'part.delta') texts[event.index] += event.text;
  }
  return texts;
}
