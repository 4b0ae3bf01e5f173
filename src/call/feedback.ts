import { isRetryable } from './error-type.ts';
import { distinct } from './feedback-distinct.ts';
import { type NamedTools, texts } from './feedback-text.ts';
import { noteOf } from './note-of.ts';
import type { BadOutcome, ErrorType } from './outcome.ts';
import { recommend } from './recommend.ts';

/** The structured side of a failure, as the model's tool result carries it. */
export interface FailedResult {
  readonly ok: false;
  readonly error: string;
  readonly errorType: ErrorType;
  readonly retryable: boolean;
  readonly recommendations: readonly string[];
  readonly data?: unknown;
  /** What was dropped on the way. */
  readonly note?: string;
}

/** What a model is told about a call that did not run. */
export interface Feedback {
  /** What the model reads. */
  readonly text: string;
  /** Marks the tool result as an error for the provider. */
  readonly isError: true;
  /** The same as an object, with what to do about each problem. */
  readonly result: FailedResult;
}

/** What changes the words: how often it failed, and which tools there are. */
export interface FeedbackOptions {
  /** Which failed try on this tool it is: 1 lists the problems, 2 marks them in place, 3 adds schema and example. */
  readonly tries?: number;
  /** Where an unknown tool's name was looked for, so that the names there are can be listed. */
  readonly toolbox?: NamedTools | undefined;
}

/**
 * What to tell the model about an invalid call: a text, and the same as a structured result.
 *
 * @example
 * const outcome = mend(call, toolbox);
 * if (outcome.status === 'invalid') send(feedback(outcome, { tries: 2 }).text);
 */
export function feedback(found: BadOutcome, { tries = 1, toolbox }: FeedbackOptions = {}): Feedback {
  const outcome: BadOutcome = { ...found, problems: distinct(found.problems) };
  const text = texts[outcome.errorType](outcome, tries, toolbox).filter(Boolean).join('\n\n');
  const note = noteOf(outcome.repairs);
  return {
    text,
    isError: true,
    result: {
      ok: false,
      error: text,
      errorType: outcome.errorType,
      retryable: isRetryable(outcome.errorType),
      recommendations: recommend(outcome.problems, outcome.tool?.schema.json),
      ...(note === undefined ? {} : { note }),
    },
  };
}
