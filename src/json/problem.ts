import { fieldName, type Path } from './value.ts';

/** A problem that wasn't mended, in the same form from any reader or validator. */
export interface Problem {
  /** Where it is; empty for the root. */
  readonly path: Path;
  readonly code: ProblemCode;
  /** What was expected, in a few words: `number`, `a, b`, `at least 1`. */
  readonly expected?: string;
  /** The value as written by the model. */
  readonly received?: unknown;
  /** Sentence for the model. */
  readonly message: string;
  /** What to send instead, if known. */
  readonly suggestion?: string;
  /** The fields or tools that an unknown name was probably meant for. */
  readonly meant?: readonly string[];
  /** The declared fields inside the value of an unknown key. */
  readonly inside?: readonly string[];
}

/** Kinds of problems. Each has its own sentence, whichever validator reports it. */
export type ProblemCode =
  // from reading
  | 'syntax'
  | 'truncated'
  | 'ambiguous'
  // refused for its place in the text, which may only mention it
  | 'mentioned'
  | 'duplicate_key'
  | 'unsafe_integer'
  | 'forbidden_key'
  | 'depth'
  | 'keys'
  | 'size'
  // from validation
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
  // from the pipeline
  | 'unknown_tool'
  | 'residue'
  | 'not_exact';

/** The start of a problem's message: the name of the field. */
export const subjectOf = (path: Path, code: ProblemCode): string => `${fieldName(path)}${code === 'other' ? ':' : ''} `;

/** A problem's message without its subject: `expected number, got string`. */
export const claimOf = ({ path, code, message }: Problem): string => {
  const subject = subjectOf(path, code);
  return message.startsWith(subject) ? message.slice(subject.length) : message;
};

/** The end of a message about an unknown name: `; did you mean 'a' or 'b'?`. */
export const didYouMean = (names: readonly string[]): string =>
  names.length > 0 ? `; did you mean ${namesOf(names)}?` : '';

/** Names as a choice: `'a' or 'b'`. */
export const namesOf = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(' or ');

/** A problem of the field at `path`, whose name starts the sentence. */
export const problemAt = (path: Path, code: ProblemCode, words: string, more: Partial<Problem> = {}): Problem => ({
  path,
  code,
  ...more,
  message: subjectOf(path, code) + words,
});

/** A problem of the root. */
export const rootProblem = (code: ProblemCode, words: string, more?: Partial<Problem>): Problem =>
  problemAt([], code, words, more);

// Sentences for faults that more than one stage finds.

export const endsEarly = 'is cut off: the text ends before it is complete';
export const forbidden = 'is a key that tools never accept; leave it out';
export const innerQuotes = 'has unescaped quotes inside; write them as \\"';
export const elided = 'leaves something out ("..."); write it in full';
/** Escaped text that has a sign with another meaning there. */
export const escapedWith = (sign: string): string =>
  `is escaped and has ${sign}, which has two readings there; send it unescaped`;

export const notEnded: Problem = rootProblem('truncated', endsEarly);

/** Whether content was lost, so that the call must not run. */
export const hasTruncated = (problems: readonly Problem[]): boolean =>
  problems.some(({ code }) => code === 'truncated');
