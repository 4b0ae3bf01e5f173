/** Whether the work grows with the length and no faster. */

import { JsonReader, readJson } from '../src/json/read-json.ts';
import { mend } from '../src/mend/mend.ts';
import { tool } from '../src/tools/tool.ts';
import { Toolbox } from '../src/tools/toolbox.ts';
import { type Growth, growthOf } from './cpu-of.ts';
import { hostileShapes } from './fuzz-hostile.ts';

const box = new Toolbox(
  [
    tool({
      name: 'take',
      description: 'Takes a list, so that text is read for one.',
      inputSchema: { type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } } },
    }),
  ],
  { validate: false },
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

/** Four times the text may take eight times the work on a noisy machine; twice as much again would be quadratic. */
export const mostGrowth = 8;

/** How the work grows from a shape of this length to one of four times the length. */
export const growthIn = (shape: string, way: string, length: number): Growth => {
  const [make, take] = [hostileShapes[shape], ways[way]];
  if (make === undefined || take === undefined) throw new Error(`no shape ${shape} or way ${way}`);
  const [small, large] = [make(length), make(length * 4)];
  return growthOf(
    () => take(small),
    () => take(large),
    { bar: mostGrowth },
  );
};

/** Every shape in every way that grows too fast. */
export function* tooSteep(length: number): Generator<Growth & { readonly shape: string; readonly way: string }> {
  for (const shape of Object.keys(hostileShapes))
    for (const way of Object.keys(ways)) {
      const growth = growthIn(shape, way, length);
      if (growth.ratio >= mostGrowth) yield { shape, way, ...growth };
    }
}
