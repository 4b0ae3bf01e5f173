import type { Outcome } from '../../mend/outcome.ts';
import type { Fault } from '../../tools/config-error.ts';

/** A line of `--jsonl` output. */
export interface ResultLine {
  readonly id: unknown;
  readonly status: Outcome['status'];
  readonly name: string;
  readonly input: unknown;
  readonly repairs: Outcome['repairs'];
  readonly problems: Outcome['problems'];
  readonly errorType?: string;
  readonly feedback?: string;
  /** A note for the model with the result, for example about a dropped key. */
  readonly note?: string;
  /** Faults of the tool's definition, which was accepted without validation. */
  readonly warnings?: readonly Fault[];
  /** Why the input line is invalid. */
  readonly error?: string;
}

/** A result as one line of JSON. What can't be serialized is omitted. */
export function resultLine(answer: ResultLine): string {
  const whole = { ...answer, input: answer.input ?? null };
  return written(whole) ?? written(plain(whole)) ?? written({ ...plain(whole), id: null, repairs: [] }) ?? '{}';
}

function written(answer: ResultLine): string | undefined {
  try {
    return JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  } catch {
    // Nested too deeply, or a cycle.
    return undefined;
  }
}

/** The result without external values, which alone can be nested too deeply. */
const plain = (answer: ResultLine): ResultLine => ({
  ...answer,
  input: null,
  repairs: answer.repairs.map(({ path, kind, certainty }) => ({ path, kind, before: null, certainty })),
  problems: answer.problems.map(({ received: _, ...problem }) => problem) as unknown as ResultLine['problems'],
});
