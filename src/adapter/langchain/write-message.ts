import { AIMessage } from '@langchain/core/messages';
import type { InvalidToolCall, ToolCall } from '@langchain/core/messages/tool';
import { feedback } from '../../call/feedback.ts';
import type { MendedParts } from '../../call/mend-parts.ts';
import type { JudgedCall } from '../../call/mended-call.ts';
import type { BadOutcome } from '../../call/outcome.ts';
import { isObject } from '../../json/value.ts';
import type { Toolbox } from '../../tool/toolbox.ts';
import type { Answer, IsForeign } from './answer.ts';
import { isNoObject } from './is-no-object.ts';
import { marked, notesOf, type RefusedCall } from './mark.ts';
import { callsOf, textsOf } from './read-message.ts';
import { rewriteCalls } from './rewrite-calls.ts';
import { rewriteWords } from './rewrite-words.ts';
import { shownArguments } from './shown-arguments.ts';

/**
 * The answer with its calls as they were mended, and all else as it came. A call that could not even be read is no call:
 * it stands among the invalid ones, with what the model is to be told of it.
 */
export function writeMessage(message: Answer, mended: MendedParts, toolbox: Toolbox, isForeign: IsForeign): AIMessage {
  const { calls, response } = mended;
  const foreign = (message.tool_calls ?? []).filter(isForeign);
  const tool_calls = [...foreign, ...calls.filter((call) => !isNoObject(call)).map(toolCallOf)];
  const unread = calls.filter(isNoObject);
  const refused = unread.map((call) => refusedCall(call, toolbox));
  const invalid_tool_calls = unread.map((call, at) => invalidCallOf(call, refused[at]?.error));
  const words = response.message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const thoughts = response.message.parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : []));
  const gone = new Set(callsOf(message).map(({ id }) => id));
  for (const { id } of [...tool_calls, ...invalid_tool_calls]) if (id) gone.delete(id);
  const rest = rewriteCalls(rewriteWords(message, textsOf(message), words, thoughts), tool_calls, gone);
  const { id, name, usage_metadata } = message;
  return new AIMessage({
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(usage_metadata !== undefined && { usage_metadata }),
    ...rest,
    response_metadata: marked(rest.response_metadata, {
      ...{ refused, finish: response.finish, notes: notesOf(calls) },
      dropped: response.dropped !== undefined,
    }),
    tool_calls,
    invalid_tool_calls,
  });
}

/** A call as the framework has it: mended, or as an object of what came where that is none. */
export const toolCallOf = ({ part, outcome }: JudgedCall): ToolCall => ({
  type: 'tool_call',
  id: part.id,
  name: outcome.name,
  args: outcome.status !== 'invalid' && isObject(outcome.input) ? outcome.input : shownArguments(part.arguments),
});

/** A call that is not to run, and why. */
export function refusedCall({ part, outcome }: JudgedCall, toolbox: Toolbox, told?: string): RefusedCall {
  const error = told ?? feedback(outcome as BadOutcome, { toolbox }).text;
  return { id: part.id, error, ...(part.found && { found: part.found }) };
}

/** The same as the framework has it, with the text of the call. */
export function invalidCallOf({ part }: JudgedCall, error: string | undefined): InvalidToolCall {
  const { arguments: given } = part;
  const args = typeof given === 'string' ? given : JSON.stringify(given);
  return { type: 'invalid_tool_call', id: part.id, name: part.name, args, ...(error && { error }) };
}
