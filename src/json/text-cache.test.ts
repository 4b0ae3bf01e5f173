import { describe, expect, it } from 'vitest';
import { textCache } from './text-cache.ts';

/** What a cache had to make for these texts, in order. */
function madeFor(cache: ReturnType<typeof textCache<string>>, texts: readonly string[]): string[] {
  const made: string[] = [];
  for (const text of texts) {
    cache(text, () => {
      made.push(text);
      return text.toUpperCase();
    });
  }
  return made;
}

describe('textCache', () => {
  it('makes a value once for each text, also where the value is undefined', () => {
    const cache = textCache<string | undefined>(2);
    let made = 0;
    const make = (): undefined => {
      made += 1;
      return undefined;
    };
    expect([cache('a', make), cache('a', make), made]).toEqual([undefined, undefined, 1]);
  });

  it('forgets the least recently used first', () => {
    expect(madeFor(textCache(2), ['a', 'b', 'a', 'c', 'a', 'b'])).toEqual(['a', 'b', 'c', 'b']);
  });

  it('holds all texts together to a length', () => {
    expect(madeFor(textCache(9, 6), ['aaa', 'bbb', 'aaa', 'cccc', 'aaa', 'cccc'])).toEqual([
      'aaa',
      'bbb',
      'cccc',
      'aaa',
      'cccc',
    ]);
    expect(madeFor(textCache(9, 2), ['aaa', 'aaa'])).toEqual(['aaa', 'aaa']);
  });
});
