import { isDeepStrictEqual } from 'node:util';
import type { Case } from './case.ts';
import type { Aspect, Entrance, Seen } from './entrance.ts';
import { needsOf } from './need.ts';
import { wanted } from './wanted.ts';

/** Why a case can't be tried at an entrance; nothing where it can. */
export function reasonsAgainst({ cannot }: Entrance, one: Case): string[] {
  return [...needsOf(one)].flatMap((need) => cannot[need] ?? []);
}

/** What was seen otherwise than the table has it, in words; nothing where all is the same. */
export function faultsOf({ hides }: Entrance, one: Case, seen: readonly Seen[]): string[] {
  const expected = wanted(one);
  const counted = seen.length === expected.length ? [] : [`${seen.length} calls for ${expected.length}`];
  return expected.reduce((faults, want, at) => {
    for (const aspect of Object.keys(want) as Aspect[]) {
      if (hides[aspect] !== undefined) continue;
      const [wish, got] = [want[aspect], seen[at]?.[aspect]].map(ordered);
      if (!isDeepStrictEqual(wish, got)) faults.push(`${aspect}: ${shown(got)} for ${shown(wish)}`);
    }
    return faults;
  }, counted);
}

/** In which order repairs were made is no matter here. */
const ordered = (value: unknown): unknown => (Array.isArray(value) ? value.toSorted() : value);

const shown = (value: unknown): string => JSON.stringify(value) ?? 'nothing';
