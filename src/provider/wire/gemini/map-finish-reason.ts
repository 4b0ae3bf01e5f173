import { endedByLength } from '../../../mend/finish-reason.ts';
import type { FinishReason } from '../../../model/index.ts';

/**
 * Finish reasons by Gemini's name. `STOP` is missing because it is used for text and for calls. A call that the service
 * couldn't parse ends the response with an error; `rawCallText` returns the model's text.
 */
const finishes: Readonly<Record<string, FinishReason>> = {
  CONTINUATION: 'length',
  SAFETY: 'filter',
  RECITATION: 'filter',
  BLOCKLIST: 'filter',
  PROHIBITED_CONTENT: 'filter',
  SPII: 'filter',
  IMAGE_SAFETY: 'filter',
  IMAGE_PROHIBITED_CONTENT: 'filter',
  IMAGE_RECITATION: 'filter',
  MODEL_ARMOR: 'filter',
  MALFORMED_FUNCTION_CALL: 'error',
  UNEXPECTED_TOOL_CALL: 'error',
  TOO_MANY_TOOL_CALLS: 'error',
  MALFORMED_RESPONSE: 'error',
  MISSING_THOUGHT_SIGNATURE: 'error',
};

const words: Readonly<Record<FinishReason, string>> = {
  stop: 'STOP',
  tool_calls: 'STOP',
  length: 'MAX_TOKENS',
  filter: 'SAFETY',
  error: 'OTHER',
  other: 'OTHER',
};

/** Reads the finish reason; undefined for a normal end, where it follows from the parts. */
export const readFinish = (word: string): FinishReason | undefined =>
  word === 'STOP'
    ? undefined
    : Object.hasOwn(finishes, word)
      ? finishes[word]
      : endedByLength(word)
        ? 'length'
        : 'other';

/** Writes the finish reason; keeps the received one (`before`) if it has the same meaning. */
export function writeFinish(finish: FinishReason, before: unknown): string | undefined {
  if (before === null && words[finish] === 'STOP') return undefined;
  return typeof before === 'string' && readFinish(before) === finish ? before : words[finish];
}

/** Whether our finish reason maps back to this one. */
export const leadsBack = (word: string): boolean => words[readFinish(word) ?? 'stop'] === word;
