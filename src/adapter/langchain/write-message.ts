import { AIMessage } from '@langchain/core/messages';
import type { InvalidToolCall, ToolCall } from '@langchain/core/messages/tool';
import { feedback } from '../../call/feedback.ts';
import type { MendedParts } from '../../call/mend-parts.ts';
import type { JudgedCall } from '../../call/mended-call.ts';
import type { BadOutcome } from '../../call/outcome.ts';
import { isObject } from '../../json/value.ts';
import type { Toolbox } from '../../tool/toolbox.ts';
import type { Answer, IsForeign } from './answer.ts';
import { isUnread } from './is-unread.ts';
import { callsOf, textsOf } from './read-message.ts';
import { rewriteCalls } from './rewrite-calls.ts';
import { rewriteWords } from './rewrite-words.ts';

/**
 * The answer with its calls as they were mended, and all else as it came. A call that could not even be read is no call:
 * it stands among the invalid ones, with what the model is to be told of it.
 */
export function writeMessage(message: Answer, mended: MendedParts, toolbox: Toolbox, isForeign: IsForeign): AIMessage {
  const { calls, response } = mended;
  const foreign = (message.tool_calls ?? []).filter(isForeign);
  const tool_calls = [...foreign, ...calls.filter((call) => !isUnread(call)).map(toolCallOf)];
  const invalid_tool_calls = calls.filter(isUnread).map((call) => invalidCallOf(call, toolbox));
  const words = response.message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const thoughts = response.message.parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : []));
  const gone = new Set(callsOf(message).map(({ id }) => id));
  for (const { id } of [...tool_calls, ...invalid_tool_calls]) if (id) gone.delete(id);
  const { id, name, usage_metadata } = message;
  return new AIMessage({
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(usage_metadata !== undefined && { usage_metadata }),
    ...rewriteCalls(rewriteWords(message, textsOf(message), words, thoughts), tool_calls, gone),
    tool_calls,
    invalid_tool_calls,
  });
}

/** A call as the framework runs it; what is no object is an empty one, and is refused before it runs. */
export const toolCallOf = ({ part, outcome }: JudgedCall): ToolCall => ({
  type: 'tool_call',
  id: part.id,
  name: part.name,
  args: isObject(outcome.input) ? outcome.input : {},
});

/** A call that is not to run, with its text and why. */
export function invalidCallOf(
  { part, outcome }: JudgedCall,
  toolbox: Toolbox,
  error = feedback(outcome as BadOutcome, { toolbox }).text,
): InvalidToolCall {
  const { arguments: given } = part;
  const args = typeof given === 'string' ? given : JSON.stringify(given);
  return { type: 'invalid_tool_call', id: part.id, name: part.name, args, error };
}
