import { fieldName, type Path } from './value.ts';

/** One thing wrong that was not mended, in the same form whichever reader or validator found it. */
export interface Problem {
  /** Where it is; empty for the whole. */
  readonly path: Path;
  readonly code: ProblemCode;
  /** What was wanted, in a word or two: `number`, `a, b`, `at least 1`. */
  readonly expected?: string;
  /** The value as the model wrote it. */
  readonly received?: unknown;
  /** The sentence the model reads. */
  readonly message: string;
  /** What to send instead, where that can be said. */
  readonly suggestion?: string;
}

/** The kind of a problem; each has its own sentence, whichever validator found it. */
export type ProblemCode =
  // found by reading
  | 'syntax'
  | 'truncated'
  | 'ambiguous'
  | 'duplicate_key'
  | 'unsafe_integer'
  | 'forbidden_key'
  | 'depth'
  | 'keys'
  | 'size'
  // found by checking
  | 'required'
  | 'type'
  | 'enum'
  | 'const'
  | 'minimum'
  | 'maximum'
  | 'exclusiveMinimum'
  | 'exclusiveMaximum'
  | 'minLength'
  | 'maxLength'
  | 'minItems'
  | 'maxItems'
  | 'uniqueItems'
  | 'minProperties'
  | 'maxProperties'
  | 'pattern'
  | 'format'
  | 'multipleOf'
  | 'unknown'
  | 'union'
  | 'other'
  // found by the pipeline
  | 'unknown_tool'
  | 'residue'
  | 'not_exact';

/** A problem of the field at `path`, which its sentence begins with. */
export const problemAt = (path: Path, code: ProblemCode, words: string, more: Partial<Problem> = {}): Problem => ({
  path,
  code,
  ...more,
  message: `${fieldName(path)} ${words}`,
});

/** A problem of the whole, where no field can be named. */
export const rootProblem = (code: ProblemCode, words: string, more?: Partial<Problem>): Problem =>
  problemAt([], code, words, more);

export const notEnded: Problem = rootProblem('truncated', 'is cut off: the text ends before it is complete');

/** Whether content was lost, so that no reading of what is left may run. */
export const hasTruncated = (problems: readonly Problem[]): boolean =>
  problems.some(({ code }) => code === 'truncated');
