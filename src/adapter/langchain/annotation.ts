import type { Problem } from '../../json/problem.ts';
import { isObject } from '../../json/value.ts';
import type { CheckedCall } from '../../mend/mend-call.ts';
import type { FinishReason } from '../../model/index.ts';

/** A call that must not run, and why. */
export interface RefusedCall {
  readonly id: string;
  /** Feedback for the model. */
  readonly error: string;
  /** Problems found when it was read from text, which its arguments don't show. */
  readonly found?: readonly Problem[];
}

/** What must be known about a response when it is checked again, and has no place in the framework. */
export interface Mark {
  readonly refused: readonly RefusedCall[];
  readonly finish: FinishReason;
  /** Notes for the model by call id, about ignored arguments. */
  readonly notes?: Readonly<Record<string, string>>;
  /** Whether calls without a name were ignored. */
  readonly ignored?: boolean;
}

/** Key in the response metadata, which is kept when chunks are merged and in checkpoints. */
const key = 'toolmend';

/** Adds the mark to the metadata. None if all calls can run and there is nothing to report. */
export function marked(said: Record<string, unknown>, mark: Mark): Record<string, unknown> {
  const { refused, finish, notes = {}, ignored = false } = mark;
  if (refused.length === 0 && Object.keys(notes).length === 0 && !ignored) return said;
  return { ...said, [key]: { refused, finish, notes, ...(ignored && { ignored }) } };
}

/** The notes of calls by id. */
export const notesOf = (calls: readonly CheckedCall[]): Record<string, string> =>
  Object.fromEntries(
    calls.flatMap(({ part, outcome }) =>
      outcome.status === 'mended' && outcome.note !== undefined ? [[part.id, outcome.note]] : [],
    ),
  );

/** The mark of a response. */
export function markOf({ response_metadata: said }: { response_metadata: Record<string, unknown> }): Mark | undefined {
  const mark = said[key];
  // Messages from elsewhere may have anything there.
  return isObject(mark) && Array.isArray(mark.refused) ? (mark as unknown as Mark) : undefined;
}
