import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { mendParts } from '../../call/mend-parts.ts';
import type { JudgedCall } from '../../call/mended-call.ts';
import type { Policy } from '../../tool/policy.ts';
import { tellPast } from '../tell-past.ts';
import type { Answer } from './answer.ts';
import type { BoundTools } from './bound-tools.ts';
import { pastCalls } from './past-calls.ts';
import { readMessage } from './read-message.ts';
import { rewriteCalls } from './rewrite-calls.ts';
import { invalidCallOf, toolCallOf } from './write-message.ts';

/**
 * Makes the calls of a mended answer that are not to run part of the conversation: the framework takes them to its tools,
 * where each is answered with what stands beside it here. A call the framework never hears of would end the run.
 */
export function refuseCalls(
  message: Answer,
  history: readonly BaseMessage[],
  { toolbox, isForeign }: BoundTools,
  policy?: Policy,
): Answer {
  const response = readMessage(message, isForeign);
  const { calls } = mendParts(response, { toolbox, policy });
  const bad = calls.filter(({ outcome }) => outcome.status === 'invalid');
  if (bad.length === 0) return message;
  const turn = history.length;
  const now = calls.map(({ part: { id, name, arguments: given }, outcome }) => ({
    ...{ id, name, arguments: given, turn },
    ...(outcome.raw.finishReason && { finish: outcome.raw.finishReason }),
  }));
  const told = tellPast([...pastCalls(history), ...now], toolbox, policy);
  const earlier = new Map((message.invalid_tool_calls ?? []).map(({ id, error }) => [id, error]));
  const invalid = (call: JudgedCall) =>
    invalidCallOf(call, toolbox, told.get(call.part.id) ?? earlier.get(call.part.id));
  const foreign = (message.tool_calls ?? []).filter(isForeign);
  const tool_calls = [...foreign, ...calls.map(toolCallOf)];
  const { id, name, usage_metadata } = message;
  return new AIMessage({
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(usage_metadata !== undefined && { usage_metadata }),
    ...rewriteCalls(message, tool_calls, new Set()),
    tool_calls,
    invalid_tool_calls: bad.map(invalid),
  });
}
