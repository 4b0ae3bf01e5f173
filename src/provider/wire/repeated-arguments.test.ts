import { describe, expect, it } from 'vitest';
import { clientFor, closeServers, serving } from '../../../test/provider/clients.ts';
import { answered, asking } from '../../../test/provider/collect.ts';
import { ownCopy, parseJson, stringifyJson } from '../../json/value.ts';
import { mend } from '../../mend/mend.ts';
import { mendCall } from '../../mend/mend-call.ts';
import type { CallPart, Format, TurnResponse } from '../../model/index.ts';
import { tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { asReceived, parseBody } from './arguments.ts';
import { decodeStream } from './decode-stream.ts';
import { wires } from './route.ts';

const read = (args: string): unknown => {
  const { args: value } = parseBody(`{"args": ${args}}`) as { args: never };
  return asReceived(value);
};

describe('arguments that repeat a key are read as they were written', () => {
  it.each([
    '{"a": 1, "a": 2}',
    '{"a": 1, "a": 1}',
    '{"a": 1, "\\u0061": 2}',
    '{"x": [{"a": 1, "a": 2}, 3]}',
    '{"x": {"y": {"a": 1, "a": 2}}, "z": {"a": 1}}',
    '{"a": {"b": 1, "b": 2}, "a": 3}',
    '{"a": 1, "a": {"b": 1, "b": 2}}',
  ])('%s', (text) => expect(read(text)).toBe(text));

  it.each([
    '{}',
    '{"a": 1, "b": {"a": 1}}',
    '[{"a": 1}, {"a": 1}]',
    '{"a": "\\"a\\": 1, \\"a\\": 2"}',
    '{"a": {"x": 1}, "b": {"x": 1}}',
  ])('guard: others stay a value: %s', (text) => expect(read(text)).toEqual(JSON.parse(text)));

  it('if the arguments themselves are repeated', () => {
    expect(read('{"a": 1}, "args": {"a": 2}')).toBe('{"args":{"a": 1},"args":{"a": 2}}');
    expect(read('{"a": 1}, "args": {"a":1}')).toEqual({ a: 1 });
    expect(read('{"a": 1, "a": 2}, "args": {"a": 3}')).toBe('{"args":{"a": 1, "a": 2},"args":{"a": 3}}');
  });
});

/** A call with an object, in a complete response, in a frame, or in both. */
const bodies: Readonly<Record<Exclude<Format, never>, { whole?: string; frames: readonly string[] }>> = {
  'openai-chat': {
    whole:
      '{"choices":[{"message":{"tool_calls":[{"id":"c","function":{"name":"f","arguments":ARGS}}]},"finish_reason":"tool_calls"}]}',
    frames: [
      '{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":ARGS}}]}}]}',
      '{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}',
    ],
  },
  'openai-responses': {
    whole:
      '{"id":"r","output":[{"type":"function_call","call_id":"c","name":"f","arguments":ARGS}],"status":"completed"}',
    frames: [
      '{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","id":"i","call_id":"c","name":"f","arguments":ARGS}}',
      '{"type":"response.completed","response":{"id":"r","status":"completed","output":[{"type":"function_call","id":"i","call_id":"c","name":"f","arguments":ARGS}]}}',
    ],
  },
  anthropic: {
    whole: '{"content":[{"type":"tool_use","id":"c","name":"f","input":ARGS}],"stop_reason":"tool_use"}',
    frames: [
      '{"type":"message_start","message":{"id":"m","content":[]}}',
      '{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c","name":"f","input":ARGS}}',
      '{"type":"content_block_stop","index":0}',
      '{"type":"message_delta","delta":{"stop_reason":"tool_use"}}',
      '{"type":"message_stop"}',
    ],
  },
  gemini: {
    whole: '{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":ARGS}}]},"finishReason":"STOP"}]}',
    frames: [
      '{"candidates":[{"content":{"parts":[{"function_call":{"name":"f","args":ARGS}}]},"finishReason":"STOP"}]}',
    ],
  },
  ollama: {
    whole: '{"message":{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":ARGS}}]},"done":true}',
    frames: [
      '{"message":{"tool_calls":[{"function":{"name":"f","arguments":ARGS}}]},"done":true,"done_reason":"stop"}',
    ],
  },
};

const inputSchema = { type: 'object', properties: { a: { type: 'integer' }, id: { type: 'string' } } } as const;
const toolbox = new Toolbox([tool({ name: 'f', description: 'F', effect: 'read', inputSchema })]);

const callOf = ({ message }: TurnResponse): CallPart => message.parts.find((part) => part.type === 'call') as CallPart;
const outcomeOf = (call: CallPart) => mendCall(call, toolbox).outcome;

/** The call of a stream as `decodeStream` reads it. */
function streamed(format: Format, frames: readonly string[]): CallPart {
  const wire = wires[format];
  let last: TurnResponse | undefined;
  const decoder = decodeStream(wire, (event) => {
    if (event.type === 'turn.finished') last = event.response;
  });
  for (const frame of frames) decoder.feed(wire.framing === 'sse' ? `data: ${frame}\n\n` : `${frame}\n`);
  decoder.end();
  return callOf(last as TurnResponse);
}

const formats = Object.keys(bodies) as Format[];
const ways = formats.flatMap((format) => (['whole', 'streamed'] as const).map((way) => [format, way] as const));

async function received(format: Format, way: 'whole' | 'streamed', args: string): Promise<CallPart> {
  const { whole = '', frames } = bodies[format];
  const filled = frames.map((frame) => frame.replace('ARGS', () => args));
  if (way === 'streamed') return streamed(format, filled);
  const server = await serving([{ raw: whole.replace('ARGS', () => args) }]);
  const response = await answered(clientFor(format, server), asking('?'));
  await closeServers();
  return callOf(response);
}

describe.each(ways)('calls of %s, %s', (format, way) => {
  it('F11 with a key given twice are invalid', async () => {
    const { status, problems } = outcomeOf(await received(format, way, '{"a": 1, "a": 2}'));
    expect([status, problems[0]?.code]).toEqual(['invalid', 'duplicate_key']);
  });

  it('F11 with a key given twice with the same value are mended', async () => {
    const { status, input, repairs } = outcomeOf(await received(format, way, '{"a": 1, "a": 1}'));
    expect([status, input, repairs.map(({ kind }) => kind)]).toEqual(['mended', { a: 1 }, ['duplicate']]);
  });

  it('F10 with an unsafe integer are invalid', async () => {
    const { status, problems } = outcomeOf(await received(format, way, '{"a": 9007199254740993}'));
    expect([status, problems[0]?.code]).toEqual(['invalid', 'unsafe_integer']);
  });

  it('F10 with an unsafe integer for text have its digits', async () => {
    const { status, input } = outcomeOf(await received(format, way, '{"id": 9007199254740993}'));
    expect([status, input]).toEqual(['mended', { id: '9007199254740993' }]);
  });

  it('keep how numbers are written for `mend()`', async () => {
    for (const written of ['1.10', '1e5', '-0', '12345678901234567890']) {
      const call = await received(format, way, `{"id": ${written}}`);
      for (const given of [call, ownCopy(call)])
        expect(mend(given, toolbox)).toMatchObject({ status: 'mended', input: { id: written } });
    }
    const rounded = await received(format, way, '{"a": 4.99999999999999999}');
    expect(mend(rounded, toolbox).problems).toMatchObject([{ code: 'type', path: ['a'] }]);
  });
});

it('numbers in pieces of arguments keep how they are written', () => {
  const pieces = [
    '{"name": "f", "args": {"id": 2.50}, "willContinue": true}',
    '{"partialArgs": [{"jsonPath": "$.other.id", "numberValue": 1.10}]}',
  ];
  const frames = pieces.map(
    (one) => `{"candidates":[{"content":{"parts":[{"functionCall":${one}}]},"finishReason":"STOP"}]}`,
  );
  expect(stringifyJson(streamed('gemini', frames).arguments)).toBe('{"id":2.50,"other":{"id":1.10}}');
});

it('a copy of many values keeps how numbers are written', () => {
  const value = parseJson(`{"id": 1.10, "list": [${'"a",'.repeat(3000)}1.0]}`);
  expect(stringifyJson(ownCopy(value))).toBe(stringifyJson(value));
});
