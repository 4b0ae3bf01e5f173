import type { Judged } from './judged.ts';
import type { Case } from './sample.ts';
import type { Readings, Verdict } from './verdict.ts';

/** How often each verdict was given, by what could be known, and in how many cases. */
export interface Counts {
  readonly of: Readonly<Record<Readings, number>>;
  readonly given: Readonly<Record<Readings, Readonly<Record<Verdict, number>>>>;
}

const verdicts = (): Record<Verdict, number> => ({ recovered: 0, refused: 0, wrong: 0, lucky: 0 });

/** Counts a contestant's results over the cases that pass a filter. Skipped cases don't count. */
export function count(judged: Judged, cases: readonly Case[], within: (one: Case) => boolean = () => true): Counts {
  const of: Record<Readings, number> = { one: 0, none: 0, either: 0 };
  const given = { one: verdicts(), none: verdicts(), either: verdicts() };
  for (const [index, one] of cases.entries()) {
    const result = judged.results[index];
    if (!result || !within(one)) continue;
    const { readings } = one.meant;
    of[readings] += 1;
    given[readings][result.verdict] += 1;
  }
  return { of, given };
}

/** The calls that ran although they weren't intended, or although their intent was unclear. */
export const silentlyWrong = ({ given }: Counts): number =>
  given.one.wrong + given.none.wrong + given.either.wrong + given.none.lucky;

/** A share in percent, or a dash if the total is zero. */
export const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
