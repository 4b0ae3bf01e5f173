/** A seeded stream of choices, so that every failure can be made again from its seed. */
export interface Random {
  /** A fraction from 0 up to, not with, 1. */
  next(): number;
  /** A whole number from 0 up to, not with, `below`. */
  int(below: number): number;
  between(low: number, high: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** A list of `low` to `high` things. */
  some<T>(low: number, high: number, make: () => T): T[];
}

/** Turns words into a seed (FNV-1a). */
export const seedOf = (...parts: readonly (string | number)[]): number => {
  let hash = 0x811c9dc5;
  for (const char of parts.join('\u0000')) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
};

/** A small generator (mulberry32): fast, seeded, good enough for tests. */
export const randomFrom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const int = (below: number): number => Math.floor(next() * below);
  const between = (low: number, high: number): number => low + int(high - low + 1);
  return {
    next,
    int,
    between,
    chance: (share) => next() < share,
    pick: <T>(list: readonly T[]): T => {
      if (list.length === 0) throw new Error('nothing to pick from');
      return list[int(list.length)] as T;
    },
    some: (low, high, make) => Array.from({ length: between(low, high) }, make),
  };
};
