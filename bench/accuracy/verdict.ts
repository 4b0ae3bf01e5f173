import type { Kind } from '../../test/damage/kind.ts';
import { sameJson } from '../../test/damage/trial.ts';
import type { Contestant, ToolRun } from './contestant.ts';

/** What can be known from the written call: one reading, none that is sure, or either may be said. */
export type Readings = 'one' | 'none' | 'either';

/** `wrong`: something else ran than was meant. `lucky`: just that ran, and nobody could know it. */
export type Verdict = 'recovered' | 'refused' | 'wrong' | 'lucky';

/** A kind's class; what a tool may do plays no part, because only one contestant asks it. */
export const readingsOf = ({ expect }: Kind): Readings =>
  expect === 'refused' ? 'none' : expect === 'safe' ? 'either' : 'one';

/** What was meant. */
export interface Meant {
  readonly name: string;
  readonly input: unknown;
  readonly readings: Readings;
}

/** Judges by what ran alone. */
export function verdictOf(ran: readonly ToolRun[], meant: Meant, nullIsAbsent: Contestant['nullIsAbsent']): Verdict {
  const [first] = ran;
  if (!first) return 'refused';
  const plain = nullIsAbsent ? withoutNulls : (value: unknown) => value;
  const same = ran.length === 1 && first.name === meant.name && sameJson(plain(first.input), plain(meant.input));
  if (!same) return 'wrong';
  return meant.readings === 'none' ? 'lucky' : 'recovered';
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([key, member]) => [key, withoutNulls(member)]));
}
