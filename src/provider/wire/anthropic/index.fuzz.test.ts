import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decoded } from '../../../../test/provider/decoded.ts';
import { requests } from '../../../../test/provider/fixtures/anthropic/requests.ts';
import { responses } from '../../../../test/provider/fixtures/anthropic/responses.ts';
import { odd, sound, sse } from '../../../../test/provider/fixtures/anthropic/streams.ts';
import { runs } from '../../../../test/sample.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { WireError } from '../errors.ts';
import { anthropicMessages } from './index.ts';

const wrong = fc.constantFrom<JsonValue[]>(null, 0, -1.5, '', 'x', true, [], [null], {}, { type: 'x' }, [[]]);

/** The value with something else in the nth place, counted through the whole tree. */
function spoiled(value: JsonValue, place: { left: number }, other: JsonValue): JsonValue {
  place.left -= 1;
  if (place.left === -1) return other;
  if (Array.isArray(value)) return value.map((item) => spoiled(item, place, other));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, spoiled(item, place, other)]));
}

/** Any of these, with one to three things in it that should not be there. */
const spoiling = (values: readonly JsonValue[]): fc.Arbitrary<JsonValue> =>
  fc
    .tuple(fc.constantFrom(...values), fc.array(fc.tuple(fc.nat(120), wrong), { minLength: 1, maxLength: 3 }))
    .map(([value, faults]) => faults.reduce((now, [left, other]) => spoiled(now, { left }, other), value));

/** Runs; what it throws must say where the fault is. */
function tolerated(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(WireError);
  }
}

const events = (bytes: string): JsonObject[] =>
  [...bytes.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''));

describe('invalid input', () => {
  it('reads a request, or refuses it and names the field; can write what it read', () => {
    const wires = Object.values(requests).map(({ wire }) => wire);
    const property = fc.property(spoiling(wires), (wire) =>
      tolerated(() => anthropicMessages.writeRequest(anthropicMessages.readRequest(wire))),
    );
    fc.assert(property, { numRuns: runs(3000) });
  });

  it('writes a request that it read, and reads the same again', () => {
    const wires = Object.values(requests).map(({ wire }) => wire);
    const property = fc.property(spoiling(wires), (wire) =>
      tolerated(() => {
        const written = anthropicMessages.writeRequest(anthropicMessages.readRequest(wire)).wire;
        const again = anthropicMessages.writeRequest(anthropicMessages.readRequest(written)).wire;
        expect(again).toEqual(written);
      }),
    );
    fc.assert(property, { numRuns: runs(1000) });
  });

  it('reads a response, or refuses it and names the field', () => {
    const property = fc.property(spoiling(Object.values(responses)), (wire) =>
      tolerated(() => anthropicMessages.writeResponse(anthropicMessages.readResponse(wire))),
    );
    fc.assert(property, { numRuns: runs(3000) });
  });

  it('ends a stream once, and can write what it contained', () => {
    const streams = [...Object.values(sound), ...Object.values(odd)].map(events);
    const property = fc.property(spoiling(streams), (frames) => {
      const bytes = sse(...(Array.isArray(frames) ? (frames as JsonObject[]) : []).filter(isObject));
      const seen = decoded(anthropicMessages, bytes);
      expect(seen.filter(({ type }) => type === 'turn.finished' || type === 'turn.failed')).toHaveLength(1);
      expect(seen.at(-1)?.type).toMatch(/^turn[.](finished|failed)$/);
      const writer = anthropicMessages.writeStream();
      for (const event of seen) writer.write(event);
    });
    fc.assert(property, { numRuns: runs(3000) });
  });
});
