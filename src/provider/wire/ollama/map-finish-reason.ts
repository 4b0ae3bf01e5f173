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

/** How an answer ended; nothing for a plain end, which is found from what came. `load` and `unload` answer no question. */
export function readFinish(word: JsonValue | undefined): FinishReason | undefined {
  if (typeof word !== 'string' || word === '' || word === 'stop') return undefined;
  return endedByLength(word) ? 'length' : word === 'error' ? word : 'other';
}

/** The wire's word for it: the one that came (`before`) for as long as it means the same; null where none came. */
export function writeFinish(finish: FinishReason, before: JsonValue | undefined): string | undefined {
  if (before === null && words[finish] === 'stop') return undefined;
  return typeof before === 'string' && readFinish(before) === finish ? before : words[finish];
}

/** What must be carried along, since our word does not lead back to it. */
export function oddReason(word: JsonValue | undefined): { done_reason?: JsonValue } {
  if (word === undefined || word === null) return { done_reason: null };
  return words[readFinish(word) ?? 'stop'] === word ? {} : { done_reason: word };
}
