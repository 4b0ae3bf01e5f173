import type { Problem } from '../../json/problem.ts';
import type { Repair } from '../../json/repair.ts';

/** What reading a call's arguments found: what was inferred, and what must keep the call from running. */
export interface CallNotes {
  readonly read: Repair[];
  readonly problems: Problem[];
}

/** A closer that was not written, where what follows shows that it should have been. */
export const missingCloser = (closer: string): Repair => ({
  ...{ path: [], kind: 'closer', before: closer, certainty: 'inferred' },
});

export const newCallNotes = (problems: readonly Problem[] = []): CallNotes => ({ read: [], problems: [...problems] });
