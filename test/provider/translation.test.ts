import { describe, expect, it } from 'vitest';
import type { AssistantPart, Message, Part, ResultPart, TurnRequest, TurnResponse } from '../../src/model/index.ts';
import * as entry from '../../src/provider/index.ts';
import { argumentsObject } from '../../src/provider/wire/arguments.ts';
import type { Provider, Warning } from '../../src/provider/wire/types.ts';
import { decoded } from './decoded.ts';
import { eventsOf } from './wire-suite.ts';

const isProvider = (value: unknown): value is Provider =>
  typeof value === 'object' && value !== null && 'readRequest' in value && 'format' in value;
const providers = Object.values(entry).filter(isProvider);
const pairs = providers.flatMap((one) => providers.map((other) => [one, other] as const));
const named = pairs.map(([one, other]) => [one.format, other.format, one, other] as const);

const png = 'iVBORw0KGgo=';
const schema = { type: 'object' as const, properties: { city: { type: 'string' as const } }, required: ['city'] };
/** Those who sign what their models think. */
const signing = new Set<entry.Format>(['anthropic', 'gemini', 'openai-responses']);
const answerOf = ({ format }: Provider): AssistantPart[] => [
  {
    type: 'reasoning',
    text: 'Two places to look up',
    ...(signing.has(format) && { signature: { format, value: 'c2lnbmVk' } }),
  },
  { type: 'text', text: 'I will look.' },
  { type: 'call', id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } },
  { type: 'call', id: 'call_2', name: 'tides', arguments: { city: 'Bergen' } },
];

/** A conversation with all that should cross, as it stands when it comes from this provider. */
const conversation = (from: Provider): TurnRequest => ({
  model: 'some-model',
  messages: [
    { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    {
      role: 'user',
      parts: [
        { type: 'text', text: 'Is it cold here?' },
        { type: 'media', mediaType: 'image/png', source: { data: png } },
      ],
    },
    { role: 'assistant', parts: answerOf(from) },
    {
      role: 'user',
      parts: [
        { type: 'result', callId: 'call_1', name: 'weather', content: [{ type: 'text', text: '4 °C' }] },
        {
          type: 'result',
          callId: 'call_2',
          name: 'tides',
          content: [{ type: 'text', text: "Field 'port' is required but missing" }],
          isError: true,
        },
      ],
    },
    { role: 'user', parts: [{ type: 'text', text: 'Well?' }] },
  ],
  tools: [{ type: 'function', name: 'weather', description: 'The weather now', schema }],
  toolChoice: 'required',
  parallelCalls: false,
  maxTokens: 500,
  temperature: 0.5,
  stop: ['END'],
  reasoning: { enabled: true, effort: 'low' },
});

/** One thing that was said, and where. Results are told by the call they answer, for some wires have no ids. */
interface Said {
  readonly what: string;
  readonly where: string;
}

function gist({ messages }: Pick<TurnRequest, 'messages'>): Said[] {
  const ids: string[] = [];
  return messages.flatMap((message, index) =>
    message.parts.flatMap((part: Part, at): Said[] => {
      const where = `messages.${index}.parts.${at}`;
      if (part.type === 'call') ids.push(part.id);
      return wordsFor(message, part, ids).map((what) => ({ what, where }));
    }),
  );
}

function wordsFor({ role }: Message, part: Part, ids: readonly string[]): string[] {
  switch (part.type) {
    case 'text':
      return [`${role} says ${part.text}`];
    case 'call':
      return [`call ${part.name} with ${JSON.stringify(argumentsObject(part.arguments))}`];
    case 'result':
      return [`result ${ids.indexOf(part.callId)} is ${resultText(part)}`, ...(part.isError ? ['it is an error'] : [])];
    case 'media':
      return [`media ${JSON.stringify(part.source)}`];
    case 'reasoning':
      return [
        ...(part.text === '' ? [] : [`thought ${part.text}`]),
        ...(part.signature ? [`sealed ${part.signature.value}`] : []),
      ];
    default:
      return [];
  }
}

/** A wire without a mark for errors may say the word before the text. */
const resultText = ({ content }: ResultPart): string =>
  content
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('')
    .replace(/^Error: /, '');

/** What must never be lost, on any wire. */
const isVital = ({ what }: Said): boolean => /^(user says|assistant says|system says|call|result) /.test(what);

/** From the middle shape over a wire and back, with what that cost. */
function over(
  wire: Provider,
  request: TurnRequest,
): { readonly request: TurnRequest; readonly warnings: readonly Warning[] } {
  const written = wire.writeRequest(request);
  const body: unknown = JSON.parse(JSON.stringify(written.wire));
  return { request: wire.readRequest(body, { model: request.model }), warnings: written.warnings };
}

/** Everything said before is said after, or is among the warnings of its part. */
function expectAllKept(before: TurnRequest, after: TurnRequest, warnings: readonly Warning[]): void {
  const kept = new Set(gist(after).map(({ what }) => what));
  const gone = gist(before).filter(({ what }) => !kept.has(what));
  expect(gone.filter(isVital)).toEqual([]);
  const told = ({ where }: Said): boolean => warnings.some((loss) => `${loss.where}.`.startsWith(`${where}.`));
  expect(gone.filter((said) => !told(said))).toEqual([]);
  const settings = ['toolChoice', 'parallelCalls', 'maxTokens', 'temperature', 'stop', 'reasoning'] as const;
  const changed = settings.filter((key) => !same(before[key], after[key]));
  expect(changed.filter((key) => !warnings.some(({ where }) => where.startsWith(key)))).toEqual([]);
}

/** Without what a wire carries along for itself. */
const same = (one: unknown, other: unknown): boolean => bare(one) === bare(other);
const bare = (value: unknown): string | undefined =>
  JSON.stringify(value, (key, inner) => (key === 'passthrough' ? undefined : inner));

describe('a conversation from one provider to another and back', () => {
  it.each(named)('%s → %s', (_, __, one, other) => {
    const start = conversation(one);
    const first = over(one, start);
    expectAllKept(start, first.request, first.warnings);
    const second = over(other, first.request);
    expectAllKept(first.request, second.request, second.warnings);
    const third = over(one, second.request);
    expectAllKept(second.request, third.request, third.warnings);
    expect(third.request.tools).toMatchObject([
      { type: 'function', name: 'weather', description: 'The weather now', schema },
    ]);
    expect(third.request).toMatchObject({ maxTokens: 500, temperature: 0.5 });
  });
});

const response = (from: Provider, parts = answerOf(from)): TurnResponse => ({
  id: 'answer_1',
  model: 'some-model',
  message: { role: 'assistant', parts },
  finish: parts.some(({ type }) => type === 'call') ? 'tool_calls' : 'stop',
  usage: { input: 100, output: 20 },
});
const asSaid = ({ message, finish, usage }: TurnResponse): object => ({
  said: gist({ messages: [message] })
    .filter(isVital)
    .map(({ what }) => what),
  finish,
  input: usage?.input,
  output: usage?.output,
});

function streamed(wire: Provider, events: readonly entry.TurnEvent[]): entry.TurnEvent[] {
  const writer = wire.writeStream();
  return decoded(wire, events.map((event) => writer.write(event)).join(''));
}

describe('an answer from one provider to a client of another', () => {
  it.each(named)('whole: %s → %s', (_, __, one, other) => {
    const start = response(one);
    const came = one.readResponse(one.writeResponse(start).wire);
    const went = other.readResponse(other.writeResponse(came).wire);
    expect(asSaid(came)).toEqual(asSaid(start));
    expect(asSaid(went)).toEqual(asSaid(start));
  });

  it.each(named)('streamed: %s → %s', (_, __, one, other) => {
    for (const parts of [answerOf(one), answerOf(one).slice(0, 2)]) {
      const start = response(one, parts);
      const came = streamed(one, eventsOf(start));
      const last = streamed(other, came).at(-1);
      expect(last?.type).toBe('turn.finished');
      if (last?.type === 'turn.finished') expect(asSaid(last.response)).toEqual(asSaid(start));
    }
  });
});
