import type { JsonValue } from '../../../json/value.ts';
import { endedByLength } from '../../../mend/finish-reason.ts';
import type { FinishReason } from '../../../model/index.ts';

const reasons = new Map<unknown, FinishReason>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'filter'],
]);

/** What a `stop_reason` means. Gateways say `end_turn` beside calls, or `tool_use` without any: what came counts. */
export function finishOf(word: JsonValue | undefined, calls: boolean): FinishReason {
  const known = word === null || word === undefined || word === '' ? 'stop' : reasons.get(word);
  const read = known ?? (endedByLength(word) ? 'length' : 'other');
  if (read === 'stop' || read === 'tool_calls') return calls ? 'tool_calls' : 'stop';
  return read;
}

const words: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  tool_calls: 'tool_use',
  length: 'max_tokens',
  filter: 'refusal',
  error: 'end_turn',
  other: 'end_turn',
};

/** The word for a finish; the one the wire used itself where it means the same. */
export const stopReasonOf = (finish: FinishReason, own: JsonValue | undefined, calls: boolean): JsonValue =>
  own !== undefined && finishOf(own, calls) === finish ? own : words[finish];

/** Whether ours leads back to this word, or it must be kept. `end_turn` beside calls is mended, and not kept. */
export const leadsBack = (word: JsonValue | undefined, finish: FinishReason): boolean =>
  word === words[finish] || (word === 'end_turn' && finish === 'tool_calls');
