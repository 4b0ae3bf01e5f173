import { endedByLength } from '../../../mend/finish-reason.ts';
import type { FinishReason } from '../../../model/index.ts';

/**
 * The service's reasons in our words. `STOP` is not among them: the wire says it of words and of calls alike. A call that
 * the service could not read ends the answer as an error; `rawCallText` gives what the model wrote.
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

/** How an answer ended; nothing for a plain end, which is found from what came. */
export const readFinish = (word: string): FinishReason | undefined =>
  word === 'STOP'
    ? undefined
    : Object.hasOwn(finishes, word)
      ? finishes[word]
      : endedByLength(word)
        ? 'length'
        : 'other';

/** The wire's word for it: the one that came (`before`) for as long as it means the same. */
export function writeFinish(finish: FinishReason, before: unknown): string | undefined {
  if (before === null && words[finish] === 'STOP') return undefined;
  return typeof before === 'string' && readFinish(before) === finish ? before : words[finish];
}

/** Whether our word leads back to the wire's. */
export const leadsBack = (word: string): boolean => words[readFinish(word) ?? 'stop'] === word;
