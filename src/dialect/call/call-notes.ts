import type { Problem } from '../../json/problem.ts';
import type { Repair } from '../../json/repair.ts';

/** What was inferred when reading a call's arguments, and the problems that keep it from running. */
export interface CallNotes {
  readonly read: Repair[];
  readonly problems: Problem[];
}

/** The repair for a missing closer that what follows implies. */
export const missingCloser = (closer: string): Repair => ({
  ...{ path: [], kind: 'closer', before: closer, certainty: 'inferred' },
});

/** The repair for a closer of another dialect. */
export const tooMany = (closer: string): Repair => ({
  ...{ path: [], kind: 'extra_closer', before: closer, certainty: 'inferred' },
});

export const newCallNotes = (problems: readonly Problem[] = []): CallNotes => ({ read: [], problems: [...problems] });
