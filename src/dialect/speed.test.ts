import { describe, expect, it } from 'vitest';
import { texts, toolbox } from '../../test/dialects/speed-texts.ts';
import { sampleOf } from '../../test/sample.ts';
import { workOf } from '../../test/work-of.ts';
import { dialects } from './dialects/index.ts';
import { readCalls } from './read-calls.ts';

const [small, large] = [2048, 8 * 2048];
const rows = [{ name: 'auto', row: undefined }, ...dialects.map((row) => ({ name: row.name, row }))];
/** Texts of half openers alone may cost more, one character at a time: each character may decide several of them. */
const hostile = new Set(['openers', 'blocks in blocks', 'hostile', 'hostile value']);

/** What is looked at for each character. */
const workFor = (text: string, dialect: string, chunk = text.length): number =>
  workOf(() => readCalls(text, toolbox, { dialect, chunk })) / text.length;

/** Each row has kinds of its own in the sample, and each kind has rows. */
const cells = rows.map(({ name, row }, at) => {
  const kinds = Object.entries(texts);
  return { name, row, kinds: sampleOf([...kinds.slice(at % kinds.length), ...kinds.slice(0, at % kinds.length)], 4) };
});

describe.each(cells)('F7 $name', ({ name, row, kinds }) => {
  for (const [kind, make] of kinds) {
    const [short, long] = [make(row, small), make(row, large)];
    if (!short || !long) continue;
    it(`${kind}: a character costs the same in a long text and in a short one, whole and in pieces`, () => {
      readCalls(short, toolbox, { dialect: name });
      for (const chunk of [1, 7, long.length]) {
        const grown = workFor(long, name, chunk) / workFor(short, name, Math.min(chunk, short.length));
        expect(grown).toBeLessThan(1.3);
      }
    });
    it(`${kind}: single characters cost at most ten times as much as the whole`, () => {
      readCalls(short, toolbox, { dialect: name });
      expect(workFor(short, name, 1)).toBeLessThan((hostile.has(kind) ? 30 : 10) * workFor(short, name));
    });
  }
});
