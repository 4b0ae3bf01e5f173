import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decoded } from '../../../../test/provider/decoded.ts';
import { requests } from '../../../../test/provider/fixtures/openai-responses/requests.ts';
import { responses } from '../../../../test/provider/fixtures/openai-responses/responses.ts';
import { events, sse } from '../../../../test/provider/fixtures/openai-responses/streams.ts';
import { runs } from '../../../../test/sample.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { WireError } from '../errors.ts';
import { openaiResponses } from './index.ts';

/** Something that should not stand there. */
const odd = fc.constantFrom<JsonValue | undefined>(
  undefined,
  null,
  '',
  'x',
  0,
  -1,
  true,
  [],
  [null],
  {},
  { type: 'y' },
);

/** A value in which some of what it holds was replaced by something odd, or left out. */
const damaged = <T extends JsonValue>(value: T): fc.Arbitrary<T> =>
  fc.array(fc.tuple(fc.nat(10_000), odd), { minLength: 1, maxLength: 4 }).map((hits) => {
    const copy = { root: JSON.parse(JSON.stringify(value)) } as JsonObject;
    for (const [place, put] of hits) {
      const places = keysOf(copy.root ?? null);
      const found = places[place % Math.max(1, places.length)];
      if (!found) continue;
      const [holder, key] = found;
      if (put === undefined) delete (holder as JsonObject)[key];
      else (holder as JsonObject)[key] = structuredClone(put);
    }
    return JSON.parse(JSON.stringify(copy.root ?? null));
  });

/** Every place inside a value: what holds it, and its key. */
function keysOf(value: JsonValue): [object, string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[value, key] as [object, string], ...keysOf(inner)]);
}

/** Runs it; whatever is wrong with what it reads, it says so. */
function saysSo(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
  }
}

describe('any input', () => {
  it('a request is read and written again, or refused with the invalid field', () => {
    const any = fc.constantFrom(...Object.values(requests)).chain(({ wire }) => damaged(wire));
    const holds = fc.property(any, (wire) =>
      saysSo(() => openaiResponses.writeRequest(openaiResponses.readRequest(wire))),
    );
    fc.assert(holds, { numRuns: runs(3000) });
  });

  it('a response is read and written again, or refused with the invalid field', () => {
    const any = fc.constantFrom(...Object.values(responses)).chain((wire) => damaged(wire));
    const holds = fc.property(any, (wire) =>
      saysSo(() => openaiResponses.writeResponse(openaiResponses.readResponse(wire))),
    );
    fc.assert(holds, { numRuns: runs(3000) });
  });

  it('a stream ends once, and each part starts and ends in its place', () => {
    const any = fc.constantFrom(...Object.values(events)).chain((list) => damaged(list as JsonValue[]));
    const holds = fc.property(any, (list) => {
      if (!Array.isArray(list)) return;
      const text = sse(
        list.map((event) => (typeof event === 'object' && event !== null ? event : { event })) as JsonObject[],
      );
      const seen = decoded(openaiResponses, text);
      const ends = seen.filter(({ type }) => type === 'turn.finished' || type === 'turn.failed');
      expect(ends).toEqual(seen.slice(-1));
      const begun = seen.flatMap((event) => (event.type === 'part.started' ? [event.index] : []));
      expect(begun).toEqual(begun.map((_, index) => index));
      const ended = seen.flatMap((event) => (event.type === 'part.finished' ? [event.index] : []));
      if (seen.at(-1)?.type === 'turn.finished') expect(ended.toSorted((a, b) => a - b)).toEqual(begun);
      const writer = openaiResponses.writeStream();
      const again = seen.map((event) => writer.write(event)).join('');
      expect(decoded(openaiResponses, again).at(-1)?.type).toBe(seen.at(-1)?.type);
    });
    fc.assert(holds, { numRuns: runs(3000) });
  });

  it('an error is read', () => {
    const body = fc.oneof(fc.jsonValue(), damaged({ error: { message: 'm', type: 't', param: null, code: 'c' } }));
    fc.assert(
      fc.property(fc.integer({ min: 300, max: 599 }), body, (status, wire) => {
        const error = openaiResponses.readError(status, wire);
        expect(error.message).not.toBe('');
        expect(openaiResponses.writeError(error)).toHaveProperty('error');
      }),
    );
  });
});
