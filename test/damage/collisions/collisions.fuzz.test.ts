/**
 * The oracle: a text may be accepted as a value only if no other plausible original gives the same text. `TOOLMEND_SEED` looks
 * elsewhere; `npm run fuzz -- collisions` looks longer.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mistakes } from './mistakes.ts';
import { findingText } from './report.ts';
import { search } from './search.ts';
import { loadSource, type Source } from './source.ts';
import { templates } from './templates.ts';

const seed = Number(process.env.TOOLMEND_SEED ?? 1);

describe('guard: the oracle itself', () => {
  const refusing: Source = { read: () => undefined };

  it('makes every mistake, for every template, and texts with two originals', () => {
    const { counts, collisions } = search(refusing, { texts: 15_000, seed });
    expect(mistakes.filter((mistake) => !counts.has(mistake)).map(({ name }) => name)).toEqual([]);
    expect(collisions).toBeGreaterThan(10);
    expect(new Set(mistakes.map(({ name }) => name)).size).toBe(mistakes.length);
    expect(new Set(templates.map(({ name }) => name)).size).toBe(templates.length);
  });

  it('finds the same on the same seed, and nothing where everything is refused', () => {
    const texts: string[] = [];
    const noting: Source = {
      read: (_, text) => {
        texts.push(text);
        return undefined;
      },
    };
    expect(search(noting, { texts: 2000, seed }).findings).toEqual([]);
    const first = texts.splice(0);
    search(noting, { texts: 2000, seed });
    expect(texts).toEqual(first);
    search(noting, { texts: 2000, seed: seed + 1 });
    expect(texts.slice(first.length)).not.toEqual(first);
  });

  it('reports every text that is accepted as something else than was meant', () => {
    const careless: Source = { read: () => ({ value: { nobody: 'meant this' }, repairs: [] }) };
    const { texts, findings } = search(careless, { texts: 2000, seed });
    expect(findings.length).toBe(texts);
  });
});

describe('the library', () => {
  it('accepts no text that has another original', async () => {
    const source = await loadSource(join(import.meta.dirname, '../../..'));
    const { findings } = search(source, { texts: 12_000, seed });
    expect(findings.length, findings.slice(0, 5).map(findingText).join('\n')).toBe(0);
  });
});
