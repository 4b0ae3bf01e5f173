import type { JsonValue } from '../../../json/value.ts';
import { endedByLength } from '../../../mend/finish-reason.ts';
import type { FinishReason, TurnResponse } from '../../../model/index.ts';

/** Finish reasons of OpenAI and compatible servers. */
const reasons: Readonly<Record<string, FinishReason>> = {
  __proto__: null as never,
  stop: 'stop',
  eos: 'stop',
  eos_token: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_calls: 'tool_calls',
  tool_call: 'tool_calls',
  tool_use: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'filter',
  safety: 'filter',
  error: 'error',
  insufficient_system_resource: 'error',
  abort: 'error',
};

/** The API's finish reasons. */
export const wireFinishReasons: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  tool_calls: 'tool_calls',
  length: 'length',
  filter: 'content_filter',
  error: 'error',
  other: 'other',
};

/** Reads the finish reason. `stop` and `tool_calls` don't count if they contradict the content. */
export function finishOf(word: unknown, called: boolean): FinishReason {
  const found = called ? 'tool_calls' : 'stop';
  if (typeof word !== 'string' || word === '') return found;
  const said = reasons[word.toLowerCase()] ?? (endedByLength(word) ? 'length' : 'other');
  return said === 'stop' || said === 'tool_calls' ? found : said;
}

/**
 * Writes the finish reason; keeps the received one (`own`) if it has the same meaning and no call was ignored. `stop`
 * with calls is corrected, because clients would ignore them.
 */
export function wireFinishReason({ finish, message, ignored }: TurnResponse, own: JsonValue | undefined): JsonValue {
  const called = message.parts.some(({ type }) => type === 'call' || type === 'opaque');
  if (ignored && !called && finish === 'stop') return wireFinishReasons.stop;
  if (called && finish === 'tool_calls' && own !== 'function_call') return wireFinishReasons.tool_calls;
  const same = own !== undefined && [finishOf(own, called), finishOf(own, !called)].includes(finish);
  return same ? own : wireFinishReasons[finish];
}
