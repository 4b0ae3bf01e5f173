import type { JsonValue } from '../../../json/value.ts';
import { endedByLength } from '../../../mend/finish-reason.ts';
import type { FinishReason } from '../../../model/index.ts';

const words: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  tool_calls: 'stop',
  length: 'length',
  filter: 'stop',
  error: 'error',
  other: 'other',
};

/**
 * Reads the finish reason; undefined for a normal end, where it follows from the parts. `load` and `unload` are not
 * responses to a prompt.
 */
export function readFinish(word: JsonValue | undefined): FinishReason | undefined {
  if (typeof word !== 'string' || word === '' || word === 'stop') return undefined;
  return endedByLength(word) ? 'length' : word === 'error' ? word : 'other';
}

/**
 * Writes the finish reason; keeps the received one (`before`) if it has the same meaning. `before` is null if none was
 * received.
 */
export function writeFinish(finish: FinishReason, before: JsonValue | undefined): string | undefined {
  if (before === null && words[finish] === 'stop') return undefined;
  return typeof before === 'string' && readFinish(before) === finish ? before : words[finish];
}

/** A finish reason that must be passed through because ours doesn't map back to it. */
export function oddReason(word: JsonValue | undefined): { done_reason?: JsonValue } {
  if (word === undefined || word === null) return { done_reason: null };
  return words[readFinish(word) ?? 'stop'] === word ? {} : { done_reason: word };
}
