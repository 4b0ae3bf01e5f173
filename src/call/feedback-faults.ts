import type { Problem } from '../json/problem.ts';

/** The problems arranged as the value is: those of this place, and those below it by key or index. */
export interface Faults {
  readonly here: Problem[];
  readonly below: Map<string | number, Faults>;
}

const nothing = (): Faults => ({ here: [], below: new Map() });

/** Arranges problems by their paths. */
export function faultsOf(problems: readonly Problem[]): Faults {
  const root = nothing();
  for (const problem of problems) {
    let place = root;
    for (const step of problem.path) {
      let next = place.below.get(step);
      if (!next) {
        next = nothing();
        place.below.set(step, next);
      }
      place = next;
    }
    place.here.push(problem);
  }
  return root;
}
