import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/json/value.ts';
import type { TurnEvent, TurnResponse } from '../../src/model/index.ts';
import { argumentsText } from '../../src/provider/wire/arguments.ts';
import type { Address, Provider } from '../../src/provider/wire/types.ts';
import { runs } from '../sample.ts';
import { type Reach, turnRequest, turnResponse } from './arbitrary.ts';
import { decoded, textWithoutMadeIds, withoutMadeIds } from './decoded.ts';

/** Recorded or written by hand from a provider's documentation. */
export interface WireFixtures {
  readonly requests: Readonly<Record<string, { readonly wire: JsonObject; readonly address?: Address }>>;
  readonly responses: Readonly<Record<string, JsonObject>>;
  /** The bytes of streams, by name. */
  readonly streams: Readonly<Record<string, string>>;
}

/** What every wire must keep, whatever it is like. */
export function wireSuite(provider: Provider, reach: Reach, fixtures: WireFixtures): void {
  describe(`${provider.format}: what was read is written as it was`, () => {
    it.each(Object.entries(fixtures.requests))('request: %s', (_, { wire, address }) => {
      const { wire: again, warnings } = provider.writeRequest(provider.readRequest(wire, address));
      expect(again).toEqual(wire);
      expect(warnings).toEqual([]);
    });

    it.each(Object.entries(fixtures.responses))('response: %s', (_, wire) => {
      const { wire: again, warnings } = provider.writeResponse(provider.readResponse(wire));
      expect(again).toEqual(wire);
      expect(warnings).toEqual([]);
    });
  });

  describe(`${provider.format}: what was written is read as it was`, () => {
    it('requests', () => {
      const roundTrip = fc.property(turnRequest(reach), (request) => {
        const { wire, warnings } = provider.writeRequest(request);
        expect(warnings).toEqual([]);
        const { model, stream } = request;
        const address = { model, ...(stream !== undefined && { stream }) };
        expect(provider.readRequest(JSON.parse(JSON.stringify(wire)), address)).toEqual(request);
      });
      fc.assert(roundTrip, { numRuns: runs(200) });
    });

    it('responses', () => {
      const roundTrip = fc.property(turnResponse(reach), (response) => {
        const { wire } = provider.writeResponse(response);
        expect(bare(provider.readResponse(JSON.parse(JSON.stringify(wire))))).toEqual(response);
      });
      fc.assert(roundTrip, { numRuns: runs(200) });
    });

    it('streams, cut anywhere', () => {
      const roundTrip = fc.property(turnResponse(reach), fc.array(fc.nat(5000)), (response, places) => {
        const bytes = streamOf(provider, response);
        const cuts = places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b);
        const last = decoded(provider, bytes, cuts).at(-1);
        expect(last?.type).toBe('turn.finished');
        const expected = reach.streamed ? withTextArguments(response) : response;
        if (last?.type === 'turn.finished') expect(bare(last.response)).toEqual(expected);
      });
      fc.assert(roundTrip, { numRuns: runs(200) });
    });
  });

  describe(`F4 ${provider.format}: a stream cut at every byte`, () => {
    it.each(Object.entries(fixtures.streams))('gives the same events: %s', (_, text) => {
      const bytes = new TextEncoder().encode(text);
      const seen = (cuts: number[]): string => textWithoutMadeIds(decoded(provider, bytes, cuts), text);
      const whole = seen([]);
      const expectSame = (cuts: number[]): void => {
        const events = seen(cuts);
        if (events !== whole) expect(JSON.parse(events)).toEqual(JSON.parse(whole));
      };
      expect(JSON.parse(whole).length).toBeGreaterThan(0);
      for (let cut = 1; cut < bytes.length; cut += 1) expectSame([cut]);
      expectSame(Array.from(bytes, (_, index) => index));
    });

    it.each(Object.entries(fixtures.streams))('and with CRLF, a BOM and comments between: %s', (_, text) => {
      if (provider.framing !== 'sse') return;
      const dressed = `\uFEFF: hello\r\n\r\n${text.replaceAll('\n', '\r\n').replaceAll('\r\n\r\n', '\r\n\r\n: still here\r\n\r\n')}`;
      expect(withoutMadeIds(decoded(provider, dressed), text)).toEqual(withoutMadeIds(decoded(provider, text), text));
    });
  });
}

/** The stream a provider would send for this answer, each part in two pieces. */
export function streamOf(provider: Provider, response: TurnResponse): Uint8Array {
  const writer = provider.writeStream();
  const text = eventsOf(response).map((event) => writer.write(event));
  return new TextEncoder().encode(text.join(''));
}

/** The events of an answer that comes part by part. */
export function eventsOf(response: TurnResponse): TurnEvent[] {
  const { id, model, message } = response;
  const started = {
    type: 'turn.started' as const,
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
  };
  const parts = message.parts.flatMap((part, index): TurnEvent[] => {
    const text = part.type === 'call' ? part.arguments : 'text' in part ? part.text : undefined;
    if (typeof text !== 'string') {
      return [
        { type: 'part.started', index, part },
        { type: 'part.finished', index, part },
      ];
    }
    const empty = part.type === 'call' ? { ...part, arguments: '' } : { ...part, text: '' };
    const half = text.length >> 1;
    const pieces = [text.slice(0, half), text.slice(half)].filter((piece) => piece !== '');
    return [
      { type: 'part.started', index, part: empty },
      ...pieces.map((piece): TurnEvent => ({ type: 'part.delta', index, text: piece })),
      { type: 'part.finished', index, part },
    ];
  });
  return [started, ...parts, { type: 'turn.finished', response }];
}

/** The answer as a stream gives it whose calls come as text. */
function withTextArguments(response: TurnResponse): TurnResponse {
  const parts = response.message.parts.map((part) =>
    part.type === 'call' ? { ...part, arguments: argumentsText(part.arguments) } : part,
  );
  return { ...response, message: { ...response.message, parts } };
}

/** Without what writing adds of its own: the wire's obligatory fields come back as extras. */
function bare<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (key, inner) => (key === 'passthrough' ? undefined : inner)));
}
