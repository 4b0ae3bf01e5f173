import type { AIMessage } from '@langchain/core/messages';
import type { AnswerOptions } from '../mend-options.ts';
import { mendTurn } from '../mend-turn.ts';
import type { Answer } from './answer.ts';
import type { BoundTools } from './bound-tools.ts';
import { callsOf, readMessage } from './read-message.ts';
import { writeMessage } from './write-message.ts';

/** Mends the calls of a whole answer, those in its words too. Without tools there is nothing to mend. */
export function mendMessage(
  message: Answer,
  { toolbox, isForeign }: BoundTools,
  options: AnswerOptions = {},
): Answer | AIMessage {
  if (toolbox.size === 0) return message;
  const response = readMessage(message, isForeign);
  const mended = mendTurn(response, toolbox, options);
  const ids = new Set(callsOf(message).map(({ id }) => id));
  // Two calls of one id would share one result: the second was given an id of its own.
  const own = mended.calls.every(({ part }) => ids.has(part.id));
  const same = own && !mended.changed && !response.dropped && (message.invalid_tool_calls ?? []).length === 0;
  if (same && mended.calls.every(({ outcome }) => outcome.status !== 'invalid')) return message;
  return writeMessage(message, mended, toolbox, isForeign);
}
