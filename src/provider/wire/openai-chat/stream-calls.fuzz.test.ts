import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decoded } from '../../../../test/provider/decoded.ts';
import { calls, delta, done } from '../../../../test/provider/fixtures/openai-chat/streams.ts';
import { runs } from '../../../../test/sample.ts';
import type { JsonObject } from '../../../json/value.ts';
import { openaiChat } from './index.ts';

/** A way some server streams its calls. */
interface Manner {
  /** Each call its own index, always 0, or none. */
  readonly index: 'own' | 'zero' | 'none';
  /** With the head, with every piece, or never. */
  readonly id: 'head' | 'all' | 'none';
  readonly name: 'head' | 'all';
  readonly cumulative: boolean;
}

const manner: fc.Arbitrary<Manner> = fc.record({
  index: fc.constantFrom('own', 'zero', 'none'),
  id: fc.constantFrom('head', 'all', 'none'),
  name: fc.constantFrom('head', 'all'),
  cumulative: fc.boolean(),
});
const call = fc.record({
  name: fc.constantFrom('read', 'write', 'list_all'),
  given: fc
    .dictionary(fc.stringMatching(/^[a-z"{}]{1,4}$/), fc.jsonValue({ maxDepth: 3 }), {
      maxKeys: 4,
      noNullPrototype: true,
    })
    .map((value) => JSON.stringify(value)),
  cuts: fc.array(fc.nat(), { maxLength: 8 }),
});

const pieces = (text: string, cuts: readonly number[]): string[] => {
  const places = [...new Set([0, ...cuts.map((cut) => cut % text.length), text.length])].sort((a, b) => a - b);
  return places.slice(1).map((place, index) => text.slice(places[index], place));
};

function deltas(
  { index, id, name, cumulative }: Manner,
  called: { name: string; given: string; cuts: number[] },
  at: number,
): JsonObject[] {
  let whole = '';
  return pieces(called.given, called.cuts).map((piece, place) => {
    whole += piece;
    const head = place === 0;
    return {
      ...(index !== 'none' && { index: index === 'own' ? at : 0 }),
      ...((id === 'all' || (id === 'head' && head)) && { id: `call_${at}` }),
      ...(head && { type: 'function' }),
      function: { ...((name === 'all' || head) && { name: called.name }), arguments: cumulative ? whole : piece },
    };
  });
}

/** Where each delta repeats all that came, nothing tells a call from one before it that it begins with. */
const isUndecidable = (
  { index, id, name, cumulative }: Manner,
  list: readonly { name: string; given: string }[],
): boolean =>
  cumulative &&
  name === 'all' &&
  id === 'none' &&
  index !== 'own' &&
  list.some((one, at) => one.name === list[at - 1]?.name && one.given === list[at - 1]?.given);

describe('calls of a stream', () => {
  it('are separated and complete, however a server sends them one after the other', () => {
    const property = fc.property(manner, fc.array(call, { minLength: 1, maxLength: 4 }), (how, list) => {
      fc.pre(!isUndecidable(how, list));
      const frames = list.flatMap((one, at) => deltas(how, one, at)).map((one) => calls(one));
      const last = decoded(openaiChat, frames.join('') + delta({}, 'tool_calls') + done).at(-1);
      const parts = last?.type === 'turn.finished' ? last.response.message.parts : [];
      expect(parts.map((part) => part.type === 'call' && [part.name, part.arguments])).toEqual(
        list.map(({ name, given }) => [name, given]),
      );
    });
    fc.assert(property, { numRuns: runs(2000) });
  });

  it('are separated by their index if they stream in parallel', () => {
    const property = fc.property(
      manner.map((how): Manner => ({ ...how, index: 'own' })),
      fc.array(call, { minLength: 2, maxLength: 4 }),
      fc.infiniteStream(fc.nat()),
      (how, list, turns) => {
        const lanes = list.map((one, at) => deltas(how, one, at));
        const frames: string[] = lanes.flatMap((lane) => lane.splice(0, 1).map((one) => calls(one)));
        while (lanes.some((lane) => lane.length > 0)) {
          const open = lanes.filter((lane) => lane.length > 0);
          const lane = open[(turns.next().value ?? 0) % open.length];
          frames.push(...(lane?.splice(0, 1) ?? []).map((one) => calls(one)));
        }
        const last = decoded(openaiChat, frames.join('') + delta({}, 'tool_calls') + done).at(-1);
        const parts = last?.type === 'turn.finished' ? last.response.message.parts : [];
        expect(parts.map((part) => part.type === 'call' && [part.name, part.arguments])).toEqual(
          list.map(({ name, given }) => [name, given]),
        );
      },
    );
    fc.assert(property, { numRuns: runs(1000) });
  });
});
