import type { Problem } from '../../json/problem.ts';
import type { Repair } from '../../json/repair.ts';

/** What was inferred when reading a call's arguments, and the problems that keep it from running. */
export interface CallNotes {
  readonly read: Repair[];
  readonly problems: Problem[];
}

/** The repair for a missing closer that what follows implies. */
export const missingCloser = (closer: string): Repair => ({
  path: [],
  kind: 'closer',
  before: closer,
  certainty: 'inferred',
});

/** The repair for a closer of another dialect. */
export const tooMany = (closer: string): Repair => ({
  path: [],
  kind: 'extra_closer',
  before: closer,
  certainty: 'inferred',
});

/** What is wrong between the calls of a list: no comma, or nothing between two. */
export type ListFault = 'parted' | 'hole' | 'open';

/** The repair for a missing comma between two calls. */
export const missingComma: Repair = { path: [], kind: 'comma', before: '', certainty: 'inferred' };

/** A fault in the markers around calls: its repair, and the calls that it concerns, by their numbers. */
export interface MarkerFault {
  readonly repair: Repair;
  readonly from: number;
  readonly to: number;
}

const faulty = (message: string): Problem => ({ path: [], code: 'syntax', message: `Root object ${message}` });

/** Why all calls of a list are refused. */
export const listProblems: Readonly<Record<Exclude<ListFault, 'parted'>, Problem>> = {
  hole: faulty('is in a list with nothing between two commas; write one comma between two calls'),
  open: faulty('may continue in the next call, because no comma separates them; escape every quote inside its strings'),
};

export const newCallNotes = (problems: readonly Problem[] = []): CallNotes => ({ read: [], problems: [...problems] });
