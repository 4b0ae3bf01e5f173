import type { FinishReason } from '../turn/turn.ts';

/** How a message ended, in our own words and in those of providers. */
const words: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  end_turn: 'stop',
  tool_calls: 'tool_calls',
  'tool-calls': 'tool_calls',
  tool_use: 'tool_calls',
  length: 'length',
  max_tokens: 'length',
  max_output_tokens: 'length',
  filter: 'filter',
  content_filter: 'filter',
  error: 'error',
};

/** The finish reason a word stands for; `other` for one that is not known. */
export function finishReasonOf(word: string): FinishReason {
  const folded = word.toLowerCase();
  return Object.hasOwn(words, folded) ? (words[folded] as FinishReason) : 'other';
}
