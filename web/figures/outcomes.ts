import type { UsageStats } from '../../src/inspect/api.ts';
import { statuses } from '../parts/statuses.ts';

/** What a call may come to, in the order it is stacked: from the ground up. */
export const outcomes = ['ok', 'mended', 'invalid', 'failed'] as const;
export type Outcome = (typeof outcomes)[number];

/** How many calls came to what. */
export type Counts = Pick<UsageStats, Outcome>;

export const outcomeLabel = (outcome: Outcome): string => statuses[outcome].label;

/** All of them. */
export const sumOf = (counts: Counts): number => outcomes.reduce((sum, outcome) => sum + counts[outcome], 0);

/** Where each outcome begins and ends in a stack, in parts of the whole. */
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

/** The next round number above, for the top of an axis. */
export function roundUp(value: number): number {
  if (value <= 4) return 4;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 5, 8, 10].map((step) => step * power).find((step) => step >= value) ?? value;
}
