import type { Outcome } from '../../mend/outcome.ts';
import type { Fault } from '../../tools/config-error.ts';

/** One line of `--jsonl`'s output. */
export interface ResultLine {
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

/** An answer as one line of JSON, whatever it holds: what can't be written is left out. */
export function resultLine(answer: ResultLine): string {
  const whole = { ...answer, input: answer.input ?? null };
  return written(whole) ?? written(plain(whole)) ?? written({ ...plain(whole), id: null, repairs: [] }) ?? '{}';
}

function written(answer: ResultLine): string | undefined {
  try {
    return JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  } catch {
    // Nested deeper than the stack, or a cycle.
    return undefined;
  }
}

/** The answer without the values that came from outside, which alone can be too deep to write. */
const plain = (answer: ResultLine): ResultLine => ({
  ...answer,
  input: null,
  repairs: answer.repairs.map(({ path, kind, certainty }) => ({ path, kind, before: null, certainty })),
  problems: answer.problems.map(({ received: _, ...problem }) => problem) as unknown as ResultLine['problems'],
});
