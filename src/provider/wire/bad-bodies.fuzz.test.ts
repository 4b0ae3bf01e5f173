import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decoded } from '../../../test/provider/decoded.ts';
import * as gemini from '../../../test/provider/fixtures/gemini/requests.ts';
import * as geminiResponses from '../../../test/provider/fixtures/gemini/responses.ts';
import * as ollama from '../../../test/provider/fixtures/ollama/requests.ts';
import * as ollamaResponses from '../../../test/provider/fixtures/ollama/responses.ts';
import { runs } from '../../../test/sample.ts';
import { isObject } from '../../json/value.ts';
import { WireError } from './errors.ts';
import { geminiContent } from './gemini/index.ts';
import { ollamaChat } from './ollama/index.ts';

/** Puts `value` somewhere into a copy of `body`: at the `place`th thing in it. */
function spoiled(body: unknown, place: number, value: unknown): unknown {
  let left = place;
  const walk = (here: unknown): unknown => {
    left -= 1;
    if (left < 0) return left === -1 ? value : here;
    if (Array.isArray(here)) return here.map(walk);
    return isObject(here) ? Object.fromEntries(Object.entries(here).map(([key, inner]) => [key, walk(inner)])) : here;
  };
  return walk(body);
}

/** The error, where it is not the one that says what is wrong. */
function unexpected(run: () => unknown): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    return error instanceof WireError ? undefined : error;
  }
}

const odd = fc.constantFrom<unknown>(null, 0, -1, '', 'x', true, [], [null], {}, { a: 1 }, [[]], ['x'], [{}], {
  type: 7,
});
const wires = [
  { provider: geminiContent, requests: gemini.requests, responses: geminiResponses.responses },
  { provider: ollamaChat, requests: ollama.requests, responses: ollamaResponses.responses },
];

describe.each(wires)('$provider.format: a body with something wrong in it', ({ provider, requests, responses }) => {
  const one = (bodies: readonly unknown[]) =>
    fc
      .record({ body: fc.constantFrom(...bodies), place: fc.nat(60), value: odd })
      .map((pick) => spoiled(pick.body, pick.place, pick.value));

  it('is read and can be written again, or is refused with the invalid field', () => {
    const bodies = fc.property(one(Object.values(requests).map(({ wire }) => wire)), (body) => {
      expect(unexpected(() => provider.writeRequest(provider.readRequest(body)))).toBe(undefined);
    });
    fc.assert(bodies, { numRuns: runs(1500) });
    const answers = fc.property(one(Object.values(responses)), (body) => {
      expect(unexpected(() => provider.writeResponse(provider.readResponse(body)))).toBe(undefined);
    });
    fc.assert(answers, { numRuns: runs(1500) });
  });

  it('ends a stream normally or with an error', () => {
    const frames = fc.property(fc.array(one(Object.values(responses)), { minLength: 1, maxLength: 3 }), (bodies) => {
      const lines = bodies.map((body) => JSON.stringify(body));
      const bytes =
        provider.framing === 'sse' ? lines.map((line) => `data: ${line}\n\n`) : lines.map((line) => `${line}\n`);
      const events = decoded(provider, bytes.join(''));
      expect(events.at(-1)?.type).toMatch(/^turn[.](finished|failed)$/);
    });
    fc.assert(frames, { numRuns: runs(1000) });
  });
});
