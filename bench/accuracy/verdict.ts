import type { Kind } from '../../test/damage/kind.ts';
import { sameJson } from '../../test/damage/trial.ts';
import type { Contestant, ToolRun } from './contestant.ts';

/** What the written call allows: one reading, no certain one, or either. */
export type Readings = 'one' | 'none' | 'either';

/** `wrong`: something unintended ran. `lucky`: the intended call ran, but the text did not show it. */
export type Verdict = 'recovered' | 'refused' | 'wrong' | 'lucky';

/** The class of a kind. The effect of a tool is ignored, because only one contestant uses it. */
export const readingsOf = ({ expect }: Kind): Readings =>
  expect === 'refused' ? 'none' : expect === 'safe' ? 'either' : 'one';

/** The intended call. */
export interface Meant {
  readonly name: string;
  readonly input: unknown;
  readonly readings: Readings;
}

/** Checks only what ran. */
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
