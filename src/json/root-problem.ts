import { fieldName } from './field-name.ts';
import type { Problem, ProblemCode } from './problem.ts';

/** A problem of the whole, where no field can be named. */
export const rootProblem = (code: ProblemCode, words: string, more: Partial<Problem> = {}): Problem => ({
  path: [],
  code,
  ...more,
  message: `${fieldName([])} ${words}`,
});
