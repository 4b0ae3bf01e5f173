import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { randomFrom, seedOf } from './damage/random.ts';
import { checkChunks, checkMend, fuzzCheck } from './fuzz-check.ts';
import { hostileShapes } from './fuzz-hostile.ts';
import { fuzzInput, oddValues } from './fuzz-inputs.ts';
import { growthIn, mostGrowth, ways } from './fuzz-linear.ts';
import { runs } from './sample.ts';

const count = Number(process.env.TOOLMEND_FUZZ ?? runs(10_000));
const seed = Number(process.env.TOOLMEND_SEED ?? 1);

describe('any text', () => {
  it('is read without a throw, in chunks as at once, and what is accepted is valid and stable', () => {
    const faults: string[] = [];
    for (let at = 0; at < count; at += 1) {
      const random = randomFrom(seedOf('fuzz', seed, at));
      const text = fuzzInput(random);
      const fault = fuzzCheck(text, random);
      if (fault !== undefined) faults.push(`${at}: ${fault}\n  text ${JSON.stringify(text)}`);
    }
    expect(faults.length, faults.slice(0, 5).join('\n')).toBe(0);
  });

  it.each(oddValues.map((value) => [typeof value === 'symbol' ? 'symbol' : inspect(value), value] as const))(
    '%s handed over as arguments is refused, or read as JSON',
    (_, value) => {
      for (const name of ['read_file', 'list_events']) expect(checkMend(value, name)).toBeUndefined();
    },
  );
});

describe.each(Object.keys(hostileShapes))('hostile: %s', (shape) => {
  const make = hostileShapes[shape] as (length: number) => string;

  it.each([1, 7, 64])('ends the same in chunks of %d', (size) => {
    expect(checkChunks(make(400), size)).toBeUndefined();
  });

  it.each(Object.keys(ways))('F6 F7 F13 takes time in proportion, %s', (way) => {
    expect(growthIn(shape, way, 20_000).ratio).toBeLessThan(mostGrowth);
  });
});
