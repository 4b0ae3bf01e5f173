/** Whether time grows with the length and no faster. */

import { mend } from '../src/call/mend.ts';
import { JsonReader, readJson } from '../src/json/json.ts';
import { tool } from '../src/tool/tool.ts';
import { Toolbox } from '../src/tool/toolbox.ts';
import { hostileShapes } from './fuzz-hostile.ts';

const box = new Toolbox(
  [
    tool({
      name: 'take',
      description: 'Takes a list, so that text is read for one.',
      input: { type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } } },
    }),
  ],
  { definitions: 'given' },
);

/** The ways a text is taken in, each on its own. */
export const ways: Readonly<Record<string, (text: string) => void>> = {
  whole: (text) => {
    readJson(text);
  },
  chunks: (text) => {
    const reader = new JsonReader();
    for (let at = 0; at < text.length; at += 16) {
      reader.push(text.slice(at, at + 16));
      reader.value;
    }
    reader.end();
  },
  call: (text) => {
    mend({ name: 'take', arguments: text }, box);
  },
};

export interface Growth {
  readonly shape: string;
  readonly way: string;
  /** Milliseconds at the length and at four times the length. */
  readonly times: readonly [number, number];
  readonly ratio: number;
}

const best = (run: () => void, rounds: number): number => {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    run();
    least = Math.min(least, performance.now() - start);
  }
  return least;
};

/** The time at `length` and at four times that; below half a millisecond the clock says nothing, so that counts as flat. */
export const growthOf = (shape: string, way: string, length: number, rounds = 4): Growth => {
  const [make, take] = [hostileShapes[shape], ways[way]];
  if (make === undefined || take === undefined) throw new Error(`no shape ${shape} or way ${way}`);
  const [small, large] = [make(length), make(length * 4)];
  const times = [best(() => take(small), rounds), best(() => take(large), rounds)] as const;
  return { shape, way, times, ratio: times[1] / Math.max(times[0], 0.5) };
};

/** Four times the text may take eight times as long on a noisy machine; twice as much again would be quadratic. */
export const mostGrowth = 8;

/** Every shape in every way that grows too fast, tried again before it is believed. */
export function* tooSteep(length: number): Generator<Growth> {
  for (const shape of Object.keys(hostileShapes))
    for (const way of Object.keys(ways)) {
      let growth = growthOf(shape, way, length, 2);
      for (let tries = 0; tries < 3 && growth.ratio > mostGrowth; tries += 1) growth = growthOf(shape, way, length);
      if (growth.ratio > mostGrowth) yield growth;
    }
}
