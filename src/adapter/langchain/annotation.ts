import type { Problem } from '../../json/problem.ts';
import { isObject } from '../../json/value.ts';
import type { CheckedCall } from '../../mend/mend-call.ts';
import type { FinishReason } from '../../model/index.ts';

/** A call that is not to run, and why. */
export interface RefusedCall {
  readonly id: string;
  /** What the model is to be told. */
  readonly error: string;
  /** What was found wrong where it was read from words, which its arguments do not show. */
  readonly found?: readonly Problem[];
}

/** What must be known of an answer whenever it is judged again, and what the framework has no place for. */
export interface Mark {
  readonly refused: readonly RefusedCall[];
  readonly finish: FinishReason;
  /** What the model is to be told beside a call's result, by the call's id: what of it was ignored. */
  readonly notes?: Readonly<Record<string, string>>;
  /** Calls were left out that name nothing. */
  readonly dropped?: boolean;
}

/** It stands where the framework keeps what providers say: that is kept when chunks are put together, and in checkpoints. */
const key = 'toolmend';

/** The metadata of an answer with its mark; there is none where all calls may run and nothing is to be told. */
export function marked(said: Record<string, unknown>, mark: Mark): Record<string, unknown> {
  const { refused, finish, notes = {}, dropped = false } = mark;
  if (refused.length === 0 && Object.keys(notes).length === 0 && !dropped) return said;
  return { ...said, [key]: { refused, finish, notes, ...(dropped && { dropped }) } };
}

/** The notes of calls, by their ids. */
export const notesOf = (calls: readonly CheckedCall[]): Record<string, string> =>
  Object.fromEntries(
    calls.flatMap(({ part, outcome }) =>
      outcome.status === 'mended' && outcome.note !== undefined ? [[part.id, outcome.note]] : [],
    ),
  );

/** What an answer is marked with. */
export function markOf({ response_metadata: said }: { response_metadata: Record<string, unknown> }): Mark | undefined {
  const mark = said[key];
  // Whoever made the message may have put anything there.
  return isObject(mark) && Array.isArray(mark.refused) ? (mark as unknown as Mark) : undefined;
}
