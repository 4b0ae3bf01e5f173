import type { UsageStats } from '../../src/inspect/api.ts';
import { statuses } from '../parts/statuses.ts';

/** Outcomes of a call, from the bottom of a stack to its top. */
export const outcomes = ['ok', 'mended', 'invalid', 'failed'] as const;
export type Outcome = (typeof outcomes)[number];

/** Number of calls by outcome. */
export type Counts = Pick<UsageStats, Outcome>;

export const outcomeLabel = (outcome: Outcome): string => statuses[outcome].label;

/** Total number of calls. */
export const sumOf = (counts: Counts): number => outcomes.reduce((sum, outcome) => sum + counts[outcome], 0);

/** Start and end of each outcome in a stack, as fractions. */
export function stacked(
  counts: Counts,
): readonly { readonly outcome: Outcome; readonly from: number; readonly to: number }[] {
  let at = 0;
  return outcomes.map((outcome) => {
    const from = at;
    at += counts[outcome];
    return { outcome, from, to: at };
  });
}

/** The next round number, for the top of an axis. */
export function roundUp(value: number): number {
  if (value <= 4) return 4;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 5, 8, 10].map((step) => step * power).find((step) => step >= value) ?? value;
}
