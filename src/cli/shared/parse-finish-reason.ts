import { endedByLength } from '../../mend/finish-reason.ts';
import type { FinishReason } from '../../model/index.ts';

/** Finish reasons, in our words and in those of providers. */
const words: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  end_turn: 'stop',
  tool_calls: 'tool_calls',
  'tool-calls': 'tool_calls',
  tool_use: 'tool_calls',
  filter: 'filter',
  content_filter: 'filter',
  error: 'error',
};

/** Parses a finish reason; `other` if it is unknown. */
export function parseFinishReason(word: string): FinishReason {
  const folded = word.toLowerCase();
  if (Object.hasOwn(words, folded)) return words[folded] as FinishReason;
  return endedByLength(word) ? 'length' : 'other';
}
