import type { Outcome } from '../call/outcome.ts';
import type { Fault } from '../tool/configuration-validation-error.ts';

/** One line of `--jsonl`'s output. */
export interface Answer {
  readonly id: unknown;
  readonly status: Outcome['status'];
  readonly name: string;
  readonly input: unknown;
  readonly repairs: Outcome['repairs'];
  readonly problems: Outcome['problems'];
  readonly errorType?: string;
  readonly feedback?: string;
  /** What should be told to the model beside the result, e.g. which key was dropped. */
  readonly note?: string;
  /** The faults of the tool's definition, which was taken as given. */
  readonly warnings?: readonly Fault[];
  /** Why the line itself could not be used. */
  readonly error?: string;
}
