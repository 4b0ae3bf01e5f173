import type { FinishReason } from '../model/index.ts';

/** Substrings, because gateways spell these reasons in many ways: `MAX_TOKENS`, `max-output-tokens`, `model_length`. */
const limits = /length|max.*token|token.*limit|incomplete|truncat|context.*window/i;

/** Whether a finish reason of any provider means that the message reached its length limit. */
export const endedByLength = (reason: unknown): boolean => typeof reason === 'string' && limits.test(reason);

/** Whether a finish reason means that the message is incomplete: length, filter or error. */
export const endedEarly = (reason: unknown): boolean =>
  endedByLength(reason) || (typeof reason === 'string' && /^(content_?)?filter|^error$|abort/i.test(reason));

/** Words of all providers for a complete message. */
const complete =
  /^(?:stop(?:ped|[_-]sequence)?|end(?:[_-]turn)?|eos(?:[_-](?:token|found))?|tool[_-]?(?:calls?|use)|function[_-]?calls?|completed?|done|finished|success)$/i;

/** Whether there is a finish reason that doesn't say that the message is complete, also an unknown one. */
export const isUnfinished = (reason: unknown): boolean =>
  typeof reason === 'string' && reason !== '' && !complete.test(reason);

/** Whether text may contain calls: not if a filter or a failure ended it, or for an unknown reason. */
export const allowsTextCalls = (finish: FinishReason): boolean =>
  finish === 'stop' || finish === 'tool_calls' || finish === 'length';

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
