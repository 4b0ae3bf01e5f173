import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decoded } from '../../../../test/provider/decoded.ts';
import { requests } from '../../../../test/provider/fixtures/openai-chat/requests.ts';
import { responses } from '../../../../test/provider/fixtures/openai-chat/responses.ts';
import { streams } from '../../../../test/provider/fixtures/openai-chat/streams.ts';
import { runs } from '../../../../test/sample.ts';
import { isObject, type JsonValue } from '../../../json/value.ts';
import type { TurnRequest } from '../../../model/index.ts';
import { argumentsText } from '../arguments.ts';
import { WireError } from '../errors.ts';
import { openaiChat } from './index.ts';

/** What may stand where something else was meant. */
const odd = fc.oneof(
  fc.constantFrom<JsonValue>(null, '', 'x', 0, -1, true, [], {}, [null], [{}], { type: 'text' }, { content: [7] }),
  fc.jsonValue({ maxDepth: 2 }).map((value): JsonValue => JSON.parse(JSON.stringify(value))),
);

/** The value with something odd at one of its places, or without what stood there. */
function spoiled(value: JsonValue, path: readonly number[], by: JsonValue | undefined): JsonValue | undefined {
  const [step = 0, ...rest] = path;
  const keys = isObject(value) || Array.isArray(value) ? Object.keys(value) : [];
  const key = keys[step % keys.length];
  if (path.length === 0 || key === undefined) return by;
  if (Array.isArray(value))
    return value.map((item, at) => (String(at) === key ? (spoiled(item, rest, by) ?? null) : item));
  if (!isObject(value)) return by;
  const { [key]: inner = null, ...others } = value;
  const changed = spoiled(inner, rest, by);
  return changed === undefined ? others : { ...others, [key]: changed };
}

const damage = fc.record({
  path: fc.array(fc.nat(40), { minLength: 1, maxLength: 7 }),
  by: fc.option(odd, { nil: undefined }),
});

/** Reads; a body that is none must be refused with its place, and nothing else may be thrown. */
function readOrRefused<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    expect(error).toBeInstanceOf(WireError);
    return undefined;
  }
}

describe('any body', () => {
  it('a request is refused with the invalid field, or read and written unchanged', () => {
    const property = fc.property(fc.constantFrom(...Object.values(requests)), damage, ({ wire }, { path, by }) => {
      const request = readOrRefused(() => openaiChat.readRequest(spoiled(wire, path, by)));
      if (!request) return;
      const once = again(request);
      expect(withoutIds(again(once))).toEqual(withoutIds(once));
    });
    fc.assert(property, { numRuns: runs(3000) });
  });

  it('a response is refused with the invalid field, or read and written', () => {
    const property = fc.property(fc.constantFrom(...Object.values(responses)), damage, (wire, { path, by }) => {
      const response = readOrRefused(() => openaiChat.readResponse(spoiled(wire, path, by)));
      if (response) openaiChat.readResponse(openaiChat.writeResponse(response).wire);
    });
    fc.assert(property, { numRuns: runs(3000) });
  });

  it('a stream ends exactly once, with the received parts', () => {
    const property = fc.property(
      fc.constantFrom(...Object.values(streams)),
      fc.nat(20),
      damage,
      (text, place, { path, by }) => {
        const frames = text.trimEnd().split('\n\n');
        const at = place % frames.length;
        const wire = frames.map((frame, index) =>
          index === at && frame.startsWith('data: {') ? damaged(frame, path, by) : frame,
        );
        const events = decoded(openaiChat, `${wire.join('\n\n')}\n\n`);
        const ends = events.filter(({ type }) => type === 'turn.finished' || type === 'turn.failed');
        expect(ends).toHaveLength(1);
        expect(events.at(-1)).toBe(ends[0]);
        const writer = openaiChat.writeStream();
        for (const event of events) writer.write(event);
      },
    );
    fc.assert(property, { numRuns: runs(3000) });
  });
});

const again = (request: TurnRequest): TurnRequest => openaiChat.readRequest(openaiChat.writeRequest(request).wire);

const damaged = (frame: string, path: readonly number[], by: JsonValue | undefined): string =>
  `data: ${JSON.stringify(spoiled(JSON.parse(frame.slice('data: '.length)), path, by) ?? null)}`;

/** Ids that were made anew each time say nothing, and arguments are written as text. */
const withoutIds = (value: object): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, inner) => {
      if (key === 'arguments') return argumentsText(inner);
      return (key === 'id' || key === 'callId') && /^call_\w{24}$/.test(inner) ? 'made' : inner;
    }),
  );
