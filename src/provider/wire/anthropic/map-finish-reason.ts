import type { JsonValue } from '../../../json/value.ts';
import { endedByLength } from '../../../mend/finish-reason.ts';
import type { FinishReason } from '../../../model/index.ts';

const reasons = new Map<unknown, FinishReason>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'filter'],
]);

/** Reads `stop_reason`. Gateways send `end_turn` with calls, or `tool_use` without any, so the content decides. */
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

/** Writes `stop_reason`; keeps the received one if it has the same meaning. */
export const stopReasonOf = (finish: FinishReason, own: JsonValue | undefined, calls: boolean): JsonValue =>
  own !== undefined && finishOf(own, calls) === finish ? own : words[finish];

/** Whether our finish reason maps back to this one. `end_turn` with calls is corrected, not preserved. */
export const leadsBack = (word: JsonValue | undefined, finish: FinishReason): boolean =>
  word === words[finish] || (word === 'end_turn' && finish === 'tool_calls');
