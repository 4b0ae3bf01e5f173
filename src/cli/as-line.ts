import type { Answer } from './answer.ts';

/** An answer as one line of JSON, whatever it holds: what can't be written is left out. */
export function asLine(answer: Answer): string {
  const whole = { ...answer, input: answer.input ?? null };
  return written(whole) ?? written(plain(whole)) ?? written({ ...plain(whole), id: null, repairs: [] }) ?? '{}';
}

function written(answer: Answer): string | undefined {
  try {
    return JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  } catch {
    // Nested deeper than the stack, or a cycle.
    return undefined;
  }
}

/** The answer without the values that came from outside, which alone can be too deep to write. */
const plain = (answer: Answer): Answer => ({
  ...answer,
  input: null,
  repairs: answer.repairs.map(({ path, kind, certainty }) => ({ path, kind, before: null, certainty })),
  problems: answer.problems.map(({ received: _, ...problem }) => problem) as unknown as Answer['problems'],
});
